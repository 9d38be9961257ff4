import SignetCrypto
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
