public import SignetBase
internal import SignetCrypto

extension Signer {
  /// What is said of a file or a directory beside its digests.
  public struct FileClaims: Sendable {
    /// What the statement calls the file or directory.
    public let name: String
    /// When the statement is made.
    public let signedAt: UnixTime
    /// After this the statement no longer holds.
    public let notAfter: UnixTime?

    /// The claims about a file or directory.
    ///
    /// - Throws: `signing.name` when the name is empty, a path, or has NUL in it; `signing.not-after` when the
    ///   statement would end before it is made.
    public init(name: String, signedAt: UnixTime, notAfter: UnixTime? = nil) throws(SignetError) {
      guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0),
        name.utf8.count <= 255
      else {
        throw SignetError(
          .signingName, name, "cannot be the name of an artifact in a statement",
          expected: "1 to 255 bytes without a slash")
      }
      if let notAfter, notAfter <= signedAt {
        throw SignetError(
          .signingNotAfter, name, "would have a statement that never holds", expected: "an end after \(signedAt)",
          found: "\(notAfter)", hint: "give a later end")
      }
      self.name = name
      self.signedAt = signedAt
      self.notAfter = notAfter
    }
  }
}
