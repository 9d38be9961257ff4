import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import SignetArchive

/// Archives that are packed anew, beside what the script pack-foreign shows of each kind.
@Suite(.enabled(if: Program.find("bsdtar") != nil, "bsdtar is not installed")) struct ForeignArchiveTests {
  /// What bsdtar makes of files.
  static func made(_ files: [String: [UInt8]], _ options: String...) throws -> [UInt8] {
    let (folder, scratch) = (try TemporaryFolder(), try TemporaryFolder())
    for (name, bytes) in files { try folder.write(name, bytes) }
    let bsdtar = try #require(Program.find("bsdtar"))
    let arguments = options + ["-cf", scratch.file("a")] + files.keys.sorted()
    let run = try Program.run(bsdtar, arguments, in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    return try scratch.read("a")
  }

  /// What an archive holds, nil where it is read as a ZIP.
  static func read(_ bytes: [UInt8], _ limits: ArchiveLimits = ArchiveLimits()) throws -> [String: [UInt8]]? {
    guard let archive = try ForeignArchive.open(MemorySource(bytes: bytes), limits) else { return nil }
    var found: [String: [UInt8]] = [:]
    for entry in archive.entries {
      guard case .file(let content, _) = entry.content else { continue }
      found[entry.path] = try PackedBytes(reading: content).bytes
      let source = try content.source(entry.path)
      #expect(try source.bytes(in: 0..<source.size) == found[entry.path])
    }
    return found
  }

  static let files: [String: [UInt8]] = ["a": patternBytes(300_000), "b": [], "c": [1, 2, 3]]

  @Test(
    "a ZIP that is a tar or the image of a disk at the same time is read as the ZIP", arguments: ["tar", "image"])
  func twins(_ kind: String) throws {
    let bytes = try Vector.named("twin-\(kind)", in: "archives").bytes("module.zip")
    #expect(try ForeignFormat(of: MemorySource(bytes: bytes)) != nil, "the vector is not a tar or image")
    #expect(try Self.read(bytes) == nil)
  }

  @Test("the bytes of files are those that were packed", arguments: ["pax", "newc", "7zip", "ar"])
  func contents(_ format: String) throws {
    #expect(try Self.read(Self.made(Self.files, "--format", format)) == Self.files)
  }

  @Test("a file that is too large, and files that are too much together, are refused before they are kept")
  func sizes() throws {
    let bytes = try Self.made(Self.files, "--format", "pax")
    var limits = ArchiveLimits()
    limits.fileSize = 299_999
    expectError(.archiveSize) { _ = try Self.read(bytes, limits) }
    limits = ArchiveLimits()
    limits.totalSize = 300_002
    expectError(.archiveSize) { _ = try Self.read(bytes, limits) }
    limits.totalSize = 300_003
    #expect(try Self.read(bytes, limits) == Self.files)
    limits.entries = 2
    expectError(.archiveEntryCount) { _ = try Self.read(bytes, limits) }
    expectError(.archiveSize) { _ = try Self.read(Self.made(Self.files, "--format", "pax", "--gzip"), limits) }
  }

  @Test("a window that takes more than 64 MiB is refused", arguments: ["lzma", "lzip"])
  func windows(_ filter: String) throws {
    var bytes = try Self.made(Self.files, "--format", "pax", "--\(filter)")
    #expect(try Self.read(bytes) == Self.files)
    if filter == "lzma" { bytes[4] = 0x40 } else { bytes[5] = 29 }
    expectError(.archiveFilter) { _ = try Self.read(bytes) }
  }

  /// An archive of ar(5), as dpkg-deb writes one.
  static func ar(_ members: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    members.reduce(Array("!<arch>\n".utf8)) { archive, member in
      func field(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: width - text.utf8.count)
      }
      let header =
        field(member.name, 16) + field("0", 12) + field("0", 6) + field("0", 6) + field("100644", 8)
        + field("\(member.bytes.count)", 10) + "`\n"
      return archive + Array(header.utf8) + member.bytes + (member.bytes.count % 2 == 0 ? [] : [0x0a])
    }
  }

  @Test("of a Debian package the files are packed that it installs; it needs a tar of them, and no other package")
  func debian() throws {
    let (mark, tar) = (Array("2.0\n".utf8), try Self.made(Self.files, "--format", "gnutar"))
    let xz = try Self.made(Self.files, "--format", "gnutar", "--xz")
    let good = Self.ar([("debian-binary", mark), ("control.tar", [1]), ("data.tar.xz", xz)])
    #expect(try Self.read(good) == Self.files)
    #expect(try Self.read(Self.ar([("debian-binary", mark), ("data.tar", tar)])) == Self.files)
    for members in [
      [("debian-binary", mark)], [("debian-binary", mark), ("data.tarball", tar)],
      [("debian-binary", mark), ("data.tar", good)], [("debian-binary", mark), ("data.tar", [])],
    ] {
      let error = expectError(.archiveData) { _ = try Self.read(Self.ar(members)) }
      #expect(error?.hint == "build the package anew")
    }
    // Without the mark it is an archive like any other.
    #expect(try Self.read(Self.ar([("data.tar", tar)])) == ["data.tar": tar])
  }
}
