import Foundation
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import ReleaseGate

/// Digests of other functions that are as long as those of SHA-2, in lists that do not say so.
@Suite struct OtherChecksumsTests {
  @Test(
    "a list of b3sum is compared, however long its digests are", arguments: [8, 16, 20, 28, 32, 40, 48, 64, 131, 512])
  func b3sum(size: Int) throws {
    var hash = BLAKE3()
    hash.update(Array("one\n".utf8))
    let right = Hexadecimal.encode(hash.finish(size: size))
    let wrong = (right.hasPrefix("0") ? "1" : "0") + right.dropFirst()
    for text in ["HEX  tool\n", "BLAKE3 (tool) = HEX\n"] {
      #expect(try Self.findings("B3SUMS", text.replacing("HEX", with: right)) == [], "\(text)")
      #expect(try Self.findings("B3SUMS", text.replacing("HEX", with: wrong)).count == 1, "\(text)")
    }
    #expect(try Self.findings("tool.b3", "\(right)\n") == [])
    #expect(try Self.findings("tool.b3", "\(wrong)\n").count == 1)
    // MD5 and SHA-1 have as many digits.
    let isWeak = size <= 20
    #expect(try Self.findings("SHA512SUMS", "\(right)  tool\n").count == (isWeak ? 0 : 1))
    #expect(try Self.findings("CHECKSUMS", "\(right)  tool\n") == [])
    #expect(try Self.findings("CHECKSUMS", "\(wrong)  tool\n").count == (isWeak ? 0 : 1))
  }

  @Test("a digest of no length that SHA-2 has is compared with all functions, or cannot be compared")
  func otherLengths() throws {
    for size in [24, 28, 40, 56, 60, 100] {
      let found = try Self.findings("CHECKSUMS", "\(String(repeating: "ab", count: size))  tool\n")
      #expect(found.count == 1 && found[0].contains("cannot be compared"), "\(size) \(found)")
    }
    // It is not said to be wrong, either, where its length is that of SHA-2.
    let found = try Self.findings("CHECKSUMS", "\(String(repeating: "ab", count: 32))  tool\n")
    #expect(found.count == 1 && found[0].contains("by SHA-256, and others by SHA-3"), "\(found)")
    let named = try Self.findings("SHA256SUMS", "\(String(repeating: "ab", count: 32))  tool\n")
    #expect(named.count == 1 && !named[0].contains("others"), "\(named)")
  }

  @Test(
    "SHAKE's digests of any length are compared",
    arguments: [("shake128", 16), ("shake128", 32), ("shake256", 32), ("shake256", 64), ("shake256", 57)])
  func shake(function: String, size: Int) throws {
    let folder = try TemporaryFolder()
    let program = try #require(Program.find("openssl"))
    func digest(_ text: String) throws -> String {
      try folder.write("i", Array(text.utf8))
      let run = try Program.run(program, ["dgst", "-\(function)", "-xoflen", "\(size)", "-r", "i"], in: folder.path)
      return try #require(run.output.split(separator: " ").first.map(String.init))
    }
    let (right, wrong) = (try digest("one\n"), try digest("two\n"))
    #expect(right.utf8.count == 2 * size)
    #expect(try Self.findings("CHECKSUMS", "\(right) *tool\n") == [])
    #expect(try Self.findings("CHECKSUMS", "\(wrong) *tool\n").count == (size == 16 ? 0 : 1))
  }

  @Test("a large file with digests of many lengths is read a few times", .timeLimit(.minutes(10)))
  func manyLengths() throws {
    let folder = try TemporaryFolder()
    try folder.write("tool", [UInt8](repeating: 0x61, count: 1 << 19))
    let text = (21...512).map { "\(String(repeating: "ab", count: $0))  tool\n" }.joined()
    try folder.write("CHECKSUMS", Array(text.utf8))
    #expect(try !ContentCheck(ChecksumsRule.self).findings(inRelease: folder.path).isEmpty)
  }

  static func findings(_ list: String, _ text: String) throws -> [String] { try findings(list, Array(text.utf8)) }

  static func findings(_ list: String, _ bytes: [UInt8]) throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.write("tool", Array("one\n".utf8))
    try folder.write(list, bytes)
    return try ContentCheck(ChecksumsRule.self).findings(inRelease: folder.path)
  }

  /// The digest of `tool`, and one that it does not have.
  static func digests(_ algorithm: DigestAlgorithm = .sha256) throws -> (right: String, wrong: String) {
    (try Digest.of(Array("one\n".utf8), algorithm).hex, try Digest.of([1], algorithm).hex)
  }

  @Test("lists of certutil, shasum and sha256sum --zero, and any table of PowerShell")
  func otherForms() throws {
    let (right, wrong) = try Self.digests()
    func blanks(_ digits: String) -> String {
      stride(from: 0, to: digits.count, by: 2).map { String(Array(digits)[$0..<$0 + 2]) }.joined(separator: " ")
    }
    func forms(_ digits: String) -> [String] {
      let done = "\r\nCertUtil: -hashfile command completed successfully.\r\n"
      let rule = String(repeating: "-", count: 4)
      return [
        "SHA256 hash of tool:\r\n\(digits)\(done)", "SHA256 hash of C:\\out\\tool:\r\n\(digits)\(done)",
        "SHA256 hash of file tool:\r\n\(blanks(digits))\(done)", "sha256 hash of tool:\r\n\(digits)\(done)",
        "Sha256 hash of file tool:\r\n\(blanks(digits))\(done)",
        "SHA256 \u{7684} tool \u{54c8}\u{5e0c}\u{ff1a}\r\n\(digits)\(done)",
        "sha256 \u{7684} tool \u{54c8}\u{5e0c}\u{ff1a}\r\n\(digits)\(done)",
        "sha256 \u{30cf}\u{30c3}\u{30b7}\u{30e5} (\u{5bfe}\u{8c61} tool)\u{ff1a}\r\n\(digits)\(done)",
        "\(digits) Utool\n", "\(digits)  tool\0",
        "\(digits)  tool\0\(right) *tool\0", "\(digits)  C:\\out\\tool\r\n",
        "\r\nHash   Path\r\n\(rule)   \(rule)\r\n\(digits.uppercased()) C:\\my out\\tool  \r\n\r\n",
        "Path Hash\r\n\(rule) \(rule)\r\nC:\\my out\\tool \(digits)\r\n",
        "Path Algorithm Hash\r\n\(rule) --------- \(rule)\r\nC:\\my out\\tool SHA256 \(digits)\r\n",
      ]
    }
    for text in forms(right) { #expect(try Self.findings("SHA256SUMS", text) == [], "\(text)") }
    for text in forms(wrong) {
      let found = try Self.findings("SHA256SUMS", text)
      #expect(found.count == 1 && found[0].contains("does not have the checksum"), "\(text) \(found)")
    }
    #expect(try Self.findings("tool.sha256", "Hash\r\n----\r\n\(wrong)\r\n").count == 1)
  }

  @Test("shasum's digest of a text counts each end of a line once, and that of bits is not compared")
  func modes() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.txt", Array("a\r\nb\rc\n\r\r\n".utf8))
    let right = try Digest.of(Array("a\nb\nc\n\n\n".utf8), .sha256).hex
    func found(_ line: String) throws -> [String] {
      try folder.write("SHA256SUMS", Array("\(line)\n".utf8))
      return try ContentCheck(ChecksumsRule.self).findings(inRelease: folder.path)
    }
    #expect(try found("\(right) Ua.txt") == [])
    #expect(try found("\(right)  a.txt").count == 1)
    #expect(try found("\(try Self.digests().wrong) Ua.txt").count == 1)
    let bits = try found("\(right) ^a.txt")
    #expect(bits.count == 1 && bits[0].contains("cannot be compared"), "\(bits)")
    // A file may begin with that letter.
    try folder.write("Ub", Array("one\n".utf8))
    #expect(try found("\(try Self.digests().right) Ub") == [])
    // The letter stands before the whole path.
    try FileManager.default.createDirectory(atPath: folder.file("sub"), withIntermediateDirectories: false)
    try folder.write("sub/a.txt", Array("a\r\nb\rc\n\r\r\n".utf8))
    #expect(try found("\(right) Usub/a.txt") == [])
    #expect(try found("\(try Self.digests().wrong) Usub/a.txt").count == 1)
    let below = try found("\(right) ^sub/a.txt")
    #expect(below.count == 1 && below[0].contains("cannot be compared"), "\(below)")
    try folder.write("SHA256SUMS", [])
    try folder.write("a.txt.sha256", Array("\(right) Ua.txt\n".utf8))
    #expect(try ContentCheck(ChecksumsRule.self).findings(inRelease: folder.path) == [])
  }

  @Test("many lines about one text take as long as one", .timeLimit(.minutes(10)))
  func manyTexts() throws {
    let folder = try TemporaryFolder()
    // The first piece that is read ends between the two bytes of an end of a line.
    let text =
      [UInt8](repeating: 0x61, count: (1 << 20) - 1) + [0x0d, 0x0a] + [UInt8](repeating: 0x0d, count: 3 << 20)
    try folder.write("tool", text)
    let plain = [UInt8](repeating: 0x61, count: (1 << 20) - 1) + [UInt8](repeating: 0x0a, count: 1 + (3 << 20))
    let right = try Digest.of(plain, .sha256).hex
    try folder.write("SHA256SUMS", Array(String(repeating: "\(right) Utool\n", count: 5000).utf8))
    #expect(try ContentCheck(ChecksumsRule.self).findings(inRelease: folder.path) == [])
  }

  @Test("a line ends at a NUL, too, and blanks may be before it")
  func ends() throws {
    let (right, wrong) = try Self.digests()
    for text in [
      "# sums\nHEX  tool\n\0", "\0HEX  tool", "# sums\0\nHEX  tool\0\0", "  HEX  tool\n", "\t HEX *tool\n",
    ] {
      #expect(try Self.findings("SHA256SUMS", text.replacingOccurrences(of: "HEX", with: right)) == [], "\(text)")
      let found = try Self.findings("SHA256SUMS", text.replacingOccurrences(of: "HEX", with: wrong))
      #expect(found.count == 1 && found[0].contains("does not have the checksum"), "\(text) \(found)")
    }
    // With NULs, a name may have line feeds.
    let read = ChecksumLines.read(Array("\(right)  a\nb\0\(wrong)  tool\0".utf8), about: nil)
    #expect(read.stated.map(\.name) == ["a", "tool"])
    #expect(read.stated.map(\.before) == [["a\nb"], []])
    #expect(read.stated.map(\.line) == [1, 3])
  }

  @Test("lines that name the function are read in every form")
  func tagged() throws {
    let (right, wrong) = try Self.digests()
    func forms(_ digits: String) throws -> [String] {
      let bytes = try #require(Hexadecimal.decode(digits))
      let pairs = bytes.map { Hexadecimal.encode([$0]) }
      return [
        "SHA256 (tool) = \(digits)  ", " SHA256 (tool) = \(digits)",
        "SHA2-256(tool)= \(pairs.joined(separator: ":"))",
        "SHA256 (tool) = \(Base64.encode(bytes))", "\\SHA256 (tool) = \(digits)",
        "SHA2-256(C:\\out\\tool)= \(digits)\r",
      ]
    }
    for text in try forms(right) { #expect(try Self.findings("SHA256SUMS", text + "\n") == [], "\(text)") }
    for text in try forms(wrong) {
      let found = try Self.findings("SHA256SUMS", text + "\n")
      #expect(found.count == 1 && found[0].contains("does not have the checksum"), "\(text) \(found)")
    }
    for algorithm in [DigestAlgorithm.sha384, .sha512] {
      let tag = "SHA\(8 * algorithm.byteCount) (tool) = "
      let (right, wrong) = try Self.digests(algorithm)
      #expect(try Self.findings("CHECKSUMS", tag + Base64.encode(try #require(Hexadecimal.decode(right)))) == [])
      #expect(try Self.findings("CHECKSUMS", tag + Base64.encode(try #require(Hexadecimal.decode(wrong)))).count == 1)
    }
    let escaped = ChecksumLines.read(Array("\\SHA256 (to\\\\o\\nl) = \(wrong)\n".utf8), about: nil)
    #expect(escaped.stated.map(\.name) == ["to\\o\nl"])
    // What is too short or too long cannot be compared.
    for value in [String(right.dropLast()), right + "0", "\(right.prefix(20))...", Base64.encode(Array(wrong.utf8))] {
      let found = try Self.findings("CHECKSUMS", "SHA256 (tool) = \(value)\n")
      #expect(found.count == 1 && found[0].contains("cannot be compared"), "\(value) \(found)")
    }
    // Other functions, and texts.
    for text in [
      "SHA224 (tool) = \(wrong.prefix(56))", "BLAKE2b-160 (tool) = \(wrong.prefix(40))",
      "SHA512/224 (tool) = \(wrong.prefix(56))", "SHA256 (the list) = see below", "SHA256 (the list) = good",
    ] { #expect(try Self.findings("CHECKSUMS", text + "\n") == [], "\(text)") }
  }

  @Test("what cannot be compared is told")
  func unread() throws {
    let (right, _) = try Self.digests()
    let long = try Self.digests(.sha512).right
    let rule = "---------  ----  ----"
    for text in [
      "Algorithm : SHA256\r\nHash      : \(long)\r\nPath      : C:\\tool\r\n",
      "Algorithm : SHA512\r\nHash      : \(right)\r\nPath      : C:\\tool\r\n",
      "\"Algorithm\",\"Hash\",\"Path\"\r\n\"SHA512\",\"\(right)\",\"C:\\tool\"\r\n",
      "SHA256  \(right)  C:\\Users\\build\\rel...\r\n", "SHA512  \(long.prefix(60))...  C:\\tool\r\n",
      "SHA512  \(right)  C:\\tool\r\n",
      "Algorithm Hash Path\r\n\(rule)\r\nSHA256  \(right)  C:\\Users\\rel\u{2026}\r\n",
      "SHA512 hash of tool:\r\n\(right)\r\n",
    ] {
      let found = try Self.findings("SHA256SUMS", text)
      #expect(found.count == 1 && found[0].contains("cannot be compared"), "\(text) \(found)")
    }
    let weak = String(repeating: "a", count: 32)
    for text in [
      "Algorithm : MD5\r\nHash      : \(weak)\r\nPath      : C:\\tool\r\n", "SHA256 of all files:\r\n\r\n",
      "MD5 hash of tool:\r\n\(weak)\r\n", "SHA256 checksums of this release\r\n",
      "Algorithm Hash Path\r\n\(rule)\r\nMD5  \(weak)  C:\\Users\\rel\u{2026}\r\n",
    ] { #expect(try Self.findings("SHA256SUMS", text) == [], "\(text)") }
  }

  @Test(
    "the other functions of OpenSSL are compared under a name that does not say which",
    arguments: [
      "sha224", "sha512-224", "sha3-224", "sha3-256", "sha512-256", "blake2s256", "sm3", "sha3-384", "sha3-512",
      "blake2b512",
    ])
  func others(function: String) throws {
    let folder = try TemporaryFolder()
    let program = try #require(Program.find("openssl"))
    func digest(_ text: String) throws -> String {
      try folder.write("i", Array(text.utf8))
      let run = try Program.run(program, ["dgst", "-\(function)", "-r", "i"], in: folder.path)
      return try #require(run.output.split(separator: " ").first.map(String.init))
    }
    let (right, wrong) = (try digest("one\n"), try digest("two\n"))
    for (list, name) in [("CHECKSUMS", "tool"), ("tool.checksum", "tool"), ("tool.checksum", "")] {
      #expect(try Self.findings(list, "\(right)  \(name)\n") == [], "\(list)")
      #expect(try Self.findings(list, "\(wrong)  \(name)\n").count == 1, "\(list)")
    }
  }

  @Test("lines of one form do not hide those of another one")
  func mixed() throws {
    let wrong = String(repeating: "ab", count: 32)
    let sha = try Digest.of(Array("one\n".utf8), .sha256).hex
    for head in ["Hash : \(sha)\nPath : tool\n\n", "Hash,Path\n\(sha),tool\n"] {
      #expect(try Self.findings("SHA256SUMS", "\(head)\(sha)  tool\n") == [])
      #expect(try Self.findings("SHA256SUMS", "\(head)\(wrong)  tool\n").count == 1)
    }
    // A table that does not say which function it is of.
    var third = BLAKE3()
    third.update(Array("one\n".utf8))
    let hex = Hexadecimal.encode(third.finish())
    #expect(try Self.findings("checksums.txt", "path,hash\ntool,\(hex)\n") == [])
    #expect(try Self.findings("checksums.txt", "algorithm,path,hash\nSHA256,tool,\(hex)\n").count == 1)
  }

  @Test("a list of b2sum or b3sum under a general name is compared, and accuses nobody wrongly")
  func lists() throws {
    let (right, wrong) = (Array("one\n".utf8), Array("two\n".utf8))
    func lines(_ bytes: [UInt8]) -> [String] {
      var third = BLAKE3()
      third.update(bytes)
      return [third.finish()].map(Hexadecimal.encode)
        + [32, 48, 64].map { size in
          var second = BLAKE2b(size: size)
          second.update(bytes)
          return Hexadecimal.encode(second.finish())
        }
    }
    for list in ["CHECKSUMS", "tool_1.0_checksums.txt", "digests.txt"] {
      for line in lines(right) { #expect(try Self.findings(list, "\(line)  tool\n") == [], "\(line)") }
      for line in lines(wrong) { #expect(try Self.findings(list, "\(line)  tool\n").count == 1, "\(line)") }
    }
    for line in lines(wrong) {
      #expect(try Self.findings("CHECKSUMS", "BLAKE2b (tool) = \(line)\n").count == 1)
      #expect(try Self.findings("B3SUMS", "BLAKE3 (tool) = \(line)\n").count == 1)
    }
    // These say which function they are of.
    for line in lines(right) {
      #expect(try Self.findings("SHA\(line.utf8.count * 4)SUMS", "\(line)  tool\n").count == 1)
      #expect(try Self.findings("CHECKSUMS", "BLAKE2b (tool) = \(line)\n") == [])
      #expect(try Self.findings("SHA256SUMS", "BLAKE3 (tool) = \(line)\n") == [])
      #expect(try Self.findings("B2SUMS", "\(line)  tool\n") == [])
      #expect(try Self.findings("CHECKSUMS", "SHA\(line.utf8.count * 4) (tool) = \(line)\n").count == 1)
    }
  }
}
