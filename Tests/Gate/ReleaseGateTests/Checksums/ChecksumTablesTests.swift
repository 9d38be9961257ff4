import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import ReleaseGate

/// Lists that several programs read, each in its own way: no heading and no encoding hides a line from any of them.
extension OtherChecksumsTests {
  /// The findings about a release with `tool` and `other`.
  ///
  /// - Parameter text: the list, with RIGHT for the digest of `tool`, OTHER for that of `other`, and WRONG for one that none has.
  private static func found(_ text: String, in list: String = "SHA256SUMS") throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.write("tool", Array("one\n".utf8))
    try folder.write("other", Array("two\n".utf8))
    let (right, wrong) = try digests()
    let other = try Digest.of(Array("two\n".utf8), .sha256).hex
    let text = text.replacing("RIGHT", with: right).replacing("OTHER", with: other).replacing("WRONG", with: wrong)
    try folder.write(list, Array(text.utf8))
    return try ContentCheck(ChecksumsRule.self).findings(inRelease: folder.path)
  }

  @Test(
    "a heading of a table does not hide a line of sha256sum",
    arguments: [
      "Hash Length Name\n---- ------ ----\nHEX  tool\n", "Hash  Length\n----  ------\nHEX  tool\n",
      "Hash File\n---- ----\nHEX *tool\n", "Hash Path\n---- ----\nHEX *tool\n",
      "Hash X Name\n---- - ----\nHEX  tool\n",
      "Hash File\n---- ----\nHEX  ./tool\n", "Hash Name\n---- ----\nOTHER  other\n       HEX  tool\n",
      "Hash Name\n---- ----\nOTHER  other\n       \\HEX  tool\n",
      "Hash  Name\n----  ----\nOTHER  other\n        SHA256 (tool) = HEX\n",
      "Hash  Path\n----  ----\nOTHER  other\n        SHA256 (tool) = HEX\n",
      "Algorithm Hash Path\n--------- ---- ----\nMD5 00000000000000000000000000000000 C:\\x\n      SHA256 (tool) = HEX\n",
      "Algorithm Hash Path\n--------- ---- ----\nMD5 00000000000000000000000000000000 C:\\x\n      \\HEX  tool\n",
      "Hash\tFile\nHEX\ttool\n", "Hash\tName\nHEX\ttool\n",
    ])
  func headings(form: String) throws {
    #expect(try Self.found(form.replacing("HEX", with: "RIGHT")) == [])
    // A digest of another file is wrong, too.
    for digits in ["WRONG", "OTHER"] {
      let found = try Self.found(form.replacing("HEX", with: digits))
      #expect(found.count == 1 && found[0].contains("tool at SHA256SUMS"), "\(digits) \(found)")
      #expect(found.first?.contains("does not have the checksum") ?? false, "\(found)")
    }
  }

  @Test(
    "a row of a table that begins with a digest is read as one, if no file has the name that sha256sum reads",
    arguments: [
      "Hash Length Name\n---- ------ ----\nHEX 4 tool\n", "Hash Name Length\n---- ---- ------\nHEX tool 4\n",
      "Hash LastWriteTime Name\n---- ------------- ----\nHEX 1/2/2026 3:00:00 PM tool\n",
      "Hash Name LastWriteTime\n---- ---- -------------\nHEX tool 1/2/2026 3:00:00 PM\n",
      "Hash Path\n---- ----\nHEX C:\\x y\\to\n        ol\n", "Hash\tPath\nHEX\t/home/x/tool\n",
      "Hash\tPath\nHEX\tC:\\x\\tool\n",
    ])
  func rows(form: String) throws {
    #expect(try Self.found(form.replacing("HEX", with: "RIGHT")) == [])
    for digits in ["WRONG", "OTHER"] {
      let found = try Self.found(form.replacing("HEX", with: digits))
      #expect(found.count == 1 && found[0].contains("does not have the checksum"), "\(digits) \(found)")
    }
  }

  @Test("a row that begins with a digest is about a file of the release")
  func surety() throws {
    for form in [
      "Hash Name\n---- ----\nRIGHT  gone\n", "Hash  Length\n----  ------\nRIGHT  gone\n", "Hash\tFile\nRIGHT\tgone\n",
      "Hash  X\n----  -\nRIGHT  gone\n",
    ] {
      let found = try Self.found(form)
      #expect(found.count == 1 && found[0].contains("not in the release"), "\(form) \(found)")
    }
    // Nothing says what these are about. The digest must be that of a file.
    for form in ["Hash Length\n---- ------\nHEX 4\n", "Hash Algorithm\n---- ---------\nHEX SHA256\n"] {
      #expect(try Self.found(form.replacing("HEX", with: "RIGHT")) == [])
      let found = try Self.found(form.replacing("HEX", with: "WRONG"))
      #expect(found.count == 1 && found[0].contains("cannot be compared"), "\(form) \(found)")
    }
  }

  @Test("a table with many columns is none, and takes no time", .timeLimit(.minutes(1)))
  func columns() throws {
    func table(_ count: Int, _ rows: String) -> String {
      "\(String(repeating: "a ", count: count))hash\n\(String(repeating: "- ", count: count))-\n\(rows)"
    }
    let start = String(repeating: "x ", count: 62)
    #expect(try Self.found(table(62, "\(start)RIGHT\n")) == [])
    #expect(try Self.found(table(62, "\(start)WRONG\n")).count == 1)
    #expect(try Self.found(table(64, "x x \(start)WRONG\n")) == [])
    #expect(try Self.found(table(20_000, String(repeating: "a\n", count: 400_000))) == [])
  }

  @Test(
    "a list with a signature around it is read", arguments: ["SHASUMS256.txt.asc", "SHA256SUMS.asc", "SHA256SUMS"])
  func clearSigned(list: String) throws {
    func signed(_ text: String) -> String {
      "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n\(text)-----BEGIN PGP SIGNATURE-----\n\niQIzBAEBCAAdFiEE\n=aB3d\n-----END PGP SIGNATURE-----\n"
    }
    for form in [
      "HEX  tool\n", "- HEX  tool\n", "- SHA256 (tool) = HEX\n",
      "Hash Length Path\n- ---- ------ ----\nHEX 4 C:\\tool\n",
      "Algorithm : SHA256\nHash      : HEX\nPath      : C:\\tool\n", "- Path,Hash\ntool,HEX\n",
    ] {
      #expect(try Self.found(signed(form.replacing("HEX", with: "RIGHT")), in: list) == [], "\(form)")
      let found = try Self.found(signed(form.replacing("HEX", with: "WRONG")), in: list)
      #expect(found.count == 1 && found[0].contains("does not have the checksum"), "\(form) \(found)")
    }
    // A file can have a name that begins with a dash, and programs read what is around the text.
    for text in ["\(signed("RIGHT  tool\n"))WRONG  tool\n", "WRONG  tool\n\(signed("RIGHT  tool\n"))"] {
      #expect(try Self.found(text, in: list).count == 1, "\(text)")
    }
    #expect(try Self.found("-----BEGIN PGP SIGNED MESSAGE-----\nWRONG  tool\n", in: list).count == 1)
  }

  @Test("two names that differ only in how a character is composed are two files")
  func composed() throws {
    let folder = try TemporaryFolder()
    let (one, two) = ("caf\u{e9}", "cafe\u{301}")
    try folder.write(one, Array("one\n".utf8))
    try folder.write(two, Array("two\n".utf8))
    for algorithm in [DigestAlgorithm.sha256, .sha512] {
      let right = try Self.digests(algorithm).right
      let other = try Digest.of(Array("two\n".utf8), algorithm).hex
      for (text, count) in [
        ("\(right)  \(one)\n\(other)  \(two)\n", 0), ("\(right)  \(one)\n\(right)  \(two)\n", 1),
        ("\(other)  \(one)\n\(other)  \(two)\n", 1), ("\(right) U\(one)\n\(right) U\(two)\n", 1),
      ] {
        try folder.write("CHECKSUMS", Array(text.utf8))
        #expect(try ContentCheck(ChecksumsRule.self).findings(inRelease: folder.path).count == count, "\(text)")
      }
    }
  }

  @Test(
    "a mark of UTF-16 does not hide lines that are in ASCII",
    arguments: [
      [0xff, 0xfe, 0x0a], [0xff, 0xfe], [0xfe, 0xff, 0x0a], [0xfe, 0xff, 0x0a, 0x0a],
      [0x61, 0, 0x62, 0, 0x63, 0, 0x64, 0, 0x0a],
    ])
  func marks(mark: [UInt8]) throws {
    let (right, wrong) = try Self.digests()
    // One of the two has an odd number of bytes.
    for end in ["\n", "\n\n"] {
      #expect(try Self.findings("SHA256SUMS", mark + Array("\(right)  tool\(end)".utf8)) == [])
      let found = try Self.findings("SHA256SUMS", mark + Array("\(wrong)  tool\(end)".utf8))
      #expect(found.count == 1 && found[0].contains("does not have the checksum"), "\(found)")
    }
  }

  @Test(
    "a file that may have checksums and is too large is told",
    arguments: [
      ("SHA256SUMS", "#", 1), ("tool.sha256", "#", 1), ("latest.yml", "path: tool\nsha512: x\n", 1),
      ("data.yml", "path: tool\n", 0),
      ("Package.swift", "checksum: \"\"", 1), ("Package.swift", "", 0),
    ])
  func large(list: String, text: String, count: Int) throws {
    // The word is on both sides of what is read at once.
    let start = [UInt8](repeating: 0x0a, count: 1 << 20 - 14)
    let found = try Self.findings(list, start + Array(text.utf8) + [UInt8](repeating: 0x0a, count: 4 << 20))
    #expect(found.count == count && found.allSatisfy { $0.contains("too large") }, "\(found)")
    // As large as a list may be, for one that its name makes a list, and one that its words would.
    if ["SHA256SUMS", "data.yml"].contains(list) {
      #expect(try Self.findings(list, [UInt8](repeating: 0x23, count: 4 << 20)) == [])
    }
  }

  @Test("a file that is called stdin is compared, and what was read from another program is not")
  func standardInput() throws {
    let (right, wrong) = try Self.digests()
    #expect(try Self.findings("SHA256SUMS", "SHA256 (stdin) = \(wrong)\n") == [])
    let folder = try TemporaryFolder()
    try folder.write("stdin", Array("one\n".utf8))
    for (digits, count) in [(right, 0), (wrong, 1)] {
      try folder.write("SHA256SUMS", Array("SHA256 (stdin) = \(digits)\n".utf8))
      #expect(try ContentCheck(ChecksumsRule.self).findings(inRelease: folder.path).count == count)
    }
  }

  @Test("a line with many names takes no time", .timeLimit(.minutes(1)))
  func manyNames() throws {
    #expect(try Self.findings("SHA256SUMS", "SHA256 (\(String(repeating: ")=", count: 1_000_000))\n") == [])
  }

  @Test("a digest that is too short or too long, or has more behind it, cannot be compared")
  func cut() throws {
    let (right, _) = try Self.digests()
    for text in [
      "\(right.dropLast())  tool\n", "\(right)0  tool\n", "\\\(right.dropLast()) *tool\n",
      "\(right.prefix(56))  tool\n",
      "\(right.prefix(48)) *tool\n", "\(right.prefix(42))  tool\n", "\(right)\(right.prefix(16))  tool\n",
      "\(right)\(right)\(right)  tool\n", "\(String(repeating: right, count: 20))  tool\n",
      "SHA256 (tool) = \(right) x\n",
      "SHA256 (tool) = \(right) (x)\n", "SHA256(tool)= \(right)\tx\n", "SHA256 (tool) = \(right)(x)\n",
    ] {
      let found = try Self.findings("SHA256SUMS", text)
      #expect(found.count == 1 && found[0].contains("cannot be compared"), "\(text) \(found)")
    }
    #expect(try Self.findings("tool.sha256", "\(right.dropLast())\n").count == 1)
    for text in [
      "SHA256 (tool) = \(right) \n", "\(right.prefix(40))  tool\n", "\(right.prefix(32))  tool\n",
      "\(right.dropLast())\n",
      "SHA256 (see above) = the right one\n",
    ] { #expect(try Self.findings("SHA256SUMS", text) == [], "\(text)") }
  }

  @Test(
    "lists are found by these names, too",
    arguments: [
      "tool.b2sum", "tool.b2", "tool.blake3", "SHA256SUMS-linux", "SHA256SUMS.linux.txt", "sha256sums_1.0.txt.asc",
    ])
  func names(list: String) throws {
    #expect(try Self.found("RIGHT  tool\n", in: list) == [])
    #expect(try Self.found("WRONG  tool\n", in: list).count == 1)
  }
}
