package import SignetBase
package import SignetVerify

/// Identities as a text outside of policies states them.
extension TrustAnchor {
  /// Reads what stands in a policy as an entry's field `sigstore`.
  ///
  /// - Parameter path: what the object is, for messages.
  /// - Throws: `policy.entry`, `policy.unknown-field`, `json.wrong-value`, `keyless.root`.
  package init(sigstore value: JSONValue, _ path: String) throws(SignetError) {
    self = try .vouched(SigstoreSigners(JSONObject(value, path, unknownField: .policyUnknownField)))
  }

  /// What stands in a policy as an entry's field `sigstore`; nil for signers who are known otherwise.
  package var sigstore: JSONValue? { (vouched as? SigstoreSigners)?.json }
}
