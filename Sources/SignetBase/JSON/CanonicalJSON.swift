/// The one canonical text of a JSON value.
///
/// It is compact, with names sorted by their UTF-8 bytes. Only characters that must be escaped are escaped, and all
/// numbers are whole. For values with ASCII names it is also the form of RFC 8785.
public enum CanonicalJSON {
  private static let hex = Array("0123456789abcdef".utf8)

  /// Writes a value as its canonical text.
  ///
  /// - Throws: `json.number` for a number that is not whole or is out of bounds; `json.duplicate-name`.
  public static func write(_ value: JSONValue) throws(SignetError) -> [UInt8] {
    var text: [UInt8] = []
    try append(value, to: &text)
    return text
  }

  /// Reads a text and checks that it is canonical.
  ///
  /// - Throws: what ``JSONReader/read(_:limits:)`` throws, and `json.not-canonical`.
  public static func read(_ bytes: [UInt8], limits: JSONLimits) throws(SignetError) -> JSONValue {
    let value = try JSONReader.read(bytes, limits: limits)
    try check(value, is: bytes)
    return value
  }

  /// Checks that the text from which a value was read is its canonical text.
  ///
  /// - Throws: `json.not-canonical`, whose object is the line and column; `json.number`.
  package static func check(_ value: JSONValue, is bytes: [UInt8]) throws(SignetError) {
    let canonical = try write(value)
    guard canonical != bytes else { return }
    let offset = zip(canonical, bytes).enumerated().first { $1.0 != $1.1 }?.offset
    throw SignetError(
      .jsonNotCanonical, JSONReader.place(offset ?? min(canonical.count, bytes.count), in: bytes),
      "is not canonical JSON", expected: "compact JSON with sorted names")
  }

  private static func append(_ value: JSONValue, to text: inout [UInt8]) throws(SignetError) {
    switch value.content {
    case .null: text += "null".utf8
    case .bool(let truth): text += (truth ? "true" : "false").utf8
    case .integer(let number):
      guard JSONNumberScanner.range.contains(number) else {
        throw SignetError(
          .jsonNumber, "JSON", "is out of bounds", expected: "-(2^53-1) to 2^53-1", found: "\(number)")
      }
      text += String(number).utf8
    case .decimal(let number):
      throw SignetError(.jsonNumber, "JSON", "has no canonical form", expected: "a whole number", found: number)
    case .string(let string): append(string, to: &text)
    case .array(let elements):
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        try append(element, to: &text)
      }
      text.append(UInt8(ascii: "]"))
    case .object(let members):
      text.append(UInt8(ascii: "{"))
      let sorted = sorted(members)
      for (index, member) in sorted.enumerated() {
        if index > 0 {
          guard !sorted[index - 1].name.isExactly(member.name) else {
            throw SignetError(.jsonDuplicateName, "JSON", "a name occurs twice in one object", found: member.name)
          }
          text.append(UInt8(ascii: ","))
        }
        append(member.name, to: &text)
        text.append(UInt8(ascii: ":"))
        try append(member.value, to: &text)
      }
      text.append(UInt8(ascii: "}"))
    }
  }

  /// Sorts members by name; those read from a canonical text are already in order.
  private static func sorted(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
    let isSorted = zip(members, members.dropFirst()).allSatisfy { $0.name.precedesInBytes($1.name) }
    return isSorted ? members : members.sorted { $0.name.precedesInBytes($1.name) }
  }

  private static func append(_ string: String, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    defer { text.append(UInt8(ascii: "\"")) }
    // Nearly every text is plain, and is appended as one piece.
    let isPlain = string.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    guard !isPlain else { return text += string.utf8 }
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
      case 0x08: text += "\\b".utf8
      case 0x09: text += "\\t".utf8
      case 0x0a: text += "\\n".utf8
      case 0x0c: text += "\\f".utf8
      case 0x0d: text += "\\r".utf8
      case ..<0x20: text += "\\u00".utf8 + [hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      default: text.append(byte)
      }
    }
  }
}
