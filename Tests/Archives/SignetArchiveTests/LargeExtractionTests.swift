import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import SignetArchive

/// Files so large that two threads unpack each, from archives whose space is given back meanwhile.
@Suite(.slow) struct LargeExtractionTests {
  /// Files that one thread gets out of the archive and another writes.
  static let items: [ExtractionTests.Item] = [
    .file("large", patternBytes(9 << 20), 0o755), .file("small", [1, 2, 3]),
    .file("halved", patternBytes(20 << 20).map { $0 & 15 }),
  ]

  /// A private copy of an archive, as a store makes one.
  static func copied(_ bytes: [UInt8], _ folder: TemporaryFolder) throws -> OpenedArchive {
    let copy = try ArchiveCopy(of: MemorySource(bytes: bytes), in: folder.path, called: "m.zip")
    return try ArchiveFile(copy.file, limits: ArchiveLimits()).open()
  }

  static func zip(_ items: [ExtractionTests.Item]) throws -> [UInt8] {
    let entries = items.map {
      PackedEntry(path: $0.path, content: .file(PackedBytes($0.bytes), isExecutable: $0.permissions & 0o111 != 0))
    }
    return try ZIPWriterTests.write(entries, in: TemporaryFolder())
  }

  @Test("a large file is unpacked by two threads, stored or deflated, and the private copy's space given back")
  func large() throws {
    let (scratch, folder) = (try TemporaryFolder(), try TemporaryFolder())
    let archive = try Self.copied(Self.zip(Self.items), scratch)
    let codings = archive.entries.map(\.data.coding)
    #expect(codings.contains { if case .stored = $0 { true } else { false } })
    #expect(codings.contains { if case .deflated = $0 { true } else { false } })
    let progress = ProgressCounter()
    let written = try Extraction.extract(
      Self.items.map(ExtractionTests.expected), from: archive, into: Directory(opening: folder.path),
      discardsArchive: true,
      progress: progress)
    #expect(progress.completed == Self.items.reduce(0) { $0 + $1.bytes.count })
    let tree = try ExtractionTests.tree(folder.path)
    for item in Self.items {
      let digest = try Digest.of(item.bytes, .sha256)
      #expect(tree[item.path] == "\(item.permissions & 0o111 == 0 ? "0644" : "0755") \(digest)")
      let file = try RegularFile(opening: folder.file(item.path))
      #expect(written[file.status] == digest)
    }
    #expect(written.count == 3)
    #if os(Linux)
      let stored = try #require(archive.entries.first { $0.path == "large" })
      let start = stored.data.offset
      #expect(try archive.source.bytes(in: start..<start + (8 << 20)).allSatisfy { $0 == 0 })
    #endif
  }

  @Test("one changed byte of a large file stops the work, wherever it is, and nothing is left", arguments: [0, 5, 9])
  func changedLargeFile(_ place: Int) throws {
    let folder = try TemporaryFolder()
    var bytes = Self.items[0].bytes
    bytes[min(place << 20, bytes.count - 1)] ^= 1
    let items = [.file("large", bytes, 0o755)] + Self.items.dropFirst()
    let archive = try Self.copied(Self.zip(items), TemporaryFolder())
    let error = expectError(.digestMismatch) {
      try ExtractionTests.extract(archive, Self.items.map(ExtractionTests.expected), folder.path)
    }
    #expect(error?.object == "large")
    #expect(try folder.listing() == [])
  }

  @Test("what an archive is unpacked from keeps its bytes where it is somebody's file")
  func keptArchive() throws {
    let (scratch, folder) = (try TemporaryFolder(), try TemporaryFolder())
    let bytes = try Self.zip(Self.items)
    let file = try RegularFile(opening: scratch.write("m.zip", bytes))
    try Extraction.extract(
      Self.items.map(ExtractionTests.expected), from: ArchiveFile(file, limits: ArchiveLimits()).open(),
      into: Directory(opening: folder.path), discardsArchive: true)
    #expect(try scratch.read("m.zip") == bytes)
  }
}
