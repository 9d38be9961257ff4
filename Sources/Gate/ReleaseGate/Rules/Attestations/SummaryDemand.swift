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

  var noun: String { "verification summary" }
  var types: String { SummaryPredicate.type.uri }
  var label: String { SummaryPredicate.label }

  /// Takes the fields of a demand.
  ///
  /// - Throws: `json.…`.
  init(_ object: inout JSONObject) throws(SignetError) {
    verifier = try object.optionalString("verifier") ?? SummaryPredicate.gate
    resource = try object.optionalString("resource") ?? ArtifactResource.usualPrefix
    levels = try object.strings("levels", atMost: SummaryPredicate.levelLimit)
    guard let text = try object.optionalString("policySHA256") else {
      policy = nil
      return
    }
    guard let digest = Digest(.sha256, hex: text) else {
      throw object.wrong("policySHA256", "64 digits of lower-case hexadecimal", text)
    }
    policy = digest
  }

  func accepts(_ type: PredicateType) -> Bool { type == SummaryPredicate.type }

  func objections(
    to predicate: JSONObject, of type: PredicateType, about artifact: ExaminedArtifact
  ) throws(SignetError) -> [AttestationObjection] {
    let summary = try SummaryPredicate(predicate)
    let places = summary.places
    var objections: [AttestationObjection] = []
    func compare(_ message: String, place: String, expected: String, found: String?, hint: String) {
      if let found, found.isExactly(expected) { return }
      objections.append(
        AttestationObjection(message, place: place, expected: expected, found: found ?? "none", hint: hint))
    }
    compare(
      "did not pass its verification", place: places.result, expected: SummaryPredicate.passed, found: summary.result,
      hint: "find out from the verifier why it did not pass")
    compare(
      "was verified by another verifier", place: places.verifier, expected: verifier, found: summary.verifier,
      hint: "have the demanded verifier verify it")
    compare(
      "was verified as another resource", place: places.resource,
      expected: ArtifactResource.uri(artifact.path, in: resource),
      found: summary.resource, hint: "put the artifact where it belongs, or have it verified for this place")
    if let policy {
      compare(
        "was verified against another policy", place: places.policySHA256, expected: policy.hex,
        found: summary.policySHA256,
        hint: "have it verified against the demanded policy")
    }
    let missing = summary.missing(of: levels)
    if !missing.isEmpty || summary.hasFailedLevel {
      objections.append(
        AttestationObjection(
          "was not verified for the levels that the policy demands", place: places.levels,
          expected: levels.isEmpty ? "none that is FAILED" : levels.joined(separator: ", "),
          found: summary.levels.isEmpty ? "none" : summary.levels.joined(separator: ", "),
          hint: "have it verified for these levels"))
    }
    return objections
  }
}
