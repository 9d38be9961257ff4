/// Finds bytes that are not UTF-8 (Unicode, table 3-7): no overlong forms, no surrogates, nothing above U+10FFFF.
package enum UTF8Check {
  /// The offset of the first byte of the first bad sequence; nil when there is none.
  package static func firstFault(in bytes: [UInt8]) -> Int? {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte < 0x80 {
        index += 1
        continue
      }
      let second: ClosedRange<UInt8>
      let length: Int
      switch byte {
      case 0xc2...0xdf: (length, second) = (2, 0x80...0xbf)
      case 0xe0: (length, second) = (3, 0xa0...0xbf)
      case 0xed: (length, second) = (3, 0x80...0x9f)
      case 0xe1...0xef: (length, second) = (3, 0x80...0xbf)
      case 0xf0: (length, second) = (4, 0x90...0xbf)
      case 0xf1...0xf3: (length, second) = (4, 0x80...0xbf)
      case 0xf4: (length, second) = (4, 0x80...0x8f)
      default: return index
      }
      guard index + length <= bytes.count, second.contains(bytes[index + 1]),
        bytes[(index + 2)..<(index + length)].allSatisfy({ $0 & 0xc0 == 0x80 })
      else { return index }
      index += length
    }
    return nil
  }
}
