internal import Signet
internal import SignetCrypto

/// The JSON documents of `--json`, described in docs/cli.md.
enum Report {
  /// The one object of a run.
  static func document(_ command: String, _ results: [JSONValue], _ status: ExitStatus) throws(SignetError) -> String
  {
    try text(
      .object(
        ("command", .string(command)), ("results", .array(results)), ("status", .integer(Int(status.rawValue)))))
  }

  /// Writes the document of a run that ended before it began; false when that failed too.
  static func write(_ error: SignetError) -> Bool {
    let value = JSONValue.object(("error", json(error)), ("status", .integer(Int(ExitStatus.failed.rawValue))))
    guard let text = try? text(value), (try? Console.output(text + "\n")) != nil else { return false }
    return true
  }

  static func keygen(_ key: PublicKey, _ path: String, _ publicPath: String) throws(SignetError) -> String {
    let entry = JSONValue.object(
      ("privateKey", .string(path)), ("publicKey", .string(publicPath)), ("keyId", .string("\(key.id)")),
      ("algorithm", .string("\(key.algorithm)")))
    return try document("keygen", [entry], .done)
  }

  static func signed(_ file: String, _ bundle: String, _ key: PublicKey) -> JSONValue {
    .object(
      ("file", .string(file)), ("verdict", .string("signed")), ("bundle", .string(bundle)),
      ("keyId", .string("\(key.id)")), ("algorithm", .string("\(key.algorithm)")))
  }

  static func digests(_ file: String, _ digests: FileDigests) -> JSONValue {
    .object(
      ("file", .string(file)), ("verdict", .string("done")), ("size", .integer(digests.size)),
      ("sha256", .string(digests.sha256.hex)), ("fsverity", .string("\(digests.fsverity)")))
  }

  static func failed(_ file: String, _ error: SignetError) -> JSONValue {
    .object(
      ("file", .string(file)), ("verdict", .string(error.isAboutSignature ? "refused" : "error")),
      ("reasons", .array([json(error)])))
  }

  static func json(_ error: SignetError) -> JSONValue {
    let causes = Console.causes(of: error)
    return .object(
      ("code", .string("\(error.code)")), ("object", .string(error.object)), ("message", .string(error.message)),
      ("expected", error.expected.map { .string($0) }), ("found", error.found.map { .string($0) }),
      ("causes", causes.isEmpty ? nil : .array(causes.map { .string($0) })), ("hint", error.hint.map { .string($0) }))
  }

  private static func text(_ value: JSONValue) throws(SignetError) -> String {
    String(decoding: try CanonicalJSON.write(value), as: UTF8.self).visibleJSON
  }
}

extension SignetError {
  /// Whether what is wrong is the signature, which makes it a refusal, rather than the program's surroundings.
  var isAboutSignature: Bool {
    ["signature.", "bundle.", "envelope.", "statement."].contains { code.rawValue.hasPrefix($0) }
  }
}
