package import SignetBase
internal import SignetCrypto
package import SignetVerify

/// What a release was signed with, as the next release is held to it: who has signed, by what kind of trust and with which
/// timestamps, and what else was stated about it.
package struct SigningRecord: Hashable, Sendable {
  /// The signers, each once; at least one.
  package let signers: [RecordedSigner]
  /// What else was stated about it, such as its provenance.
  package let attestations: Set<String>

  package init(signers: [RecordedSigner], attestations: Set<String> = []) {
    (self.signers, self.attestations) = (signers, attestations)
  }

  /// What verified signatures are.
  ///
  /// - Parameters:
  ///   - policy: the policy that they were verified under.
  ///   - attestations: what else was stated about the release.
  package init(_ signatures: [VerifiedSignature], under policy: TrustPolicy, attestations: Set<String> = []) {
    var signers: [RecordedSigner] = []
    for signature in signatures {
      let signer = RecordedSigner(signature, of: policy)
      guard let index = signers.firstIndex(where: { $0.isSame(as: signer, under: policy) }) else {
        signers.append(signer)
        continue
      }
      let isStamped = signers[index].isStamped || signer.isStamped
      // The better of two signatures by one signer is the one that counts.
      if signers[index].kind < signer.kind { signers[index] = signer }
      signers[index].isStamped = isStamped
    }
    self.init(signers: signers.sorted { $0.key.precedesInBytes($1.key) }, attestations: attestations)
  }
}

extension SigningRecord {
  /// As many signers as bundles are read for one artifact.
  private static let signerLimit = SignatureSource.bundleLimit
  private static let attestationLimit = 100

  /// The record in JSON.
  package var json: JSONValue {
    .object(
      ("signers", .array(signers.map(\.json))),
      ("attestations", attestations.isEmpty ? nil : .array(attestations.sorted().map { .string($0) })))
  }

  /// Reads a record.
  ///
  /// - Throws: `json.…`, and the code for unknown fields that the object has.
  package init(_ object: JSONObject) throws(SignetError) {
    var object = object
    signers = try object.objects("signers", atMost: Self.signerLimit).map { (signer) throws(SignetError) in
      try RecordedSigner(signer)
    }
    guard !signers.isEmpty else { throw object.wrong("signers", "one or more", "none") }
    attestations =
      object.has("attestations") ? Set(try object.strings("attestations", atMost: Self.attestationLimit)) : []
    try object.finish()
  }
}
