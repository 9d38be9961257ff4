/// The name of a needed library as a dynamic section spells it (DT_NEEDED).
///
/// With a slash it would be a path, with a dollar sign it would be expanded (ld.so(8)): both leave behind what was verified.
package enum LibraryName {
  /// What it must be, for messages.
  package static let meaning = "a library's name of 1 to 255 bytes without `/`, `$` and control characters"

  /// Whether a text is one.
  package static func allows(_ name: String) -> Bool {
    (1...255).contains(name.utf8.count) && !name.utf8.contains { "/$".utf8.contains($0) }
      && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}
