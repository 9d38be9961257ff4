/// Flat and tree digest of a file in one pass: each byte is read once and handed to both.
///
/// The flat digest is a chain, so it fills one thread; the tree is hashed beside it on another. Both see the same
/// buffers: two passes could see two contents, and the statement would then speak of neither.
enum CombinedDigester {
  /// Below this, starting a thread takes longer than it saves.
  private static let threadedSize = 2 << 20

  static func digest(
    _ file: any ByteSource, _ progress: ProgressCounter?
  ) throws(SignetError) -> (sha256: Digest, fsverity: FSVerityDigest) {
    let tree = try TreeSide(size: file.size)
    if file.size >= threadedSize {
      let ring = PieceRing()
      var flat: Result<Digest, SignetError>?
      _ = WorkerThreads.run(beside: { unsafe ring.consume { unsafe tree.take($0) } }) {
        flat = Result { () throws(SignetError) in try read(file, into: ring, progress) }
      }
      if let flat { return (try flat.get(), try tree.result()) }
    }
    return (try readAlone(file, tree, progress), try tree.result())
  }

  private static func read(
    _ file: any ByteSource, into ring: PieceRing, _ progress: ProgressCounter?
  ) throws(SignetError) -> Digest {
    defer { ring.close() }
    var digest = try IncrementalDigest(.sha256)
    for offset in stride(from: 0, to: file.size, by: MerkleTree.pieceSize) {
      let piece = unsafe ring.free(min(MerkleTree.pieceSize, file.size - offset))
      try unsafe file.read(into: piece, at: offset)
      ring.publish(piece.count)
      try unsafe digest.update(UnsafeRawBufferPointer(piece))
      progress?.add(piece.count)
    }
    return try digest.finish()
  }

  private static func readAlone(
    _ file: any ByteSource, _ tree: TreeSide, _ progress: ProgressCounter?
  ) throws(SignetError) -> Digest {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: MerkleTree.pieceSize, alignment: FSVerityDigest.blockSize)
    defer { unsafe buffer.deallocate() }
    var digest = try IncrementalDigest(.sha256)
    for offset in stride(from: 0, to: file.size, by: MerkleTree.pieceSize) {
      let count = min(MerkleTree.pieceSize, file.size - offset)
      let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      try unsafe file.read(into: piece, at: offset)
      unsafe tree.take(UnsafeRawBufferPointer(piece))
      try unsafe digest.update(UnsafeRawBufferPointer(piece))
      progress?.add(count)
    }
    return try digest.finish()
  }

  /// The tree, piece after piece; a failure is kept until the result is asked for.
  private final class TreeSide: @unchecked Sendable {
    // Sendable: used by one thread at a time; joining the thread orders the uses.
    private let size: Int
    private let hasher: BlockHasher
    private var tree: MerkleTree
    private var failure: SignetError?

    init(size: Int) throws(SignetError) {
      let hasher = try BlockHasher()
      self.size = size
      self.hasher = hasher
      tree = MerkleTree { (block) throws(SignetError) in try hasher.hash(block) }
    }

    func take(_ piece: UnsafeRawBufferPointer) {
      guard failure == nil else { return }
      do throws(SignetError) {
        try unsafe hasher.hashLeaves(of: piece, first: 0)
        let leaves = TreeDigester.leafCount(piece.count)
        try tree.append(hasher.pieceHash(leaves: leaves, isWholeFile: piece.count == size))
      } catch {
        failure = error
      }
    }

    func result() throws(SignetError) -> FSVerityDigest {
      if let failure { throw failure }
      return try FSVerityDigest(root: tree.root(), size: UInt64(size))
    }
  }
}
