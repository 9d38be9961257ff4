internal import Signet
internal import SignetBase

/// An attestation that a policy demands of the release's artifacts.
struct AttestationDemand: Sendable {
  /// The artifacts that must have it; empty for all.
  let artifacts: [PathPattern]
  /// The names of the trust policy's entries, one of which must have signed it.
  let signers: [String]
  /// What it must say.
  let content: any DemandedContent

  /// A policy has some 100 entries.
  private static let listLimit = 100

  /// Reads a demand.
  ///
  /// - Throws: `json.…`, `policy.unknown-field`.
  init(_ object: JSONObject) throws(SignetError) {
    var object = object
    let type = try object.string("type")
    artifacts = try Self.patterns(&object)
    signers = try object.strings("signers", atMost: Self.listLimit)
    // Anyone who may sign may write any builder and any source into a statement.
    guard !signers.isEmpty else {
      throw object.wrong("signers", "the names of one or more entries of the trust policy", "none")
    }
    content = try Self.content(type, &object)
    try object.finish()
  }

  private static func patterns(_ object: inout JSONObject) throws(SignetError) -> [PathPattern] {
    guard object.has("artifacts") else { return [] }
    var patterns: [PathPattern] = []
    for text in try object.strings("artifacts", atMost: listLimit) {
      guard let pattern = PathPattern(text) else {
        throw object.wrong("artifacts", "patterns such as *.deb or linux/**", text)
      }
      patterns.append(pattern)
    }
    guard !patterns.isEmpty else { throw object.wrong("artifacts", "one pattern or more", "none") }
    return patterns
  }

  /// A type's URI means the same as the word for it. Otherwise a failed verification would be as good as any.
  private static func content(
    _ type: String, _ object: inout JSONObject
  ) throws(SignetError) -> any DemandedContent {
    if type.isExactly("provenance") || PredicateType(type) == ProvenanceDemand.type {
      return try ProvenanceDemand(&object)
    }
    if type.isExactly("verification-summary") || PredicateType(type) == SummaryPredicate.type {
      return try SummaryDemand(&object)
    }
    if let bill = BillOfMaterialsDemand(type) { return bill }
    guard type.utf8.contains(UInt8(ascii: ":")), !PredicateType(type).isOwn else {
      throw object.wrong(
        "type", "provenance, sbom, spdx, cyclonedx, verification-summary, or the URI of another program's type", type)
    }
    return OtherDemand(type: PredicateType(type))
  }

  /// Whether an artifact must have the attestation.
  func covers(_ artifact: ExaminedArtifact) -> Bool {
    artifacts.isEmpty || artifacts.contains { $0.covers(artifact.path) }
  }

  /// Says how a verified attestation of the right type differs from what is demanded.
  func objections(
    to signature: VerifiedSignature, about artifact: ExaminedArtifact
  ) -> [AttestationObjection] {
    // What anybody else says does not matter.
    guard signature.entries.contains(where: { entry in signers.contains { $0.isExactly(entry) } }) else {
      return [
        AttestationObjection(
          "has no \(content.noun) by the signers that the policy names", expected: signers.joined(separator: " or "),
          found: signature.entries.joined(separator: " or "), hint: "have one of these signers attest the artifact")
      ]
    }
    let type = signature.statement.predicateType
    do throws(SignetError) {
      guard let predicate = signature.statement.foreignPredicate else { return [] }
      let object = try JSONObject(predicate, "predicate", unknownField: .statementUnknownField)
      return try content.objections(to: object, of: type, about: artifact)
    } catch {
      return [
        AttestationObjection(
          "has no \(content.noun) that can be read: a field \(error.message)", place: error.object,
          expected: error.expected ?? "what this type has there", found: error.found,
          hint: "have it attested by a program that follows \(type)")
      ]
    }
  }
}
