/// The positions of a URL's parts, in bytes.
struct URLFrame {
  /// The end of the host and the path.
  let pathEnd: Int
  let query: Range<Int>?
  let fragment: Range<Int>?

  init(_ bytes: [UInt8]) {
    let mark = UInt8(ascii: "?")
    let hash = UInt8(ascii: "#")
    let end = bytes.firstIndex { $0 == mark || $0 == hash } ?? bytes.endIndex
    pathEnd = end
    guard end < bytes.endIndex else {
      (query, fragment) = (nil, nil)
      return
    }
    let other = bytes[end] == mark ? hash : mark
    let second = bytes[end...].firstIndex(of: other)
    let first = end + 1..<(second ?? bytes.endIndex)
    let last = second.map { $0 + 1..<bytes.endIndex }
    (query, fragment) = bytes[end] == mark ? (first, last) : (last, first)
  }

  /// The position of the first `://` before query and fragment.
  func schemeEnd(_ bytes: [UInt8]) -> Int? {
    guard let colon = bytes[..<pathEnd].firstIndex(of: UInt8(ascii: ":")), colon + 2 < pathEnd,
      bytes[colon + 1] == UInt8(ascii: "/"), bytes[colon + 2] == UInt8(ascii: "/")
    else { return nil }
    return colon
  }

  /// The colon that ends the scheme of a URL without `://`, and the form of that URL; nil if the first part has no
  /// colon.
  func otherForm(_ bytes: [UInt8]) -> (colon: Int, form: PluginURL.Form)? {
    guard let colon = bytes[..<pathEnd].firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }),
      bytes[colon] == UInt8(ascii: ":")
    else { return nil }
    return (colon, colon + 1 < pathEnd && bytes[colon + 1] == UInt8(ascii: "/") ? .path : .opaque)
  }

  /// Whether the first part has a colon, and so may be meant as a scheme, as in `mailto:somebody`.
  func hasColon(_ bytes: [UInt8]) -> Bool {
    bytes[..<pathEnd].prefix { $0 != UInt8(ascii: "/") }.contains(UInt8(ascii: ":"))
  }
}

extension PluginURL {
  /// The greatest length of a scheme.
  private static let schemeLimit = 64

  /// A scheme in lower case (RFC 3986, section 3.1).
  static func scheme(_ bytes: ArraySlice<UInt8>, _ text: String) throws(PluginError) -> String {
    guard let first = bytes.first, isLetter(first), bytes.count <= schemeLimit,
      bytes.allSatisfy({ isLetter($0) || isDigit($0) || $0 == 0x2b || $0 == 0x2d || $0 == 0x2e })
    else {
      throw PluginError(
        .urlMalformed, shown(text), "has no valid scheme",
        expected: "at most \(schemeLimit) letters, digits, +, - and ., a letter first")
    }
    // Most schemes are in lower case already.
    guard bytes.contains(where: { 0x41...0x5a ~= $0 }) else { return String(decoding: bytes, as: UTF8.self) }
    return String(decoding: bytes.map { 0x41...0x5a ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// Host and segments, decoded.
  static func parts(_ bytes: ArraySlice<UInt8>, _ text: String) throws(PluginError) -> [String] {
    guard !bytes.isEmpty else { return [] }
    var parts: [String] = []
    // Most URLs have no more parts.
    parts.reserveCapacity(4)
    var start = bytes.startIndex
    while true {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
      // Nothing may follow the last slash; no host may come before the first one.
      if start == end, end == bytes.endIndex, !parts.isEmpty { break }
      guard start < end || parts.isEmpty else {
        throw PluginError(.urlEmptySegment, shown(text), "has an empty segment")
      }
      guard parts.count < partLimit else {
        throw PluginError(.urlTooLong, shown(text), "has too many parts", expected: "at most \(partLimit)")
      }
      parts.append(try part(bytes[start..<end], text))
      guard end < bytes.endIndex else { break }
      start = end + 1
    }
    return parts.count == 1 && parts[0].isEmpty ? [] : parts
  }

  private static func part(_ bytes: ArraySlice<UInt8>, _ text: String) throws(PluginError) -> String {
    let part = PercentCoding.decode(bytes)
    // Only a part that begins with a dot or an encoded character can be one of them.
    guard bytes.first != UInt8(ascii: ".") && bytes.first != UInt8(ascii: "%") || part != "." && part != ".." else {
      throw PluginError(.urlDotSegment, shown(text), "has a segment \(part)")
    }
    // Characters that are not encoded are checked with the rest of the text.
    guard !bytes.contains(UInt8(ascii: "%")) || !hasControl(part) else { throw control(text) }
    return part
  }

  /// Whether a text has a character of Unicode's category Cc.
  static func hasControl(_ text: String) -> Bool { hasControl(text.utf8) }

  /// Whether UTF-8 bytes have such a character. From U+0080 on, it is 0xc2 and a byte below 0xa0.
  static func hasControl(_ bytes: some Sequence<UInt8>) -> Bool {
    var last: UInt8 = 0
    // Most texts have none of these bytes, and one look is enough.
    guard bytes.contains(where: { $0 < 0x20 || $0 == 0x7f || $0 == 0xc2 }) else { return false }
    for byte in bytes {
      if byte < 0x20 || byte == 0x7f || last == 0xc2 && byte < 0xa0 { return true }
      last = byte
    }
    return false
  }

  static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
  static func isLetter(_ byte: UInt8) -> Bool { 0x41...0x5a ~= byte || 0x61...0x7a ~= byte }

  static func control(_ text: String) -> PluginError {
    PluginError(.urlControlCharacter, shown(text), "has a control character")
  }

  /// How many characters of a URL messages have.
  private static let shownLimit = 200

  /// A URL for messages: invisible characters and those that affect their surroundings are escaped, and a long URL is
  /// cut.
  package static func shown(_ text: String) -> String {
    // Nearly every text is as it is. Each call of a handler that may answer later begins with this.
    if text.utf8.count <= Self.shownLimit, text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) { return text }
    var result = ""
    for character in text.unicodeScalars.prefix(Self.shownLimit) {
      switch character.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
        result += "\\u{\(String(character.value, radix: 16))}"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
