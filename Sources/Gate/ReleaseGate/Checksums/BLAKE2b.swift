/// The hash function BLAKE2b (RFC 7693) without a key. `b2sum` writes its digests in the form of `sha256sum`, of any length.
///
/// It is here to tell such a list from a wrong one. Nothing that Signet signs or verifies has such a digest, and OpenSSL
/// computes only those of 64 bytes.
struct BLAKE2b {
  private static let blockSize = 128
  private static let start: [UInt64] = [
    0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
  ]
  private static let orders: [[Int]] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4], [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13], [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11], [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5], [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
  ]

  private let size: Int
  private var state: [UInt64]
  /// The last bytes: a block is taken only once there is another one behind it.
  private var block: [UInt8] = []
  private var count: UInt64 = 0

  /// - Parameter size: the number of bytes of the digest, 1 to 64.
  init(size: Int) {
    self.size = size
    state = Self.start
    state[0] ^= 0x0101_0000 ^ UInt64(size)
  }

  mutating func update(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      if block.count == Self.blockSize {
        count += UInt64(Self.blockSize)
        compress(isLast: false)
        block.removeAll(keepingCapacity: true)
      }
      let next = rest.prefix(Self.blockSize - block.count)
      block += next
      rest = rest.dropFirst(next.count)
    }
  }

  /// Ends the computation.
  mutating func finish() -> [UInt8] {
    count += UInt64(block.count)
    block += [UInt8](repeating: 0, count: Self.blockSize - block.count)
    compress(isLast: true)
    return Array(state.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }.prefix(size))
  }

  private mutating func compress(isLast: Bool) {
    let words = stride(from: 0, to: Self.blockSize, by: 8).map { start in
      block[start..<start + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    var v = state + Self.start
    v[12] ^= count
    if isLast { v[14] = ~v[14] }
    func mix(a: Int, b: Int, c: Int, d: Int, x: UInt64, y: UInt64) {
      func turned(_ value: UInt64, _ bits: UInt64) -> UInt64 { value >> bits | value << (64 - bits) }
      v[a] = v[a] &+ v[b] &+ x
      v[d] = turned(v[d] ^ v[a], 32)
      v[c] = v[c] &+ v[d]
      v[b] = turned(v[b] ^ v[c], 24)
      v[a] = v[a] &+ v[b] &+ y
      v[d] = turned(v[d] ^ v[a], 16)
      v[c] = v[c] &+ v[d]
      v[b] = turned(v[b] ^ v[c], 63)
    }
    for round in 0..<12 {
      let order = Self.orders[round % 10]
      for column in 0..<4 {
        mix(
          a: column, b: column + 4, c: column + 8, d: column + 12, x: words[order[2 * column]],
          y: words[order[2 * column + 1]])
      }
      for column in 0..<4 {
        mix(
          a: column, b: (column + 1) % 4 + 4, c: (column + 2) % 4 + 8, d: (column + 3) % 4 + 12,
          x: words[order[2 * column + 8]],
          y: words[order[2 * column + 9]])
      }
    }
    for index in state.indices { state[index] ^= v[index] ^ v[index + 8] }
  }
}
