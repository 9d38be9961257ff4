internal import SignetBase

/// A name in an archive that another program made: its bytes, in whatever encoding that program used.
package struct ListedName: Sendable, Equatable {
  /// The bytes, as far as they were taken.
  package let bytes: [UInt8]
  /// Whether the name is longer than what was taken of it.
  package let isCut: Bool

  package init(_ bytes: [UInt8], isCut: Bool = false) {
    self.bytes = bytes
    self.isCut = isCut
  }

  /// The name for people. Each byte that is not UTF-8 is shown as U+FFFD, so different names can be the same text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The names of the path, without those that lead nowhere: empty ones, and `.`.
  package var names: [ArraySlice<UInt8>] {
    separated.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
  }

  /// The path as programs understand it: `d/./x` and `d//x` are `d/x`.
  package var plain: [UInt8] { Array(names.joined(separator: "/".utf8)) }

  /// Whether it is UTF-8.
  package var isUTF8: Bool { UTF8Check.firstFault(in: bytes) == nil }

  /// The bytes as the most careful program sees them.
  ///
  /// In encodings of East Asia (Shift-JIS, GBK, Big5), the second byte of a character can be that of a backslash. A
  /// program that does not know the encoding sees a backslash, and on some systems it separates names. So it is a slash
  /// here: neither of the two readings may lead out of the folder, or be the name of another entry.
  package var separated: [UInt8] {
    guard !isUTF8, bytes.contains(Self.backslash) else { return bytes }
    var separated = bytes
    var place = 0
    while place < bytes.count {
      guard (0x81...0xfe).contains(bytes[place]) else {
        place += 1
        continue
      }
      // The first byte of two.
      if place + 1 < bytes.count, bytes[place + 1] == Self.backslash { separated[place + 1] = UInt8(ascii: "/") }
      place += 2
    }
    return separated
  }

  private static let backslash = UInt8(ascii: "\\")

  /// The name without what programs put around it: `./` before it, and `/` after it. It is empty for the root.
  package var relative: ListedName {
    let slash = UInt8(ascii: "/")
    var rest = bytes[...]
    while rest.starts(with: "./".utf8) { rest = rest.dropFirst(2).drop { $0 == slash } }
    while rest.count > 1, rest.last == slash { rest = rest.dropLast() }
    return ListedName(rest.elementsEqual(".".utf8) ? [] : Array(rest), isCut: isCut)
  }
}
