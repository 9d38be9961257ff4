/// Writes JSON values as text, in one of several styles.
///
/// The styles differ in the order of names, in layout, and in which characters of a string are escaped. All numbers are
/// whole: a value that was read with a fraction has no text.
package struct JSONWriter: Sendable {
  /// Which characters of strings are escaped.
  package enum Escapes: Sendable {
    /// Those that must be escaped in JSON.
    case needed
    /// The quotation mark and the backslash alone, so that the text need not be JSON.
    case fewest
  }

  /// Why a value has no text in a style.
  package enum Fault: Error {
    /// A number that is not whole.
    case decimal(String)
    /// A number that readers of JSON may round.
    case outOfBounds(Int64)
    /// A name that occurs twice in an object whose names are sorted.
    case twice(String)
  }

  private static let hex = Array("0123456789abcdef".utf8)

  /// Whether names are sorted by their UTF-8 bytes, which is the order of code points.
  private let isSorted: Bool
  /// How many spaces each level is indented by; nil for a text without white space.
  private let indentation: Int?
  private let escapes: Escapes
  private let isBounded: Bool

  private init(isSorted: Bool, indentation: Int?, escapes: Escapes, isBounded: Bool) {
    self.isSorted = isSorted
    self.indentation = indentation
    self.escapes = escapes
    self.isBounded = isBounded
  }

  /// Without white space, and with names sorted, so that a value has one text.
  ///
  /// - Parameter isBounded: whether whole numbers that readers of JSON may round have no text.
  package static func canonical(_ escapes: Escapes = .needed, isBounded: Bool = true) -> JSONWriter {
    JSONWriter(isSorted: true, indentation: nil, escapes: escapes, isBounded: isBounded)
  }

  /// For files that people look at or change: one member a line, names in their order, and a line feed at the end.
  ///
  /// - Parameter spaces: how many spaces each level is indented by.
  package static func indented(by spaces: Int) -> JSONWriter {
    JSONWriter(isSorted: false, indentation: spaces, escapes: .needed, isBounded: true)
  }

  /// Writes a value.
  package func write(_ value: JSONValue) throws(Fault) -> [UInt8] {
    var text: [UInt8] = []
    try append(value, depth: 0, to: &text)
    if indentation != nil { text.append(UInt8(ascii: "\n")) }
    return text
  }

  private func append(_ value: JSONValue, depth: Int, to text: inout [UInt8]) throws(Fault) {
    switch value.content {
    case .null: text += "null".utf8
    case .bool(let truth): text += (truth ? "true" : "false").utf8
    case .integer(let number):
      guard !isBounded || JSONNumberScanner.range.contains(number) else { throw .outOfBounds(number) }
      text += String(number).utf8
    case .decimal(let number): throw .decimal(number)
    case .string(let string): append(string, to: &text)
    case .array(let elements):
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        begin(index, depth + 1, &text)
        try append(element, depth: depth + 1, to: &text)
      }
      if !elements.isEmpty { breakLine(depth, &text) }
      text.append(UInt8(ascii: "]"))
    case .object(let members):
      text.append(UInt8(ascii: "{"))
      let members = isSorted ? Self.sorted(members) : members
      for (index, member) in members.enumerated() {
        if isSorted, index > 0, members[index - 1].name.isExactly(member.name) { throw .twice(member.name) }
        begin(index, depth + 1, &text)
        append(member.name, to: &text)
        text.append(UInt8(ascii: ":"))
        if indentation != nil { text.append(UInt8(ascii: " ")) }
        try append(member.value, depth: depth + 1, to: &text)
      }
      if !members.isEmpty { breakLine(depth, &text) }
      text.append(UInt8(ascii: "}"))
    }
  }

  private func begin(_ index: Int, _ depth: Int, _ text: inout [UInt8]) {
    if index > 0 { text.append(UInt8(ascii: ",")) }
    breakLine(depth, &text)
  }

  private func breakLine(_ depth: Int, _ text: inout [UInt8]) {
    guard let indentation else { return }
    text.append(UInt8(ascii: "\n"))
    text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * indentation))
  }

  /// Sorts members by name; those read from a canonical text are already in order.
  private static func sorted(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
    let isSorted = zip(members, members.dropFirst()).allSatisfy { $0.name.precedesInBytes($1.name) }
    return isSorted ? members : members.sorted { $0.name.precedesInBytes($1.name) }
  }

  private func append(_ string: String, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    defer { text.append(UInt8(ascii: "\"")) }
    // Nearly every text is plain, and is appended as one piece.
    guard string.utf8.contains(where: isEscaped) else { return text += string.utf8 }
    for byte in string.utf8 {
      guard isEscaped(byte) else {
        text.append(byte)
        continue
      }
      switch byte {
      case 0x08: text += "\\b".utf8
      case 0x09: text += "\\t".utf8
      case 0x0a: text += "\\n".utf8
      case 0x0c: text += "\\f".utf8
      case 0x0d: text += "\\r".utf8
      case ..<0x20: text += "\\u00".utf8 + [Self.hex[Int(byte >> 4)], Self.hex[Int(byte & 15)]]
      default: text += [UInt8(ascii: "\\"), byte]
      }
    }
  }

  private func isEscaped(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || (byte < 0x20 && escapes == .needed)
  }
}
