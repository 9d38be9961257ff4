/// A text as a key of a dictionary: equal if the bytes are.
///
/// Two names that differ in their bytes are two files, even where Unicode calls them equivalent.
struct ExactKey: Hashable {
  private let bytes: [UInt8]

  init(_ text: String) { bytes = Array(text.utf8) }
}
