/// The name of a needed library as a dynamic section spells it (DT_NEEDED).
///
/// A name with a slash would be a path, and one with a dollar sign would be expanded (ld.so(8)): both lead away from
/// the verified files.
package enum LibraryName {
  /// The required form, for messages.
  package static let meaning = "a library's name of 1 to 255 bytes without `/`, `$` and control characters"

  /// Whether a text is a valid name.
  package static func allows(_ name: String) -> Bool {
    (1...255).contains(name.utf8.count) && !name.utf8.contains { "/$".utf8.contains($0) }
      && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}
