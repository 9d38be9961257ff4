internal import Signet
internal import SignetCrypto

/// A verdict for people and for programs.
struct VerdictReport {
  private let file: String
  private let verdict: Verdict

  init(_ file: String, _ verdict: Verdict) {
    self.file = file
    self.verdict = verdict
  }

  /// Prints it: what is verified to standard output, what is refused to standard error.
  func print(to console: Console, explain: Bool) throws(SignetError) {
    switch verdict {
    case .verified(let artifact):
      var lines = ["\(Console.good("verified")): \(file.display)"]
      for signature in artifact.signatures { lines.append("  signed by  \(signature.key)\(Self.date(signature))") }
      try console.result(lines)
    case .refused(let refusal):
      for reason in refusal.reasons { console.complain("refused", file, reason) }
    }
    if explain { try console.result(verdict.checks.map { Self.line($0) }) }
  }

  /// The signer's own word for when; nothing proves it.
  private static func date(_ signature: VerifiedSignature) -> String {
    guard case .file(let claims) = signature.statement.predicate else { return "" }
    return ", dated \(claims.signedAt)"
  }

  private static func line(_ check: Check) -> String {
    let (word, detail) = outcome(check)
    return "  \(padded(word, 8))\(padded(check.step.rawValue, 18))\(detail.display)"
  }

  private static func outcome(_ check: Check) -> (String, String) {
    switch check.outcome {
    case .passed(let found): ("passed", found)
    case .failed(let error): ("failed", "\(error.code): \(error.message)")
    case .skipped(let why): ("skipped", why)
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.utf8.count))
  }

  /// The entry of the JSON document.
  var json: JSONValue {
    let checks = verdict.checks.map { check in
      let (word, detail) = Self.outcome(check)
      return JSONValue.object(
        ("step", .string(check.step.rawValue)), ("object", .string(check.object)), ("outcome", .string(word)),
        ("detail", .string(detail)))
    }
    switch verdict {
    case .verified(let artifact):
      return .object(
        ("file", .string(file)), ("verdict", .string("verified")), ("name", .string(artifact.name)),
        ("size", .integer(artifact.artifact.size)), ("sha256", artifact.sha256.map { .string($0.hex) }),
        ("fsverity", artifact.fsverity.map { .string("\($0)") }),
        ("signatures", .array(artifact.signatures.map { Self.json($0) })), ("checks", .array(checks)))
    case .refused(let refusal):
      return .object(
        ("file", .string(file)), ("verdict", .string("refused")),
        ("reasons", .array(refusal.reasons.map { Report.json($0) })), ("checks", .array(checks)))
    }
  }

  private static func json(_ signature: VerifiedSignature) -> JSONValue {
    var signedAt: JSONValue?
    var notAfter: JSONValue?
    if case .file(let claims) = signature.statement.predicate {
      signedAt = .string("\(claims.signedAt)")
      notAfter = claims.notAfter.map { .string("\($0)") }
    }
    return .object(
      ("keyId", .string("\(signature.key.id)")), ("algorithm", .string("\(signature.key.algorithm)")),
      ("predicateType", .string(signature.statement.predicateType.uri)), ("signedAt", signedAt),
      ("notAfter", notAfter))
  }
}
