import Foundation
import SignetArchive
import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import ReleaseGate

@Suite struct ArchiveLookTests {
  private static func look(_ bytes: [UInt8], _ name: String) throws -> ArchiveLook {
    try ArchiveLook.at(BytesInMemory(bytes, path: name), named: name, ArchiveLimits())
  }

  /// The format, what came of it, and the size of what is searched.
  private static func shown(_ look: ArchiveLook) -> String {
    let result =
      look.archive.map { $0.entries.map(\.path).joined(separator: " ") } ?? look.failure?.code.rawValue ?? "none"
    return "\(look.format?.rawValue ?? "-") \(result)"
  }

  private static func shown(_ bytes: [UInt8], _ name: String) throws -> String { shown(try look(bytes, name)) }

  private static func tar() -> [UInt8] {
    var writer = TarWriter(time: SampleReport.time)
    var bytes = writer.header(path: "a/b", content: .file(size: 3), permissions: 0o644) + [1, 2, 3]
    bytes += [UInt8](repeating: 0, count: 509)
    return bytes + writer.end()
  }

  private static func zip() throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let python = try #require(Program.find("python3"), "make test installs python3")
    let script = "import zipfile\nwith zipfile.ZipFile('z', 'w') as z: z.writestr('a/b', b'123')"
    let result = try Program.run(python, ["-c", script], in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    return try folder.read("z")
  }

  private static func compressed(_ bytes: [UInt8], _ program: String) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try folder.write("file", bytes)
    let path = try #require(Program.find(program), "make test installs \(program)")
    let result = try Program.run(path, ["-k", "-q", "file"], in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    let name = try #require(try folder.listing().first { $0 != "file" })
    return try folder.read(name)
  }

  @Test("archives are found by their first bytes, whatever their names are")
  func archives() throws {
    for name in ["a.bin", "a.zip", "a.tar"] {
      #expect(try Self.shown(Self.zip(), name) == "zip a/b")
      #expect(try Self.shown(Self.tar(), name) == "tar a/b")
    }
  }

  @Test(
    "a compressed tar is opened, and its bytes are those of the tar",
    arguments: [("gzip", "gz"), ("xz", "xz"), ("zstd", "zst")])
  func compressedTars(program: String, ending: String) throws {
    let bytes = try Self.compressed(Self.tar(), program)
    for name in ["a", "a.tar.\(ending)"] {
      let look = try Self.look(bytes, name)
      #expect(Self.shown(look) == "tar.\(ending) a/b")
      #expect(look.archive?.source.size == Self.tar().count)
    }
  }

  @Test("a compressed file that is no tar is no archive, and what is in it is searched")
  func compressedFiles() throws {
    let text = Array("some text\n".utf8)
    let bytes = try Self.compressed(text, "gzip")
    let look = try Self.look(bytes, "notes.txt.gz")
    #expect(Self.shown(look) == "- none")
    #expect(try look.content.bytes(in: 0..<look.content.size) == text)
    #expect(try Self.shown(bytes, "notes.tar.gz") == "tar.gz archive.truncated")
    #expect(try Self.shown(bytes, "notes.TGZ") == "tar.gz archive.truncated")
  }

  @Test("what cannot be decompressed is a broken tar only if it is named as one")
  func brokenCompression() throws {
    let bytes = try Self.compressed(Self.tar(), "gzip")
    let half = Array(bytes.prefix(bytes.count / 2))
    #expect(try Self.shown(half, "a.tar.gz") == "tar.gz archive.truncated")
    let look = try Self.look(half, "a.gz")
    #expect(Self.shown(look) == "- none")
    #expect(look.content.size == half.count)
    #expect(try Self.shown(bytes + bytes, "a.tgz") == "tar.gz archive.trailing-data")
    #expect(try Self.shown(bytes + bytes, "a.gz") == "- none")
  }

  @Test("refusals have the reader's codes")
  func refusals() throws {
    let zip = try Self.zip()
    #expect(try Self.shown(Array("#!/bin/sh\n".utf8) + zip, "a.zip").hasPrefix("zip archive."))
    #expect(try Self.shown(zip + [0], "a") == "zip archive.trailing-data")
    #expect(try Self.shown(Array(zip.dropLast()), "a") == "zip archive.end-record")
    #expect(try Self.shown(Self.tar() + [1], "a") == "tar archive.trailing-data")
    #expect(try Self.shown(Array(Self.tar().prefix(512)), "a") == "tar archive.truncated")
    #expect(try Self.shown(Array("text".utf8), "a.tar.xz") == "tar.xz archive.format")
    #expect(try Self.shown(Array("text".utf8), "a.jar") == "zip archive.end-record")
    #expect(try Self.shown([], "a.whl") == "zip archive.end-record")
  }

  @Test(
    "what neither begins nor is named as an archive is none",
    arguments: [
      ("PKGBUILD is a text", "PKGBUILD"), ("P", "a"), ("PK", "a"), ("", "a"), ("text", "zip"), ("text", "a.zip.txt"),
      ("text", "tar"),
      ("\u{7f}ELF", "tool"),
    ])
  func others(text: String, name: String) throws {
    let look = try Self.look(Array(text.utf8), name)
    #expect(Self.shown(look) == "- none")
    #expect(look.content.size == text.utf8.count)
  }

  @Test("what cannot be read is not called broken")
  func unreadable() throws {
    struct Unreadable: ByteSource {
      let path = "a"
      let size = 600
      func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
        throw SignetError(.fileReadFailed, path, "cannot be read")
      }
    }
    expectError(.fileReadFailed) { _ = try ArchiveLook.at(Unreadable(), named: "a.zip", ArchiveLimits()) }
  }
}
