import SignetSystem
import TestSupport
import Testing

@testable import SignetCrypto

/// Digests of a file, and in the same pass of what begins with the same bytes.
@Suite struct SharedHeadTests {
  static let piece = MerkleTree.pieceSize

  @Test(
    "one pass gives the digests of both, wherever they part",
    arguments: [0, 1, 4096, 5000, piece - 1, piece, piece + 1, 3 * piece, 5 * piece + 4097])
  func both(_ size: Int) throws {
    let bytes = patternBytes(size, seed: UInt64(size))
    let tails = [[], [7], patternBytes(5000, seed: 3), patternBytes(Self.piece + 10, seed: 4)]
    let heads = [0, 1, 4095, 4096, Self.piece - 1, Self.piece, Self.piece + 1, 2 * Self.piece, size - 1, size]
    for head in Set(heads) where (0...size).contains(head) {
      for tail in tails {
        let digests = try BytesInMemory(bytes, path: "file").bothDigests(sharing: head, progress: nil)
        #expect(try digests.whole == FileDigests(of: bytes))
        let other = try digests.digests(followedBy: tail)
        #expect(try other == FileDigests(of: Array(bytes[..<head]) + tail), "\(head) of \(size), and \(tail.count)")
      }
    }
  }

  @Test("no more is shared than there is")
  func tooMuch() throws {
    let digests = try BytesInMemory([1, 2], path: "file").bothDigests(sharing: 9, progress: nil)
    #expect(try digests.digests(followedBy: [3]) == FileDigests(of: [1, 2, 3]))
  }

  @Test("discard takes no bytes from a file that others can see")
  func discarding() throws {
    let folder = try TemporaryFolder()
    let bytes = patternBytes(20_000)
    let file = try RegularFile(opening: folder.write("data", bytes))
    file.discard(0..<file.size)
    #expect(try file.bytes(in: 0..<file.size) == bytes)
    try file.checkUnchanged()
  }
}
