/// What kind of key it is, which alone decides how it signs: no algorithm name in any data is believed.
public enum KeyAlgorithm: Hashable, Sendable, CustomStringConvertible {
  /// Ed25519, pure (RFC 8032).
  case ed25519
  /// RSA with a modulus of this many bits: PKCS#1 v1.5 with SHA-256 (RFC 8017, section 8.2).
  case rsa(bits: Int)
  /// ECDSA over P-256 with SHA-256 (FIPS 186-5).
  case p256
  /// ECDSA over P-384 with SHA-384 (FIPS 186-5).
  case p384

  /// A short name for people.
  public var description: String {
    switch self {
    case .ed25519: "Ed25519"
    case .rsa(let bits): "RSA-\(bits)"
    case .p256: "ECDSA-P256"
    case .p384: "ECDSA-P384"
    }
  }

  /// The hash function inside the signature; nil for Ed25519, which takes the message whole.
  var digest: DigestAlgorithm? {
    switch self {
    case .ed25519: nil
    case .rsa, .p256: .sha256
    case .p384: .sha384
    }
  }
}
