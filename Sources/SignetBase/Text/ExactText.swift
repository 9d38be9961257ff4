extension String {
  /// Whether two texts are the same bytes. `==` also takes canonically equivalent texts for equal, and whoever names
  /// a file or a type must mean exactly that one.
  package func isExactly(_ other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }

  /// Whether a text comes before another in the order of their bytes.
  package func precedesInBytes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
