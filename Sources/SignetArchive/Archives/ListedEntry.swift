/// An entry of an archive that another program made, as ``ArchiveListing`` finds it.
package struct ListedEntry: Sendable, Equatable {
  /// The path without what programs put around it: `./` before it, and `/` after it. It is empty for the root.
  package let path: String
  /// Whether the path is UTF-8. If it is not, each byte that is not is shown as U+FFFD.
  package let isUTF8: Bool
  /// Whether the path, or where a link leads, is longer than what was taken of it.
  package let isCut: Bool
  package let kind: Kind
  /// The permission bits, with set-user-ID, set-group-ID and the sticky bit.
  package let mode: UInt32
  /// Whether its bytes are encrypted.
  package let isEncrypted: Bool

  /// The kind of an entry.
  package enum Kind: Sendable, Equatable {
    /// A regular file, with the size that the archive states; nil if it states none.
    case file(size: Int?)
    case directory
    case symbolicLink(target: String)
    case hardLink(to: String)
    /// A device, a pipe or a socket.
    case special
  }
}
