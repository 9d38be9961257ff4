import SignetBase
import SignetCrypto
import SignetSystem
import Synchronization
import TestSupport
import Testing

@testable import SignetArchive

/// Private copies, and the digests that come with them.
@Suite struct ArchiveCopyTests {
  /// An archive with a signing block, and the same without one.
  static func archive(of size: Int, value: String = "{}\n") throws -> (attached: [UInt8], plain: [UInt8]) {
    let entry = PackedEntry(path: "a", content: .file(PackedBytes(patternBytes(size)), isExecutable: false))
    let plain = try ZIPWriterTests.write([entry], in: TemporaryFolder())
    let spliced = try ZIPArchive(MemorySource(bytes: plain), limits: ArchiveLimits()).attaching(Array(value.utf8))
    return (try spliced.bytes(in: 0..<spliced.size), plain)
  }

  @Test("one pass gives the digests of the file and of what is signed", arguments: [10, 600_000, 3_000_000])
  func digests(_ size: Int) throws {
    let folder = try TemporaryFolder()
    let (attached, plain) = try Self.archive(of: size)
    let copy = try ArchiveCopy(of: MemorySource(bytes: attached), in: folder.path, called: "m.zip")
    #expect(try copy.file.bytes(in: 0..<copy.file.size) == attached)
    #expect(try copy.digests.whole == FileDigests(of: attached))
    #expect(try copy.digests.signed == FileDigests(of: plain))
    let hashed = try ArchiveDigests(of: MemorySource(bytes: attached))
    #expect(hashed.whole == copy.digests.whole && hashed.signed == copy.digests.signed)
    let other = try ArchiveCopy(of: MemorySource(bytes: plain), in: folder.path, called: "m.zip")
    #expect(try other.digests.whole == FileDigests(of: plain))
    #expect(other.digests.signed == nil)
    #expect(try folder.listing() == [])
  }

  @Test("a copy whose signing block lies elsewhere than the original's gets no digest of the signed bytes")
  func changing() throws {
    let folder = try TemporaryFolder()
    let (one, plain) = try Self.archive(of: 600_000)
    let (other, _) = try Self.archive(of: 599_000, value: String(repeating: " ", count: 1000) + "{}\n")
    let limits = ArchiveLimits()
    let heads = try [one, other].map { try ArchiveFile(MemorySource(bytes: $0), limits: limits).splice?.head }
    try #require(one.count == other.count && heads[0] != nil && heads[1] != nil && heads[0] != heads[1])
    for (before, after) in [(one, other), (other, one), (plain + [0], one), (one, one.map { $0 ^ 1 })] {
      let padded = before + [UInt8](repeating: 0, count: after.count - before.count)
      let source = ChangingSource(padded, after)
      let copy = try ArchiveCopy(of: source, in: folder.path, called: "m.zip")
      #expect(try copy.digests.whole == FileDigests(of: after))
      #expect(copy.digests.signed == nil)
    }
  }

  /// Bytes that are others from the second time on that their beginning is read.
  private final class ChangingSource: ByteSource {
    private let before: MemorySource
    private let after: MemorySource
    private let readings = Atomic(0)

    init(_ before: [UInt8], _ after: [UInt8]) {
      self.before = MemorySource(bytes: before)
      self.after = MemorySource(bytes: after)
    }

    var path: String { before.path }
    var size: Int { before.size }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
      if offset == 0 { readings.add(1, ordering: .relaxed) }
      let source = readings.load(ordering: .relaxed) < 2 ? before : after
      try source.read(into: buffer, at: offset)
    }
  }
}
