/// A member of an archive of `ar`.
package struct ArMember: Sendable, Equatable {
  /// The name, without what ends it in the archive.
  package let name: [UInt8]
  /// Whether the name is longer than what was taken of it.
  package let isCut: Bool
  /// What it is for.
  package let role: Role
  /// The permission bits, with set-user-ID, set-group-ID and the sticky bit.
  package let mode: UInt32
  /// Where its bytes are in the file.
  package let content: Range<Int>

  /// What a member is for.
  package enum Role: Sendable, Equatable {
    /// It holds a file.
    case file
    /// It says in which members symbols are, or has the long names of others. No program unpacks it.
    case table
  }

  /// The name as text. Each byte that is not UTF-8 is shown as U+FFFD.
  package var text: String { String(decoding: name, as: UTF8.self) }
}
