public import SignetBase

/// The canonical JSON of the OLPC project, over which signatures and key IDs of The Update Framework are computed
/// (specification, section 4.1).
///
/// It is compact, and names are sorted by code point. Only the quotation mark and the backslash are escaped: a line
/// feed in a PEM stays as it is, so the text need not be JSON. That is the difference to `CanonicalJSON`.
public enum OLPCJSON {
  /// Encodes a value.
  ///
  /// - Throws: `tuf.not-canonical` for a number that is not whole, and for a name that occurs twice in an object.
  public static func encode(_ value: JSONValue) throws(SignetError) -> [UInt8] {
    var text: [UInt8] = []
    try append(value, to: &text)
    return text
  }

  private static func append(_ value: JSONValue, to text: inout [UInt8]) throws(SignetError) {
    switch value.content {
    case .null: text += "null".utf8
    case .bool(let truth): text += (truth ? "true" : "false").utf8
    case .integer(let number): text += String(number).utf8
    case .decimal(let number):
      throw SignetError(
        .tufNotCanonical, "JSON", "has no canonical form", expected: "a whole number", found: number.display)
    case .string(let string): append(string, to: &text)
    case .array(let elements):
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        try append(element, to: &text)
      }
      text.append(UInt8(ascii: "]"))
    case .object(let members): try append(members, to: &text)
    }
  }

  private static func append(_ members: [JSONValue.Member], to text: inout [UInt8]) throws(SignetError) {
    // The order of UTF-8 bytes is the order of code points.
    let isSorted = zip(members, members.dropFirst()).allSatisfy { $0.name.precedesInBytes($1.name) }
    let sorted = isSorted ? members : members.sorted { $0.name.precedesInBytes($1.name) }
    text.append(UInt8(ascii: "{"))
    for (index, member) in sorted.enumerated() {
      if index > 0 {
        guard !sorted[index - 1].name.isExactly(member.name) else {
          throw SignetError(
            .tufNotCanonical, "JSON", "a name occurs twice in one object", found: member.name.display)
        }
        text.append(UInt8(ascii: ","))
      }
      append(member.name, to: &text)
      text.append(UInt8(ascii: ":"))
      try append(member.value, to: &text)
    }
    text.append(UInt8(ascii: "}"))
  }

  private static func append(_ string: String, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    if string.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
      for byte in string.utf8 {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { text.append(UInt8(ascii: "\\")) }
        text.append(byte)
      }
    } else {
      text += string.utf8
    }
    text.append(UInt8(ascii: "\""))
  }
}
