internal import SignetArchive
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// What was found in a directory, as texts.
extension DirectoryScan.Entry {
  /// The path.
  ///
  /// - Throws: `path.not-utf8`.
  func name(_ shown: String) throws(SignetError) -> String {
    try Self.text(path, shown, "has a name that is not UTF-8")
  }

  /// Where a symbolic link leads.
  ///
  /// - Throws: `path.not-utf8`.
  func linkTarget(_ shown: String) throws(SignetError) -> String {
    try Self.text(target ?? [], shown, "is a link whose target is not UTF-8")
  }

  /// Something that can be neither signed nor packed.
  static func isSpecial(_ shown: String) -> SignetError {
    SignetError(
      .directorySpecialFile, shown, "is neither file, directory nor link",
      expected: "nothing but files, directories and links", found: "a pipe, device or socket", hint: "remove it")
  }

  private static func text(_ bytes: [UInt8], _ shown: String, _ message: String) throws(SignetError) -> String {
    guard UTF8Check.firstFault(in: bytes) == nil else {
      throw SignetError(.pathNotUTF8, shown, message, hint: "rename it")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
