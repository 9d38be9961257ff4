internal import SignetBase
package import SignetNames

/// An entry of an archive that another program made, as ``ArchiveListing`` finds it.
package struct ListedEntry: Sendable, Equatable {
  /// The path without what programs put around it. It is empty for the root.
  package let name: ListedName
  package let kind: Kind
  /// The permission bits, with set-user-ID, set-group-ID and the sticky bit.
  package let mode: UInt32
  /// Whether its bytes are encrypted.
  package let isEncrypted: Bool

  /// The path for people.
  package var path: String { name.text }

  /// The kind of an entry.
  package enum Kind: Sendable, Equatable {
    /// A regular file, with the size that the archive states; nil if it states none.
    case file(size: Int?)
    case directory
    case symbolicLink(target: ListedName)
    case hardLink(to: ListedName)
    /// What is no file.
    case special(Special)
  }

  /// What is neither a file nor a directory nor a link.
  package enum Special: Sendable, Equatable {
    case blockDevice
    /// A character device, a pipe or a socket.
    case other
  }

  package init(name: ListedName, kind: Kind, mode: UInt32, isEncrypted: Bool = false) {
    self.name = name
    self.kind = kind
    self.mode = mode
    self.isEncrypted = isEncrypted
  }
}
