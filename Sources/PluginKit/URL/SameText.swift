extension String {
  /// Whether two texts are the same, byte by byte.
  ///
  /// `==` goes by Unicode's canonical equivalence: the sign for kelvin is a `K`, and `é` is one text in two encodings. Names
  /// in URLs that differ are different names, as they are for files and web servers.
  func isSame(as other: String) -> Bool {
    utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
  }
}

/// A text as a key, the same as another when all bytes are.
struct ExactText: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (one: ExactText, other: ExactText) -> Bool { one.text.isSame(as: other.text) }

  // Texts that are the same are so for `==`, too, and have one hash.
  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
