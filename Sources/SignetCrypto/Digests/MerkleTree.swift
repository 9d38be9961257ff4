internal import SignetBase

/// The upper levels of an fs-verity Merkle tree, built from left to right in constant memory.
///
/// A tree block holds 128 hashes of 32 bytes. The caller hashes a *piece* at a time, the data below one block of the
/// lowest tree level, and hands in that block's hash; this keeps one unfinished block for each level above.
struct MerkleTree: ~Copyable {
  /// Hashes in a tree block.
  static let fanout = FSVerityDigest.blockSize / FSVerityDigest.byteCount
  /// Bytes of data below one block of the lowest tree level: 512 KiB.
  static let pieceSize = fanout * FSVerityDigest.blockSize

  private var levels: [[UInt8]] = []
  private let hash: ([UInt8]) throws(SignetError) -> [UInt8]

  /// - Parameter hash: SHA-256 of one block of 4096 bytes.
  init(hash: @escaping ([UInt8]) throws(SignetError) -> [UInt8]) { self.hash = hash }

  private init(_ levels: [[UInt8]], hash: @escaping ([UInt8]) throws(SignetError) -> [UInt8]) {
    self.levels = levels
    self.hash = hash
  }

  /// Another tree over the same pieces so far.
  func copy() -> MerkleTree { MerkleTree(levels, hash: hash) }

  /// Takes the hash of the next piece.
  mutating func append(_ pieceHash: [UInt8]) throws(SignetError) {
    try append(pieceHash, level: 0)
  }

  private mutating func append(_ blockHash: [UInt8], level: Int) throws(SignetError) {
    if level == levels.count { levels.append([]) }
    // A full block is passed on only when another hash follows: a level of exactly one block is the root's.
    if levels[level].count == FSVerityDigest.blockSize {
      let full = levels[level]
      levels[level] = []
      try append(hash(full), level: level + 1)
    }
    levels[level] += blockHash
  }

  /// The root: the only hash of a level that holds just one, after unfinished blocks were padded with zeros.
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
