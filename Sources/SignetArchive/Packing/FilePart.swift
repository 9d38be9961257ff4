internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// A run of a file's bytes, which goes into an archive.
struct FilePart: PackedContent, ByteSource {
  private let file: any ByteSource
  private let range: Range<Int>
  let path: String

  private static let readSize = 256 << 10

  /// - Parameters:
  ///   - range: where the bytes are; within the file.
  ///   - path: what to call them in messages.
  init(_ file: any ByteSource, _ range: Range<Int>, path: String) {
    self.file = file
    self.range = range
    self.path = path
  }

  var size: Int { range.count }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
    guard offset >= 0, offset <= range.count - buffer.count else {
      throw SignetError(
        .fileChanged, path, "ends too early", expected: "\(offset) and \(buffer.count) bytes",
        found: "\(range.count) bytes")
    }
    try unsafe file.read(into: buffer, at: range.lowerBound + offset)
  }

  func read(_ sink: EntryReader.Sink) throws(SignetError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(1, min(Self.readSize, range.count)), alignment: 4096)
    defer { unsafe buffer.deallocate() }
    for start in stride(from: 0, to: range.count, by: Self.readSize) {
      let piece = unsafe UnsafeMutableRawBufferPointer(
        rebasing: buffer[..<min(Self.readSize, range.count - start)])
      try unsafe read(into: piece, at: start)
      try unsafe sink(UnsafeRawBufferPointer(piece))
    }
  }

  func source(_ path: String) -> any ByteSource { FilePart(file, range, path: path) }
}
