internal import SignetSystem

/// A few buffers that travel from the thread that reads a file to a thread that does something with its bytes.
@safe package final class PieceRing: @unchecked Sendable {
  // Sendable: the bytes of a buffer belong to the reader until it is published, to both, read-only, until it is
  // released; `state` keeps the order.
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

  /// A buffer to read the next `count` bytes into; waits until one is free.
  func free(_ count: Int) -> UnsafeMutableRawBufferPointer {
    let index = state.wait { state in
      state.published - state.released < Self.depth ? state.published : nil
    }
    return unsafe buffer(index, count)
  }

  /// Hands a copy of some bytes to the other thread.
  package func put(_ bytes: UnsafeRawBufferPointer) {
    for start in stride(from: 0, to: bytes.count, by: MerkleTree.pieceSize) {
      let piece = unsafe UnsafeRawBufferPointer(
        rebasing: bytes[start..<min(start + MerkleTree.pieceSize, bytes.count)])
      unsafe free(piece.count).copyMemory(from: piece)
      publish(piece.count)
    }
  }

  /// Hands the buffer that was last got to the other thread; the reader may go on reading it, not writing.
  func publish(_ count: Int) {
    state.withLock { state in
      state.counts[state.published % Self.depth] = count
      state.published += 1
    }
  }

  /// Says that nothing more comes.
  package func close() { state.withLock { $0.isClosed = true } }

  /// Runs `body` with each published buffer in order, until the ring is closed.
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
