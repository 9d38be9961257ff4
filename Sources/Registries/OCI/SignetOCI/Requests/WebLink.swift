internal import SignetBase

/// A link in the field Link of an answer (RFC 8288, section 3).
struct WebLink: Hashable {
  /// Where it leads, as it is written.
  let target: String
  /// What it leads to, in small letters.
  let relations: [String]

  /// Reads the links of a value; nil if it is malformed.
  static func all(in value: String) -> [WebLink]? {
    var scanner = FieldScanner(value)
    var links: [WebLink] = []
    while true {
      scanner.skip { $0 == UInt8(ascii: ",") || FieldScanner.isSpace($0) }
      guard !scanner.isAtEnd else { return links }
      guard scanner.take(UInt8(ascii: "<")) else { return nil }
      let target = scanner.text { $0 != UInt8(ascii: ">") }
      guard scanner.take(UInt8(ascii: ">")), let relations = relations(&scanner) else { return nil }
      links.append(WebLink(target: target, relations: relations))
    }
  }

  /// The relations among the parameters of a link; nil if they are malformed.
  private static func relations(_ scanner: inout FieldScanner) -> [String]? {
    var relations: [String]?
    while true {
      scanner.skipSpaces()
      guard scanner.take(UInt8(ascii: ";")) else { break }
      scanner.skipSpaces()
      let name = scanner.text(isToken).lowercased()
      scanner.skipSpaces()
      var value = ""
      if scanner.take(UInt8(ascii: "=")) {
        scanner.skipSpaces()
        guard let found = scanner.next == UInt8(ascii: "\"") ? scanner.quoted() : scanner.text(isToken) else {
          return nil
        }
        value = found
      }
      // Of several, the first one counts.
      if name.isExactly("rel"), relations == nil {
        relations = value.lowercased().split(separator: " ").map(String.init)
      }
    }
    guard scanner.isAtEnd || scanner.next == UInt8(ascii: ",") else { return nil }
    return relations ?? []
  }

  private static func isToken(_ byte: UInt8) -> Bool { (0x21...0x7e).contains(byte) && !",;=\"".utf8.contains(byte) }
}
