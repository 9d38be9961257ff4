extension String {
  /// Whether two texts have the same bytes.
  ///
  /// `==` also treats canonically equivalent texts as equal, but the name of a file or type must mean exactly that
  /// one.
  package func isExactly(_ other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }

  /// Whether a text comes before another in byte order.
  package func precedesInBytes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

/// Finds bytes that are not UTF-8 (Unicode, table 3-7): no overlong forms, no surrogates, nothing above U+10FFFF.
package enum UTF8Check {
  /// The offset of the first byte of the first bad sequence, or nil.
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

extension String {
  /// The text as one word of a POSIX shell, for commands that a message suggests.
  package var shellWord: String {
    // A path that begins with a hyphen would be read as an option, so the current folder is put in front of it.
    utf8.first == UInt8(ascii: "-") ? ("./" + self).quoted : quoted
  }

  /// The text as the value of an option, for messages that show a command line to run.
  package func value(of option: String) -> String {
    utf8.first == UInt8(ascii: "-") ? "\(option)=\(quoted)" : "\(option) \(quoted)"
  }

  private var quoted: String {
    let isPlain = utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "/._-+,:@%=".utf8.contains(byte)
      }
    }
    if isPlain, !isEmpty { return self }
    // Byte for byte, as the shell reads it: with a combining character after it, a quote is another Character of Swift.
    let quoted = utf8.flatMap { $0 == UInt8(ascii: "'") ? Array(#"'\''"#.utf8) : [$0] }
    return "'" + String(decoding: quoted, as: UTF8.self) + "'"
  }
}
