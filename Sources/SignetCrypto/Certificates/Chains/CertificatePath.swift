public import SignetBase

/// A validated path from a certificate to an anchor. Only a ``CertificateChainVerifier`` makes one.
public struct CertificatePath: Hashable, Sendable {
  /// The path, the leaf first, the anchor last; one certificate when the leaf is the anchor.
  public let certificates: [Certificate]
  /// The certificate that was asked about.
  public let leaf: Certificate
  /// The anchor that vouches for it: equal, byte for byte, to one the verifier was given.
  public let anchor: Certificate
  /// The time the path was validated for.
  public let time: UnixTime

  init(_ leaf: Certificate, _ issuers: [Certificate], at time: UnixTime) {
    self.leaf = leaf
    certificates = [leaf] + issuers
    anchor = issuers.last ?? leaf
    self.time = time
  }

  /// The certificate that issued the leaf; nil when the leaf is the anchor.
  public var issuer: Certificate? { certificates.count > 1 ? certificates[1] : nil }
}
