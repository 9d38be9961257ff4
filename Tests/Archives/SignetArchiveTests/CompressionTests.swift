import SignetBase
import SignetCrypto
import SignetFiles
import SignetSystem
import TestSupport
import Testing

@testable import SignetArchive

@Suite struct CompressionTests {
  /// Compressed with Signet's own writer.
  static func compressed(_ bytes: [UInt8], _ compression: TarCompression) throws -> [UInt8] {
    var output: [UInt8] = []
    let filter = try CompressionFilter(compression) { (piece) throws(SignetError) in output += piece }
    for start in stride(from: 0, to: bytes.count, by: 100_000) {
      try filter.write(Array(bytes[start..<min(start + 100_000, bytes.count)]))
    }
    try filter.finish()
    return output
  }

  static func decompressed(
    _ bytes: [UInt8], _ compression: TarCompression, _ limits: ArchiveLimits = ArchiveLimits()
  ) throws -> [UInt8] {
    var output: [UInt8] = []
    try DecompressionFilter.decompress(MemorySource(bytes: bytes), compression: compression, limits: limits) {
      (piece) throws(SignetError) in output += piece
    }
    return output
  }

  /// What a tool makes of bytes.
  static func tool(_ name: String, _ arguments: [String], _ bytes: [UInt8]) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try folder.write("in", bytes)
    let path = try #require(Program.find(name), "\(name) is not installed")
    let words = ([path] + arguments).map { "'\($0)'" }.joined(separator: " ")
    let run = try Program.run("/bin/sh", ["-c", "\(words) < in > out"], in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    return try folder.read("out")
  }

  static let sample = patternBytes(3000) + [UInt8](repeating: 7, count: 300_000) + patternBytes(200_000, seed: 2)
  static let tools: [TarCompression: String] = [.gzip: "gzip", .xz: "xz", .zstandard: "zstd"]

  @Test("what is compressed is decompressed again, here and by the tools", arguments: TarCompression.allCases)
  func roundTrip(_ compression: TarCompression) throws {
    let file = try Self.compressed(Self.sample, compression)
    #expect(try Self.compressed(Self.sample, compression) == file, "twice the same")
    #expect(try TarCompression(of: MemorySource(bytes: file)) == compression)
    #expect(try Self.decompressed(file, compression) == Self.sample)
    let tool = try #require(Self.tools[compression])
    #expect(try Self.tool(tool, ["-d", "-c"], file) == Self.sample)
    for level in ["-1", "-9"] {
      let theirs = try Self.tool(tool, [level, "-c"], Self.sample)
      #expect(try Self.decompressed(theirs, compression) == Self.sample)
    }
    if compression == .gzip { #expect(file.prefix(10) == [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]) }
  }

  @Test("several blocks, checksums of each kind and none, and a filter for machine code are read")
  func otherXZ() throws {
    for options in [
      ["--block-size=65536"], ["--check=none"], ["--check=crc32"], ["--check=sha256"], ["--x86", "--lzma2"],
    ] {
      let file = try Self.tool("xz", ["-c"] + options, Self.sample)
      #expect(try Self.decompressed(file, .xz) == Self.sample, "\(options)")
    }
    let file = try Self.tool("zstd", ["-q", "-c", "--no-check", "-19"], Self.sample)
    #expect(try Self.decompressed(file, .zstandard) == Self.sample)
  }

  @Test("every file that is cut off is refused as such", arguments: TarCompression.allCases)
  func truncated(_ compression: TarCompression) throws {
    let file = try Self.compressed(patternBytes(700) + Array(repeating: 1, count: 700), compression)
    for count in 0..<file.count {
      expectError(.archiveTruncated, "\(count) bytes") {
        _ = try Self.decompressed(Array(file[..<count]), compression)
      }
    }
  }

  @Test("whatever follows the compressed data is refused", arguments: TarCompression.allCases)
  func trailing(_ compression: TarCompression) throws {
    let file = try Self.compressed(Self.sample, compression)
    let behind: [[UInt8]] = [
      [0], [0, 0, 0, 0], [UInt8](repeating: 0, count: 512), Array("x".utf8), file, Array(file.prefix(6)),
    ]
    for more in behind {
      expectError(.archiveTrailingData, "\(more.prefix(4))") { _ = try Self.decompressed(file + more, compression) }
    }
    guard compression == .zstandard else { return }
    let skippable: [UInt8] = [0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]
    expectError(.archiveTrailingData) { _ = try Self.decompressed(file + skippable, compression) }
    expectError(.archiveData) { _ = try Self.decompressed(skippable + file, compression) }
  }

  @Test(
    "changed bytes are refused or decompress to the same, where a checksum stands", arguments: TarCompression.allCases
  )
  func mutations(_ compression: TarCompression) throws {
    let sample = patternBytes(200) + Array(repeating: 1, count: 700)
    var file = try Self.compressed(sample, compression)
    if compression == .zstandard { file = try Self.tool("zstd", ["-q", "-c", "--check"], sample) }
    for index in file.indices {
      for bit in 0..<8 {
        var changed = file
        changed[index] ^= 1 << bit
        let result = try? Self.decompressed(changed, compression)
        #expect(result == nil || result == sample, "byte \(index), bit \(bit)")
      }
    }
  }

  @Test(
    "what expands too much is refused, and so is what decompresses to too much", arguments: TarCompression.allCases)
  func bombs(_ compression: TarCompression) throws {
    let file = try Self.compressed([UInt8](repeating: 0, count: 1 << 20), compression)
    var limits = ArchiveLimits()
    limits.ratioGrace = 1 << 16
    expectError(.archiveRatio) { _ = try Self.decompressed(file, compression, limits) }
    limits.ratio = .max
    #expect(try Self.decompressed(file, compression, limits).count == 1 << 20)
    limits.totalSize = (1 << 20) - 1
    expectError(.archiveSize) { _ = try Self.decompressed(file, compression, limits) }
  }

  @Test("what needs more memory than modules' machines have is refused before it is asked for")
  func windows() throws {
    let xz = try Self.tool("xz", ["-c", "--lzma2=dict=128MiB"], Self.sample)
    expectError(.archiveFilter) { _ = try Self.decompressed(xz, .xz) }
    let zstd = try Self.tool("zstd", ["-q", "-c", "--long=27"], patternBytes(100))
    // Without a size in front the window is as large as asked for.
    expectError(.archiveFilter) { _ = try Self.decompressed(zstd, .zstandard) }
    #expect(try Self.decompressed(Self.tool("xz", ["-9", "-c"], Self.sample), .xz) == Self.sample)
  }

  @Test(
    "what is compressed twice is decompressed once: it comes out as it is, and is no tar",
    arguments: TarCompression.allCases)
  func twice(_ compression: TarCompression) throws {
    let once = try Self.compressed(Self.sample, compression)
    let twice = try Self.compressed(once, compression)
    #expect(try Self.decompressed(twice, compression) == once)
    expectError(.archiveFormat) {
      _ = try TarArchive.open(MemorySource(bytes: twice), snapshotsIn: "/dev/shm", ArchiveLimits())
    }
    #expect(try Self.decompressed(Self.compressed(once, .xz), .xz) == once)
  }

  @Test("a sink that fails ends the work with its own error", arguments: TarCompression.allCases)
  func failingSink(_ compression: TarCompression) throws {
    let full = SignetError(.extractionFailed, "disk", "is full")
    let file = try Self.compressed(Self.sample, compression)
    expectError(.extractionFailed) {
      try DecompressionFilter.decompress(MemorySource(bytes: file), compression: compression, limits: ArchiveLimits())
      {
        (_) throws(SignetError) in throw full
      }
    }
    expectError(.extractionFailed) {
      let filter = try CompressionFilter(compression) { (_) throws(SignetError) in throw full }
      try filter.write(Self.sample)
      try filter.finish()
    }
    // Abandoned: nothing more is written.
    var count = 0
    var filter: CompressionFilter? = try CompressionFilter(compression) { (_) throws(SignetError) in count += 1 }
    try filter?.write(Array(Self.sample.prefix(1000)))
    let before = count
    filter = nil
    #expect(count == before)
  }

  @Test("a snapshot holds what was put into it and shows nowhere", arguments: [true, false])
  func snapshot(_ mayBeUnnamed: Bool) throws {
    let folder = try TemporaryFolder()
    let snapshot = try Snapshot(in: folder.path, of: "m.tar.xz", mayBeUnnamed: mayBeUnnamed)
    try Self.sample.withUnsafeBytes { (bytes) throws in
      try snapshot.append(UnsafeRawBufferPointer(rebasing: bytes[..<1000]))
      try snapshot.append(UnsafeRawBufferPointer(rebasing: bytes[1000...]))
    }
    #expect(try folder.listing() == [])
    let file = try snapshot.finish()
    #expect(file.size == Self.sample.count)
    #expect(try file.bytes(in: 0..<file.size) == Self.sample)
    expectError(.extractionFailed) { _ = try Snapshot(in: folder.file("none"), of: "m.tar.xz") }
  }
}
