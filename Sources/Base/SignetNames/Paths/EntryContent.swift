/// What an entry of an archive, a listing or a commit is.
package enum EntryContent: Hashable, Sendable {
  /// A regular file, with its size in bytes.
  case file(size: Int)
  /// A directory.
  case directory
  /// A symbolic link.
  case symbolicLink(target: String)
}
