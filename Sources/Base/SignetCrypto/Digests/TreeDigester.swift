internal import SignetBase
internal import SignetSystem
internal import Synchronization

/// Computes the fs-verity digest of a file on all cores: threads hash pieces of 512 KiB, and one thread combines the
/// hashes.
enum TreeDigester {
  /// The number of bytes that a thread reads at once: enough to make the cost of the calls negligible, few enough to
  /// stay in the cache.
  private static let readSize = 128 << 10
  /// The minimum size for several threads; below it, starting threads takes longer than they save.
  private static let threadedSize = 2 << 20
  /// The number of pieces whose hashes are kept at once: 4 GiB of data, 256 KiB of hashes.
  private static let windowSize = 8192
  /// The maximum number of threads; more would wait for memory, not for the processor.
  private static let threadLimit = 64

  /// - Parameter meanwhile: other work on the same bytes, which every thread joins before it takes pieces; it must
  ///   return when no work is left to begin. If it is given, the threads start however small the file is.
  static func digest(
    _ file: any ByteSource, _ progress: ProgressCounter?, meanwhile: (@Sendable () -> Void)? = nil
  ) throws(SignetError) -> FSVerityDigest {
    // The sum is avoided, because the size of a sparse file may be close to the largest number.
    let pieces = file.size / MerkleTree.pieceSize + (file.size % MerkleTree.pieceSize == 0 ? 0 : 1)
    let isThreaded = file.size >= threadedSize || meanwhile != nil
    let useful = meanwhile == nil ? pieces : threadLimit
    let threads = isThreaded ? min(WorkerThreads.processorCount, useful, threadLimit) : 1
    let hasher = try BlockHasher()
    var tree = MerkleTree { (block) throws(SignetError) in try hasher.hash(block) }
    if pieces == 0 { meanwhile?() }
    for start in stride(from: 0, to: pieces, by: windowSize) {
      let window = Window(file, start..<min(start + windowSize, pieces), progress)
      WorkerThreads.run(threads) {
        if start == 0 { meanwhile?() }
        window.work()
      }
      for hash in try window.hashes() { try tree.append(hash) }
    }
    return try FSVerityDigest(root: tree.root(), size: UInt64(file.size))
  }

  static func digest(_ bytes: [UInt8]) throws(SignetError) -> FSVerityDigest {
    let hasher = try BlockHasher()
    var tree = MerkleTree { (block) throws(SignetError) in try hasher.hash(block) }
    for start in stride(from: 0, to: bytes.count, by: MerkleTree.pieceSize) {
      let end = min(start + MerkleTree.pieceSize, bytes.count)
      try hasher.hashLeaves(of: bytes, in: start..<end)
      try tree.append(hasher.pieceHash(leaves: leafCount(end - start), isWholeFile: bytes.count == end - start))
    }
    return try FSVerityDigest(root: tree.root(), size: UInt64(bytes.count))
  }

  /// The number of blocks that hold `count` bytes.
  static func leafCount(_ count: Int) -> Int { (count + FSVerityDigest.blockSize - 1) / FSVerityDigest.blockSize }

  /// A range of pieces, and the state that the threads share.
  @safe private final class Window: @unchecked Sendable {
    // Sendable: each slot of `slots` and `failures` is written only by the thread that took its number from `next`,
    // and is read only after all threads have been joined.
    private let file: any ByteSource
    private let pieces: Range<Int>
    private let progress: ProgressCounter?
    private let next: Atomic<Int>
    private let failed = Atomic<Bool>(false)
    private let slots: UnsafeMutableBufferPointer<[UInt8]>
    private let failures: UnsafeMutableBufferPointer<SignetError?>

    init(_ file: any ByteSource, _ pieces: Range<Int>, _ progress: ProgressCounter?) {
      self.file = file
      self.pieces = pieces
      self.progress = progress
      next = Atomic(pieces.lowerBound)
      unsafe slots = .allocate(capacity: pieces.count)
      unsafe slots.initialize(repeating: [])
      unsafe failures = .allocate(capacity: pieces.count)
      unsafe failures.initialize(repeating: nil)
    }

    deinit {
      unsafe slots.deinitialize()
      unsafe slots.deallocate()
      unsafe failures.deinitialize()
      unsafe failures.deallocate()
    }

    /// The hashes of the pieces in order, or the failure of the first piece that failed.
    func hashes() throws(SignetError) -> [[UInt8]] {
      for index in 0..<pieces.count {
        if let failure = unsafe failures[index] { throw failure }
      }
      return unsafe Array(slots)
    }

    func work() {
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: readSize, alignment: FSVerityDigest.blockSize)
      defer { unsafe buffer.deallocate() }
      var hasher: BlockHasher?
      while !failed.load(ordering: .relaxed) {
        let piece = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard piece < pieces.upperBound else { return }
        do throws(SignetError) {
          let blocks: BlockHasher
          if let hasher { blocks = hasher } else { blocks = try BlockHasher() }
          hasher = blocks
          unsafe slots[piece - pieces.lowerBound] = try hash(piece, blocks, buffer)
        } catch {
          unsafe failures[piece - pieces.lowerBound] = error
          failed.store(true, ordering: .relaxed)
        }
      }
    }

    private func hash(
      _ piece: Int, _ hasher: BlockHasher, _ buffer: UnsafeMutableRawBufferPointer
    ) throws(SignetError) -> [UInt8] {
      let start = piece * MerkleTree.pieceSize
      let count = min(MerkleTree.pieceSize, file.size - start)
      for offset in stride(from: 0, to: count, by: readSize) {
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(readSize, count - offset)])
        try unsafe file.read(into: part, at: start + offset)
        try unsafe hasher.hashLeaves(of: UnsafeRawBufferPointer(part), first: offset / FSVerityDigest.blockSize)
        progress?.add(part.count)
      }
      return try hasher.pieceHash(leaves: leafCount(count), isWholeFile: count == file.size)
    }
  }
}
