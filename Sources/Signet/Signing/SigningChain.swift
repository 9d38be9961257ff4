internal import SignetBase
internal import SignetCrypto

/// The certificates that travel with a signature: the signer's first, then each one's issuer, without the root, which
/// whoever verifies must have anyway.
struct SigningChain: Sendable {
  /// Leaf first.
  let certificates: [Certificate]

  /// Puts certificates in order.
  ///
  /// - Parameters:
  ///   - certificates: in any order, the root included or not.
  ///   - key: the key that will sign.
  /// - Throws: `signing.certificate-mismatch` when none of them is the key's, `signing.certificate-chain` when some
  ///   belong to no chain of it or there are too many.
  init(_ certificates: [Certificate], for key: PublicKey) throws(SignetError) {
    let leaves = certificates.filter { (try? $0.publicKey()) == key }
    guard let leaf = leaves.first else {
      throw SignetError(
        .signingCertificateMismatch, "\(key.id)", "has no certificate among those that were given",
        expected: "a certificate of \(key.id)",
        found: certificates.map { "\($0.subject)" }.joined(separator: ", "),
        hint: "give the certificate that was issued for this key")
    }
    var chain = [leaf]
    var rest = certificates.filter { $0 != leaf }
    while let last = chain.last, !last.isSelfIssued, let index = rest.firstIndex(where: { $0.subject == last.issuer })
    {
      chain.append(rest.remove(at: index))
    }
    guard rest.isEmpty else {
      throw SignetError(
        .signingCertificateChain, "\(leaf.subject)", "comes with certificates that are not in its chain",
        found: rest.map { "\($0.subject)" }.joined(separator: ", "), hint: "leave them out")
    }
    if chain.count > 1, chain[chain.count - 1].isSelfIssued { chain.removeLast() }
    guard chain.count <= SigstoreBundle.chainLimit else {
      throw SignetError(
        .signingCertificateChain, "\(leaf.subject)", "has too long a chain",
        expected: "at most \(SigstoreBundle.chainLimit) certificates without the root", found: "\(chain.count)")
    }
    self.certificates = chain
  }

  /// What a bundle says of the signer: the leaf alone where there is nothing else, which more programs read.
  var material: SigstoreBundle.VerificationMaterial {
    certificates.count == 1 ? .certificate(certificates[0].der) : .certificateChain(certificates.map(\.der))
  }
}
