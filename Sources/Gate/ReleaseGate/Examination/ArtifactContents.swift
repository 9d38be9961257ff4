package import SignetArchive
package import SignetBase
package import SignetNames

/// What an artifact holds, by its structure: the entries of an archive or of a directory.
package struct ArtifactContents: Sendable {
  /// The entries in the order of the archive, or sorted by path; empty for a file that is neither.
  package let entries: [Entry]
  /// The format of an archive; nil for anything else.
  package let format: ArchiveFormat?
  /// What is dangerous about the archive: two programs could see two archives in it, or it leads out of its folder. Its
  /// bytes are then searched as those of a plain file, too.
  package let archiveFailure: SignetError?
  /// What modules cannot have, and other archives can without danger.
  package let formFailure: SignetError?
  /// The entry of the artifact that holds these contents; nil for the artifact's own.
  package let container: String?

  /// An entry of an archive or of a directory.
  package struct Entry: Sendable {
    /// The path in the archive or directory, without a slash at the end.
    package let path: String
    package let content: EntryContent
    /// The permission bits, with set-user-ID, set-group-ID and the sticky bit where they are known.
    package let mode: UInt32
    /// What it is, if it is neither a file nor a directory nor a link. It then counts as a file without content.
    package let special: ListedEntry.Special?

    package init(
      path: String, content: EntryContent, mode: UInt32, special: ListedEntry.Special? = nil
    ) {
      self.path = path
      self.content = content
      self.mode = mode
      self.special = special
    }
  }

  package init(
    entries: [Entry], format: ArchiveFormat?, archiveFailure: SignetError?, formFailure: SignetError? = nil,
    container: String? = nil
  ) {
    self.entries = entries
    self.format = format
    self.archiveFailure = archiveFailure
    self.formFailure = formFailure
    self.container = container
  }

  /// The name of an entry in findings.
  package func name(of path: String) -> String { container.map { "\($0)!\(path)" } ?? path }
}
