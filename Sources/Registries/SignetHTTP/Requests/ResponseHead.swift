internal import SignetAddresses
package import SignetBase
internal import SignetNames

/// The head of a server's answer: a status and fields.
package struct ResponseHead: Sendable {
  /// The status, three digits.
  package let status: Int
  private let fields: [(name: String, value: String)]

  /// Reads the lines of a head (RFC 9112, sections 4 and 5).
  ///
  /// - Returns: nil if they are not a head.
  package init?(_ lines: [[UInt8]]) {
    guard let first = lines.first, let status = Self.status(first) else { return nil }
    var fields: [(name: String, value: String)] = []
    for line in lines.dropFirst() {
      let line = Self.trimmedEnd(line)
      // A line that begins with a space would continue the one before it (obsolete line folding).
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
        line[..<colon].allSatisfy({ (0x21...0x7e).contains($0) })
      else { return nil }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      let value = line[(colon + 1)...].drop { Self.isSpace($0) }
      guard !value.contains(0) else { return nil }
      fields.append((name, String(decoding: value, as: UTF8.self)))
    }
    self.status = status
    self.fields = fields
  }

  /// The value of a field that may occur once; nil if it does not occur.
  ///
  /// - Throws: `fetch.response` if the field occurs several times, with different values.
  package func field(_ name: String) throws(SignetError) -> String? {
    let values = fields.filter { $0.name == name }.map(\.value)
    guard let first = values.first else { return nil }
    guard values.allSatisfy({ $0.isExactly(first) }) else {
      throw SignetError(.fetchResponse, name, "occurs more than once in an answer", found: "\(values.count) values")
    }
    return first
  }

  /// The values of a field that may occur several times, in their order.
  package func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  /// The value of Content-Length.
  ///
  /// - Throws: `fetch.response` if it is not a number.
  package func length() throws(SignetError) -> Int? {
    guard let text = try field("content-length") else { return nil }
    guard let length = Self.number(text[...]) else {
      throw SignetError(.fetchResponse, "Content-Length", "is not a number of bytes", found: String(text.prefix(80)))
    }
    return length
  }

  /// Checks that the bytes are the file's own.
  ///
  /// - Throws: `fetch.encoding` if they would have to be decoded.
  package func checkEncoding(of object: String) throws(SignetError) {
    guard let encoding = try field("content-encoding"), encoding.lowercased() != "identity" else { return }
    throw SignetError(
      .fetchEncoding, object, "has a content encoding that was not requested", expected: "the file's own bytes",
      found: String(encoding.prefix(80)), hint: "configure the server to send files unchanged")
  }

  /// The value of Content-Range (RFC 9110, section 14.4; the names of units are case-insensitive, section 14.1): the
  /// first byte, the last byte, and the size of the whole file. Nil without the field, or if one of them is unknown.
  package func range() throws(SignetError) -> (first: Int, last: Int, whole: Int)? {
    guard let text = try field("content-range"), text.prefix(6).lowercased().isExactly("bytes ")
    else { return nil }
    let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
      let whole = Self.number(parts[1]), first <= last, last < whole
    else { return nil }
    return (first, last, whole)
  }

  /// A number of so few digits that it always fits.
  private static func number(_ text: Substring) -> Int? {
    guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ isDigit($0) }) else { return nil }
    return Int(text)
  }

  private static func status(_ line: [UInt8]) -> Int? {
    let words = trimmedEnd(line).split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count >= 2, words[0].starts(with: Array("HTTP/".utf8)), words[1].count == 3,
      words[1].allSatisfy({ isDigit($0) })
    else { return nil }
    return words[1].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private static func trimmedEnd(_ line: [UInt8]) -> [UInt8] {
    let end = line.lastIndex { !isSpace($0) && $0 != 0x0d && $0 != 0x0a }
    return end.map { Array(line[...$0]) } ?? []
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == 0x09 }
  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
