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
  /// Whether the line says which function it is, and not its length alone.
  var namesFunction = false
}
