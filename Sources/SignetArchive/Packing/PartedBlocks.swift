/// Writes bytes as deflate's uncompressed blocks (RFC 1951, 3.2.4), so that no signature of an end record stands in them:
/// a block ends in front of a signature's last byte.
///
/// That is how an archive within an archive is kept where it would stand near the end: programs that look there for end
/// records would find its own.
struct PartedBlocks {
  /// The complement of a length below 2^15 ends in a byte from 0x80 on. So no signature (`PK`, and two bytes below 8) can
  /// reach into a block's header or out of it.
  private static let blockLimit = 0x7fff

  private var block: [UInt8] = []
  /// The last four bytes, the latest on top: a signature as ``ZIPSignature`` has it.
  private var last: UInt32 = 0

  init() { block.reserveCapacity(Self.blockLimit) }

  /// Takes bytes, and gives the blocks that are full.
  ///
  /// - Parameter isLast: whether nothing follows: then the last block is given, too.
  mutating func encode(_ bytes: some Sequence<UInt8>, isLast: Bool) -> [UInt8] {
    var encoded: [UInt8] = []
    for byte in bytes {
      last = last >> 8 | UInt32(byte) << 24
      if block.count == Self.blockLimit || ZIPSignature.isOfEnd(last) { end(isFinal: false, in: &encoded) }
      block.append(byte)
    }
    if isLast { end(isFinal: true, in: &encoded) }
    return encoded
  }

  private mutating func end(isFinal: Bool, in encoded: inout [UInt8]) {
    encoded.append(isFinal ? 1 : 0)
    encoded += ZIPBytes.little(block.count, 2) + ZIPBytes.little(~block.count, 2) + block
    block.removeAll(keepingCapacity: true)
  }
}
