internal import ModuleRegistry
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetSystem
internal import SignetTUF

/// What a publication did, for people and for programs.
struct PublicationReport {
  let publication: DraftPublication

  /// The lines for people.
  private var lines: [String] {
    let files = publication.publication.files
    let names = files.map { "\($0.role.display) \($0.version)" }.joined(separator: ", ")
    return ["\(Console.good()) published  \(names)"]
      + publication.waiting.map {
        "  waiting    \($0.role.display): \("\($0.reason.object): \($0.reason.message)".display)"
      }
  }

  /// Tells people.
  func tell(_ console: Console) throws(SignetError) {
    try console.result(lines)
    for warning in publication.warnings { console.warn(warning) }
  }

  /// The members of a document.
  var json: [JSONValue] {
    publication.publication.files.map { file in
      .object(
        ("role", .string(file.role)), ("version", .integer(file.version)), ("verdict", .string("published")),
        ("size", .integer(file.bytes.count)))
    }
      + publication.waiting.map { waiting in
        .object(
          ("role", .string(waiting.role)), ("verdict", .string("waiting")),
          ("reasons", .array([Report.json(waiting.reason)]))
        )
      }
      + publication.warnings.map { .object(("verdict", .string("warning")), ("reasons", .array([Report.json($0)]))) }
  }
}

extension ModuleRegistry {
  /// The registry in a directory, now.
  static func now(
    _ path: String, timestampDays: Int? = nil, snapshotDays: Int? = nil
  ) -> ModuleRegistry {
    var lifetimes = RoleLifetimes()
    lifetimes.timestamp = timestampDays ?? lifetimes.timestamp
    lifetimes.snapshot = snapshotDays ?? lifetimes.snapshot
    return ModuleRegistry(path, at: SystemTime.now(), lifetimes: lifetimes)
  }
}
