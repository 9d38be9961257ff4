internal import SignetBase

/// The fs-verity digest of a file with SHA-256, blocks of 4096 bytes and no salt.
///
/// It is what Linux computes for `FS_IOC_ENABLE_VERITY` with these parameters, and what `fsverity digest` prints. It
/// is the hash of a 256-byte descriptor that holds the file's size and the root of a Merkle tree over its blocks
/// (`Documentation/filesystems/fsverity.rst`, "fs-verity descriptor"). Unlike a flat digest, it can be computed on
/// all cores at once.
public struct FSVerityDigest: Hashable, Sendable, CustomStringConvertible {
  /// The size of data blocks and tree blocks in bytes.
  public static let blockSize = 4096
  /// The length of a digest, and of every hash in the tree, in bytes.
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

  /// Computes the digest of a file of `size` bytes whose tree has this root (all zeros for an empty file).
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

/// The upper levels of an fs-verity Merkle tree, built from left to right in constant memory.
///
/// A tree block holds 128 hashes of 32 bytes. The caller hashes a *piece* at a time, which is the data below one
/// block of the lowest tree level, and passes that block's hash. This value keeps one unfinished block for each level
/// above.
struct MerkleTree: ~Copyable {
  /// The number of hashes in a tree block.
  static let fanout = FSVerityDigest.blockSize / FSVerityDigest.byteCount
  /// The number of data bytes below one block of the lowest tree level: 512 KiB.
  static let pieceSize = fanout * FSVerityDigest.blockSize

  private var levels: [[UInt8]] = []
  private let hash: ([UInt8]) throws(SignetError) -> [UInt8]

  /// - Parameter hash: computes the SHA-256 of one block of 4096 bytes.
  init(hash: @escaping ([UInt8]) throws(SignetError) -> [UInt8]) { self.hash = hash }

  private init(_ levels: [[UInt8]], hash: @escaping ([UInt8]) throws(SignetError) -> [UInt8]) {
    self.levels = levels
    self.hash = hash
  }

  /// A second tree over the same pieces so far.
  func copy() -> MerkleTree { MerkleTree(levels, hash: hash) }

  /// Adds the hash of the next piece.
  mutating func append(_ pieceHash: [UInt8]) throws(SignetError) {
    try append(pieceHash, level: 0)
  }

  private mutating func append(_ blockHash: [UInt8], level: Int) throws(SignetError) {
    if level == levels.count { levels.append([]) }
    // A full block is passed on only when another hash follows: if a level has exactly one block, it belongs to the
    // root.
    if levels[level].count == FSVerityDigest.blockSize {
      let full = levels[level]
      levels[level] = []
      try append(hash(full), level: level + 1)
    }
    levels[level] += blockHash
  }

  /// The root: the hash of the level that has only one, after unfinished blocks were padded with zeros.
  mutating func root() throws(SignetError) -> [UInt8] {
    guard !levels.isEmpty else { return [UInt8](repeating: 0, count: FSVerityDigest.byteCount) }
    var level = 0
    while level < levels.count - 1 || levels[level].count > FSVerityDigest.byteCount {
      let block = levels[level] + [UInt8](repeating: 0, count: FSVerityDigest.blockSize - levels[level].count)
      levels[level] = []
      try append(hash(block), level: level + 1)
      level += 1
    }
    return levels[level]
  }
}
