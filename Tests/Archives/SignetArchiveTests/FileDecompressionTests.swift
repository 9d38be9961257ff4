import SignetBase
import SignetSystem
import Synchronization
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

  /// What comes out, and what was found out about the data.
  private static func looked(_ bytes: [UInt8]) throws -> ([UInt8], FileDecompression) {
    let compression = try #require(FileCompression(Array(bytes.prefix(FileCompression.magicSize))))
    var found: [UInt8] = []
    let decompression = try FileDecompression.decompress(BytesInMemory(bytes, path: "i"), compression) {
      (piece) throws(SignetError) in found += piece
    }
    return (found, decompression)
  }

  /// What comes out of data without faults, and their form.
  private static func decompressed(_ bytes: [UInt8]) throws -> ([UInt8], SignetError?) {
    let (found, decompression) = try looked(bytes)
    if let fault = decompression.unread ?? decompression.danger { throw fault }
    return (found, decompression.form)
  }

  private static let programs: [(String, FileCompression)] = [
    ("gzip", .gzip), ("xz", .xz), ("zstd -q", .zstandard), ("bzip2", .bzip2), ("lz4 -q", .lz4),
    ("compress -f -c", .compress), ("compress -f -b 12 -c", .compress),
    ("xz --format=lzma", .lzma), ("xz --format=lzma -9e", .lzma), ("xz --format=lzma --lzma1=lc=0,lp=2,pb=0", .lzma),
  ].filter { !$0.0.hasPrefix("compress") || Program.find("compress") != nil }

  @Test("every compression is told by its first bytes, and decompressed", arguments: programs)
  func one(command: String, compression: FileCompression) throws {
    let bytes = patternBytes(300_000, seed: 5)
    let packed = try Self.compressed(bytes, command)
    #expect(FileCompression(Array(packed.prefix(FileCompression.magicSize))) == compression)
    let (found, form) = try Self.decompressed(packed)
    #expect(found == bytes)
    #expect((form == nil) == (compression.moduleFormat != nil))
  }

  @Test(
    "several pieces are joined, and that is a deviation from the form",
    arguments: programs.filter { ![.lzma, .compress].contains($0.1) })
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
    let (none, looked) = try Self.looked(skipped)
    #expect(none == [] && looked.unread == nil && looked.form != nil)
    let xz = try Self.compressed(text, "xz")
    #expect(try Self.decompressed(xz + [0, 0, 0, 0] + xz + [0, 0, 0, 0]).0 == text + text)
  }

  @Test(
    "all that comes before something else is decompressed, and what follows is a danger unless it is zeros",
    arguments: programs.filter { $0.1 != .compress })
  func trailing(command: String, compression: FileCompression) throws {
    let bytes = patternBytes(100_000, seed: 5)
    let packed = try Self.compressed(bytes, command)
    for behind in [Array("x".utf8), [0x0a], Array("four".utf8), Array("behind, and no piece".utf8), [0, 0, 1]] {
      let (found, looked) = try Self.looked(packed + behind)
      #expect(found == bytes, "\(behind)")
      #expect(looked.danger?.code == .archiveTrailingData, "\(behind)")
      #expect(looked.danger?.found == "\(behind.count) bytes", "\(behind)")
      #expect(looked.unread == nil, "\(behind)")
    }
    for count in [4, 1000] {
      let (found, looked) = try Self.looked(packed + [UInt8](repeating: 0, count: count))
      #expect(found == bytes && looked.danger == nil && looked.unread == nil, "\(count)")
      #expect(looked.form != nil, "\(count)")
    }
  }

  @Test(
    "a frame that is skipped belongs to the data of Zstandard and lz4, and to no other",
    arguments: programs.filter { $0.1 != .compress })
  func skipped(command: String, compression: FileCompression) throws {
    let bytes = patternBytes(1000, seed: 5)
    let frame: [UInt8] = [0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]
    let (found, looked) = try Self.looked(Self.compressed(bytes, command) + frame)
    #expect(found == bytes && looked.unread == nil)
    let isFrame = [.zstandard, .lz4].contains(compression)
    #expect((looked.danger == nil) == isFrame && looked.texts.isEmpty != isFrame)
  }

  @Test("legacy frames of lz4 are walked, up to what is none")
  func legacy() throws {
    let bytes = patternBytes(100_000, seed: 5)
    let packed = try Self.compressed(bytes, "lz4 -q -l")
    for (tail, isDanger) in [([], false), (Array("some text".utf8), true), ([0, 0, 0, 0, 0], false)] {
      let (found, looked) = try Self.looked(packed + tail)
      #expect(found == bytes && looked.unread == nil)
      #expect((looked.danger != nil) == isDanger)
    }
    #expect(try Self.decompressed(packed + Self.compressed(bytes, "lz4 -q")).0 == bytes + bytes)
  }

  @Test("data that end too early, or are damaged, are told", arguments: programs.filter { $0.1 != .compress })
  func faults(command: String, compression: FileCompression) throws {
    let bytes = patternBytes(400_000, seed: 5)
    let packed = try Self.compressed(bytes, command)
    for cut in [1, 4, 20, packed.count / 2] {
      let (found, looked) = try Self.looked(packed.dropLast(cut))
      #expect(bytes.starts(with: found), "\(cut)")
      #expect(found.count >= min(bytes.count, (packed.count - cut) / packed.count * bytes.count - 100_000), "\(cut)")
      #expect(looked.unread.map { [.archiveTruncated, .archiveData].contains($0.code) } ?? false, "\(cut)")
    }
    var bent = packed
    bent[packed.count / 2] ^= 0x55
    let (_, looked) = try Self.looked(bent)
    #expect(looked.unread != nil)
  }

  @Test("a wrong checksum at the end of a gzip does not keep its bytes from being looked at")
  func checksum() throws {
    let bytes = patternBytes(1000, seed: 5)
    var packed = try Self.compressed(bytes, "gzip")
    packed[packed.count - 6] ^= 1
    let (found, looked) = try Self.looked(packed)
    #expect(found == bytes)
    #expect(looked.unread?.code == .archiveData)
  }

  @Test("members of gzip behind zeros are decompressed, and are a danger: not all programs go on")
  func zeros() throws {
    let member = try Self.compressed([1, 2, 3], "gzip -n")
    let (found, looked) = try Self.looked(member + [0, 0, 0] + member + [0, 0])
    #expect(found == [1, 2, 3, 1, 2, 3])
    #expect(looked.danger?.code == .archiveTrailingData)
    let (whole, padded) = try Self.looked(member + member + [0, 0])
    #expect(whole == [1, 2, 3, 1, 2, 3] && padded.danger == nil && padded.form != nil)
  }

  @Test("xz may be filled up with four zeros at a time, and with no other number")
  func padding() throws {
    let packed = try Self.compressed([1, 2, 3], "xz")
    for count in [1, 2, 3, 5] {
      let (found, looked) = try Self.looked(packed + [UInt8](repeating: 0, count: count))
      #expect(found == [1, 2, 3])
      #expect(looked.danger?.code == .archiveTrailingData, "\(count)")
    }
  }

  @Test("what is compressed several times is decompressed once", arguments: programs.filter { $0.1 != .compress })
  func nested(command: String, compression: FileCompression) throws {
    var packed = Array("text".utf8)
    for _ in 0..<30 {
      let next = try Self.compressed(packed, command)
      if next.count > 64 { #expect(try Self.decompressed(next).0 == packed) }
      packed = next
    }
  }

  @Test("data of no bytes are decompressed to none", arguments: programs.filter { $0.1 != .lzma })
  func empty(command: String, compression: FileCompression) throws {
    let packed = try Self.compressed([], command)
    guard FileCompression(packed) != nil else {
      // A file of compress without a code is no more than its mark.
      #expect(compression == .compress)
      return
    }
    let (found, looked) = try Self.looked(packed)
    #expect(found == [] && looked.danger == nil && looked.unread == nil)
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

  /// Bytes that count how many of them were read.
  private final class CountedBytes: ByteSource {
    private let bytes: BytesInMemory
    private let count = Atomic<Int>(0)

    init(_ bytes: [UInt8]) { self.bytes = BytesInMemory(bytes, path: "i") }

    var path: String { bytes.path }
    var size: Int { bytes.size }
    var readCount: Int { count.load(ordering: .relaxed) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
      count.add(buffer.count, ordering: .relaxed)
      try unsafe bytes.read(into: buffer, at: offset)
    }
  }

  @Test("the bytes of many members of gzip with zeros between them are read a few times", arguments: [0, 1, 2, 700])
  func members(zeros: Int) throws {
    let member = try Self.compressed(Array("a".utf8), "gzip -n") + [UInt8](repeating: 0, count: zeros)
    let count = 20_000 / (1 + zeros / 20)
    let source = CountedBytes(Array(repeating: member, count: count).flatMap(\.self))
    var found = 0
    let decompression = try FileDecompression.decompress(source, .gzip) { (piece) throws(SignetError) in
      found += piece.count
    }
    #expect(found == count)
    #expect(decompression.unread == nil && (decompression.danger == nil) == (zeros == 0))
    #expect(source.readCount <= 4 * source.size, "\(source.readCount) of \(source.size)")
  }

  @Test("zeros that end with a piece, and members behind them, are read")
  func longZeros() throws {
    let member = try Self.compressed(Array("a".utf8), "gzip -n")
    for zeros in [(64 << 10) - member.count, (64 << 10) - member.count + 1, 64 << 10, 200_000] {
      let fill = [UInt8](repeating: 0, count: zeros)
      let (found, decompression) = try Self.looked(member + fill + member + fill)
      #expect(found == Array("aa".utf8))
      #expect(decompression.danger?.code == .archiveTrailingData)
      let (_, padded) = try Self.looked(member + fill)
      #expect(padded.danger == nil && padded.form?.code == .archiveTrailingData)
      let (_, other) = try Self.looked(member + fill + Array("x".utf8))
      #expect(other.danger?.code == .archiveTrailingData)
    }
  }
}
