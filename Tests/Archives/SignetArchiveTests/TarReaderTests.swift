import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import SignetArchive

/// Headers made by hand, so that each can have one fault.
struct TarBlock {
  var name = "a"
  var mode = "0000644"
  var owner = "0000000"
  var size = "00000000000"
  var type: UInt8 = UInt8(ascii: "0")
  var linkName = ""
  var magic = "ustar\u{0}00"
  var device = "0000000"
  var prefix = ""
  /// Written over the block before its checksum is made.
  var patches: [(offset: Int, bytes: [UInt8])] = []

  func bytes() -> [UInt8] {
    var block = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, _ offset: Int) {
      block.replaceSubrange(offset..<offset + text.utf8.count, with: Array(text.utf8))
    }
    put(name, 0)
    put(mode, 100)
    put(owner, 108)
    put("0000000", 116)
    put(size, 124)
    put("00000000000", 136)
    block[156] = type
    put(linkName, 157)
    put(magic, 257)
    put(device, 329)
    put(device, 337)
    put(prefix, 345)
    for patch in patches {
      block.replaceSubrange(patch.offset..<patch.offset + patch.bytes.count, with: patch.bytes)
    }
    let digits = String(TarField.sum(of: block), radix: 8)
    put(String(repeating: "0", count: 6 - digits.utf8.count) + digits + "\u{0} ", 148)
    return block
  }

  /// A block for data of a size, and the data.
  static func file(_ name: String, _ data: [UInt8], type: Character = "0") -> [UInt8] {
    let digits = String(data.count, radix: 8)
    let block = TarBlock(
      name: name, size: String(repeating: "0", count: 11 - digits.utf8.count) + digits, type: type.asciiValue ?? 0)
    return block.bytes() + data + [UInt8](repeating: 0, count: TarField.padding(behind: data.count))
  }

  static let end = [UInt8](repeating: 0, count: 1024)
}

@Suite struct TarReaderTests {
  static func read(_ bytes: [UInt8], _ limits: ArchiveLimits = ArchiveLimits()) throws -> [ArchiveEntry] {
    try TarReader.entries(of: MemorySource(bytes: bytes), limits)
  }

  static func contents(_ bytes: [UInt8], _ entries: [ArchiveEntry]) throws -> [[UInt8]] {
    let reader = EntryReader(MemorySource(bytes: bytes))
    return try entries.map { try reader.bytes($0.data, size: $0.data.storedSize, path: $0.path) }
  }

  static let small =
    TarBlock.file("a", Array("hello".utf8)) + TarBlock(name: "d/", mode: "0000755", type: UInt8(ascii: "5")).bytes()
    + TarBlock(name: "l", mode: "0000777", type: UInt8(ascii: "2"), linkName: "d/b").bytes()
    + TarBlock.file("d/PaxHeaders/b\u{e9}c\u{e9}", Array("17 path=d/b\u{e9}c\u{e9}\n".utf8), type: "x")
    + TarBlock.file("d/b\u{e9}c\u{e9}", []) + TarBlock.end

  @Test("files, directories, links and extended headers are read")
  func reading() throws {
    let entries = try Self.read(Self.small)
    #expect(entries.map(\.path) == ["a", "d", "l", "d/b\u{e9}c\u{e9}"])
    #expect(
      entries.map(\.content) == [.file(size: 5), .directory, .symbolicLink(target: "d/b"), .file(size: 0)])
    #expect(entries.map(\.mode.bits) == [0o644, 0o755, 0o777, 0o644])
    #expect(try Self.contents(Self.small, entries)[0] == Array("hello".utf8))
  }

  @Test(
    "what tools write in POSIX's format is read",
    arguments: [
      ["tar", "--format=ustar", "-cf", "t"], ["tar", "--format=posix", "-cf", "t"], ["bsdtar", "-cf", "t"],
      ["bsdtar", "--format=ustar", "-cf", "t"], ["bsdtar", "--format=pax", "-cf", "t"],
    ])
  func tools(_ words: [String]) throws {
    let folder = try TemporaryFolder()
    let program = try #require(Program.find(words[0]), "\(words[0]) is not installed")
    let long = String(repeating: "n", count: 90)
    let script = """
      mkdir -p d/\(long)/e; printf hello > a; chmod 755 a; ln -s ../a d/l; printf x > d/\(long)/e/\(long); chmod -R go-w .
      \(words.contains("--format=ustar") ? "" : "printf u > d/\u{e9}; touch -d @1.5 a")
      """
    try #require(Program.run("/bin/sh", ["-c", script], in: folder.path).status == 0)
    let run = try Program.run(program, Array(words.dropFirst()) + ["a", "d"], in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    let bytes = try folder.read("t")
    let entries = try Self.read(bytes)
    let contents = try Self.contents(bytes, entries)
    let found = Dictionary(uniqueKeysWithValues: zip(entries.map(\.path), zip(entries, contents)))
    #expect(found["a"]?.1 == Array("hello".utf8))
    #expect(found["a"]?.0.mode.bits == 0o755)
    #expect(found["d"]?.0.content == .directory)
    #expect(found["d/l"]?.0.content == .symbolicLink(target: "../a"))
    #expect(found["d/\(long)/e/\(long)"]?.1 == Array("x".utf8))
  }

  static func made(_ block: TarBlock) -> [UInt8] { block.bytes() + TarBlock.end }
  static func extended(_ records: String, _ block: TarBlock = TarBlock()) -> [UInt8] {
    TarBlock.file("PaxHeaders/headers/1", Array(records.utf8), type: "x") + block.bytes() + TarBlock.end
  }

  static let headers: [(name: String, bytes: [UInt8])] = [
    ("GNU's magic", made(TarBlock(magic: "ustar  \u{0}"))),
    ("no magic", made(TarBlock(magic: "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}"))),
    ("another version", made(TarBlock(magic: "ustar\u{0}01"))),
    ("a size in binary", made(TarBlock(patches: [(124, [0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])]))),
    ("an owner in binary", made(TarBlock(patches: [(108, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe])]))),
    ("a number with a space in front", made(TarBlock(mode: " 000644"))),
    ("a number with a 8", made(TarBlock(mode: "0000648"))),
    ("an empty number", made(TarBlock(mode: "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}"))),
    ("a number without an end", made(TarBlock(mode: "00000644"))),
    ("a number with something behind", made(TarBlock(size: "0000000000\u{0}1"))),
    ("a name with something behind", made(TarBlock(patches: [(2, [0x62])]))),
    ("a link name with something behind", made(TarBlock(patches: [(200, [0x62])]))),
    ("an owner's name with something behind", made(TarBlock(patches: [(266, [0x62])]))),
    ("something behind the prefix", made(TarBlock(patches: [(511, [1])]))),
    ("a prefix without a name", made(TarBlock(name: "", type: UInt8(ascii: "5"), prefix: "p"))),
    ("a device's number", made(TarBlock(device: "0000001"))),
    ("a mode with a type", made(TarBlock(mode: "0100644"))),
    ("a file with a link name", made(TarBlock(linkName: "b"))),
    ("a directory with bytes", TarBlock.file("a", [1], type: "5") + TarBlock.end),
    ("a link with bytes", TarBlock.file("a", [1], type: "2") + TarBlock.end),
    ("the old type of files", made(TarBlock(type: 0))),
    ("a contiguous file", made(TarBlock(type: UInt8(ascii: "7")))),
    ("a global header", TarBlock.file("g", Array("9 path=b\n".utf8), type: "g") + made(TarBlock())),
    ("GNU's long name", TarBlock.file("././@LongLink", Array("long\u{0}".utf8), type: "L") + made(TarBlock())),
    ("GNU's long link", TarBlock.file("././@LongLink", Array("long\u{0}".utf8), type: "K") + made(TarBlock())),
    ("GNU's sparse file", made(TarBlock(type: UInt8(ascii: "S")))),
    ("an extended header at the end", TarBlock.file("x", Array("9 path=b\n".utf8), type: "x") + TarBlock.end),
    (
      "two extended headers",
      TarBlock.file("x", Array("9 path=b\n".utf8), type: "x")
        + TarBlock.file("x", Array("9 path=b\n".utf8), type: "x")
        + made(TarBlock())
    ),
    ("an extended header that is too large", extended("8993 path=" + String(repeating: "b", count: 8982) + "\n")),
    ("an empty extended header", extended("")),
    ("a length that is too short", extended("8 path=b\n")),
    ("a length that is too long", extended("11 path=b\n")),
    ("a length with a zero in front", extended("09 path=b\n")),
    ("a length with a sign", extended("+9 path=b\n")),
    ("no length", extended(" path=b\n")),
    ("nothing but a length", extended("1")),
    ("a length and a space", extended("2 ")),
    ("a record without a key", extended("5 =b\n")),
    ("a record without a value", extended("8 path=\n")),
    ("a record without an equals sign", extended("6 pat\n")),
    ("a value with NUL", extended("11 path=b\u{0}c\n")),
    ("a key twice", extended("9 path=b\n9 path=c\n")),
    ("a key that is not understood", extended("19 hdrcharset=BINARY\n")),
    ("an attribute", extended("24 SCHILY.xattr.user.a=b\n")),
    ("a sparse map", extended("22 GNU.sparse.major=1\n")),
    ("zeros behind the records", extended("9 path=b\n\u{0}")),
    ("a size that is no number", extended("10 size=-1\n")),
    ("a size that overflows", extended("28 size=9223372036854775808\n")),
    ("another size", extended("9 size=1\n")),
    ("a target for a file", extended("13 linkpath=b\n")),
    ("one empty block", [UInt8](repeating: 0, count: 512) + made(TarBlock())),
  ]

  @Test("headers that could be read in two ways are refused", arguments: headers.indices)
  func refusedHeader(_ index: Int) throws {
    let header = Self.headers[index]
    expectError(.archiveTarHeader, "\(header.name)") { _ = try Self.read(header.bytes) }
  }

  static let others: [(code: SignetError.Code, bytes: [UInt8])] = [
    (.archiveHardLink, made(TarBlock(type: UInt8(ascii: "1"), linkName: "b"))),
    (.archiveSpecialFile, made(TarBlock(type: UInt8(ascii: "3")))),
    (.archiveSpecialFile, made(TarBlock(type: UInt8(ascii: "4"), device: "0000001"))),
    (.archiveSpecialFile, made(TarBlock(type: UInt8(ascii: "6")))),
    (.archiveSpecialMode, made(TarBlock(mode: "0004755"))),
    (.archiveSpecialMode, made(TarBlock(mode: "0002755"))),
    (.archiveSpecialMode, made(TarBlock(mode: "0001755"))),
    (.archiveTruncated, []),
    (.archiveTruncated, made(TarBlock(size: "00000002000"))),
    (.archiveTruncated, made(TarBlock(size: "00000010000"))),
    (.archiveSize, made(TarBlock(size: "77777777777"))),
    (.archiveSize, extended("27 size=999999999999999999\n")),
    (.archiveEmpty, TarBlock.end),
    (.archiveGap, TarBlock.file("a", [1]).dropLast() + [1] + TarBlock.end),
    (.archiveGap, TarBlock.file("x", Array("9 path=b\n".utf8), type: "x").dropLast() + [1] + made(TarBlock())),
    (.archiveTrailingData, made(TarBlock()) + [0]),
    (.archiveTrailingData, made(TarBlock()) + [UInt8](repeating: 0, count: 511) + [1]),
    (.archiveTrailingData, made(TarBlock()) + made(TarBlock())),
    (.archiveTrailingData, made(TarBlock()) + [UInt8](repeating: 0, count: 10240)),
    (.archiveDuplicatePath, TarBlock().bytes() + made(TarBlock())),
    (.archivePathConflict, TarBlock().bytes() + made(TarBlock(name: "a/b"))),
    (.pathNotUTF8, made(TarBlock(patches: [(0, [0xff])]))),
    (.pathNotUTF8, made(TarBlock(type: UInt8(ascii: "2"), patches: [(157, [0xff])]))),
    (.pathEmpty, made(TarBlock(name: ""))),
    (.pathAbsolute, made(TarBlock(name: "/a"))),
    (.pathAbsolute, made(TarBlock(name: "/", type: UInt8(ascii: "5")))),
    (.pathParent, made(TarBlock(name: "../a"))),
    (.pathParent, extended("13 path=../b\n")),
    (.pathParent, made(TarBlock(name: "b", prefix: "a/.."))),
    (.pathDot, made(TarBlock(name: "./a"))),
    (.pathEmptyName, made(TarBlock(name: "a/"))),
    (.pathEmptyName, made(TarBlock(name: "a//", type: UInt8(ascii: "5")))),
    (.pathEmpty, made(TarBlock(type: UInt8(ascii: "2")))),
    (.pathAbsolute, made(TarBlock(type: UInt8(ascii: "2"), linkName: "/etc"))),
    (.pathParent, made(TarBlock(type: UInt8(ascii: "2"), linkName: "../b"))),
    (.pathParent, extended("17 linkpath=../b\n", TarBlock(type: UInt8(ascii: "2"), linkName: "b"))),
  ]

  @Test("each other refusal has its code", arguments: others.indices)
  func refused(_ index: Int) throws {
    expectError(Self.others[index].code) { _ = try Self.read(Self.others[index].bytes) }
  }

  @Test("zeros may fill the last record, and need not")
  func records() throws {
    for blocks in [0, 1, 5, 17] {
      let bytes = Self.made(TarBlock()) + [UInt8](repeating: 0, count: blocks * 512)
      #expect(try Self.read(bytes).count == 1)
    }
    // Those 18 blocks more would begin another record.
    expectError(.archiveTrailingData) {
      _ = try Self.read(Self.made(TarBlock()) + [UInt8](repeating: 0, count: 18 * 512))
    }
  }

  @Test("limits hold")
  func bounds() throws {
    var limits = ArchiveLimits()
    limits.entries = 4
    #expect(try Self.read(Self.small, limits).count == 4)
    limits.entries = 3
    expectError(.archiveEntryCount) { _ = try Self.read(Self.small, limits) }
    limits = ArchiveLimits()
    limits.fileSize = 4
    expectError(.archiveSize) { _ = try Self.read(Self.small, limits) }
    limits = ArchiveLimits()
    limits.totalSize = 4
    expectError(.archiveSize) { _ = try Self.read(Self.small, limits) }
  }

  @Test("no beginning of a tar is one, and no changed bit of a header goes unseen", .slow, .seeded(7))
  func mutations() throws {
    let bytes = Self.small
    for count in 0..<bytes.count {
      expectError(.archiveTruncated, "\(count) bytes") { _ = try Self.read(Array(bytes[..<count])) }
    }
    for index in 0..<512 {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << bit
        guard let entries = try? Self.read(changed) else { continue }
        // The checksum ends with NUL and a space, or the other way round, or with two of one kind.
        #expect((154...155).contains(index) && bit == 5, "byte \(index), bit \(bit)")
        #expect(try entries == Self.read(bytes))
      }
    }
    var random = patternBytes(20_000, seed: Seed.current)[...]
    func next() -> Int { Int(random.popFirst() ?? 0) << 8 | Int(random.popFirst() ?? 0) }
    for _ in 0..<2000 {
      var changed = bytes
      for _ in 0..<1 + next() % 3 { changed[next() % changed.count] = UInt8(next() & 0xff) }
      // With the checksums set right the fields behind them are reached.
      for start in stride(from: 0, to: changed.count - 1024, by: 512) where changed[start + 257] == UInt8(ascii: "u")
      {
        let block = Array(changed[start..<start + 512])
        let digits = String(TarField.sum(of: block), radix: 8)
        let text = String(repeating: "0", count: 6 - digits.utf8.count) + digits + "\u{0} "
        changed.replaceSubrange(start + 148..<start + 156, with: Array(text.utf8))
      }
      guard let entries = try? Self.read(changed) else { continue }
      _ = try Self.contents(changed, entries)
    }
  }

  @Test("compressed and plain tars are opened, and nothing else")
  func opening() throws {
    let folder = try TemporaryFolder()
    func open(_ bytes: [UInt8]) throws -> OpenedArchive {
      try TarArchive.open(MemorySource(bytes: bytes), snapshotsIn: folder.path, ArchiveLimits())
    }
    #expect(try open(Self.small).format == .tar)
    for compression in TarCompression.allCases {
      let archive = try open(CompressionTests.compressed(Self.small, compression))
      #expect(archive.format == compression.format)
      #expect(archive.entries == (try Self.read(Self.small)))
      #expect(try archive.bytes(of: archive.entries[0], limit: 5) == Array("hello".utf8))
      expectError(.archiveFormat) { _ = try open(CompressionTests.compressed(Array("text".utf8), compression)) }
      // What is compressed and empty is no tar, and not damaged.
      expectError(.archiveFormat) { _ = try open(CompressionTests.compressed([], compression)) }
      let twice = try CompressionTests.compressed(CompressionTests.compressed(Self.small, .gzip), compression)
      expectError(.archiveFormat) { _ = try open(twice) }
    }
    expectError(.archiveFormat) { _ = try open([]) }
    expectError(.archiveFormat) { _ = try open(Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 600)) }
    expectError(.archiveTarHeader) { _ = try open(Self.made(TarBlock(magic: "ustar  \u{0}"))) }
    #expect(try folder.listing() == [])
  }
}
