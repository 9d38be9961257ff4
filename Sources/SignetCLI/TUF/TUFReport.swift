internal import Signet
internal import SignetBase
internal import SignetTUF

/// How a run of a command ends that works on a repository of The Update Framework.
struct TUFRun {
  /// The command, for programs.
  let command: String
  let console: Console
  private(set) var entries: [JSONValue] = []
  private(set) var status = ExitStatus.done

  init(_ command: String, _ console: Console) {
    self.command = command
    self.console = console
  }

  /// Notes something that was done.
  ///
  /// - Throws: `output.standard`.
  mutating func did(_ entry: JSONValue, _ lines: [String]) throws(SignetError) {
    try console.result(lines)
    entries.append(entry)
  }

  /// Notes what a client has to complain of, though it went on.
  mutating func note(_ complaints: [TUFClient.Complaint], of folder: String) {
    for complaint in complaints {
      var error = complaint.error
      if let mirror = complaint.mirror {
        error = SignetError(
          complaint.error.code, mirror, "gave nothing that can be used, so the next mirror is asked if there is one",
          cause: complaint.error)
      }
      console.warn(error)
      entries.append(
        .object(
          ("file", .string(complaint.mirror ?? folder)), ("verdict", .string("warning")),
          ("reasons", .array([Report.json(complaint.error)]))))
    }
  }

  /// Notes what went wrong in the end.
  mutating func failed(_ subject: String, _ error: SignetError) {
    if error.isTUFRefusal {
      console.refuse(subject, [error])
      entries.append(Report.refused(subject, error))
      status = .refused
    } else {
      console.complain(subject, error)
      entries.append(Report.failed(subject, error))
      status = .failed
    }
  }

  /// Reports everything to programs.
  func end() throws(SignetError) -> ExitStatus {
    if console.isJSON { try console.document(Report.document(command, entries, status)) }
    return status
  }
}

extension SignetError {
  /// The faults of a repository that say nothing about what it signed: the command could not be done.
  private static let absences: Set<SignetError.Code> = [
    .tufNoRoot, .tufNotFound, .tufUnreachable, .tufTooSlow, .tufNoTarget,
  ]

  /// Whether something was examined, and is not accepted.
  fileprivate var isTUFRefusal: Bool {
    code == .tufRootPinMismatch || Set.aboutTUF.contains(code) && !Self.absences.contains(code)
  }
}

extension MetadataRole {
  /// Which version it is, and how long it is valid.
  var words: String { "version \(version), until \(expires.minute)" }

  /// The same facts, for programs.
  var facts: JSONValue { .object(("version", .integer(version)), ("expires", .string("\(expires)"))) }
}

extension FreshTargets {
  /// The roles of the top level and what they are, for people.
  var lines: [String] {
    [
      "  root       \(snapshot.root.role.words)", "  timestamp  \(snapshot.timestamp.role.words)",
      "  snapshot   \(snapshot.role.words)", "  targets    \(role.words)",
    ]
  }

  /// The same facts, for programs.
  var facts: JSONValue {
    .object(
      ("root", snapshot.root.role.facts), ("timestamp", snapshot.timestamp.role.facts),
      ("snapshot", snapshot.role.facts), ("targets", role.facts))
  }
}
