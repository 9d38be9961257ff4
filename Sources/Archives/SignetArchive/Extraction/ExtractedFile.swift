internal import SignetBase
internal import SignetCrypto
internal import SignetFiles
internal import SignetSystem
internal import Synchronization

/// A file that is being unpacked: its bytes are hashed as they arrive, and written.
final class ExtractedFile: @unchecked Sendable {
  // Sendable: one thread at a time takes bytes, and is joined before the results are read. Both see `isBroken`.
  private let file: NewFile
  private let writeFailed: (SystemFailure) -> SignetError
  private let progress: ProgressCounter?
  private var digest: IncrementalDigest?
  private var size = 0
  private var flushed = 0
  private var failure: SignetError?
  private let isBroken = Atomic<Bool>(false)

  /// From this size on, one thread reads the bytes from the archive while another hashes and writes them. For smaller
  /// files, starting a thread takes longer than it saves.
  private static let threadedSize = 8 << 20
  /// The number of bytes after which the disk begins to write, while the next bytes are produced.
  private static let flushSize = 16 << 20

  /// - Parameter writeFailed: makes the error for bytes that cannot be written.
  init(
    _ file: NewFile, _ progress: ProgressCounter?, writeFailed: @escaping (SystemFailure) -> SignetError
  ) throws(SignetError) {
    self.file = file
    self.writeFailed = writeFailed
    self.progress = progress
    digest = try IncrementalDigest(.sha256)
  }

  /// Reads a file's bytes, hashes them and writes them.
  ///
  /// - Parameters:
  ///   - expected: how many bytes there should be.
  ///   - read: passes the bytes to its sink, and throws what the sink throws.
  /// - Returns: the number of bytes that arrived, and their digest.
  /// - Throws: what `read` throws, the error of a failed write, `crypto.failure`.
  func fill(
    size expected: Int, from read: (EntryReader.Sink) throws(SignetError) -> Void
  ) throws(SignetError) -> (size: Int, sha256: Digest) {
    var outcome: Result<Void, SignetError>?
    if expected >= Self.threadedSize {
      let ring = PieceRing()
      _ = WorkerThreads.run(beside: { unsafe ring.consume { unsafe self.take($0) } }) {
        outcome = unsafe give(read, through: ring)
        ring.close()
      }
    }
    // The file is small, or the system gave no thread.
    let reading = unsafe outcome ?? give(read, through: nil)
    // If writing failed, reading was only stopped by that. So the error of the write takes precedence.
    if let failure { throw failure }
    try reading.get()
    guard let digest = digest.take() else { throw SignetError(.cryptoFailure, "SHA-256", "was computed before") }
    return (size, try digest.finish())
  }

  private func give(
    _ read: (EntryReader.Sink) throws(SignetError) -> Void, through ring: PieceRing?
  ) -> Result<Void, SignetError> {
    do throws(SignetError) {
      try unsafe read { (piece) throws(SignetError) in
        guard !isBroken.load(ordering: .relaxed) else {
          throw SignetError(.extractionFailed, "file", "was abandoned")
        }
        if let ring { unsafe ring.put(piece) } else { unsafe take(piece) }
      }
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  private func take(_ piece: UnsafeRawBufferPointer) {
    guard failure == nil else { return }
    do throws(SignetError) {
      try unsafe digest?.update(piece)
      do throws(SystemFailure) { try unsafe file.append(piece) } catch { throw writeFailed(error) }
    } catch {
      failure = error
      isBroken.store(true, ordering: .relaxed)
      return
    }
    size += piece.count
    progress?.add(piece.count)
    flush()
  }

  private func flush() {
    guard size - flushed >= Self.flushSize else { return }
    file.startWriting(flushed..<size)
    flushed = size
  }
}
