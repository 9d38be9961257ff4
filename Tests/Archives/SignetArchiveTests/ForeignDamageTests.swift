import Foundation
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import SignetArchive

/// Archives that libarchive reads without a word, and that are damaged, cut, or more than one.
@Suite(.enabled(if: Program.find("bsdtar") != nil, "bsdtar is not installed")) struct ForeignDamageTests {
  typealias Files = ForeignArchiveTests

  @Test(
    "nothing but zeros follows an archive's end",
    arguments: ["pax", "gnutar", "newc", "odc", "bin", "7zip", "iso9660"])
  func rubbish(_ format: String) throws {
    let bytes = try Files.made(Files.files, "--format", format)
    #expect(try Files.read(bytes + [UInt8](repeating: 0, count: 100_000)) == Files.files)
    for rubbish in [[1], Array("rubbish".utf8), [UInt8](repeating: 0, count: 100_000) + [1]] {
      let error = expectError(.archiveTrailingData) { _ = try Files.read(bytes + rubbish) }
      #expect(error?.message == "has bytes after the archive's end")
    }
    expectError(.archiveTrailingData) { _ = try Files.read(bytes + bytes) }
  }

  @Test("nothing but a member follows an ar's last one")
  func rubbishBehindMembers() throws {
    let bytes = try Files.made(Files.files, "--format", "ar")
    expectError(.archiveTrailingData) { _ = try Files.read(bytes + Array("rubbish".utf8)) }
    expectError(.archiveData) { _ = try Files.read(bytes + [UInt8](repeating: 1, count: 60)) }
    // Some programs fill up a file.
    #expect(try Files.read(bytes + [UInt8](repeating: 0, count: 60)) == Files.files)
  }

  @Test("nothing follows what is compressed", arguments: ["gzip", "bzip2", "xz", "lzma", "lzip", "zstd", "lz4"])
  func compressedRubbish(_ filter: String) throws {
    let bytes = try Files.made(Files.files, "--format", "pax", "--\(filter)")
    #expect(try Files.read(bytes) == Files.files)
    expectError(.archiveTrailingData) { _ = try Files.read(bytes + Array("rubbish".utf8)) }
  }

  @Test("a tar that ends between two entries is cut")
  func cutTar() throws {
    let bytes = try Files.made(["a": [1], "b": [2]], "--format", "ustar")
    #expect(try Files.read(Array(bytes[..<2560])) == ["a": [1], "b": [2]], "one block of zeros ends it")
    for end in [1024, 2048] {
      expectError(.archiveTruncated) { _ = try Files.read(Array(bytes[..<end])) }
    }
  }

  @Test("a cpio without its trailer, and a 7z and an image that are shorter than they say, are cut")
  func cut() throws {
    for format in ["newc", "odc", "7zip"] {
      let bytes = try Files.made(Files.files, "--format", format)
      for end in stride(from: 1000, to: bytes.count - 600, by: 20_011) {
        expectError(format == "7zip" ? .archiveData : .archiveTruncated) { _ = try Files.read(Array(bytes[..<end])) }
      }
    }
    let image = try Files.made(Files.files, "--format", "iso9660")
    for count in [1, 2048, 100_000] { expectError(.archiveTruncated) { _ = try Files.read(image.dropLast(count)) } }
  }

  @Test("a cpio states no name of more than 1 MiB, and has a header wherever an entry must begin")
  func headers() throws {
    func header(nameSize: Int, size: Int = 0) -> [UInt8] {
      func digits(_ number: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 8 - text.utf8.count) + text
      }
      let zeros = String(repeating: digits(0), count: 4)
      let fields = "\(digits(0))\(digits(0))\(digits(size))\(zeros)\(digits(nameSize))\(digits(0))"
      return Array("070701\(zeros)\(fields)".utf8)
    }
    func fault(_ bytes: [UInt8]) throws -> SignetError? {
      do throws(SignetError) { try CPIOArchive.check(MemorySource(bytes: bytes)) } catch { return error }
      return nil
    }
    let first = header(nameSize: 4, size: 3) + Array("a/b".utf8) + [0, 0, 0] + [1, 2, 3, 0]
    let end = header(nameSize: 11) + Array("TRAILER!!!".utf8) + [0, 0, 0, 0]
    let long = header(nameSize: CPIOArchive.nameLimit + 1)
    for (bytes, place) in [(long, 0), (first + long, 120)] {
      let error = try fault(bytes)
      #expect(error?.code == .archiveData)
      #expect(error?.message == "has a header at offset \(place) whose name is too long")
      #expect(error?.found == "1048577 bytes")
      expectError(.archiveData) { _ = try Files.read(bytes) }
    }
    // libarchive goes on behind each of these as if nothing were there.
    var bent = first
    bent[20] = UInt8(ascii: "x")
    for (bytes, place) in [
      (bent + first + end, 0), (first + bent + end, 120), (first + Array("rubbish".utf8) + first + end, 120),
      (first + [0, 0, 0, 0] + first + end, 120),
    ] {
      let error = try fault(bytes)
      #expect(error?.code == .archiveData)
      #expect(error?.message == "has a header at offset \(place) that is damaged")
      expectError(.archiveData) { _ = try Files.read(bytes) }
    }
    for bytes in [first, first + Array(end.prefix(50)), first + Array(end.prefix(115)), header(nameSize: 1 << 20)] {
      #expect(try fault(bytes)?.code == .archiveTruncated)
    }
    #expect(try fault(header(nameSize: 2) + Array("ab".utf8) + end)?.code == .archiveData)
    #expect(try fault(first + end) == nil)
    for format in ["newc", "odc", "bin"] { #expect(try fault(Files.made(Files.files, "--format", format)) == nil) }
  }

  @Test("a cpio with sums that libarchive does not check is refused, and so is RAR")
  func unchecked() throws {
    var cpio = try Files.made(Files.files, "--format", "newc")
    cpio[5] = UInt8(ascii: "2")
    let rar = Array("Rar!".utf8) + [0x1a, 0x07, 0x00] + [UInt8](repeating: 0, count: 600)
    let rar5 = Array("Rar!".utf8) + [0x1a, 0x07, 0x01, 0x00] + [UInt8](repeating: 0, count: 600)
    for bytes in [cpio, rar, rar5] {
      #expect(try Files.read(bytes) == nil)
      let error = expectError(.archiveFormat) { _ = try LenientZIPEnd(MemorySource(bytes: bytes)) }
      #expect(error?.hint == "unpack it with the program that made it, and pack the directory")
    }
  }

  @Test(
    "a tar is one whatever its first file is called",
    arguments: ["LZIP", "BZh91AY", "070701", "070707", "!<arch>", "xar!", "Rar!"])
  func names(_ name: String) throws {
    let files: [String: [UInt8]] = [name: [1, 2, 3], "z": patternBytes(3000)]
    #expect(try Files.read(Files.made(files, "--format", "ustar")) == files)
  }

  @Test("a 7z with a symbolic link whose target does not have its checksum is damaged")
  func sevenZipLink() throws {
    let folder = try TemporaryFolder()
    try folder.write("a", [1])
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "target-of-it")
    let bsdtar = try #require(Program.find("bsdtar"))
    let store = ["--format", "7zip", "--options", "7zip:compression=store", "-cf"]
    let run = try Program.run(bsdtar, store + [folder.file("m.7z"), "a", "link"], in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    var bytes = try folder.read("m.7z")
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: "target-of-it".utf8) })
    #expect(try Files.read(bytes) == ["a": [1]])
    bytes[place] ^= 1
    expectError(.archiveData) { _ = try Files.read(bytes) }
  }

  @Test("a sparse file has all bytes that its map tells of")
  func sparse() throws {
    let folder = try TemporaryFolder()
    let made = """
      truncate -s 300000 holes && head -c 8192 /dev/zero | tr '\\0' x | dd of=holes bs=4096 seek=24 conv=notrunc &&
        tar -S --format=posix --sparse-version=1.0 -cf s.tar holes
      """
    let run = try Program.run("/bin/sh", ["-c", made], in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    var bytes = try folder.read("s.tar")
    let whole = try #require(try Files.read(bytes)?["holes"])
    #expect(whole.count == 300_000)
    #expect(whole.indices.filter { whole[$0] != 0 } == Array(98_304..<106_496))
    // The file's header is its last one, behind that of its extended attributes.
    let blocks = Array(stride(from: 0, to: bytes.count, by: 512))
    let header = try #require(blocks.last { bytes[($0 + 257)...].starts(with: "ustar".utf8) })
    let size = try #require(Int(String(decoding: bytes[header + 124..<header + 135], as: UTF8.self), radix: 8))
    func octal(_ number: Int, _ width: Int) -> [UInt8] {
      let digits = String(number, radix: 8)
      return Array((String(repeating: "0", count: width - digits.utf8.count) + digits).utf8)
    }
    bytes.replaceSubrange(header + 124..<header + 135, with: octal(size - 512, 11))
    bytes.replaceSubrange(header + 148..<header + 156, with: Array("        ".utf8))
    let sum = bytes[header..<header + 512].reduce(0) { $0 + Int($1) }
    bytes.replaceSubrange(header + 148..<header + 154, with: octal(sum, 6))
    bytes.removeSubrange(header + size..<header + 512 + size)
    let error = expectError(.archiveData) { _ = try Files.read(bytes) }
    #expect(error?.found == "7680")
  }
}
