internal import Signet
internal import SignetCrypto

/// A verdict for people and for programs.
struct VerdictReport {
  private let file: String
  private let outcome: Outcome
  private let checks: [Check]
  /// The time it was verified at, where that is not now.
  private let time: UnixTime?

  private enum Outcome {
    case verified(any VerificationProof)
    case refused(Refusal)
  }

  init<Proof>(_ file: String, _ verdict: Verdict<Proof>, at time: UnixTime?) {
    self.file = file
    self.time = time
    checks = verdict.checks
    switch verdict {
    case .verified(let proof): outcome = .verified(proof)
    case .refused(let refusal): outcome = .refused(refusal)
    }
  }

  var isVerified: Bool {
    if case .verified = outcome { true } else { false }
  }

  /// Prints it: what is verified to standard output, what is refused to standard error.
  func print(to console: Console, explain: Bool) throws(SignetError) {
    switch outcome {
    case .verified(let proof):
      var lines = ["\(Console.good("verified")): \(file.display)"]
      for signature in proof.signatures {
        lines.append("  signed by  \(Self.signer(signature))\(Self.date(signature))")
      }
      if let time { lines.append("  as of      \(time)") }
      try console.result(lines + ArtifactReport(proof).lines)
    case .refused(let refusal):
      for reason in refusal.reasons { console.complain("refused", file, reason) }
      if let time { console.note("  as of     \(time)") }
    }
    if explain { try console.result(explanation) }
  }

  private static func signer(_ signature: VerifiedSignature) -> String {
    guard let leaf = signature.certificatePath?.leaf else { return "\(signature.key)" }
    return "\(leaf.subject), \(signature.key)".display
  }

  /// The signer's own word for when; nothing proves it.
  private static func date(_ signature: VerifiedSignature) -> String {
    signature.statement.signedAt.map { ", dated \($0)" } ?? ""
  }

  /// Every check in a line, those of each bundle under its name.
  private var explanation: [String] {
    var lines: [String] = []
    var heading: String?
    for check in checks {
      if check.step == .bundle { heading = nil }
      let isOfAll = [.policy, .presence, .quorum].contains(check.step)
      if !isOfAll, heading == nil {
        lines.append("  \(check.object.display)")
        heading = check.object
      }
      let (word, detail) = Self.words(check)
      let indent = isOfAll ? "  " : "    "
      lines.append("\(indent)\(Self.padded(word, 8))\(Self.padded(check.step.rawValue, 18))\(detail.display)")
    }
    return lines
  }

  private static func words(_ check: Check) -> (String, String) {
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
    let checks = checks.map { check in
      let (word, detail) = Self.words(check)
      return JSONValue.object(
        ("step", .string(check.step.rawValue)), ("object", .string(check.object)), ("outcome", .string(word)),
        ("detail", .string(detail)))
    }
    switch outcome {
    case .verified(let proof):
      let at = time.map { [JSONValue.Member("at", .string("\($0)"))] } ?? []
      return JSONValue(
        .object(
          [JSONValue.Member("file", .string(file)), JSONValue.Member("verdict", .string("verified"))]
            + at + ArtifactReport(proof).members
            + [
              JSONValue.Member("signatures", .array(proof.signatures.map { Self.json($0) })),
              JSONValue.Member("checks", .array(checks)),
            ]))
    case .refused(let refusal):
      return .object(
        ("file", .string(file)), ("verdict", .string("refused")), ("at", time.map { .string("\($0)") }),
        ("reasons", .array(refusal.reasons.map { Report.json($0) })), ("checks", .array(checks)))
    }
  }

  private static func json(_ signature: VerifiedSignature) -> JSONValue {
    let claims = signature.statement
    return .object(
      ("keyId", .string("\(signature.key.id)")), ("algorithm", .string("\(signature.key.algorithm)")),
      ("entries", .array(signature.entries.map { .string($0) })),
      (
        "certificates",
        signature.certificatePath.map { .array($0.certificates.map { .string("\($0.subject)") }) }
      ), ("predicateType", .string(signature.statement.predicateType.uri)),
      ("signedAt", claims.signedAt.map { .string("\($0)") }),
      ("notAfter", claims.notAfter.map { .string("\($0)") }))
  }
}
