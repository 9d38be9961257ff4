/// The hash functions Signet computes (FIPS 180-4).
public enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable {
  /// SHA-256: 32 bytes.
  case sha256
  /// SHA-384: 48 bytes.
  case sha384
  /// SHA-512: 64 bytes.
  case sha512

  /// The digest's length in bytes.
  public var byteCount: Int {
    switch self {
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }
}
