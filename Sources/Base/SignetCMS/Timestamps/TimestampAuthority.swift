internal import SignetBase
package import SignetCrypto

/// A time-stamping authority that is trusted: its certificates, and when they count.
package struct TimestampAuthority: Sendable, CustomStringConvertible {
  /// The certificates, from the authority's own on, or from one of its issuers; the last one is the anchor.
  package let chain: [Certificate]
  /// The times at which it is trusted.
  package let window: TimeWindow
  private let verifier: CertificateChainVerifier

  /// - Returns: nil if there is no certificate.
  package init?(
    _ chain: [Certificate], window: TimeWindow = TimeWindow(), revocationLists: [RevocationList] = [],
    statements: (any CertificateStatements)? = nil
  ) {
    guard let anchor = chain.last else { return nil }
    self.chain = chain
    self.window = window
    var verifier = CertificateChainVerifier(
      anchors: [anchor], intermediates: chain, revocationLists: revocationLists, leastRSABits: 0,
      purpose: .timeStamping)
    verifier.statements = statements
    self.verifier = verifier
  }

  /// Whether a certificate is an authority's, or one that is only for time stamping at some time.
  package static func canBe(_ certificate: Certificate) -> Bool {
    certificate.isCA
      || (try? TimestampAuthority([certificate])?.path(from: certificate, [], at: certificate.notBefore)) != nil
  }

  /// The name of the authority, as far as its certificates have one.
  package var description: String { chain[0].name }

  /// The certificates that could be the signer's: the authority's own, if it is known, else those that a token carries.
  func candidates(_ embedded: [Certificate]) -> [Certificate] {
    let own = chain.filter { !$0.isCA }
    return own.isEmpty ? embedded : own
  }

  /// Validates a certificate up to the anchor, at the time of a token.
  ///
  /// - Parameter now: when lists of revoked certificates must be current, too; nil for the time of the token.
  func path(
    from leaf: Certificate, _ embedded: [Certificate], at time: UnixTime, listsAt now: UnixTime? = nil
  ) throws(SignetError) -> CertificatePath {
    guard !chain.contains(leaf) else { return try verifier.verify(leaf, at: time, listsAt: now ?? time) }
    var verifier = CertificateChainVerifier(
      anchors: verifier.anchors, intermediates: chain.count == 1 ? chain + embedded : chain,
      revocationLists: verifier.revocationLists, leastRSABits: 0, purpose: .timeStamping)
    verifier.statements = self.verifier.statements
    return try verifier.verify(leaf, at: time, listsAt: now ?? time)
  }
}
