package import Signet
package import SignetBase
internal import SignetCrypto

/// A verdict for people and for programs.
package struct VerdictReport {
  private let file: String
  private var outcome: Outcome
  private let checks: [Check]
  /// The time of the verification, if it is not now.
  private let time: UnixTime?
  /// Whether a policy has names for the signers that it trusts.
  private let isNamed: Bool

  private enum Outcome {
    case verified(any VerificationProof)
    case refused([SignetError])
  }

  package init<Proof>(_ file: String, _ verdict: Verdict<Proof>, at time: UnixTime?, isNamed: Bool) {
    self.file = file
    self.time = time
    self.isNamed = isNamed
    checks = verdict.checks
    switch verdict {
    case .verified(let proof): outcome = .verified(proof)
    case .refused(let refusal): outcome = .refused(refusal.reasons)
    }
  }

  package var isVerified: Bool {
    if case .verified = outcome { true } else { false }
  }

  /// The paths of the certificates that were accepted; none if the artifact was refused.
  var certificatePaths: [CertificatePath] {
    if case .verified(let proof) = outcome { proof.signatures.compactMap(\.certificatePath) } else { [] }
  }

  /// Whether a code is among the reasons to refuse.
  func isRefused(for code: SignetError.Code) -> Bool {
    if case .refused(let reasons) = outcome { reasons.contains { $0.code == code } } else { false }
  }

  /// Whether the artifact is refused, and for nothing else than these codes.
  func isRefusedAlone(for codes: Set<SignetError.Code>) -> Bool {
    if case .refused(let reasons) = outcome { reasons.allSatisfy { codes.contains($0.code) } } else { false }
  }

  /// Why a step was skipped; empty if it was not.
  func skipped(_ step: Check.Step) -> String {
    checks.lazy.compactMap { check in
      if check.step == step, case .skipped(let why) = check.outcome { why } else { nil }
    }.first ?? ""
  }

  /// The module that the artifact was verified as; nil if it is not a module, or was refused.
  package var module: ModuleIdentifier? {
    guard case .verified(let proof) = outcome else { return nil }
    switch proof {
    case let proof as VerifiedModule: return proof.module.identifier
    case let proof as VerifiedFileOrModule:
      if case .module(let verified) = proof { return verified.module.identifier }
      return nil
    default: return nil
    }
  }

  /// Says more about the reasons with a code. The code stays.
  mutating func explain(_ code: SignetError.Code, by change: (inout SignetError) -> Void) {
    guard case .refused(let reasons) = outcome else { return }
    outcome = .refused(
      reasons.map { reason in
        var reason = reason
        if reason.code == code { change(&reason) }
        return reason
      })
  }

  /// Prints the report: a verified file to standard output, a refused one to standard error.
  ///
  /// - Parameters:
  ///   - explain: whether to print every check, too.
  ///   - digests: whether to print the digests of what is verified, too.
  package func print(to console: Console, explain: Bool, digests: Bool) throws(SignetError) {
    switch outcome {
    case .verified(let proof):
      var lines = ["\(Console.good()) verified  \(file.display)"]
      for name in names(proof) { lines.append("  by       \(name)") }
      lines += IdentityReport.lines(proof.signatures) + IdentityReport.unchecked(proof.signatures)
      lines += IdentityReport.remarks(proof.signatures)
      if let time { lines.append("  as of    \(time)") }
      let artifact = ArtifactReport(proof)
      lines += artifact.lines
      if digests || explain { lines += artifact.digests }
      try console.result(lines)
    case .refused(let reasons):
      console.refuse(file, reasons)
      if let time { console.note("  as of     \(time)") }
    }
    if explain { try console.result(explanation) }
  }

  /// Prints the report as one of several.
  package func print(to console: Console, in list: VerdictList) throws(SignetError) {
    switch outcome {
    case .verified(let proof):
      let signers = proof.signatures.map { SignerName($0, isNamed: isNamed).short }
      let days = proof.signatures.compactMap { $0.statement.signedAt?.day }
      let isMessage = proof.signatures.allSatisfy { $0.statement.predicateType == .message }
      let more =
        isMessage ? "bytes alone" : days.first ?? proof.signatures.compactMap(\.identity?.times.first?.day).first
      try list.verified(file, what: signers.joined(separator: ", "), more: more ?? "", console)
    case .refused(let reasons): try list.refused(file, reasons, console)
    }
  }

  /// Who has signed the artifact, and when: by a timestamp, or by their own claim, which nothing proves.
  private func names(_ proof: any VerificationProof) -> [String] {
    proof.signatures.filter { $0.identity == nil }.map { signature in
      SignerName(signature, isNamed: isNamed).full
        + (signature.stamped.map { ", by \($0.minute), as was proven" } ?? signature.statement.signedAt.map {
          ", \($0.minute)"
        } ?? "")
    }
  }

  /// The checks in lines, with those of each bundle under its name. Checks that were skipped for the same reason share
  /// a line.
  private var explanation: [String] {
    var lines: [String] = []
    for group in groups {
      let isOfAll = Self.isOfAll(group[0])
      if !isOfAll { lines.append("  \(group[0].object.display)") }
      let indent = isOfAll ? "  " : "    "
      for each in Self.folded(group) {
        let (word, detail) = Self.words(each[0])
        guard each.count > 1 else {
          lines.append("\(indent)\(Self.padded(word, 8))\(Self.padded(each[0].step.rawValue, 18))\(detail.display)")
          continue
        }
        let steps = each.map(\.step.rawValue).joined(separator: ", ")
        lines.append("\(indent)\(Self.padded(word, 8))\(steps): \(detail.display)")
      }
    }
    return lines
  }

  private static func isOfAll(_ check: Check) -> Bool { [.policy, .presence, .quorum].contains(check.step) }

  /// The checks in groups, in order: one group for each bundle, and one for each check of all bundles.
  private var groups: [[Check]] {
    var groups: [[Check]] = []
    for check in checks {
      if check.step == .bundle || Self.isOfAll(check) || groups.last.map({ Self.isOfAll($0[0]) }) ?? true {
        groups.append([check])
      } else {
        groups[groups.count - 1].append(check)
      }
    }
    return groups
  }

  /// The checks in groups, in order. Those that were skipped for the same reason are all in the place of the first.
  private static func folded(_ checks: [Check]) -> [[Check]] {
    var folded: [[Check]] = []
    for check in checks {
      let why = reason(check)
      if let why, let index = folded.firstIndex(where: { reason($0[0]).map { $0.isExactly(why) } ?? false }) {
        folded[index].append(check)
      } else {
        folded.append([check])
      }
    }
    return folded
  }

  /// Why a check was skipped; nil if it was not.
  private static func reason(_ check: Check) -> String? {
    if case .skipped(let why) = check.outcome { why } else { nil }
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
  package var json: JSONValue {
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
    case .refused(let reasons):
      return .object(
        ("file", .string(file)), ("verdict", .string("refused")), ("at", time.map { .string("\($0)") }),
        ("reasons", .array(reasons.map { Report.json($0) })), ("checks", .array(checks)))
    }
  }

  private static func json(_ signature: VerifiedSignature) -> JSONValue {
    let claims = signature.statement
    return .object(
      ("keyId", .string("\(signature.key.id)")), ("algorithm", .string("\(signature.key.algorithm)")),
      ("entries", .array(signature.entries.map { .string($0) })),
      (
        "certificates",
        signature.certificatePath.map { .array($0.certificates.map { .string($0.name) }) }
      ), ("predicateType", .string(signature.statement.predicateType.uri)),
      ("signedAt", claims.signedAt.map { .string("\($0)") }), ("stamped", signature.stamped.map { .string("\($0)") }),
      ("notAfter", claims.notAfter.map { .string("\($0)") }),
      ("identity", signature.identity.map { IdentityReport.json($0) }),
      ("format", signature.format.map { .string($0.rawValue) }),
      (
        "remarks",
        signature.remarks.isEmpty
          ? nil
          : JSONValue(.object(signature.remarks.map { JSONValue.Member($0.name, .string($0.text)) }))
      ))
  }
}
