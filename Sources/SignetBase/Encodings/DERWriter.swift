/// Writes DER elements (ITU-T X.690, section 10).
package enum DERWriter {
  package static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    var length: [UInt8] = []
    if content.count < 0x80 {
      length = [UInt8(content.count)]
    } else {
      var rest = content.count
      while rest > 0 {
        length.insert(UInt8(rest & 0xff), at: 0)
        rest >>= 8
      }
      length.insert(0x80 | UInt8(length.count), at: 0)
    }
    return [tag] + length + content
  }

  package static func sequence(_ parts: [UInt8]...) -> [UInt8] { element(DERElement.sequence, parts.flatMap { $0 }) }

  package static func bitString(_ bytes: [UInt8]) -> [UInt8] { element(DERElement.bitString, [0] + bytes) }

  /// A magnitude without leading zeros; a zero byte is put before one whose first bit is set.
  package static func unsignedInteger(_ magnitude: [UInt8]) -> [UInt8] {
    let needsZero = magnitude.first.map { $0 >= 0x80 } ?? true
    return element(DERElement.integer, (needsZero ? [0] : []) + magnitude)
  }
}
