internal import SignetBase
internal import SignetCrypto

/// The comments of a ZIP and of its entries. Nothing is made of them, but some programs take no archive with one that they
/// cannot read: Java where it is not UTF-8, libzip where it has control characters.
enum ZIPComment {
  /// Makes sure that every program can read it.
  ///
  /// - Throws: `archive.comment`.
  static func check(_ comment: ArraySlice<UInt8>, of object: String) throws(SignetError) {
    let isText = comment.allSatisfy { $0 >= 0x20 || [0x09, 0x0a, 0x0d].contains($0) }
    guard isText, UTF8Check.firstFault(in: Array(comment)) == nil else {
      throw SignetError(
        .archiveComment, object, "has a comment that is not UTF-8, or has control characters in it",
        expected: "a text that every program can read", hint: ZIPHint.repack)
    }
  }
}
