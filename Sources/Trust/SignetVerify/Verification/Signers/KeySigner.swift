internal import SignetBase
package import SignetCrypto

/// A signer with a key that the policy knows, and without a certificate.
struct KeySigner: SignerKind {
  func find(in search: SignerSearch) throws(SignetError) -> SignerSearch.Result {
    let (policy, label) = (search.policy, search.label)
    var tried = Set<PublicKey>()
    // A hint that names none of the policy's keys says nothing about them: any of them may have signed.
    for key in search.keyEntries.map(\.key) where tried.insert(key).inserted {
      let isSigner = try search.claimedKeys.isEmpty ? search.hasSigned(key) : search.claimedKeys.contains(key)
      guard isSigner else { continue }
      return try judge(
        key, entries: search.keyEntries.filter { $0.key == key }.map(\.entry), policy: policy, label: label)
    }
    let signature = search.signature
    let claims = signature.claimedKeyIDs
    if let objection = policy.revocations.objection(toClaimed: claims, label) { return .stranger([objection]) }
    return .stranger([
      SignetError(
        .signerUntrusted, label, "is not signed by a trusted signer", expected: policy.trusted,
        found: "\(signature.format.isOfOtherProgram ? "a signature" : "a bundle") that names "
          + (signature.claimedSigner ?? "no signer"),
        hint: signature.format.name == "raw"
          ? "get the file and its signature again; if that does not help, ask the publisher for the key and the digest"
          : policy.entries.isEmpty
            ? "get the publisher's key over a way that you trust, then: signet trust add POLICY --name NAME --key KEY "
              + "--modules 'com.example.**'"
            : "ask the publisher which key signs, by another way than the file came; if a key that you trust has introduced "
              + "it, give the publisher's lineage: --lineage FILE")
    ])
  }

  /// Decides which of the entries with the key count for the artifact.
  private func judge(
    _ key: PublicKey, entries: [EntryInForce], policy: PolicyInForce, label: String
  ) throws(SignetError) -> SignerSearch.Result {
    if let objection = policy.revocations.objection(to: key, label) { return .stranger([objection]) }
    var signers: [SignerUnit] = []
    var objections: [SignetError] = []
    for entry in entries {
      if let objection = try objection(to: entry, policy, label)
        ?? entry.entry.objection(to: key, label, at: policy.judged)
      {
        objections.append(objection)
      } else {
        signers.append(SignerUnit(entry: entry.index, identity: nil))
      }
    }
    guard !signers.isEmpty else { return .stranger(objections) }
    return .found(FoundSigner(key: key, units: signers, path: nil))
  }

  /// Why an entry does not count for a bundle without a certificate; nil if it does.
  ///
  /// If the entry names a certificate, that certificate must be valid for such bundles, too.
  private func objection(
    to entry: EntryInForce, _ policy: PolicyInForce, _ label: String
  ) throws(SignetError) -> SignetError? {
    if let objection = entry.objection(label, policy.judged, policy.knownRole) { return objection }
    guard case .sameSigner(let certificate, _) = entry.entry.anchor.kind, let chains = entry.chains() else {
      return nil
    }
    do throws(SignetError) {
      return policy.revocations.objection(
        to: try chains.verify(certificate, at: policy.judged, listsAt: policy.now), label)
    } catch {
      if error.code == .cryptoFailure { throw error }
      return error.about("\(label): \(error.object)")
    }
  }
}

extension TrustAnchor {
  /// The key that signs without a certificate, or nil.
  package var bareKey: PublicKey? {
    switch kind {
    case .key(let key): key
    case .sameSigner(let certificate, _): try? certificate.publicKey()
    case .authority, .sameAuthority, .vouched: nil
    }
  }
}
