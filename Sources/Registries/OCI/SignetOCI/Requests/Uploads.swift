internal import SignetBase
internal import SignetCrypto
internal import SignetHTTP
internal import SignetSystem

/// A file that is sent in parts, and hashed on the way.
final class HashedSource {
  private let source: any ByteSource
  private let digest: RunningDigest
  /// How many bytes have been hashed. What is sent again is not hashed again.
  private var hashed = 0

  init(_ source: any ByteSource) throws(SignetError) {
    self.source = source
    digest = try RunningDigest()
  }

  var size: Int { source.size }

  fileprivate func bytes(in range: Range<Int>) throws(SignetError) -> [UInt8] {
    guard range.lowerBound <= hashed else {
      throw SignetError(
        .ociUpload, source.path, "would be sent with a gap", expected: "byte \(hashed)",
        found: "byte \(range.lowerBound)")
    }
    let bytes = try source.bytes(in: range)
    if range.upperBound > hashed {
      try digest.add(range.lowerBound < hashed ? Array(bytes[(hashed - range.lowerBound)...]) : bytes)
      hashed = range.upperBound
    }
    return bytes
  }

  /// The digest of all bytes; nil before all of them were sent.
  func finish() throws(SignetError) -> Digest? {
    hashed == size ? try digest.finish() : nil
  }
}

/// A part of a file that is sent.
final class PartUpload: HTTPUpload {
  private let source: HashedSource
  private let range: Range<Int>
  private var position: Int

  init(_ source: HashedSource, _ range: Range<Int>) {
    self.source = source
    self.range = range
    position = range.lowerBound
  }

  var size: Int { range.count }

  func next(atMost count: Int) throws(SignetError) -> [UInt8] {
    let end = min(range.upperBound, position + count)
    let bytes = try source.bytes(in: position..<end)
    position = end
    return bytes
  }

  func rewind() { position = range.lowerBound }
}
