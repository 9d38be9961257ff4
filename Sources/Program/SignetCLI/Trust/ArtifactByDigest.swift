internal import Keyless
internal import Signet
internal import SignetBase
internal import SignetSystem

/// An artifact that is not there, and is known by its SHA-256: `sha256:HEX` in place of a file.
struct ArtifactByDigest {
  let digest: Digest
  let artifact: Artifact

  /// - Returns: nil for an argument of another form, and where there is a file of this name.
  init?(_ argument: String) {
    let prefix = "sha256:"
    guard argument.utf8.starts(with: prefix.utf8), (try? FileStatus(ofLink: argument)) == nil,
      let digest = Digest(.sha256, hex: String(decoding: argument.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
    else { return nil }
    self.digest = digest
    artifact = .source(Unread(path: argument))
  }

  /// Bytes that nobody has. What needs them, such as another digest, is refused.
  private struct Unread: ByteSource {
    let path: String
    // Not zero: an empty file has digests, and needs no reading.
    let size = 1

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
      throw SignetError(
        .keylessSubject, path, "is known by its SHA-256 alone", expected: "the file", found: "a need of its bytes")
    }
  }
}
