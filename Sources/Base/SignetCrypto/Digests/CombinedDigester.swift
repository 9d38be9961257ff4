package import SignetBase
internal import SignetSystem

/// The flat digest and the tree digest of a file in one pass: each byte is read once and given to both.
///
/// The flat digest is a chain, so it occupies one thread; another thread hashes the tree meanwhile. Both use the same
/// buffers. Two passes could see two different contents, and the statement would then describe neither.
enum CombinedDigester {
  /// The minimum size for a second thread; below it, starting a thread takes longer than it saves.
  private static let threadedSize = 2 << 20

  /// - Parameter head: how many of the first bytes are shared with another content.
  static func digest(
    _ file: any ByteSource, sharing head: Int = 0, _ progress: ProgressCounter?
  ) throws(SignetError) -> DigestsWithSharedHead {
    let tree = try TreeSide(size: file.size, head: head)
    var flat = try FlatSide(head: head)
    if file.size >= threadedSize {
      let ring = PieceRing()
      var outcome: Result<Void, SignetError>?
      _ = WorkerThreads.run(beside: { unsafe ring.consume { unsafe tree.take($0) } }) {
        do throws(SignetError) {
          try read(file, into: ring, &flat, progress)
          outcome = .success(())
        } catch {
          outcome = .failure(error)
        }
      }
      if let outcome {
        try outcome.get()
        return try DigestsWithSharedHead(flat.finish(), tree.finish(), size: file.size, head: head)
      }
    }
    try readAlone(file, into: tree, and: &flat, progress: progress)
    return try DigestsWithSharedHead(flat.finish(), tree.finish(), size: file.size, head: head)
  }

  private static func read(
    _ file: any ByteSource, into ring: PieceRing, _ flat: inout FlatSide, _ progress: ProgressCounter?
  ) throws(SignetError) {
    defer { ring.close() }
    for offset in stride(from: 0, to: file.size, by: MerkleTree.pieceSize) {
      let piece = unsafe ring.free(min(MerkleTree.pieceSize, file.size - offset))
      try unsafe file.read(into: piece, at: offset)
      ring.publish(piece.count)
      try unsafe flat.take(UnsafeRawBufferPointer(piece))
      progress?.add(piece.count)
    }
  }

  private static func readAlone(
    _ file: any ByteSource, into tree: TreeSide, and flat: inout FlatSide, progress: ProgressCounter?
  ) throws(SignetError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: MerkleTree.pieceSize, alignment: FSVerityDigest.blockSize)
    defer { unsafe buffer.deallocate() }
    for offset in stride(from: 0, to: file.size, by: MerkleTree.pieceSize) {
      let count = min(MerkleTree.pieceSize, file.size - offset)
      let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      try unsafe file.read(into: piece, at: offset)
      unsafe tree.take(UnsafeRawBufferPointer(piece))
      try unsafe flat.take(UnsafeRawBufferPointer(piece))
      progress?.add(count)
    }
  }

  /// The state of the flat digest, and a copy of it at the end of the shared bytes.
  struct FlatSide: ~Copyable {
    private let head: Int
    private var digest: IncrementalDigest
    private var shared: IncrementalDigest?
    private var rest: [UInt8] = []
    private var position = 0

    /// The results of the flat digest.
    struct Outcome: ~Copyable {
      let whole: Digest
      let shared: IncrementalDigest
      /// The shared bytes after their last whole piece.
      let rest: [UInt8]
    }

    init(head: Int) throws(SignetError) {
      self.head = head
      digest = try IncrementalDigest(.sha256)
    }

    mutating func take(_ piece: UnsafeRawBufferPointer) throws(SignetError) {
      let start = head - position
      position += piece.count
      guard (0..<MerkleTree.pieceSize).contains(start), start <= piece.count else {
        return try unsafe digest.update(piece)
      }
      let last = unsafe UnsafeRawBufferPointer(rebasing: piece[..<start])
      try unsafe digest.update(last)
      shared = try digest.copy()
      rest = unsafe Array(last)
      try unsafe digest.update(UnsafeRawBufferPointer(rebasing: piece[start...]))
    }

    consuming func finish() throws(SignetError) -> Outcome {
      // The file ends with a whole piece, and all of it is shared.
      if shared == nil { shared = try digest.copy() }
      guard let shared = shared.take() else { throw SignetError(.cryptoFailure, "SHA-256", "cannot be computed") }
      return Outcome(whole: try digest.finish(), shared: shared, rest: rest)
    }
  }

  /// The state of the tree digest, and a copy of it at the end of the shared bytes; a failure is kept until the end.
  final class TreeSide: @unchecked Sendable {
    // Sendable: only one thread at a time uses it; joining the thread orders the uses.
    private let size: Int
    private let hasher: BlockHasher
    private var tree: MerkleTree
    private var shared: MerkleTree?
    /// The number of whole shared pieces that have not been received yet.
    private var sharedPieces: Int
    private var failure: SignetError?

    /// The results of the tree digest.
    struct Outcome: ~Copyable {
      let whole: FSVerityDigest
      let shared: MerkleTree
      let hasher: BlockHasher
    }

    init(size: Int, head: Int) throws(SignetError) {
      let hasher = try BlockHasher()
      self.size = size
      self.hasher = hasher
      sharedPieces = head / MerkleTree.pieceSize
      tree = MerkleTree { (block) throws(SignetError) in try hasher.hash(block) }
    }

    func take(_ piece: UnsafeRawBufferPointer) {
      guard failure == nil else { return }
      if sharedPieces == 0 { shared = tree.copy() }
      sharedPieces -= 1
      do throws(SignetError) {
        try unsafe hasher.hashLeaves(of: piece, first: 0)
        let leaves = TreeDigester.leafCount(piece.count)
        try tree.append(hasher.pieceHash(leaves: leaves, isWholeFile: piece.count == size))
      } catch {
        failure = error
      }
    }

    func finish() throws(SignetError) -> Outcome {
      if let failure { throw failure }
      let shared = self.shared.take() ?? tree.copy()
      return Outcome(
        whole: try FSVerityDigest(root: tree.root(), size: UInt64(size)), shared: shared, hasher: hasher)
    }
  }
}

/// Both digests of a file, and the state after its first bytes, which it shares with another content: a ZIP with and
/// without its signing block.
package struct DigestsWithSharedHead: ~Copyable {
  /// The digests of the file.
  package let whole: FileDigests
  /// The number of shared bytes.
  private let head: Int
  private let rest: [UInt8]
  private let hasher: BlockHasher
  private var flat: IncrementalDigest
  private var tree: MerkleTree

  init(
    _ flat: consuming CombinedDigester.FlatSide.Outcome, _ tree: consuming CombinedDigester.TreeSide.Outcome,
    size: Int, head: Int
  ) {
    whole = FileDigests(size: size, sha256: flat.whole, fsverity: tree.whole)
    self.head = head
    rest = flat.rest
    hasher = tree.hasher
    self.flat = flat.shared
    self.tree = tree.shared
  }

  /// The digests of the shared bytes followed by other bytes.
  ///
  /// - Throws: `crypto.failure`.
  package consuming func digests(followedBy tail: [UInt8]) throws(SignetError) -> FileDigests {
    let size = head + tail.count
    let end = rest + tail
    for start in stride(from: 0, to: end.count, by: MerkleTree.pieceSize) {
      let piece = start..<min(start + MerkleTree.pieceSize, end.count)
      try hasher.hashLeaves(of: end, in: piece)
      let leaves = TreeDigester.leafCount(piece.count)
      try tree.append(hasher.pieceHash(leaves: leaves, isWholeFile: piece.count == size))
    }
    let fsverity = try FSVerityDigest(root: tree.root(), size: UInt64(size))
    try flat.update(tail)
    return FileDigests(size: size, sha256: try flat.finish(), fsverity: fsverity)
  }
}

/// A few buffers that pass from the thread that reads a file to a thread that processes its bytes.
@safe package final class PieceRing: @unchecked Sendable {
  // Sendable: the reader owns the bytes of a buffer until it is published. Then both threads may read them until the
  // buffer is released; `state` keeps the order.
  private static let depth = 4

  private struct State {
    var published = 0
    var released = 0
    var isClosed = false
    var counts = [Int](repeating: 0, count: PieceRing.depth)
  }

  private let state = Monitor(State())
  private let memory: UnsafeMutableRawBufferPointer

  package init() {
    unsafe memory = .allocate(byteCount: Self.depth * MerkleTree.pieceSize, alignment: FSVerityDigest.blockSize)
  }

  deinit { unsafe memory.deallocate() }

  /// A buffer for the next `count` bytes; waits until one is free.
  func free(_ count: Int) -> UnsafeMutableRawBufferPointer {
    let index = state.wait { state in
      state.published - state.released < Self.depth ? state.published : nil
    }
    return unsafe buffer(index, count)
  }

  /// Passes a copy of some bytes to the other thread.
  package func put(_ bytes: UnsafeRawBufferPointer) {
    for start in stride(from: 0, to: bytes.count, by: MerkleTree.pieceSize) {
      let piece = unsafe UnsafeRawBufferPointer(
        rebasing: bytes[start..<min(start + MerkleTree.pieceSize, bytes.count)])
      unsafe free(piece.count).copyMemory(from: piece)
      publish(piece.count)
    }
  }

  /// Passes the last buffer from ``free(_:)`` to the other thread; the reader may still read it, but not write to it.
  func publish(_ count: Int) {
    state.withLock { state in
      state.counts[state.published % Self.depth] = count
      state.published += 1
    }
  }

  /// Declares that no more bytes follow.
  package func close() { state.withLock { $0.isClosed = true } }

  /// Calls `body` with each published buffer in order, until the ring is closed.
  package func consume(_ body: (UnsafeRawBufferPointer) -> Void) {
    while true {
      let next: (index: Int, count: Int)? = state.wait { state in
        if state.published > state.released {
          return .some((state.released, state.counts[state.released % Self.depth]))
        }
        return state.isClosed ? .some(nil) : nil
      }
      guard let next else { return }
      unsafe body(UnsafeRawBufferPointer(buffer(next.index, next.count)))
      state.withLock { $0.released += 1 }
    }
  }

  private func buffer(_ index: Int, _ count: Int) -> UnsafeMutableRawBufferPointer {
    let start = index % Self.depth * MerkleTree.pieceSize
    return unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + count])
  }
}
