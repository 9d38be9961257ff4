import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import SignetArchive

/// Bytes in memory as an archive.
struct MemorySource: ByteSource {
  let bytes: [UInt8]
  var path: String { "memory" }
  var size: Int { bytes.count }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
    guard offset >= 0, offset <= bytes.count - buffer.count else { throw SignetError(.fileChanged, path, "ends") }
    buffer.copyBytes(from: bytes[offset..<offset + buffer.count])
  }
}

@Suite struct ZIPArchiveTests {
  /// Every byte of an archive and what the archive holds.
  static func open(_ bytes: [UInt8]) throws -> (ZIPArchive, [ArchiveEntry], [[UInt8]]) {
    let archive = try ZIPArchive(MemorySource(bytes: bytes), limits: ArchiveLimits())
    let entries = try archive.entries(ArchiveLimits())
    let reader = EntryReader(archive.unsigned)
    let contents = try entries.map { entry in
      guard case .file(let size) = entry.content else { return [UInt8]() }
      return try reader.bytes(entry.data, size: size, path: entry.path)
    }
    return (archive, entries, contents)
  }

  /// An archive that Python makes.
  static func made(_ script: String) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let python = try #require(Program.find("python3"))
    let run = try Program.run(
      python, ["-B", "-c", "import zipfile\nz = zipfile.ZipFile('m.zip', 'w')\n\(script)\nz.close()"], in: folder.path
    )
    try #require(run.status == 0, "\(run.errors)")
    return try folder.read("m.zip")
  }

  static let small = """
    z.writestr('a', b'first')
    z.writestr('d/', b'')
    z.writestr('d/b', b'x' * 1000, zipfile.ZIP_DEFLATED)
    z.comment = b'a comment'
    """

  @Test("entries are read as they were written")
  func entries() throws {
    let (archive, entries, contents) = try Self.open(Self.made(Self.small))
    #expect(entries.map(\.path) == ["a", "d", "d/b"])
    #expect(entries.map(\.content) == [.file(size: 5), .directory, .file(size: 1000)])
    #expect(contents == [Array("first".utf8), [], Array(repeating: UInt8(ascii: "x"), count: 1000)])
    #expect(archive.block == nil)
  }

  @Test("directories that only paths name count as entries")
  func impliedDirectories() throws {
    func entry(_ number: Int, _ depth: Int) -> (String, EntryContent) {
      (String(repeating: "d\(number)/", count: depth - 1) + "x", .file(size: 0))
    }
    // 63 directories and a file, 312 times: 19,968.
    try ArchiveRules.check((0..<312).map { entry($0, 64) }, ArchiveLimits())
    expectError(.archiveEntryCount) { try ArchiveRules.check((0..<313).map { entry($0, 64) }, ArchiveLimits()) }
    // One that has an entry of its own counts once.
    var limits = ArchiveLimits()
    limits.entries = 3
    let named: [(String, EntryContent)] = [
      ("d", .directory), ("d/a", .file(size: 0)), ("d/b", .file(size: 0)),
    ]
    try ArchiveRules.check(named, limits)
    limits.entries = 2
    expectError(.archiveEntryCount) { try ArchiveRules.check(named, limits) }
    expectError(.archiveEntryCount) { try ArchiveRules.check(Array(named.dropFirst()), limits) }
  }

  @Test("a block is attached, found, replaced and taken away again without a trace")
  func attaching() throws {
    let bytes = try Self.made(Self.small)
    let (archive, entries, contents) = try Self.open(bytes)
    #expect(try archive.unsigned.bytes(in: 0..<archive.unsigned.size) == bytes)
    let first = try archive.attaching(Array("{}\n".utf8))
    let signed = try first.bytes(in: 0..<first.size)
    let (opened, sameEntries, sameContents) = try Self.open(signed)
    let block = try #require(opened.block)
    #expect(Array(signed[block.value]) == Array("{}\n".utf8))
    #expect(sameEntries == entries)
    #expect(sameContents == contents)
    #expect(try opened.unsigned.bytes(in: 0..<opened.unsigned.size) == bytes)
    let second = try opened.attaching(Array("{}\n{\"a\":1}\n".utf8))
    let replaced = try Self.open(second.bytes(in: 0..<second.size)).0
    #expect(replaced.block?.value.count == 11)
    #expect(try replaced.unsigned.bytes(in: 0..<replaced.unsigned.size) == bytes)
  }

  /// An archive with one stored entry of zeros, none of which takes up memory.
  private struct HugeSource: ByteSource {
    let head: [UInt8]
    let zeros: Int
    let tail: [UInt8]
    var path: String { "huge" }
    var size: Int { head.count + zeros + tail.count }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
      for index in buffer.indices {
        let place = offset + index
        buffer[index] =
          place < head.count ? head[place] : place < head.count + zeros ? 0 : tail[place - head.count - zeros]
      }
    }
  }

  private static func huge(centralDirectoryAt offset: Int) -> HugeSource {
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    let size = offset - 31
    let common = little(0, 12) + little(size, 4) + little(size, 4) + little(1, 2) + little(0, 2)
    let head = little(0x0403_4b50, 4) + little(20, 2) + common + [UInt8(ascii: "a")]
    let central =
      little(0x0201_4b50, 4) + little(20, 2) + little(20, 2) + common + little(0, 14) + [UInt8(ascii: "a")]
    let end =
      little(0x0605_4b50, 4) + little(0, 4) + little(1, 2) + little(1, 2) + little(central.count, 4)
      + little(offset, 4) + little(0, 2)
    return HugeSource(head: head, zeros: size, tail: central + end)
  }

  @Test("a block that would push the central directory past 4 GiB is not attached")
  func huge() throws {
    let limit = 0xffff_ffff
    let block = try SigningBlock.bytes(holding: Array("{}\n".utf8)).count
    let fits = try ZIPArchive(Self.huge(centralDirectoryAt: limit - 1 - block), limits: ArchiveLimits())
    #expect(try fits.entries(ArchiveLimits()).count == 1)
    let attached = try fits.attaching(Array("{}\n".utf8))
    let opened = try ZIPArchive(attached, limits: ArchiveLimits())
    #expect(opened.block != nil)
    #expect(opened.unsigned.size == fits.unsigned.size)
    let full = try ZIPArchive(Self.huge(centralDirectoryAt: limit - block), limits: ArchiveLimits())
    expectError(.signingBlockOffset) { _ = try full.attaching(Array("{}\n".utf8)) }
  }

  /// CRC-32 (ISO 3309), bit by bit.
  static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 0 ? 0 : 0xedb8_8320) }
    }
  }

  @Test("a block of a size that puts a second end record's signature near the end is not attached")
  func ambiguous() throws {
    // The central directory moves to an offset whose bytes are "PK", 5, 6.
    let value = Array("{}\n".utf8)
    let block = try SigningBlock.bytes(holding: value).count
    let crafted = try ZIPArchive(Self.huge(centralDirectoryAt: 0x0605_4b50 - block), limits: ArchiveLimits())
    #expect(try crafted.entries(ArchiveLimits()).count == 1)
    expectError(.signingBlockAmbiguous) { _ = try crafted.attaching(value) }
    let attached = try crafted.attaching(value + value)
    #expect(try ZIPArchive(attached, limits: ArchiveLimits()).block != nil)
  }

  @Test("what a signing block keeps away from the end is refused for the archive without it")
  func windowWithoutBlock() throws {
    // An end record in the data, and behind it as much as programs search, less a byte; with the block it is farther.
    let strict = try Self.made("z.writestr('a', b'PKxx' + bytes(65536 - 53 - 22))")
    var bytes = strict
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("PKxx".utf8)) })
    let attached = try Self.open(strict).0.attaching(Array("{}\n".utf8))
    var signed = try attached.bytes(in: 0..<attached.size)
    #expect(bytes.count - place <= 65_557 && signed.count - place > 65_557)
    for index in [2, 3] {
      bytes[place + index] = UInt8(index + 3)
      signed[place + index] = UInt8(index + 3)
    }
    expectError(.archiveEndRecord) { _ = try Self.open(bytes) }
    let opened = try ZIPArchive(MemorySource(bytes: signed), limits: ArchiveLimits())
    expectError(.archiveEndRecord) { _ = try opened.entries(ArchiveLimits()) }
  }

  @Test("a value that is too large for a block is not attached")
  func blockSize() throws {
    let archive = try Self.open(Self.made(Self.small)).0
    let most = SigningBlock.sizeLimit - (try SigningBlock.bytes(holding: []).count)
    #expect(try archive.attaching([UInt8](repeating: 10, count: most)).size == archive.unsigned.size + (32 << 20))
    expectError(.signingBlockSize) { _ = try archive.attaching([UInt8](repeating: 10, count: most + 1)) }
  }

  @Test("no byte of a signed archive can be changed without a refusal or another archive")
  func mutations() throws {
    let bytes = try Self.made(Self.small)
    let attached = try Self.open(bytes).0.attaching(Array("{}\n".utf8))
    let signed = try attached.bytes(in: 0..<attached.size)
    for index in signed.indices {
      for bit in 0..<8 {
        var changed = signed
        changed[index] ^= 1 << bit
        guard let (archive, _, _) = try? Self.open(changed) else { continue }
        // What is signed differs, or the block does.
        let same = try archive.unsigned.bytes(in: 0..<archive.unsigned.size) == bytes
        let block = archive.block.map { Array(changed[$0.value]) }
        #expect(!same || block != Array("{}\n".utf8), "byte \(index), bit \(bit)")
      }
    }
  }

  @Test("no beginning of an archive, and no archive with a byte more, is one")
  func lengths() throws {
    let bytes = try Self.made(Self.small)
    for count in 0..<bytes.count {
      #expect(throws: SignetError.self) { _ = try Self.open(Array(bytes[..<count])) }
      var longer = bytes
      longer.insert(0, at: count)
      if let (archive, _, _) = try? Self.open(longer) {
        #expect(try archive.unsigned.bytes(in: 0..<archive.unsigned.size) != bytes, "a byte more at \(count)")
      }
    }
    expectError(.archiveTrailingData) { _ = try Self.open(bytes + [0]) }
    expectError(.archiveLeadingData) { _ = try Self.open([0] + bytes) }
  }
}
