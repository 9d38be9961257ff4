internal import SignetBase
internal import SignetCMS
internal import SignetCrypto
internal import SignetSystem
internal import SignetVerify

extension BareContent {
  /// Another hash of the bytes. The SHA-256 is computed from the same pass, on a thread of its own.
  mutating func hash(_ function: OtherDigest.Named) throws(SignetError) -> [UInt8] {
    let (sha256, other) = try HashesOfFile(source(), function, progress).run()
    try note(sha256: sha256)
    return other
  }
}

extension BareContent {
  /// All bytes, in memory.
  ///
  /// - Throws: `file.too-large`, what reading throws.
  func bytes(limit: Int) throws(SignetError) -> [UInt8] {
    let source = try source()
    guard source.size <= limit else {
      throw SignetError(
        .fileTooLarge, source.path, "is too large", expected: "at most \(limit) bytes", found: "\(source.size) bytes")
    }
    return try source.bytes(in: 0..<source.size)
  }
}

/// Two hashes of a file from one pass over its bytes: two passes could see two contents.
private struct HashesOfFile {
  private let source: any ByteSource
  private let progress: ProgressCounter?
  private let other: SideHash

  private static let pieceSize = 512 << 10
  /// Below it, starting a thread takes longer than it saves.
  private static let threadedSize = 2 << 20

  init(_ source: any ByteSource, _ function: OtherDigest.Named, _ progress: ProgressCounter?) throws(SignetError) {
    (self.source, self.progress) = (source, progress)
    other = SideHash(try .named(function))
  }

  func run() throws(SignetError) -> (sha256: Digest, other: [UInt8]) {
    var digest = try IncrementalDigest(.sha256)
    var outcome: Result<Void, SignetError>?
    if source.size >= Self.threadedSize {
      let other = other
      _ = WorkerThreads.run(beside: { other.takeAll() }) {
        outcome = Result { () throws(SignetError) in
          defer { other.close() }
          try read { (piece) throws(SignetError) in
            other.put(piece)
            try digest.update(piece)
          }
        }
      }
    }
    if let outcome {
      try outcome.get()
    } else {
      try read { (piece) throws(SignetError) in
        other.take(piece)
        try digest.update(piece)
      }
    }
    return (try digest.finish(), try other.finish())
  }

  private func read(_ body: ([UInt8]) throws(SignetError) -> Void) throws(SignetError) {
    for start in stride(from: 0, to: source.size, by: Self.pieceSize) {
      let piece = try source.bytes(in: start..<min(start + Self.pieceSize, source.size))
      try body(piece)
      progress?.add(piece.count)
    }
  }
}

/// A hash that another thread computes of the pieces that it is given; a failure is kept until the end.
private final class SideHash: @unchecked Sendable {
  // Sendable: only one thread takes pieces; the queue is behind a monitor, and joining the thread orders the end.
  private let digest: OtherDigest
  private var failure: SignetError?
  private let queue = Monitor(Queue())

  private struct Queue {
    var pieces: [[UInt8]] = []
    var isClosed = false
    /// So many pieces are in memory at once.
    static let depth = 4
  }

  init(_ digest: OtherDigest) { self.digest = digest }

  /// Hands a piece over, and waits while there are many.
  func put(_ piece: [UInt8]) {
    queue.wait { (queue) -> Void? in
      guard queue.pieces.count < Queue.depth else { return nil }
      queue.pieces.append(piece)
      return ()
    }
  }

  func close() { queue.withLock { $0.isClosed = true } }

  func takeAll() {
    while true {
      // All that is there; nothing at the end.
      let pieces: [[UInt8]] = queue.wait { queue in
        guard !queue.pieces.isEmpty || queue.isClosed else { return nil }
        defer { queue.pieces = [] }
        return queue.pieces
      }
      guard !pieces.isEmpty else { return }
      pieces.forEach(take)
    }
  }

  func take(_ piece: [UInt8]) {
    guard failure == nil else { return }
    do throws(SignetError) { try digest.update(piece) } catch { failure = error }
  }

  func finish() throws(SignetError) -> [UInt8] {
    if let failure { throw failure }
    return try digest.finish()
  }
}
