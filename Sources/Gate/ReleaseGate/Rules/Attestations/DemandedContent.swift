internal import Signet
internal import SignetBase

/// What a policy demands of the content of an attestation.
protocol DemandedContent: Sendable {
  /// What messages call it, without an article.
  var noun: String { get }
  /// The types that it may have, for messages.
  var types: String { get }
  /// The usual label in the name of its file.
  var label: String { get }

  /// Whether a statement of this type can be meant.
  func accepts(_ type: PredicateType) -> Bool

  /// Says how a statement differs from what is demanded.
  ///
  /// - Throws: `json.…` if the predicate does not have the form of its type.
  func objections(
    to predicate: JSONObject, of type: PredicateType, about artifact: ExaminedArtifact
  ) throws(SignetError) -> [AttestationObjection]
}

/// A statement of a type of which the gate only knows the name. It is enough that the signer has made it.
struct OtherDemand: DemandedContent {
  let type: PredicateType

  var noun: String { "attestation of the demanded type" }
  var types: String { type.uri }
  var label: String { "attestation" }

  func accepts(_ type: PredicateType) -> Bool { type == self.type }

  func objections(
    to predicate: JSONObject, of type: PredicateType, about artifact: ExaminedArtifact
  ) throws(SignetError) -> [AttestationObjection] { [] }
}
