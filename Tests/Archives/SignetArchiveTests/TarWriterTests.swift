import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import SignetArchive

@Suite struct TarWriterTests {
  struct Item {
    let path: String
    let content: EntryContent
    let permissions: UInt32
    let bytes: [UInt8]

    static func file(_ path: String, _ bytes: [UInt8], _ permissions: UInt32 = 0o644) -> Item {
      Item(path: path, content: .file(size: bytes.count), permissions: permissions, bytes: bytes)
    }
    static func directory(_ path: String) -> Item {
      Item(path: path, content: .directory, permissions: 0o755, bytes: [])
    }
    static func link(_ path: String, _ target: String) -> Item {
      Item(path: path, content: .symbolicLink(target: target), permissions: 0o777, bytes: [])
    }
  }

  static func written(_ items: [Item], time: Int64 = 1_700_000_000) -> [UInt8] {
    var writer = TarWriter(time: UnixTime(seconds: time))
    var bytes: [UInt8] = []
    for item in items {
      bytes += writer.header(path: item.path, content: item.content, permissions: item.permissions)
      bytes += item.bytes + TarWriter.padding(behind: item.bytes.count)
    }
    return bytes + writer.end()
  }

  static let n90 = String(repeating: "n", count: 90)
  static let n200 = String(repeating: "m", count: 200)
  static let items: [Item] = [
    .file("a", Array("hello".utf8), 0o755), .directory("d"), .file("d/512", patternBytes(512)),
    .file("d/empty", []), .link("d/l", "../a"), .directory("d/\(n90)"), .file("d/\(n90)/\(n90)", [1]),
    .directory("d/\(n90)/\(n90)d"), .link("d/long", "\(n90)/\(n90)/\(n90)"),
    .link("d/z\u{e9}", "\u{e9}"), .file("d/\u{e9}", Array("unicode".utf8)), .directory("d/\u{e9}d"),
    .directory(n200), .file("\(n200)/\(n200)", Array("long".utf8)),
  ]

  @Test("what is written is read again, and is the same twice")
  func roundTrip() throws {
    let bytes = Self.written(Self.items)
    #expect(bytes.count % 10240 == 0)
    #expect(Self.written(Self.items) == bytes)
    let entries = try TarReaderTests.read(bytes)
    #expect(entries.map(\.path) == Self.items.map(\.path))
    #expect(entries.map(\.content) == Self.items.map(\.content))
    #expect(entries.map(\.mode.bits) == Self.items.map(\.permissions))
    #expect(try TarReaderTests.contents(bytes, entries) == Self.items.map(\.bytes))
  }

  @Test("extended headers stand only where they must")
  func extendedHeaders() throws {
    func types(_ item: Item) -> [UInt8] {
      let bytes = Self.written([item])
      return stride(from: 0, to: bytes.count, by: 512).filter { bytes[$0 + 257] == UInt8(ascii: "u") }.map {
        bytes[$0 + 156]
      }
    }
    let plain: [UInt8] = [UInt8(ascii: "0")]
    let extended: [UInt8] = [UInt8(ascii: "x"), UInt8(ascii: "0")]
    func name(_ count: Int) -> String { String(repeating: "n", count: count) }
    #expect(types(.file(name(100), [])) == plain)
    #expect(types(.file(name(101), [])) == extended)
    #expect(types(.file(name(155) + "/" + name(100), [])) == plain)
    #expect(types(.file(name(156) + "/" + name(99), [])) == extended)
    #expect(types(.file("a/" + name(101), [])) == extended)
    #expect(types(.file("\u{e9}", [])) == extended)
    #expect(types(.directory(name(99))) == [UInt8(ascii: "5")])
    #expect(types(.directory(name(100))) == [UInt8(ascii: "x"), UInt8(ascii: "5")])
    #expect(types(.directory("a/" + name(99))) == [UInt8(ascii: "5")])
    #expect(types(.link("l", name(100))) == [UInt8(ascii: "2")])
    #expect(types(.link("l", name(101))) == [UInt8(ascii: "x"), UInt8(ascii: "2")])
    // The lengths of records around a power of ten.
    for count in 80...110 {
      let path = "\u{e9}" + name(count)
      #expect(try TarReaderTests.read(Self.written([.file(path, [])]))[0].path == path)
    }
  }

  @Test("a size that the header has no room for stands in the extended one")
  func largeFiles() throws {
    var writer = TarWriter(time: UnixTime(seconds: 0))
    let size = 8 << 30
    let bytes = writer.header(path: "a", content: .file(size: size), permissions: 0o644)
    #expect(bytes.count == 3 * 512)
    #expect(String(decoding: bytes[512..<529], as: UTF8.self) == "19 size=858993459")
    var limits = ArchiveLimits()
    limits.fileSize = size
    limits.totalSize = size
    let entries = try TarReader.entries(of: HollowSource(head: bytes, hole: size, tail: writer.end()), limits)
    #expect(entries.map(\.content) == [.file(size: size)])
    var other = TarWriter(time: UnixTime(seconds: 0))
    #expect(other.header(path: "a", content: .file(size: size - 1), permissions: 0o644).count == 512)
  }

  /// Bytes with so many zeros in between.
  struct HollowSource: ByteSource {
    let head: [UInt8]
    let hole: Int
    let tail: [UInt8]
    var path: String { "hollow" }
    var size: Int { head.count + hole + tail.count }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
      for index in buffer.indices {
        let position = offset + index
        buffer[index] = position < head.count ? head[position] : 0
      }
    }
  }

  @Test("times that the format cannot hold are moved")
  func times() throws {
    #expect(Self.written(Self.items, time: -1) == Self.written(Self.items, time: 0))
    #expect(Self.written(Self.items, time: 1 << 40) == Self.written(Self.items, time: (1 << 33) - 1))
    #expect(throws: Never.self) { try TarReaderTests.read(Self.written(Self.items, time: 1 << 40)) }
  }

  @Test("other programs unpack it", arguments: ["tar", "bsdtar", "python3"])
  func programs(_ name: String) throws {
    let program = try #require(Program.find(name), "\(name) is not installed")
    let folder = try TemporaryFolder()
    for compression in [nil] + TarCompression.allCases.map(Optional.some) {
      // Python reads no Zstandard before 3.14.
      if name == "python3", compression == .zstandard { continue }
      let bytes = Self.written(Self.items)
      try folder.write("t", compression.map { try CompressionTests.compressed(bytes, $0) } ?? bytes)
      let out = folder.file("out")
      let script =
        name == "python3"
        ? "'\(program)' -B -c \"import tarfile; tarfile.open('t').extractall('out')\"" : "'\(program)' -xf t -C out"
      let run = try Program.run("/bin/sh", ["-c", "rm -rf out; mkdir out; \(script)"], in: folder.path)
      try #require(run.status == 0, "\(run.errors)")
      #expect(run.errors == "")
      for item in Self.items {
        switch item.content {
        case .file:
          #expect(try folder.read("out/\(item.path)") == item.bytes, "\(item.path)")
          let status = try FileStatus(ofLink: out + "/" + item.path)
          #expect(status.mode == item.permissions && status.kind == .regular)
        case .directory: #expect(try FileStatus(ofLink: out + "/" + item.path).kind == .directory)
        case .symbolicLink(let target):
          let link = try Program.run("/bin/readlink", [out + "/" + item.path])
          #expect(link.output == target + "\n")
        }
      }
    }
  }
}
