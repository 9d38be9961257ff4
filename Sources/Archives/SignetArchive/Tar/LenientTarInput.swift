internal import SignetBase
internal import SignetSystem

/// The bytes of a tar with any compression, read one after another up to a limit.
@safe final class LenientTarInput {
  private let source: any ByteSource
  /// nil if the source is not compressed.
  private let decompression: FileDecompression?
  private var position = 0
  /// How many bytes may be read or decompressed, and how many were.
  private let limit: Int
  private var taken = 0
  /// Decompressed bytes that have not been asked for yet.
  private var pending: ArraySlice<UInt8> = []

  /// - Throws: what reading throws. A source that cannot be decompressed ends early.
  init(_ source: any ByteSource, limit: Int) throws(SignetError) {
    self.source = source
    self.limit = limit
    let start = try source.bytes(in: 0..<min(FileCompression.magicSize, source.size))
    decompression = try FileCompression(start).map { (compression) throws(SignetError) in
      try FileDecompression(source, compression)
    }
  }

  /// The next 512 bytes; nil at the end.
  func block() throws(SignetError) -> [UInt8]? {
    let block = try bytes(TarField.blockSize)
    return block.count == TarField.blockSize ? block : nil
  }

  /// The next `count` bytes; fewer at the end.
  func bytes(_ count: Int) throws(SignetError) -> [UInt8] {
    guard decompression != nil else {
      let end = min(position + count, source.size)
      defer { (position, taken) = (end, taken + count) }
      guard taken < limit else { return [] }
      return position < end ? try source.bytes(in: position..<end) : []
    }
    while pending.count < count, try refill() {}
    defer { pending = pending.dropFirst(count) }
    return Array(pending.prefix(count))
  }

  /// Skips `count` bytes.
  func pass(_ count: Int) throws(SignetError) {
    guard decompression != nil else {
      position += count
      return
    }
    var rest = count
    while rest > pending.count {
      rest -= pending.count
      pending = []
      guard try refill() else { return }
    }
    pending = pending.dropFirst(rest)
  }

  /// - Returns: false at the end, or when the limit is reached.
  private func refill() throws(SignetError) -> Bool {
    guard let decompression, taken < limit else { return false }
    let piece = try unsafe decompression.next()
    taken += piece.count
    pending = unsafe pending + Array(piece)
    return unsafe !piece.isEmpty
  }
}
