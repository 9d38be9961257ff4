/// The hash function BLAKE3 (github.com/BLAKE3-team/BLAKE3-specs, 2021-11-04) without a key, with digests of any size. `b3sum`
/// writes them in the form of `sha256sum`, and ordinarily with 32 bytes.
///
/// It is here to tell such a list from a wrong one. Nothing that Signet signs or verifies has such a digest, and OpenSSL does
/// not compute it.
struct BLAKE3 {
  private static let blockSize = 64
  private static let chunkSize = 1024
  private static let start: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  private static let order = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8]
  private static let (chunkStart, chunkEnd, parent, root): (UInt32, UInt32, UInt32, UInt32) = (1, 2, 4, 8)

  /// A node of the tree, before it is known whether it is the root.
  private struct Node {
    var value = BLAKE3.start
    var words: [UInt32]
    var counter: UInt64 = 0
    var size = UInt32(BLAKE3.blockSize)
    var flags: UInt32

    /// The value of a node that is not the root.
    func compressed() -> [UInt32] { Array(compress().prefix(8)) }

    /// A block of the digest, 64 bytes, if this is the root.
    func output(_ block: UInt64) -> [UInt8] {
      var root = self
      root.counter = block
      root.flags |= BLAKE3.root
      return root.compress().flatMap { word in
        (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
      }
    }

    /// All sixteen words of the compression function's result.
    private func compress() -> [UInt32] {
      var words = words
      var v =
        value + BLAKE3.start[..<4] + [
          UInt32(truncatingIfNeeded: counter), UInt32(truncatingIfNeeded: counter >> 32), size, flags,
        ]
      func mix(a: Int, b: Int, c: Int, d: Int, x: UInt32, y: UInt32) {
        func turned(_ value: UInt32, _ bits: UInt32) -> UInt32 { value >> bits | value << (32 - bits) }
        v[a] = v[a] &+ v[b] &+ x
        v[d] = turned(v[d] ^ v[a], 16)
        v[c] = v[c] &+ v[d]
        v[b] = turned(v[b] ^ v[c], 12)
        v[a] = v[a] &+ v[b] &+ y
        v[d] = turned(v[d] ^ v[a], 8)
        v[c] = v[c] &+ v[d]
        v[b] = turned(v[b] ^ v[c], 7)
      }
      for round in 0..<7 {
        if round > 0 { words = BLAKE3.order.map { words[$0] } }
        for column in 0..<4 {
          mix(a: column, b: column + 4, c: column + 8, d: column + 12, x: words[2 * column], y: words[2 * column + 1])
        }
        for column in 0..<4 {
          mix(
            a: column, b: (column + 1) % 4 + 4, c: (column + 2) % 4 + 8, d: (column + 3) % 4 + 12,
            x: words[2 * column + 8],
            y: words[2 * column + 9])
        }
      }
      return (0..<8).map { v[$0] ^ v[$0 + 8] } + (0..<8).map { v[$0 + 8] ^ value[$0] }
    }
  }

  /// The last bytes: a chunk is taken only once there is another one behind it.
  private var chunk: [UInt8] = []
  private var chunks: UInt64 = 0
  /// The values of complete trees, the largest first.
  private var trees: [[UInt32]] = []

  mutating func update(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      if chunk.count == Self.chunkSize { takeChunk() }
      let next = rest.prefix(Self.chunkSize - chunk.count)
      chunk += next
      rest = rest.dropFirst(next.count)
    }
  }

  private mutating func takeChunk() {
    var value = Self.node(of: chunk, chunks).compressed()
    chunks += 1
    var total = chunks
    while total & 1 == 0, let left = trees.popLast() {
      value = Node(words: left + value, flags: Self.parent).compressed()
      total >>= 1
    }
    trees.append(value)
    chunk.removeAll(keepingCapacity: true)
  }

  /// Ends the computation.
  ///
  /// - Parameter size: the number of bytes of the digest. A shorter one is the beginning of a longer one.
  func finish(size: Int = 32) -> [UInt8] {
    var node = Self.node(of: chunk, chunks)
    for left in trees.reversed() { node = Node(words: left + node.compressed(), flags: Self.parent) }
    let blocks = (size + Self.blockSize - 1) / Self.blockSize
    return Array((0..<blocks).flatMap { node.output(UInt64($0)) }.prefix(size))
  }

  /// The last block of a chunk, with the value of those before it.
  private static func node(of chunk: [UInt8], _ number: UInt64) -> Node {
    var value = start
    let last = max(0, (chunk.count - 1) / blockSize)
    for index in 0...last {
      let block = chunk[min(index * blockSize, chunk.count)...].prefix(blockSize)
      let padded = Array(block) + [UInt8](repeating: 0, count: blockSize - block.count)
      let words = stride(from: 0, to: blockSize, by: 4).map { start in
        padded[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      }
      let node = Node(
        value: value, words: words, counter: number, size: UInt32(block.count),
        flags: (index == 0 ? chunkStart : 0) | (index == last ? chunkEnd : 0))
      if index == last { return node }
      value = node.compressed()
    }
    return Node(words: [UInt32](repeating: 0, count: 16), flags: chunkStart | chunkEnd)
  }
}
