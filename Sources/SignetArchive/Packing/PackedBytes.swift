package import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// Bytes in memory that go into an archive.
package struct PackedBytes: PackedContent {
  /// What is read into memory to be looked into: the largest shared libraries, those of compilers, have half of it.
  static let sourceLimit = 256 << 20

  /// The bytes.
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The bytes of something small, whole.
  ///
  /// - Throws: what reading throws.
  package init(reading content: any PackedContent) throws(SignetError) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(content.size)
    try unsafe content.read { (piece) throws(SignetError) in
      guard piece.count <= content.size - bytes.count else {
        throw SignetError(.fileChanged, "file", "has grown while it was read")
      }
      unsafe bytes += piece
    }
    self.bytes = bytes
  }

  package var size: Int { bytes.count }

  package func read(_ sink: EntryReader.Sink) throws(SignetError) {
    var failure: SignetError?
    unsafe bytes.withUnsafeBytes { bytes in
      do throws(SignetError) { try unsafe sink(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}
