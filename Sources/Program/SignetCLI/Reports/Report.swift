package import Signet
package import SignetBase
package import SignetCrypto
internal import Timestamping

/// The JSON documents of `--json`, described in docs/cli.md.
package enum Report {
  /// The only JSON object of a run.
  package static func document(_ command: String, _ results: [JSONValue], _ status: ExitStatus) throws(SignetError)
    -> String
  {
    try text(
      .object(
        ("command", .string(command)), ("results", .array(results)), ("status", .integer(Int(status.rawValue)))))
  }

  /// The only JSON object of a run that ended before it began.
  package static func ended(_ error: SignetError, _ status: ExitStatus) throws(SignetError) -> String {
    try text(.object(("error", json(error)), ("status", .integer(Int(status.rawValue)))))
  }

  package static func keygen(_ key: PublicKey, _ path: String, _ publicPath: String) throws(SignetError) -> String {
    let entry = JSONValue.object(
      ("privateKey", .string(path)), ("publicKey", .string(publicPath)), ("publicKeyText", .string(key.line)),
      ("keyId", .string("\(key.id)")),
      ("algorithm", .string("\(key.algorithm)")))
    return try document("keygen", [entry], .done)
  }

  package static func made(_ directory: String, _ identifier: ModuleIdentifier, _ files: [String]) -> JSONValue {
    .object(
      ("file", .string(directory)), ("verdict", .string("made")), ("identifier", .string("\(identifier)")),
      ("files", .array(files.map { .string($0) })))
  }

  static func signed(_ file: String, _ outcome: SigningJob.Outcome, _ key: PublicKey) -> JSONValue {
    .object(
      ("file", .string(file)), ("verdict", .string(outcome.isNew ? "signed" : "already-signed")),
      ("kind", .string(outcome.kind.rawValue)),
      ("bundle", .string(outcome.path)),
      ("keyId", .string("\(key.id)")), ("algorithm", .string("\(key.algorithm)")),
      ("timestamps", outcome.stamped.isEmpty ? nil : .array(outcome.stamped.map(json))))
  }

  static func stamped(_ file: String, _ outcome: StampingJob.Outcome) -> JSONValue {
    .object(
      ("file", .string(file)), ("verdict", .string(outcome.stamped.isEmpty ? "already-stamped" : "stamped")),
      ("bundles", .array(outcome.files.map { .string($0) })), ("timestamps", .array(outcome.stamped.map(json))))
  }

  private static func json(_ stamped: BundleStamper.Stamped) -> JSONValue {
    .object(("authority", .string(stamped.authority)), ("time", .string("\(stamped.time)")))
  }

  static func statement(_ file: String, _ place: String, _ kind: SigningJob.Kind) -> JSONValue {
    .object(
      ("file", .string(file)), ("verdict", .string("done")), ("kind", .string(kind.rawValue)),
      ("statement", .string(place)))
  }

  /// A skipped file, such as one of signatures among others.
  static func skipped(_ file: String) -> JSONValue {
    .object(("file", .string(file)), ("verdict", .string("skipped")))
  }

  static func attached(_ file: String, _ archive: String, _ count: Int) -> JSONValue {
    .object(
      ("file", .string(file)), ("verdict", .string("done")), ("archive", .string(archive)),
      ("bundles", .integer(count)))
  }

  static func detached(_ file: String, archive: String, bundle: String, count: Int) -> JSONValue {
    .object(
      ("file", .string(file)), ("verdict", .string("done")), ("archive", .string(archive)),
      ("bundle", .string(bundle)), ("bundles", .integer(count)))
  }

  package static func digests(_ file: String, _ digests: (signed: FileDigests?, file: FileDigests)) -> JSONValue {
    let whole = digests.file
    return .object(
      ("file", .string(file)), ("verdict", .string("done")), ("size", .integer(whole.size)),
      ("sha256", .string(whole.sha256.hex)), ("fsverity", .string("\(whole.fsverity)")),
      ("signed", digests.signed.map { self.digests($0) }))
  }

  /// Size and digests.
  package static func digests(_ digests: FileDigests) -> JSONValue {
    .object(
      ("size", .integer(digests.size)), ("sha256", .string(digests.sha256.hex)),
      ("fsverity", .string("\(digests.fsverity)")))
  }

  static func packed(_ source: String, _ archive: String, _ module: PackedModule) -> JSONValue {
    let advice = module.advice.map { each in
      JSONValue.object(
        ("topic", .string(each.topic)), ("path", .string(each.path)), ("message", .string(each.message)),
        ("hint", each.hint.map { .string($0) }))
    }
    return .object(
      ("file", .string(source)), ("verdict", .string("packed")), ("archive", .string(archive)),
      ("format", .string("\(module.format)")), ("identifier", .string("\(module.description.identifier)")),
      ("version", .string("\(module.description.version)")), ("sequence", .integer(module.description.sequence)),
      ("entries", .integer(module.entryCount)), ("size", .integer(module.size)), ("advice", .array(advice)))
  }

  /// A file for which the command could not be done.
  package static func ended(_ file: String, _ error: SignetError) -> JSONValue {
    ended(file, [error], verdict(of: error))
  }

  /// Something that ended with several errors.
  package static func ended(_ file: String, _ errors: [SignetError], _ verdict: String) -> JSONValue {
    .object(("file", .string(file)), ("verdict", .string(verdict)), ("reasons", .array(errors.map { json($0) })))
  }

  /// The verdict over what ended with an error.
  package static func verdict(of error: SignetError) -> String { error.nature == .refusal ? "refused" : "error" }

  package static func json(_ error: SignetError) -> JSONValue {
    let causes = Console.causes(of: error)
    func text(_ text: String) -> JSONValue { .string(text.clipped) }
    return .object(
      ("code", .string("\(error.code)")), ("object", text(error.object)), ("message", text(error.message)),
      ("expected", error.expected.map(text)), ("found", error.found.map(text)),
      ("causes", causes.isEmpty ? nil : .array(causes.map(text))), ("hint", NextStep.after(error).map(text)))
  }

  private static func text(_ value: JSONValue) throws(SignetError) -> String {
    String(decoding: try CanonicalJSON.write(value), as: UTF8.self).visibleJSON
  }
}
