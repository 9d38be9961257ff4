/// What is at a mark of keys.
enum KeyLook: Equatable {
  case key(FoundKey)
  case nothing
  /// Another look is needed to know, at so many bytes around it.
  case unclear(ContentMatch.Extent)
}

/// A private key in a file.
struct FoundKey: Equatable {
  /// The kind of key and its form.
  let words: String
  let isEncrypted: Bool
  /// Where it begins; nil for a key that is the whole file.
  let offset: Int?
}
