public import SignetBase
public import SignetNames

extension Digest {
  /// Computes the digest of bytes in memory.
  ///
  /// - Throws: `crypto.failure` if OpenSSL cannot be used.
  public static func of(_ bytes: [UInt8], _ algorithm: DigestAlgorithm) throws(SignetError) -> Digest {
    var digest = try IncrementalDigest(algorithm)
    try digest.update(bytes)
    return try digest.finish()
  }
}
