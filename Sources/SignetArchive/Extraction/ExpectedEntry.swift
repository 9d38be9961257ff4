internal import SignetBase
package import SignetCrypto

/// Something that is to be unpacked, as the signed contents say; the archive has no say in it.
package struct ExpectedEntry: Hashable, Sendable {
  /// The path below the directory that is unpacked into.
  package let path: String
  /// What it is.
  package let content: Content

  /// What an entry is.
  package enum Content: Hashable, Sendable {
    /// A regular file of so many bytes with this SHA-256.
    case file(size: Int, sha256: Digest, mode: FileMode)
    /// A directory.
    case directory
    /// A symbolic link.
    case symbolicLink(target: String)
  }

  package init(path: String, content: Content) {
    self.path = path
    self.content = content
  }

  /// The same, as the rules for archives see it.
  var archiveContent: ArchiveEntry.Content {
    switch content {
    case .file(let size, _, _): .file(size: size)
    case .directory: .directory
    case .symbolicLink(let target): .symbolicLink(target: target)
    }
  }
}
