internal import Signet
internal import SignetBase
internal import SignetCrypto

/// Who must have verified artifacts, and how, by a SLSA verification summary v1.
///
/// slsa.dev/spec/v1.1/verification_summary, "How to verify": signer, subject and type are checked before. This is
/// about the verifier, the resource, the result and the levels.
struct SummaryDemand: DemandedContent {
  private let verifier: String
  private let resource: String
  private let policy: Digest?
  private let levels: [String]

  /// A statement has a level for each track, and a few properties.
  private static let levelLimit = 100

  var noun: String { "verification summary" }
  var types: String { VerificationSummary.type.uri }
  var label: String { VerificationSummary.label }

  /// Takes the fields of a demand.
  ///
  /// - Throws: `json.…`.
  init(_ object: inout JSONObject) throws(SignetError) {
    verifier = try object.optionalString("verifier") ?? VerificationSummary.usualVerifier
    resource = try object.optionalString("resource") ?? VerificationSummary.usualResource
    levels = try object.strings("levels", atMost: Self.levelLimit)
    guard let text = try object.optionalString("policySHA256") else {
      policy = nil
      return
    }
    guard let digest = Digest(.sha256, hex: text) else {
      throw object.wrong("policySHA256", "64 digits of lower-case hexadecimal", text)
    }
    policy = digest
  }

  func accepts(_ type: PredicateType) -> Bool { type == VerificationSummary.type }

  func objections(
    to predicate: JSONObject, of type: PredicateType, about artifact: ExaminedArtifact
  ) throws(SignetError) -> [AttestationObjection] {
    var predicate = predicate
    let result = try predicate.string("verificationResult")
    let found = try predicate.strings("verifiedLevels", atMost: Self.levelLimit)
    var objections: [AttestationObjection] = []
    func compare(_ message: String, _ place: String, _ expected: String, _ found: String?, _ hint: String) {
      if let found, found.isExactly(expected) { return }
      objections.append(
        AttestationObjection(message, place: place, expected: expected, found: found ?? "none", hint: hint))
    }
    compare(
      "did not pass its verification", predicate.path(of: "verificationResult"), "PASSED", result,
      "find out from the verifier why it did not pass")
    var verifier = try predicate.object("verifier")
    compare(
      "was verified by another verifier", verifier.path(of: "id"), self.verifier, try verifier.string("id"),
      "have the demanded verifier verify it")
    compare(
      "was verified as another resource", predicate.path(of: "resourceUri"),
      VerificationSummary.resource(artifact.path, in: resource), try predicate.string("resourceUri"),
      "put the artifact where it belongs, or have it verified for this place")
    if let policy {
      var reference = try predicate.object("policy")
      var digests = try reference.optionalObject("digest")
      compare(
        "was verified against another policy", "\(reference.path).digest.sha256", policy.hex,
        try digests?.optionalString("sha256"), "have it verified against the demanded policy")
    }
    let missing = levels.filter { level in !found.contains { SLSALevel.includes($0, level) } }
    if !missing.isEmpty || found.contains(where: { $0.isExactly(VerificationSummary.failedLevel) }) {
      objections.append(
        AttestationObjection(
          "was not verified for the levels that the policy demands", place: predicate.path(of: "verifiedLevels"),
          expected: levels.isEmpty ? "none that is FAILED" : levels.joined(separator: ", "),
          found: found.isEmpty ? "none" : found.joined(separator: ", "),
          hint: "have it verified for these levels"))
    }
    return objections
  }
}
