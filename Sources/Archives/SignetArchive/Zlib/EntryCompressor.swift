internal import CLibZ
internal import SignetBase
internal import SignetFiles
internal import SignetNames
internal import SignetSystem

/// Prepares the bytes of entries for an archive, one entry after another. They are deflated if that saves space.
@safe final class EntryCompressor {
  private static let outputSize = 64 << 10

  private let deflater: Deflater
  private let buffer: UnsafeMutableRawBufferPointer
  /// How many times its stored size an entry may expand to; nil if all entries together are too small for a bomb.
  private let ratio: Int?

  /// The result for an entry's bytes.
  struct Outcome {
    let crc: UInt32
    let storedSize: Int
    let isDeflated: Bool

    static let nothing = Outcome(crc: 0, storedSize: 0, isDeflated: false)
  }

  /// An entry's bytes as they are stored in an archive.
  struct Compressed: Sendable {
    let outcome: Outcome
    let bytes: [UInt8]

    static let nothing = Compressed(outcome: .nothing, bytes: [])
  }

  /// - Parameter total: the size of all entries. Readers hold the whole archive to the ratio, too: if no entry exceeds
  ///   it, neither do all of them together.
  init(_ limits: ArchiveLimits, total: Int) throws(SignetError) {
    deflater = try Deflater()
    ratio = total > limits.ratioGrace ? limits.ratio : nil
    unsafe buffer = .allocate(byteCount: Self.outputSize, alignment: 4096)
  }

  deinit { unsafe buffer.deallocate() }

  /// Writes an entry's bytes at the end of the output.
  ///
  /// They are stored as they are if deflating them saves nothing, or if they would expand more than readers accept: an
  /// honest file of nothing but zeros must not look like a bomb.
  ///
  /// - Throws: `file.changed` if there are more or fewer bytes than there should be, or other bytes the second time;
  ///   `output.failed`, and what reading throws.
  func write(
    _ content: any PackedContent, _ path: String, to output: OutputWriter, _ progress: ProgressCounter?
  ) throws(SignetError) -> Outcome {
    guard content.size > 0 else { return .nothing }
    let start = output.position
    try deflater.reset()
    let crc = try unsafe pass(over: content, path, progress) { (piece, isLast) throws(SignetError) in
      try unsafe deflater.deflate(piece, isLast: isLast, through: buffer) { (piece) throws(SignetError) in
        try unsafe output.append(piece)
      }
    }
    let size = output.position - start
    guard !isKeptAsItIs(content.size, deflated: size) else {
      output.rewind(to: start)
      return try store(content, path, crc, in: output)
    }
    return Outcome(crc: crc, storedSize: size, isDeflated: true)
  }

  /// Writes an entry's bytes at the end of the output, unchanged except for headers that split signatures of end
  /// records.
  ///
  /// - Throws: what ``write(_:_:to:_:)`` throws.
  func writeParted(
    _ content: any PackedContent, _ path: String, to output: OutputWriter
  ) throws(SignetError) -> Outcome {
    guard content.size > 0 else { return .nothing }
    let start = output.position
    var blocks = PartedBlocks()
    let crc = try unsafe pass(over: content, path, nil) { (piece, isLast) throws(SignetError) in
      try output.append(unsafe blocks.encode(piece, isLast: isLast))
    }
    return Outcome(crc: crc, storedSize: output.position - start, isDeflated: true)
  }

  /// Compresses an entry's bytes in memory, which takes twice their size for a moment.
  ///
  /// The result is the same as that of ``write(_:_:to:_:)``, and the bytes are read only once.
  ///
  /// - Throws: what ``write(_:_:to:_:)`` throws.
  func compress(
    _ content: any PackedContent, _ path: String, _ progress: ProgressCounter?
  ) throws(SignetError) -> Compressed {
    guard content.size > 0 else { return .nothing }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(content.size)
    let crc = try unsafe pass(over: content, path, progress) { (piece, _) throws(SignetError) in unsafe bytes += piece
    }
    try deflater.reset()
    guard let deflated = try deflater.deflate(bytes, below: content.size),
      !isKeptAsItIs(content.size, deflated: deflated.count)
    else {
      return Compressed(outcome: Outcome(crc: crc, storedSize: bytes.count, isDeflated: false), bytes: bytes)
    }
    return Compressed(outcome: Outcome(crc: crc, storedSize: deflated.count, isDeflated: true), bytes: deflated)
  }

  private func isKeptAsItIs(_ size: Int, deflated: Int) -> Bool {
    deflated >= size || ratio.map { size / $0 > deflated } ?? false
  }

  private func store(
    _ content: any PackedContent, _ path: String, _ crc: UInt32, in output: OutputWriter
  ) throws(SignetError) -> Outcome {
    let again = try unsafe pass(over: content, path, nil) { (piece, _) throws(SignetError) in
      try unsafe output.append(piece)
    }
    guard again == crc else { throw Self.changed(path, "other bytes than a moment ago") }
    return Outcome(crc: crc, storedSize: content.size, isDeflated: false)
  }

  /// Reads all bytes once.
  ///
  /// - Returns: the checksum.
  private func pass(
    over content: any PackedContent, _ path: String, _ progress: ProgressCounter?,
    _ body: (UnsafeRawBufferPointer, Bool) throws(SignetError) -> Void
  ) throws(SignetError) -> UInt32 {
    var crc: UInt = 0
    var done = 0
    try unsafe content.read { (piece) throws(SignetError) in
      guard piece.count <= content.size - done else { throw Self.changed(path, "more than \(content.size) bytes") }
      guard piece.count > 0 else { return }
      done += piece.count
      unsafe crc = crc32_z(crc, piece.bindMemory(to: UInt8.self).baseAddress, piece.count)
      try unsafe body(piece, done == content.size)
      progress?.add(piece.count)
    }
    guard done == content.size else { throw Self.changed(path, "\(done) bytes") }
    return UInt32(crc)
  }

  static func changed(_ path: String, _ found: String) -> SignetError {
    SignetError(.fileChanged, path, "changed while it was packed", expected: "an unchanged file", found: found)
  }
}
