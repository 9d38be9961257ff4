internal import SignetBase

/// The fs-verity digest of a file with SHA-256, blocks of 4096 bytes and no salt: what Linux computes for
/// `FS_IOC_ENABLE_VERITY` with these parameters and what `fsverity digest` prints.
///
/// It is the hash of a 256-byte descriptor that holds the file's size and the root of a Merkle tree over its blocks
/// (`Documentation/filesystems/fsverity.rst`, "fs-verity descriptor"). Unlike a flat digest it can be computed on
/// all cores at once.
public struct FSVerityDigest: Hashable, Sendable, CustomStringConvertible {
  /// The data and tree block size in bytes.
  public static let blockSize = 4096
  /// The length of a digest, and of every hash inside the tree, in bytes.
  public static let byteCount = 32

  /// The 32 bytes of the digest.
  public let bytes: [UInt8]

  /// Reads `sha256:` and 64 lower-case hexadecimal digits; nil for any other text.
  public init?(_ text: String) {
    let prefix = "sha256:"
    guard text.utf8.starts(with: prefix.utf8),
      let bytes = Hexadecimal.decode(String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)),
      bytes.count == Self.byteCount
    else { return nil }
    self.bytes = bytes
  }

  /// The digest of a file of `size` bytes whose tree has this root (all zeros for an empty file).
  init(root: [UInt8], size: UInt64) throws(SignetError) {
    precondition(root.count == Self.byteCount)
    // struct fsverity_descriptor: version, hash_algorithm, log_blocksize, salt_size, 4 reserved bytes, data_size
    // (little endian), root_hash[64], salt[32], reserved[144].
    var descriptor: [UInt8] = [1, 1, 12, 0, 0, 0, 0, 0]
    for shift in stride(from: 0, to: 64, by: 8) {
      descriptor.append(UInt8(truncatingIfNeeded: size >> UInt64(shift)))
    }
    descriptor += root
    descriptor += [UInt8](repeating: 0, count: 256 - descriptor.count)
    bytes = try Digest.of(descriptor, .sha256).bytes
  }

  /// `sha256:` and lower-case hexadecimal, as `fsverity digest` prints it.
  public var description: String { "sha256:\(Hexadecimal.encode(bytes))" }
}
