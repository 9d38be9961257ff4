/// The text in which the part of a parameter has to end.
struct ParameterSuffix: Comparable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  /// Whether a part has the suffix and something in front of it. Bytes are compared, because the value is the remaining
  /// bytes.
  func takes(_ part: String) -> Bool {
    guard !text.isEmpty else { return !part.isEmpty }
    let (count, size) = (part.utf8.count, text.utf8.count)
    return count > size && part.utf8.suffix(size).elementsEqual(text.utf8)
  }

  /// Whether this suffix comes after the other. A shorter one does, and of equally long ones the one with later bytes.
  static func < (one: ParameterSuffix, other: ParameterSuffix) -> Bool {
    let (size, otherSize) = (one.text.utf8.count, other.text.utf8.count)
    return size != otherSize ? size < otherSize : other.text.utf8.lexicographicallyPrecedes(one.text.utf8)
  }
}
