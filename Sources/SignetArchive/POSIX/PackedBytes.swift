package import SignetCrypto

/// Bytes in memory that go into an archive.
package struct PackedBytes: PackedContent {
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var size: Int { bytes.count }

  package func read(_ sink: EntryReader.Sink) throws(SignetError) {
    var failure: SignetError?
    unsafe bytes.withUnsafeBytes { bytes in
      do throws(SignetError) { try unsafe sink(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}
