package import SignetArchive
package import SignetBase

/// What an artifact holds, by its structure: the entries of an archive or of a directory.
package struct ArtifactContents: Sendable {
  /// The entries in the order of the archive, or sorted by path; empty for a file that is neither.
  package let entries: [Entry]
  /// The format of an archive; nil for anything else.
  package let format: ArchiveFormat?
  /// Why the artifact cannot be read as the archive that its first bytes say it is. It then has no entries, and its
  /// content is looked at as that of a plain file.
  package let archiveFailure: SignetError?

  /// An entry of an archive or of a directory.
  package struct Entry: Sendable {
    /// The path in the archive or directory, without a slash at the end.
    package let path: String
    package let content: ArchiveEntry.Content
    /// The permission bits, with set-user-ID, set-group-ID and the sticky bit where they are known.
    package let mode: UInt32

    package init(path: String, content: ArchiveEntry.Content, mode: UInt32) {
      self.path = path
      self.content = content
      self.mode = mode
    }
  }

  package init(entries: [Entry], format: ArchiveFormat?, archiveFailure: SignetError?) {
    self.entries = entries
    self.format = format
    self.archiveFailure = archiveFailure
  }
}
