import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetArchive

@Suite struct FileDecompressionTests {
  private static func compressed(_ bytes: [UInt8], _ command: String) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try folder.write("i", bytes)
    let shell = try #require(Program.find("bash"), "make test installs bash")
    let run = try Program.run(shell, ["-euo", "pipefail", "-c", "\(command) < i > o"], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    return try folder.read("o")
  }

  private static func decompressed(_ bytes: [UInt8]) throws -> ([UInt8], SignetError?) {
    let compression = try #require(FileCompression(Array(bytes.prefix(FileCompression.magicSize))))
    var found: [UInt8] = []
    let form = try FileDecompression.decompress(BytesInMemory(bytes, path: "i"), compression) {
      (piece) throws(SignetError) in found += piece
    }
    return (found, form)
  }

  private static let programs: [(String, FileCompression)] = [
    ("gzip", .gzip), ("xz", .xz), ("zstd -q", .zstandard), ("bzip2", .bzip2), ("lz4 -q", .lz4),
    ("xz --format=lzma", .lzma), ("xz --format=lzma -9e", .lzma),
  ]

  @Test("every compression is told by its first bytes, and decompressed", arguments: programs)
  func one(command: String, compression: FileCompression) throws {
    let bytes = patternBytes(300_000, seed: 5)
    let packed = try Self.compressed(bytes, command)
    #expect(FileCompression(Array(packed.prefix(FileCompression.magicSize))) == compression)
    let (found, form) = try Self.decompressed(packed)
    #expect(found == bytes)
    #expect((form == nil) == (compression.moduleFormat != nil))
  }

  @Test("several pieces are joined, and that is a deviation from the form", arguments: programs.dropLast(2))
  func several(command: String, compression: FileCompression) throws {
    let parts = [patternBytes(100_000, seed: 5), patternBytes(3, seed: 6), patternBytes(70_000, seed: 7)]
    let packed = try parts.flatMap { try Self.compressed($0, command) }
    let (found, form) = try Self.decompressed(packed)
    #expect(found == parts.flatMap(\.self))
    #expect(form != nil)
  }

  @Test("many small members of gzip take no more time than one of their size")
  func members() throws {
    let member = try Self.compressed([1], "gzip -n")
    let (found, _) = try Self.decompressed(Array(repeating: member, count: 20_000).flatMap(\.self))
    #expect(found == [UInt8](repeating: 1, count: 20_000))
  }

  @Test("frames that are skipped are passed over, and padding of xz")
  func passedOver() throws {
    let text = Array("text".utf8)
    let skipped: [UInt8] = [0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]
    #expect(try Self.decompressed(skipped + Self.compressed(text, "zstd -q")).0 == text)
    expectError(.archiveData) { _ = try Self.decompressed(skipped) }
    let xz = try Self.compressed(text, "xz")
    #expect(try Self.decompressed(xz + [0, 0, 0, 0] + xz + [0, 0, 0, 0]).0 == text + text)
    expectError(.archiveTrailingData) { _ = try Self.decompressed(xz + [0, 0]) }
  }

  @Test("what is behind the data, and what is missing, is an error", arguments: programs.dropLast(2))
  func faults(command: String, compression: FileCompression) throws {
    let packed = try Self.compressed(patternBytes(100_000, seed: 5), command)
    var codes: [SignetError.Code] = []
    for bytes in [packed + Array("behind, and no piece".utf8), Array(packed.dropLast(20))] {
      do {
        _ = try Self.decompressed(bytes)
        Issue.record("nothing was thrown")
      } catch let error as SignetError { codes.append(error.code) }
    }
    #expect([.archiveTrailingData, .archiveData].contains(codes[0]), "\(codes)")
    #expect([.archiveTruncated, .archiveData].contains(codes[1]), "\(codes)")
  }

  @Test("a window that takes too much memory is refused before it is allocated")
  func windows() throws {
    // A dictionary of 3 GiB, in the second stream of an xz, too.
    let lzma: [UInt8] = [0x5d, 0, 0, 0, 0xc0] + [UInt8](repeating: 0xff, count: 8) + [0, 1, 2, 3, 4]
    expectError(.archiveFilter) { _ = try Self.decompressed(lzma) }
    let small = try Self.compressed([1], "xz")
    let large = try Self.compressed([1], "xz --lzma2=dict=200MiB")
    expectError(.archiveFilter) { _ = try Self.decompressed(large) }
    expectError(.archiveFilter) { _ = try Self.decompressed(small + large) }
  }

  @Test(
    "what only begins like compressed data is none",
    arguments: ["BZh9 is a name", "LZIP", "]\0\0text is here and more", "\u{1f}\u{8b}", "", "(\u{b5}/"])
  func others(text: String) { #expect(FileCompression(Array(text.utf8)) == nil) }
}
