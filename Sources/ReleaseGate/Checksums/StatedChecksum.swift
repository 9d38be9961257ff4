internal import SignetCrypto

/// A checksum of a file, as a list of a release states it.
struct StatedChecksum: Sendable {
  /// The file's name, as the list has it.
  let name: String
  let digest: Digest
  /// The number of the line, from 1 on.
  let line: Int
  /// Whether the file may be outside of the release: the list has its address.
  var mayBeElsewhere = false
  var function = Function.unnamed

  /// What the line says about the function with which the digest was made.
  enum Function {
    /// One of SHA-2, which the length tells.
    case sha2
    /// Another one that has digests as long.
    case other
    /// Nothing. Then the list may have a name that says it.
    case unnamed
  }
}
