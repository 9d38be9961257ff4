import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import SignetArchive

/// The look into tars of other programs before something is signed as a file.
@Suite struct SloppyTarTests {
  static func lists(_ bytes: [UInt8], _ name: String = "module.json") throws -> Bool {
    try LenientTar.lists(name, in: MemorySource(bytes: bytes))
  }

  static let description = TarBlock.file("module.json", Array("{}".utf8))
  /// A file's data that look like a header of another.
  static let decoy = TarBlock.file("a", TarBlock(name: "module.json").bytes())

  @Test("an entry is found in whatever form its name stands")
  func names() throws {
    #expect(try Self.lists(Self.description + TarBlock.end))
    #expect(try Self.lists(Self.description), "the end may be missing")
    #expect(try Self.lists(Self.decoy + Self.description + TarBlock.end))
    #expect(try Self.lists(TarBlock(name: "./module.json").bytes()))
    #expect(try Self.lists(TarBlock(name: "././module.json").bytes()))
    #expect(try Self.lists(TarBlock(name: "module.json", magic: "ustar  \u{0}").bytes()))
    #expect(try Self.lists(TarBlock(name: "module.json", magic: "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}").bytes()))
    #expect(try Self.lists(TarBlock(name: "module.json", type: 0).bytes()))
    #expect(
      try Self.lists(TarBlock.file("././@LongLink", Array("./module.json\u{0}".utf8), type: "L") + TarBlock().bytes())
    )
    #expect(
      try Self.lists(TarBlock.file("x", Array("20 path=module.json\n".utf8), type: "x") + TarBlock().bytes()))
    #expect(try Self.lists(TarBlock.file("g", Array("12 comment=c\n".utf8), type: "g") + Self.description))
    // Times stand where POSIX has the prefix.
    #expect(try Self.lists(TarBlock(name: "module.json", magic: "ustar  \u{0}", prefix: "12345670123").bytes()))
    // A directory or link that claims bytes has none.
    #expect(
      try Self.lists(TarBlock(name: "d/", size: "00000001000", type: UInt8(ascii: "5")).bytes() + Self.description))
  }

  @Test("GNU's sparse maps and sizes in binary are passed over")
  func gnu() throws {
    let map = TarBlock(
      name: "s", size: "00000001000", type: UInt8(ascii: "S"), magic: "ustar  \u{0}", patches: [(482, [1])])
    var more = [UInt8](repeating: 0, count: 512)
    more[504] = 1
    let maps = more + [UInt8](repeating: 0, count: 512)
    #expect(try Self.lists(map.bytes() + maps + TarBlock(name: "data").bytes() + Self.description))
    let binary = TarBlock(name: "b", patches: [(124, [0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0])])
    #expect(try Self.lists(binary.bytes() + TarBlock(name: "data").bytes() + Self.description))
  }

  @Test("what is elsewhere, in other entries' data or behind the end is not")
  func absent() throws {
    #expect(try !Self.lists(Self.decoy + TarBlock.end))
    #expect(try !Self.lists(TarBlock(name: "d/module.json").bytes() + TarBlock.end))
    #expect(try !Self.lists(TarBlock(name: "module.json", prefix: "d").bytes() + TarBlock.end))
    #expect(try !Self.lists(TarBlock().bytes() + TarBlock.end + Self.description))
    #expect(
      try !Self.lists(TarBlock.file("x", Array("10 path=a\n".utf8), type: "x") + Self.description + TarBlock.end))
    #expect(try !Self.lists([]))
    #expect(try !Self.lists(patternBytes(5000, seed: 3)))
    #expect(try !Self.lists([0x1f, 0x8b] + patternBytes(5000, seed: 3)))
    #expect(try !Self.lists(Array("BZh9".utf8) + patternBytes(5000, seed: 3)))
    let huge = TarBlock(
      name: "h", patches: [(124, [0x80, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])])
    #expect(try !Self.lists(huge.bytes() + TarBlock.end))
    #expect(try !Self.lists(TarBlock(size: "77777777777").bytes() + TarBlock.end))
  }

  @Test("compressed tars are looked into", arguments: TarCompression.allCases)
  func compressed(_ compression: TarCompression) throws {
    let bytes = try CompressionTests.compressed(Self.decoy + Self.description + TarBlock.end, compression)
    #expect(try Self.lists(bytes))
    #expect(try !Self.lists(bytes, "other.json"))
    // Padding, as on a tape, does not matter to gzip; other programs write none.
    if compression == .gzip { #expect(try Self.lists(bytes + [0, 0, 0])) }
  }

  @Test("no more is looked at than there is any use for", .slow)
  func bounded() throws {
    // A tar of headers alone, without an end.
    let source = EndlessSource(block: TarBlock().bytes())
    #expect(try !LenientTar.lists("module.json", in: source, limit: 1 << 20))
    #expect(source.count.withLock { $0 } <= 1 << 20 + 1024)
    let compressed = try CompressionTests.compressed(
      Array(repeatElement(TarBlock().bytes(), count: 4096).joined()) + Self.description, .gzip)
    #expect(try Self.lists(compressed))
    #expect(try !LenientTar.lists("module.json", in: MemorySource(bytes: compressed), limit: 1 << 20))
  }

  @Test("what a compressed file holds is not looked into any further: names without end are not read")
  func nested() throws {
    // In a gzip, the beginning of another one, whose name does not end.
    let name = patternBytes(4 << 20, seed: 3).map { $0 | 1 }
    let source = CountedSource(
      bytes: try CompressionTests.compressed([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 0] + name, .gzip))
    #expect(source.size > 3 << 20)
    #expect(try !LenientTar.lists("module.json", in: source, limit: 1 << 20))
    #expect(source.count.withLock { $0 } < 1 << 20)
  }

  /// Bytes, and how many of them were read.
  struct CountedSource: ByteSource {
    let bytes: [UInt8]
    let count = Monitor(0)
    var path: String { "counted" }
    var size: Int { bytes.count }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
      count.withLock { $0 += buffer.count }
      buffer.copyBytes(from: bytes[offset..<offset + buffer.count])
    }
  }

  /// The same block again and again.
  struct EndlessSource: ByteSource {
    let block: [UInt8]
    let count = Monitor(0)
    var path: String { "endless" }
    var size: Int { 1 << 40 }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
      count.withLock { $0 += buffer.count }
      for index in buffer.indices { buffer[index] = block[(offset + index) % 512] }
    }
  }
}
