internal import CLibZ
package import SignetBase
package import SignetSystem

/// Reads the bytes of entries, one after another, with the same buffers: in constant memory, whatever their sizes.
///
/// The bytes must agree with the archive's structure: no more and no fewer, nothing after the end of deflated data, and
/// the right checksum. zlib itself leaves the bytes after the end to its caller.
@safe package final class EntryReader {
  private static let inputSize = 64 << 10
  private static let outputSize = 256 << 10

  private let source: any ByteSource
  private let discardsWhatIsRead: Bool
  private let input: UnsafeMutableRawBufferPointer
  private let output: UnsafeMutableRawBufferPointer
  private var inflater: Inflater?

  /// Takes the bytes of an entry as they come. The memory is the reader's, and is valid until the next piece.
  package typealias Sink = (UnsafeRawBufferPointer) throws(SignetError) -> Void

  /// The number of bytes that are discarded at once: the call then costs nothing compared with reading them.
  private static let discardSize = 4 << 20

  /// A reader of entries of an archive.
  ///
  /// - Parameter discardsWhatIsRead: whether the entries' bytes are not read again. The space of a private copy can
  ///   then be given back.
  package init(_ source: any ByteSource, discardsWhatIsRead: Bool = false) {
    self.source = source
    self.discardsWhatIsRead = discardsWhatIsRead
    unsafe input = .allocate(byteCount: Self.inputSize, alignment: 4096)
    unsafe output = .allocate(byteCount: Self.outputSize, alignment: 4096)
  }

  deinit {
    unsafe input.deallocate()
    unsafe output.deallocate()
  }

  /// Reads an entry's bytes: a file's, or a link's target as an archive stores it.
  ///
  /// - Parameters:
  ///   - location: where the bytes are.
  ///   - size: how many bytes there must be.
  ///   - path: the entry's name in messages.
  /// - Throws: `archive.checksum`, `archive.data`, what the sink throws, `file.changed`, `file.read-failed`.
  package func read(
    _ location: ArchiveEntry.DataLocation, size: Int, path: String, _ sink: Sink
  ) throws(SignetError) {
    switch location.coding {
    case .plain: _ = try unsafe copy(location, sink)
    case .stored(let expected): try checkSum(unsafe copy(location, sink), expected, path)
    case .deflated(let expected):
      try checkSum(unsafe inflate(location, size: size, of: path, to: sink), expected, path)
    }
  }

  private func checkSum(_ found: UInt, _ expected: UInt32, _ path: String) throws(SignetError) {
    guard found == UInt(expected) else {
      throw SignetError(
        .archiveChecksum, path, "is damaged: its checksum is wrong",
        expected: Self.text(UInt(expected)),
        found: Self.text(found), hint: "get the archive again from its publisher")
    }
  }

  private static func text(_ checksum: UInt) -> String { "CRC-32 \(String(checksum, radix: 16))" }

  /// - Returns: the checksum of the bytes.
  private func copy(_ location: ArchiveEntry.DataLocation, _ sink: Sink) throws(SignetError) -> UInt {
    var checksum: UInt = 0
    var done = 0
    while done < location.storedSize {
      let count = min(Self.outputSize, location.storedSize - done)
      let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: output[..<count])
      try unsafe source.read(into: piece, at: location.offset + done)
      if location.coding != .plain { checksum = unsafe Self.update(checksum, UnsafeRawBufferPointer(piece)) }
      try unsafe sink(UnsafeRawBufferPointer(piece))
      done += count
      discard(location, read: done, by: count)
    }
    return checksum
  }

  /// Discards each run of bytes once its end has been read; the rest at the end of an entry stays.
  private func discard(_ location: ArchiveEntry.DataLocation, read done: Int, by count: Int) {
    guard discardsWhatIsRead, done / Self.discardSize > (done - count) / Self.discardSize else { return }
    let end = done / Self.discardSize * Self.discardSize
    source.discard(location.offset + end - Self.discardSize..<location.offset + end)
  }

  private static func update(_ checksum: UInt, _ bytes: UnsafeRawBufferPointer) -> UInt {
    unsafe crc32_z(checksum, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
  }

  /// - Returns: the checksum of the decompressed bytes.
  private func inflate(
    _ location: ArchiveEntry.DataLocation, size: Int, of path: String, to sink: Sink
  ) throws(SignetError) -> UInt {
    let inflater = try ready()
    var checksum: UInt = 0
    var taken = 0
    var given = 0
    while true {
      if inflater.isHungry, taken < location.storedSize {
        let count = min(Self.inputSize, location.storedSize - taken)
        let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: input[..<count])
        try unsafe source.read(into: piece, at: location.offset + taken)
        unsafe inflater.feed(UnsafeRawBufferPointer(piece))
        taken += count
        discard(location, read: taken, by: count)
      }
      let (count, state) = try unsafe inflater.inflate(into: output, path)
      // Checked before the bytes are passed on, so that an output that is one byte too long is not written first.
      guard count <= size - given else { throw Self.damaged(path, "more than \(size) bytes", size) }
      given += count
      if count > 0 {
        let piece = unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output)[..<count])
        checksum = unsafe Self.update(checksum, piece)
        try unsafe sink(piece)
      }
      switch state {
      case .ended:
        guard inflater.isHungry, taken == location.storedSize else {
          throw SignetError(.archiveData, path, "has bytes after the end of its compressed data")
        }
        guard given == size else { throw Self.damaged(path, "\(given) bytes", size) }
        return checksum
      case .goesOn:
        // Nothing comes out, and no input is left.
        guard count > 0 || taken < location.storedSize || !inflater.isHungry else {
          throw SignetError(.archiveData, path, "has truncated compressed data")
        }
      }
    }
  }

  private func ready() throws(SignetError) -> Inflater {
    if let inflater {
      try inflater.reset()
      return inflater
    }
    let made = try Inflater()
    inflater = made
    return made
  }

  private static func damaged(_ path: String, _ found: String, _ size: Int) -> SignetError {
    SignetError(
      .archiveData, path, "does not decompress to its stated size", expected: "\(size) bytes", found: found)
  }
}

extension EntryReader {
  /// All bytes of an entry. The caller must check that they are not too many.
  package func bytes(
    _ location: ArchiveEntry.DataLocation, size: Int, path: String
  ) throws(SignetError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    try unsafe read(location, size: size, path: path) { (piece) throws(SignetError) in unsafe bytes += piece }
    return bytes
  }
}
