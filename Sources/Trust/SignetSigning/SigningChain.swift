internal import SignetBase
internal import SignetCrypto
internal import SignetKeys
internal import SignetVerify

/// The certificates that travel with a signature: the signer's first, then each one's issuer.
///
/// The root is left out, since every verifier must have it anyway.
struct SigningChain: Sendable {
  /// The certificates, leaf first.
  let certificates: [Certificate]
  /// The root, if it was given.
  private let root: Certificate?

  /// Puts certificates into order.
  ///
  /// - Parameters:
  ///   - certificates: the certificates in any order, with or without the root.
  ///   - key: the key that will sign.
  /// - Throws: `signing.certificate-mismatch` if none of them is the key's, `signing.certificate-chain` if some do
  ///   not belong to the key's chain or there are too many.
  init(_ certificates: [Certificate], for key: PublicKey) throws(SignetError) {
    let leaves = certificates.filter { (try? $0.publicKey()) == key }
    guard let leaf = leaves.first else {
      throw SignetError(
        .signingCertificateMismatch, "\(key.id)", "has no certificate among those that were given",
        expected: "a certificate of \(key.id)",
        found: certificates.map { $0.name }.joined(separator: ", "),
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
        .signingCertificateChain, leaf.name, "comes with certificates that are not in its chain",
        found: rest.map { $0.name }.joined(separator: ", "), hint: "leave them out")
    }
    root = chain.count > 1 && chain[chain.count - 1].isSelfIssued ? chain.removeLast() : nil
    guard chain.count <= SigstoreBundle.chainLimit else {
      throw SignetError(
        .signingCertificateChain, leaf.name, "has too long a chain",
        expected: "at most \(SigstoreBundle.chainLimit) certificates without the root", found: "\(chain.count)")
    }
    self.certificates = chain
  }

  /// Checks that a verifier could accept signatures with these certificates, now or later.
  ///
  /// - Returns: what is unwise; nil if nothing is.
  /// - Throws: what verification throws, and `signing.certificate-chain` if one has not issued the other.
  func check(at time: UnixTime) throws(SignetError) -> SignetError? {
    let issuers = certificates.dropFirst() + (root.map { [$0] } ?? [])
    do throws(SignetError) {
      return try CertificateUse.check(certificates[0], issuers: Array(issuers), at: time) ?? ending(at: time)
    } catch  where error.code == .chainUntrusted {
      throw SignetError(
        .signingCertificateChain, certificates[0].name, "comes with certificates that have not issued it",
        expected: "the certificate of \(certificates[0].issuer) whose key signed it",
        found: issuers.map { $0.name }.joined(separator: ", "),
        hint: "give the certificates of its issuers as the authority publishes them")
    }
  }

  /// How many seconds before its end a certificate is told to end soon: 30 days.
  private static let notice: Int64 = 30 * 86_400

  /// What is unwise about a certificate that ends soon: what is signed with it ends, too. One of a few weeks has to be in the
  /// second half of them.
  private func ending(at time: UnixTime) -> SignetError? {
    guard let first = certificates.min(by: { $0.notAfter < $1.notAfter }) else { return nil }
    let left = first.notAfter.seconds - time.seconds
    guard left < Self.notice, left < (first.notAfter.seconds - first.notBefore.seconds) / 2 else { return nil }
    return SignetError(
      .chainExpired, first.name, "ends soon, and what is signed with it",
      expected: "a certificate of 30 days or more",
      found: "\(first.notAfter)",
      hint: "get a new certificate, or have the signature stamped: --timestamp-url URL")
  }

  /// The verification material of a bundle. A leaf without a chain is written alone, because more programs read that.
  var material: SigstoreBundle.VerificationMaterial {
    certificates.count == 1 ? .certificate(certificates[0].der) : .certificateChain(certificates.map(\.der))
  }
}
