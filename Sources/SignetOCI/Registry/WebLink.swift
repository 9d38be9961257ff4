internal import SignetBase

/// A link in the field Link of an answer (RFC 8288, section 3).
struct WebLink: Hashable {
  /// Where it leads, as it is written.
  let target: String
  /// What it leads to, in small letters.
  let relations: [String]

  /// Reads the links of a value; nil if it is malformed.
  static func all(in value: String) -> [WebLink]? {
    var reader = Reader(Array(value.utf8))
    return reader.links()
  }

  private struct Reader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func links() -> [WebLink]? {
      var links: [WebLink] = []
      while true {
        skip { $0 == UInt8(ascii: ",") || Self.isSpace($0) }
        guard position < bytes.count else { return links }
        guard take(UInt8(ascii: "<")) else { return nil }
        let target = text { $0 != UInt8(ascii: ">") }
        guard take(UInt8(ascii: ">")), let relations = relations() else { return nil }
        links.append(WebLink(target: target, relations: relations))
      }
    }

    /// The relations among the parameters of a link; nil if they are malformed.
    private mutating func relations() -> [String]? {
      var relations: [String]?
      while true {
        skip(Self.isSpace)
        guard take(UInt8(ascii: ";")) else { break }
        skip(Self.isSpace)
        let name = text { Self.isToken($0) }.lowercased()
        skip(Self.isSpace)
        var value = ""
        if take(UInt8(ascii: "=")) {
          skip(Self.isSpace)
          guard let found = self.value() else { return nil }
          value = found
        }
        // Of several, the first one counts.
        if name.isExactly("rel"), relations == nil {
          relations = value.lowercased().split(separator: " ").map(String.init)
        }
      }
      guard position == bytes.count || bytes[position] == UInt8(ascii: ",") else { return nil }
      return relations ?? []
    }

    private mutating func value() -> String? {
      guard take(UInt8(ascii: "\"")) else { return text { Self.isToken($0) } }
      var text: [UInt8] = []
      while position < bytes.count {
        if take(UInt8(ascii: "\"")) { return String(decoding: text, as: UTF8.self) }
        if take(UInt8(ascii: "\\")), position >= bytes.count { return nil }
        text.append(bytes[position])
        position += 1
      }
      return nil
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
      while position < bytes.count, isSkipped(bytes[position]) { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
      guard position < bytes.count, bytes[position] == byte else { return false }
      position += 1
      return true
    }

    private mutating func text(_ isPart: (UInt8) -> Bool) -> String {
      let start = position
      skip(isPart)
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isToken(_ byte: UInt8) -> Bool {
      (0x21...0x7e).contains(byte) && !",;=\"".utf8.contains(byte)
    }
    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == 0x09 }
  }
}
