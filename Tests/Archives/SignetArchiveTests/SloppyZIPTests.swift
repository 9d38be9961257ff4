import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import SignetArchive

/// ZIPs of other programs, which are read to be packed anew.
@Suite struct SloppyZIPTests {
  static func paths(_ bytes: [UInt8]) throws -> [String] {
    try LenientZIP(MemorySource(bytes: bytes), limits: ArchiveLimits()).entries.map(\.path)
  }

  /// Packs anew, and gives what the new archive holds.
  static func repacked(_ bytes: [UInt8]) throws -> [String: [UInt8]] {
    let source = MemorySource(bytes: bytes)
    let entries = try LenientZIP(source, limits: ArchiveLimits()).packed(from: source)
    let (_, found, contents) = try ZIPArchiveTests.open(ZIPWriterTests.write(entries, in: TemporaryFolder()))
    return Dictionary(uniqueKeysWithValues: zip(found.map(\.path), contents))
  }

  static let two = "z.writestr('b', b'second'); z.writestr('a', b'x' * 1000, zipfile.ZIP_DEFLATED)"
  static let contents: [String: [UInt8]] = [
    "b": Array("second".utf8), "a": Array(repeating: UInt8(ascii: "x"), count: 1000),
  ]

  @Test("a strict archive is read as it is")
  func strict() throws {
    #expect(try Self.repacked(ZIPArchiveTests.made(Self.two)) == Self.contents)
  }

  @Test("things in front, behind and between do not matter")
  func gaps() throws {
    let bytes = try ZIPArchiveTests.made(Self.two)
    #expect(try Self.repacked(Array("#!/bin/sh\n".utf8) + bytes) == Self.contents)
    #expect(try Self.repacked(bytes + Array("PK behind".utf8)) == Self.contents)
    let commented = try ZIPArchiveTests.made(Self.two + "; z.comment = b'a comment'")
    #expect(try Self.repacked([0, 0] + commented + [0]) == Self.contents)
    // A signing block is such a thing.
    let archive = try ZIPArchive(MemorySource(bytes: bytes), limits: ArchiveLimits())
    let signed = try archive.attaching(Array("{}\n".utf8))
    #expect(try Self.repacked(signed.bytes(in: 0..<signed.size)) == Self.contents)
    // The second archive in one file is the one that programs see.
    let other = try ZIPArchiveTests.made("z.writestr('c', b'')")
    #expect(try Self.paths(bytes + other) == ["c"])
    #expect(try Self.paths(other + bytes) == ["b", "a"])
  }

  @Test("a directory may have a compressed stream of no bytes, as Java gives it one, and no other")
  func emptyStream() throws {
    func archive(_ stream: String) throws -> [UInt8] {
      try ZIPArchiveTests.made(
        """
        z.close(); import struct; n = b'META-INF/'; d = \(stream)
        l = struct.pack('<IHHHHHIIIHH', 0x04034b50, 20, 0x800, 8, 0, 33, 0, len(d), 0, len(n), 0) + n + d
        c = struct.pack('<IHHHHHHIIIHHHHHII', 0x02014b50, 20, 20, 0x800, 8, 0, 33, 0, len(d), 0, len(n), 0, 0, 0, 0, 0, 0) + n
        open('m.zip', 'wb').write(l + c + struct.pack('<IHHHHIIH', 0x06054b50, 0, 0, 1, 1, len(c), len(l), 0))
        """)
    }
    let java = try archive("b'\\x03\\x00'")
    #expect(try Self.paths(java) == ["META-INF"])
    expectError(.archiveRecord) { _ = try ZIPArchiveTests.open(java) }
    expectError(.archiveData) { _ = try Self.paths(archive("b'\\x03\\x00\\x00'")) }
    expectError(.archiveData) { _ = try Self.paths(archive("b'\\x4b\\x04\\x00'")) }
    expectError(.archiveData) { _ = try Self.paths(archive("b'\\xff\\xff'")) }
  }

  @Test("data descriptors, extra fields, other orders and archives within do not matter")
  func sloppiness() throws {
    let streamed = try ZIPArchiveTests.made(
      """
      class Pipe:
          def __init__(self, f): self.f = f
          def write(self, b): return self.f.write(b)
          def flush(self): self.f.flush()
      z.close(); f = open('m.zip', 'wb'); z = zipfile.ZipFile(Pipe(f), 'w')
      \(Self.two)
      """)
    expectError(.archiveDataDescriptor) { _ = try ZIPArchiveTests.open(streamed) }
    #expect(try Self.repacked(streamed) == Self.contents)
    let extra = try ZIPArchiveTests.made(
      "i = zipfile.ZipInfo('e'); i.extra = b'\\x99\\x99\\x02\\x00ab'; z.writestr(i, b'e'); \(Self.two)")
    expectError(.archiveExtraField) { _ = try ZIPArchiveTests.open(extra) }
    #expect(try Self.repacked(extra).count == 3)
    let ordered = try ZIPArchiveTests.made("\(Self.two); z.filelist.reverse()")
    expectError(.archiveOrder) { _ = try ZIPArchiveTests.open(ordered) }
    #expect(try Self.repacked(ordered) == Self.contents)
    let nested = try ZIPArchiveTests.made(
      "import io; b = io.BytesIO(); y = zipfile.ZipFile(b, 'w'); y.writestr('c', b''); y.close(); z.writestr('n', b.getvalue())"
    )
    #expect(try Self.paths(nested) == ["n"])
    let modes = try ZIPArchiveTests.made(
      """
      i = zipfile.ZipInfo('s'); i.external_attr = 0o104755 << 16; z.writestr(i, b'')
      i = zipfile.ZipInfo('d'); i.create_system = 0; i.external_attr = 0o104644 << 16; z.writestr(i, b'')
      """)
    let found = try LenientZIP(MemorySource(bytes: modes), limits: ArchiveLimits()).entries
    #expect(found.map { "\($0.mode)" } == ["0755", "0644"])
  }

  /// Changes the first place of some bytes behind an offset.
  private func changed(
    _ bytes: [UInt8], after text: [UInt8], at distance: Int, to value: UInt8
  ) throws -> [UInt8] {
    var bytes = bytes
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: text) })
    bytes[place + distance] = value
    return bytes
  }

  @Test("what two readers could read differently is refused")
  func ambiguous() throws {
    let bytes = try ZIPArchiveTests.made(Self.two)
    let local: [UInt8] = [0x50, 0x4b, 3, 4]
    let central: [UInt8] = [0x50, 0x4b, 1, 2]
    let end: [UInt8] = [0x50, 0x4b, 5, 6]
    expectError(.archiveHeaderMismatch) { _ = try Self.paths(changed(bytes, after: local, at: 30, to: 0x63)) }
    expectError(.archiveHeaderMismatch) { _ = try Self.paths(changed(bytes, after: local, at: 8, to: 8)) }
    expectError(.archiveHeaderMismatch) { _ = try Self.paths(changed(bytes, after: local, at: 14, to: 0)) }
    expectError(.archiveHeaderMismatch) { _ = try Self.paths(changed(bytes, after: local, at: 18, to: 1)) }
    expectError(.archiveHeaderMismatch) { _ = try Self.paths(changed(bytes, after: local, at: 22, to: 1)) }
    expectError(.archiveEncrypted) { _ = try Self.paths(changed(bytes, after: central, at: 8, to: 1)) }
    expectError(.archiveFlags) { _ = try Self.paths(changed(bytes, after: central, at: 8, to: 0x20)) }
    expectError(.archiveMethod) { _ = try Self.paths(changed(bytes, after: central, at: 10, to: 12)) }
    expectError(.archiveMultiDisk) { _ = try Self.paths(changed(bytes, after: central, at: 34, to: 1)) }
    expectError(.archiveMultiDisk) { _ = try Self.paths(changed(bytes, after: end, at: 4, to: 1)) }
    expectError(.archiveRecord) { _ = try Self.paths(changed(bytes, after: central, at: 42, to: 1)) }
    expectError(.archiveMultiDisk) { _ = try Self.paths(changed(bytes, after: end, at: 10, to: 1)) }
    let fewer = try changed(changed(bytes, after: end, at: 10, to: 1), after: end, at: 8, to: 1)
    expectError(.archiveEndRecord) { _ = try Self.paths(fewer) }
    expectError(.archiveEndRecord) { _ = try Self.paths(Array(bytes.dropLast(30))) }
    expectError(.archiveFormat) { _ = try Self.paths([]) }
    expectError(.archiveTruncated) { _ = try Self.paths(changed(bytes, after: end, at: 20, to: 1)) }
    let empty = try ZIPArchiveTests.made("pass")
    expectError(.archiveEmpty) { _ = try Self.paths(empty) }
    // A second end record in the comment of the first.
    let hidden = try ZIPArchiveTests.made("\(Self.two); z.comment = b'PK\\x05\\x06' + bytes(18)")
    expectError(.archiveEmpty) { _ = try Self.paths(hidden) }
    let named = try ZIPArchiveTests.made(
      "i = zipfile.ZipInfo('e'); i.extra = b'\\x75\\x70\\x06\\x00\\x01abcdf'; z.writestr(i, b'')")
    expectError(.archiveExtraField) { _ = try Self.paths(named) }
    let twice = try ZIPArchiveTests.made(
      "import warnings; warnings.simplefilter('ignore'); z.writestr('a', b''); z.writestr('a', b'')")
    expectError(.archiveDuplicatePath) { _ = try Self.paths(twice) }
    // Both records mean the same local header.
    let shared = try ZIPArchiveTests.made(
      "z.writestr('a', b''); import copy; i = copy.copy(z.filelist[0]); z.filelist.append(i)")
    expectError(.archiveOverlap) { _ = try Self.paths(shared) }
  }

  @Test("no byte that is changed, and no end that is missing, does harm")
  func mutations() throws {
    let bytes = try ZIPArchiveTests.made(Self.two)
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << bit
        _ = try? Self.paths(changed)
      }
      _ = try? Self.paths(Array(bytes[..<index]))
    }
  }
}
