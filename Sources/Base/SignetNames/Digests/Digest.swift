internal import SignetBase

/// The value of a hash function for some bytes.
public struct Digest: Hashable, Sendable, CustomStringConvertible {
  /// The hash function.
  public let algorithm: DigestAlgorithm
  /// The value, with as many bytes as the algorithm defines.
  public let bytes: [UInt8]

  /// Creates a digest from bytes that the algorithm has computed.
  package init(algorithm: DigestAlgorithm, bytes: [UInt8]) {
    precondition(bytes.count == algorithm.byteCount)
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// Reads a digest as in-toto statements write it: lower-case hexadecimal of the algorithm's exact length.
  ///
  /// - Returns: nil for any other text.
  public init?(_ algorithm: DigestAlgorithm, hex: String) {
    guard let bytes = Hexadecimal.decode(hex), bytes.count == algorithm.byteCount else { return nil }
    self.init(algorithm: algorithm, bytes: bytes)
  }

  /// The value in lower-case hexadecimal.
  public var hex: String { Hexadecimal.encode(bytes) }

  /// The algorithm's name, a colon and lower-case hexadecimal, such as `sha256:` and 64 digits.
  public var description: String { "\(algorithm.rawValue):\(hex)" }
}

/// The hash functions that Signet computes (FIPS 180-4).
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
