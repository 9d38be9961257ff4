internal import ModuleStore
internal import SignetBase

/// The head of a server's answer: a status and fields.
struct ResponseHead: Sendable {
  /// The status, three digits.
  let status: Int
  private let fields: [(name: String, value: String)]

  /// Reads the lines of a head (RFC 9112, sections 4 and 5).
  ///
  /// - Returns: nil if they are not a head.
  init?(_ lines: [[UInt8]]) {
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
  func field(_ name: String) throws(SignetError) -> String? {
    let values = fields.filter { $0.name == name }.map(\.value)
    guard let first = values.first else { return nil }
    guard values.allSatisfy({ $0.isExactly(first) }) else {
      throw SignetError(.fetchResponse, name, "occurs more than once in an answer", found: "\(values.count) values")
    }
    return first
  }

  /// The value of Content-Length.
  ///
  /// - Throws: `fetch.response` if it is not a number.
  func length() throws(SignetError) -> Int? {
    guard let text = try field("content-length") else { return nil }
    guard let length = Self.number(text[...]) else {
      throw SignetError(.fetchResponse, "Content-Length", "is not a number of bytes", found: String(text.prefix(80)))
    }
    return length
  }

  /// A strong entity tag (RFC 9110, section 8.8.3), in printable ASCII and not too long; nil for any other.
  var strongTag: String? { (try? field("etag")).flatMap { DownloadNote.Source.isStrongTag($0) ? $0 : nil } }

  /// The value of Content-Range (RFC 9110, section 14.4; the names of units are case-insensitive, section 14.1): the
  /// first byte, the last byte, and the size of the whole file. Nil without the field, or if one of them is unknown.
  func range() throws(SignetError) -> (first: Int, last: Int, whole: Int)? {
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

extension DownloadNote.Source {
  /// Reads which file the bytes after a head belong to; nil if a later request could not continue it.
  init?(_ head: ResponseHead, length: Int?) {
    guard let tag = head.strongTag, let length else { return nil }
    self.init(tag: tag, modified: Self.modified(head), length: length)
  }

  /// Whether a head is about the same file, as far as it says.
  func isSame(_ head: ResponseHead) throws(SignetError) -> Bool {
    guard try head.field("etag").map({ $0.isExactly(tag) }) ?? true else { return false }
    guard let modified, let other = Self.modified(head) else { return true }
    return other.isExactly(modified)
  }

  /// A server's time in printable ASCII; that of RFC 9110, section 5.6.7, has 29 characters.
  private static func modified(_ head: ResponseHead) -> String? {
    let text = try? head.field("last-modified")
    return text.flatMap { $0.utf8.count <= 64 && $0.utf8.allSatisfy { (0x20...0x7e).contains($0) } ? $0 : nil }
  }
}
