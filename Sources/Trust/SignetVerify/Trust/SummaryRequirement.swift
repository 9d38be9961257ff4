public import SignetBase
public import SignetCrypto

/// The verification summary that a policy demands besides the publishers' signatures: somebody else has verified the
/// artifact and passed it.
///
/// A summary is a statement in a bundle (slsa.dev/spec/v1.1/verification_summary), such as `signet gate` signs with
/// `--attest-key`. With this, a file is accepted only if a publisher's key and a verifier's key have signed.
public struct SummaryRequirement: Hashable, Sendable {
  /// The verifiers' signers. Each has the scope of the artifacts that it may have verified.
  ///
  /// Their signatures never count as those of publishers, and publishers' never as theirs.
  public let signers: [TrustEntry]
  /// The ID that the summary must give the verifier.
  public let verifier: String
  /// The policy that the artifact must have been verified against; nil for any.
  public let policySHA256: Digest?
  /// The levels that must have been verified, or higher ones of the same SLSA track.
  public let levels: [String]

  /// Creates a requirement.
  ///
  /// - Parameters:
  ///   - signers: the verifiers' signers, at least one.
  ///   - verifier: the verifier's ID; nil for that of Signet's gate.
  ///   - policySHA256: the SHA-256 of the policy that must have been verified against; nil for any.
  ///   - levels: the levels that must have been verified, or higher ones of the same SLSA track.
  /// - Throws: `policy.entry` without signers, for an empty verifier's ID, and for too many or empty levels.
  public init(
    signers: [TrustEntry], verifier: String? = nil, policySHA256: Digest? = nil, levels: [String] = []
  ) throws(SignetError) {
    func refuse(_ what: String, _ expected: String) -> SignetError {
      SignetError(.policyEntry, "summary", "demands a verification summary \(what)", expected: expected)
    }
    // A signer can write any verifier into a statement.
    if signers.isEmpty { throw refuse("by nobody", "one signer or more") }
    if verifier?.isEmpty ?? false { throw refuse("by a verifier without an ID", "a URI") }
    guard levels.count <= SummaryPredicate.levelLimit, !levels.contains(where: \.isEmpty) else {
      throw refuse("with levels that none can have", "at most \(SummaryPredicate.levelLimit), none of them empty")
    }
    if let found = policySHA256?.algorithm, found != .sha256 { throw refuse("with another digest", "SHA-256") }
    self.signers = signers
    self.verifier = verifier ?? SummaryPredicate.gate
    self.policySHA256 = policySHA256
    self.levels = levels
  }

  /// Reads the field `summary` of a policy.
  ///
  /// - Throws: `json.…`, `policy.entry`, `policy.unknown-field`; `key.…` and `certificate.…` for its signers.
  init(_ object: JSONObject, with parts: [PolicyPart]) throws(SignetError) {
    var object = object
    var signers: [TrustEntry] = []
    for each in try object.objects("signers", atMost: TrustPolicy.entryLimit) {
      signers.append(try TrustEntry(each, with: parts))
    }
    let verifier = try object.optionalString("verifier")
    var digest: Digest?
    if let text = try object.optionalString("policySHA256") {
      guard let read = Digest(.sha256, hex: text) else {
        throw object.wrong("policySHA256", "64 digits of lower-case hexadecimal", text)
      }
      digest = read
    }
    let levels = try object.strings("levels", atMost: SummaryPredicate.levelLimit)
    try object.finish()
    do throws(SignetError) {
      try self.init(signers: signers, verifier: verifier, policySHA256: digest, levels: levels)
    } catch {
      throw error.about(object.place)
    }
  }

  /// Why a summary is not the demanded one; nil if it is.
  package func objection(to summary: SummaryPredicate, _ label: String) -> SignetError? {
    func differs(_ message: String, expected: String, found: String, hint: String) -> SignetError {
      SignetError(.policySummary, label, message, expected: expected, found: found, hint: hint)
    }
    if !summary.result.isExactly(SummaryPredicate.passed) || summary.hasFailedLevel {
      return differs(
        "says that the artifact did not pass its verification", expected: SummaryPredicate.passed,
        found: summary.hasFailedLevel ? SummaryPredicate.failedLevel : summary.result,
        hint: "get a release that has passed")
    }
    if !summary.verifier.isExactly(verifier) {
      return differs(
        "is by another verifier than the policy demands", expected: verifier, found: summary.verifier,
        hint: "ask the publisher for the summary of this verifier")
    }
    if let policySHA256, !(summary.policySHA256?.isExactly(policySHA256.hex) ?? false) {
      return differs(
        "is about a verification against another policy", expected: policySHA256.hex,
        found: summary.policySHA256 ?? "none",
        hint: "ask the publisher for a release that was verified against the demanded policy")
    }
    let missing = summary.missing(of: levels)
    guard missing.isEmpty else {
      return differs(
        "does not have the levels that the policy demands", expected: missing.joined(separator: ", "),
        found: summary.levels.isEmpty ? "none" : summary.levels.joined(separator: ", "),
        hint: "ask the publisher for a release with these levels")
    }
    return nil
  }
}
