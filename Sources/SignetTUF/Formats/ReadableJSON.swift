public import SignetBase

/// JSON for files that people look at: one member a line, indented by one space for each level, names in their order.
///
/// Signatures do not depend on it, because they are made over ``OLPCJSON``.
public enum ReadableJSON {
  /// Writes a value, with a line feed at the end.
  ///
  /// - Throws: `tuf.not-canonical` for a number that is not whole.
  public static func write(_ value: JSONValue) throws(SignetError) -> [UInt8] {
    var text: [UInt8] = []
    try append(value, depth: 0, to: &text)
    text.append(UInt8(ascii: "\n"))
    return text
  }

  private static func append(_ value: JSONValue, depth: Int, to text: inout [UInt8]) throws(SignetError) {
    switch value.content {
    case .array(let elements) where !elements.isEmpty:
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        begin(index, depth + 1, &text)
        try append(element, depth: depth + 1, to: &text)
      }
      indent(depth, &text)
      text.append(UInt8(ascii: "]"))
    case .object(let members) where !members.isEmpty:
      text.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        begin(index, depth + 1, &text)
        try append(JSONValue.string(member.name), depth: depth + 1, to: &text)
        text += ": ".utf8
        try append(member.value, depth: depth + 1, to: &text)
      }
      indent(depth, &text)
      text.append(UInt8(ascii: "}"))
    case .decimal(let number):
      throw SignetError(.tufNotCanonical, "JSON", "has no canonical form", expected: "a whole number", found: number)
    default: text += try CanonicalJSON.write(value)
    }
  }

  private static func begin(_ index: Int, _ depth: Int, _ text: inout [UInt8]) {
    if index > 0 { text.append(UInt8(ascii: ",")) }
    indent(depth, &text)
  }

  private static func indent(_ depth: Int, _ text: inout [UInt8]) {
    text.append(UInt8(ascii: "\n"))
    for _ in 0..<depth { text.append(UInt8(ascii: " ")) }
  }
}
