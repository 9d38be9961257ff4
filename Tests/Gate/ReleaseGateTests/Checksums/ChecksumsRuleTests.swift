import Foundation
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import ReleaseGate

@Suite struct ChecksumsRuleTests {
  private static let one = Array("one\n".utf8)
  private static func hex(_ algorithm: DigestAlgorithm, _ bytes: [UInt8] = one) throws -> String {
    try Digest.of(bytes, algorithm).hex
  }

  /// The findings about a release with the file `setup 1.exe` and a list.
  private static func findings(_ list: String, _ text: String, _ options: String = "{}") throws -> [String] {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("linux"), withIntermediateDirectories: false)
    try folder.write("setup 1.exe", one)
    try folder.write("linux/tool", one)
    try folder.write(list, Array(text.utf8))
    return try ContentCheck(ChecksumsRule.self, options).findings(inRelease: folder.path)
  }

  /// Every form in which lists are written, with HEX in place of the digits.
  static let forms: [(list: String, algorithm: DigestAlgorithm, text: String)] = [
    ("SHA256SUMS", .sha256, "HEX  setup 1.exe\n"), ("SHA256SUMS.txt", .sha256, "HEX *setup 1.exe\r\n"),
    ("sha512sums.asc", .sha512, "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nHEX  ./setup 1.exe\n"),
    ("tool_1.0_checksums.txt", .sha256, "HEX  linux/tool"), ("linux/SHA384SUM", .sha384, "HEX  tool\n"),
    ("linux/checksums", .sha256, "HEX  linux/tool\n"), ("tool-sha256.txt", .sha256, "# list\n\nHEX\tsetup 1.exe\n"),
    ("SHASUMS256.txt", .sha256, "SHA256 (setup 1.exe) = HEX\n"), ("CHECKSUM", .sha512, "SHA2-512(linux/tool)= HEX\n"),
    ("setup 1.exe.sha256", .sha256, "HEX"), ("linux/tool.sha256", .sha256, "HEX"),
    ("linux/tool.sha256", .sha256, "HEX  -\n"), ("linux/tool.sha512", .sha512, "SHA2-512(stdin)= HEX\n"),
    ("SHA256SUMS", .sha256, "\u{feff}HEX  linux/tool\n"),
    (
      "sha256sums.txt", .sha256,
      "\r\nAlgorithm       Hash      Path\r\n---------       ----      ----\r\nSHA256          HEX       C:\\a b\\setup 1.exe  \r\n"
    ), ("linux/tool.sha256", .sha256, "SHA256          HEX       C:\\a b\\...\r\n"),
    (
      "sha256sums.txt", .sha256,
      "\r\n\r\nAlgorithm : SHA256\r\nHash      : HEX\r\nPath      : C:\\a b\\setup 1.exe\r\n\r\n\r\n"
    ),
    (
      "checksums.txt", .sha512,
      "Algorithm : SHA512\r\nHash      : HEX\r\nPath      : C:\\a b\\set\r\n            up 1.exe\r\n\r\nAlgorithm : MD5\r\nHash      : 00\r\nPath      : C:\\other\r\n"
    ), ("linux/tool.sha256", .sha256, "\r\nHash : HEX\r\n\r\n"),
    (
      "SHA384SUMS.txt", .sha384,
      "#TYPE Microsoft.PowerShell.Commands.FileHash\r\n\"Algorithm\",\"Hash\",\"Path\"\r\n\"SHA384\",\"HEX\",\"C:\\a \"\"b\"\"\\setup 1.exe\"\r\n"
    ), ("checksums", .sha256, "Path;Hash\nD:\\x\\setup 1.exe;HEX\n"),
    ("setup 1.exe.sha512sum", .sha512, "HEX  dist/build/setup 1.exe\n"),
    ("linux/tool.sha256.txt", .sha256, "HEX  /home/x/tool\n"),
    (
      "Package.swift", .sha256,
      ".binaryTarget(name: \"x\",\n  url: \"https://h/a/setup%201.exe?x=y\",\n  checksum: \"HEX\")"
    ),
  ]

  @Test("a list in any form is compared, and one digit that differs is found", arguments: forms.indices)
  func form(_ index: Int) throws {
    let (list, algorithm, text) = Self.forms[index]
    let right = try Self.hex(algorithm)
    for digits in [right, right.uppercased()] {
      #expect(try Self.findings(list, text.replacingOccurrences(of: "HEX", with: digits)) == [])
    }
    let wrong = try Self.hex(algorithm, [1])
    let found = try Self.findings(list, text.replacingOccurrences(of: "HEX", with: wrong))
    #expect(found.count == 1)
    let file = text.contains("tool") || list.contains("tool.sha") ? "linux/tool" : "setup 1.exe"
    let start = "checksums error \(file) at \(list), line "
    #expect(found.first?.hasPrefix(start) ?? false, "\(found)")
    #expect(found.first?.contains("expected \(wrong); found \(right)") ?? false, "\(found)")
    #expect(
      try Self.findings(list, text.replacingOccurrences(of: "HEX", with: wrong), #"{"allow": ["\#(list)"]}"#) == [])
  }

  @Test("functions that are not known, and rows that are cut, accuse nobody")
  func otherFunctions() throws {
    let (wrong, long) = (try Self.hex(.sha256, [1]), try Self.hex(.sha512, [1]))
    for line in [
      "WHIRLPOOL (linux/tool) = \(long)", "RIPEMD-256(linux/tool)= \(wrong)",
    ] {
      #expect(try Self.findings("CHECKSUMS", line + "\n") == [], "\(line)")
    }
    let short = try Self.findings("CHECKSUMS", "SHA512 (linux/tool) = \(wrong)\n")
    #expect(short.count == 1 && short[0].contains("cannot be compared"), "\(short)")
    // A digest of one function under the name of another one is wrong.
    for line in [
      "SHA3-256(linux/tool)= \(wrong)", "SHA2-512/256(linux/tool)= \(wrong)", "SHA3-512 (linux/tool) = \(long)",
      "BLAKE2b (linux/tool) = \(long)",
    ] { #expect(try Self.findings("CHECKSUMS", line + "\n").count == 1, "\(line)") }
    #expect(try Self.findings("hashes.sha256", "SHA256          \(wrong)       C:\\a b\\...\r\n") == [])
    // Digits alone, in a list that is called after a file without its ending.
    #expect(try Self.findings("setup 1.sha256", "\(Self.hex(.sha256))\n") == [])
    #expect(try Self.findings("setup 1.sha256", "\(wrong)\n").count == 1)
  }

  @Test("a list in UTF-16 of either order is compared")
  func wide() throws {
    let wrong = try Self.hex(.sha256, [1])
    for isLittle in [true, false] {
      let units = Array("\u{feff}SHA256          \(wrong)       C:\\x\\setup 1.exe\r\n".utf16)
      let bytes = units.flatMap {
        isLittle ? [UInt8($0 & 0xff), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xff)]
      }
      let folder = try TemporaryFolder()
      try folder.write("setup 1.exe", Self.one)
      try folder.write("SHA256SUMS.txt", bytes)
      let found = try ContentCheck(ChecksumsRule.self).findings(inRelease: folder.path)
      #expect(found.count == 1 && found[0].contains("expected \(wrong)"), "\(found)")
    }
  }

  @Test("a list in a folder is about other files if none of those that it names is there")
  func vendored() throws {
    let (right, wrong) = (try Self.hex(.sha256), try Self.hex(.sha256, [1]))
    #expect(try Self.findings("linux/checksums.txt", "\(wrong)  gone\n\(wrong)  also/gone\n") == [])
    #expect(try Self.findings("linux/gone.sha256", "\(wrong)\n") == [])
    let mixed = try Self.findings("linux/checksums.txt", "\(right)  tool\n\(wrong)  gone\n")
    #expect(mixed.count == 1 && mixed[0].contains("not in the release"), "\(mixed)")
    #expect(try Self.findings("checksums.txt", "\(wrong)  gone\n").count == 1)
    // Names that the release has, too, and one of the other project's own files.
    #expect(try Self.findings("linux/SHA256SUMS", "\(wrong)  setup 1.exe\n\(wrong)  gone\n") == [])
    #expect(try Self.findings("linux/SHA256SUMS", "\(wrong)  setup 1.exe\n") == [])
    #expect(try Self.findings("linux/SHA256SUMS", "\(wrong)  linux/tool\n").count == 1)
    let most = try Self.findings("linux/SHA256SUMS", "\(wrong)  tool\n\(wrong)  a\n\(wrong)  b\n")
    #expect(most.count == 1 && most[0].contains("linux/tool at"), "\(most)")
    // In a directory that is signed as a whole, a list names nothing outside of it.
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file("app/vendor"), withIntermediateDirectories: true)
    try folder.write("LICENSE", Self.one)
    try folder.write("app/tool", Self.one)
    try folder.write("app/vendor/checksums.txt", Array("\(wrong)  LICENSE\n".utf8))
    let files = try ReleaseFiles(in: [folder.path], excluding: [], wholes: ["app"])
    #expect(try ContentCheck(ChecksumsRule.self).findings(in: files) == [])
    try folder.write("app/checksums.txt", Array("\(wrong)  tool\n".utf8))
    let changed = try ReleaseFiles(in: [folder.path], excluding: [], wholes: ["app"])
    #expect(try ContentCheck(ChecksumsRule.self).findings(in: changed).count == 1)
  }

  @Test("the files by which applications of Electron find their updates are compared")
  func feed() throws {
    func text(_ bytes: [UInt8], _ name: String) throws -> String {
      let digest = Base64.encode(try Digest.of(bytes, .sha512).bytes)
      return """
        version: 1.0.0
        files:
          - url: \(name)
            sha512: \(digest)
            size: 4
        path: '\(name)'
        sha512: "\(digest)"
        releaseDate: '2026-01-01T00:00:00.000Z'
        """
    }
    for name in [
      "setup 1.exe", "setup-1.exe", "https://example.com/x/setup%201.exe", "https://example.com/other.exe",
    ] {
      #expect(try Self.findings("latest.yml", text(Self.one, name)) == [])
    }
    #expect(try Self.findings("latest-mac.yml", text([1], "setup-1.exe")).count == 2)
    #expect(
      try Self.findings("latest.yml", text(Self.one, "gone.exe")).allSatisfy { $0.contains("not in the release") })
    #expect(try Self.findings("config.yml", "sha512: x\nurl: a\nsha512: \n") == [])
  }

  @Test("a file that is not there is found, and a path that leads out is not followed")
  func missing() throws {
    let digits = try Self.hex(.sha256)
    for name in ["gone", "../setup 1.exe", "/etc/passwd", "linux", "linux/../setup 1.exe"] {
      let found = try Self.findings("SHA256SUMS", "\(digits)  \(name)\n")
      #expect(found.count == 1, "\(name)")
      #expect(found.first?.contains("is not in the release; expected \(name)") ?? false || name.isEmpty, "\(found)")
    }
  }

  @Test("what is no list, or has other sums, is passed over")
  func others() throws {
    for (list, text) in [
      ("SHA256SUMS", ""), ("SHA256SUMS.asc", "-----BEGIN PGP SIGNATURE-----\n"),
      ("notes.txt", "\(try Self.hex(.sha256, [1]))  setup 1.exe"),
      ("MD5SUMS", "d41d8cd98f00b204e9800998ecf8427e  setup 1.exe\n"), ("tool.sha256", "not a sum"),
      ("Package.swift", "// checksum: \"\(try Self.hex(.sha256, [1]))\""),
      ("Package.swift", "url: address, checksum: \"\(try Self.hex(.sha256, [1]))\""),
    ] { #expect(try Self.findings(list, text) == [], "\(list)") }
  }
}
