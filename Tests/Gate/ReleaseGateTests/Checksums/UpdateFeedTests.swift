import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import ReleaseGate

/// Files such as `latest.yml` in every style of YAML, with DIGEST in place of the SHA-512 of `tool`.
@Suite struct UpdateFeedTests {
  private static let (one, two) = (Array("one\n".utf8), Array("two\n".utf8))

  private static func base64(_ bytes: [UInt8]) throws -> String { Base64.encode(try Digest.of(bytes, .sha512).bytes) }

  /// The findings about a release with `tool`, `other`, `setup 1.exe` and a feed.
  private static func findings(_ text: String, in list: String = "latest.yml") throws -> [String] {
    let folder = try TemporaryFolder()
    for name in ["tool", "setup 1.exe"] { try folder.write(name, one) }
    try folder.write("other", two)
    try folder.write(list, Array(text.utf8))
    return try ContentCheck(ChecksumsRule.self).findings(inRelease: folder.path)
  }

  static let styles: [String] = [
    "files:\n  - url: tool\n    sha512: DIGEST\n", "files:\n  - sha512: DIGEST\n    url: tool\n",
    "files:\n- sha512: DIGEST\n  size: 4\n  url: tool\n", "files:\n  -\n    sha512: DIGEST\n    url: tool\n",
    "sha512: DIGEST\nversion: 1.0.0\npath: tool\n", "files:\n  - {url: tool, sha512: DIGEST}\n",
    "files: [{sha512: DIGEST, url: tool, size: 4}]\n",
    "files: [\n  {\n    url: tool, # it\n    sha512:\n DIGEST }]\n",
    #"{"version":"1.0.0","files":[{"url":"tool","sha512":"DIGEST"}]}"#, "--- {path: tool, sha512: 'DIGEST'}\n",
    "files:\n  - url: tool\n    \"sha512\": DIGEST\n", "files:\n  - 'url': \"tool\"\n    'sha512' : 'DIGEST'\n",
    "files:\n  - url: tool\n    sha512: >-\n      DIGEST\n",
    "files:\n  - url: >\n      tool\n    sha512: |2-\n      DIGEST\n",
    "files:\n  - url: tool # the file\n    sha512: DIGEST # its digest\n",
    "files:\n  - url: tool\n    sha512:\n      DIGEST\n",
    "files:\n  - url: tool\n    sha512: !!str DIGEST\n", "files: &all\n  - &a url: tool\n    sha512: &b DIGEST\n",
    "files:\n  - url: tool\r\n    sha512: DIGEST\r\n", "%YAML 1.2\n---\npath: tool\nsha512: DIGEST\n...\n",
    "files:\n  - \"\\u0075rl\": \"t\\x6fol\"\n    \"sha\\U0000003512\": DIGEST\n",
    "releaseNotes: |\n  url: other\n  sha512: none\n\n  files: {\npath: tool\nsha512: DIGEST\n",
    "releaseNotes:\n  - version: 1.0.0\n    note: >-\n      url: other\n       \"sha512: [\n  - |\n   x: {\npath: tool\nsha512: DIGEST\n",
    "releaseNotes: \"a: \\\"\n\n  sha512: b\"\npath: tool\nsha512: DIGEST\n",
    "releaseNotes: 'it''s\n  url: x'\nvendor: {a: [b, {c: d}], e}\npath: tool\nsha512: DIGEST\n",
    "releaseNotes: it\n  's [\n  {two\npath: tool\nsha512: DIGEST\n",
    "releaseNotes: {a: it\n 's}\npath: tool\nsha512: DIGEST\n",
    "releaseNotes: one [\n  two {\npath: tool\nsha512: DIGEST\n", "path: ./tool\nsha512: DIGEST\n",
  ]

  @Test("a feed in any style is compared", arguments: styles)
  func style(_ text: String) throws {
    let (right, wrong) = (try Self.base64(Self.one), try Self.base64([1]))
    #expect(try Self.findings(text.replacingOccurrences("DIGEST", right)) == [])
    let found = try Self.findings(text.replacingOccurrences("DIGEST", wrong))
    #expect(found.count == 1 && found[0].contains("does not have the checksum"), "\(found)")
    #expect(found.first?.hasPrefix("checksums error tool at latest.yml, line ") ?? false, "\(found)")
  }

  @Test("each character that can be behind a backslash is read as PyYAML reads it")
  func escapes() throws {
    // What python3 -c 'import yaml; print(yaml.safe_load(…).encode())' prints.
    let read = YAMLMappings.read(
      Array(#"url: "\0\a\b\t\n\v\f\r\e\ \"\/\\\N\_\L\P\x41\u00e9\U0001F600""#.utf8), keeping: [Array("url".utf8)])
    let expected =
      [0, 7, 8, 9, 10, 11, 12, 13, 0x1b] + Array(" \"/\\".utf8)
      + [0xc2, 0x85, 0xc2, 0xa0, 0xe2, 0x80, 0xa8, 0xe2, 0x80, 0xa9] + Array("A\u{e9}\u{1f600}".utf8)
    #expect(read.mappings.first?.fields.first?.value == .text(expected))
    #expect(read.fault == nil)
    for text in [#"url: "\q""#, #"url: "\x4""#, #"url: "\u12G4""#] {
      #expect(YAMLMappings.read(Array(text.utf8), keeping: [Array("url".utf8)]).fault != nil, "\(text)")
    }
  }

  @Test(
    "a text without quotation marks goes on in the next line, whatever that begins with",
    arguments: [
      ("{url: a\n 'b', sha512: x}", "a 'b'"), ("{url: it\n 's}", "it 's"),
      ("{url: a\n\n\n  b}", "a\n\nb"), ("{url: a\n , sha512: x}", "a"), ("{url: null\n a}", "null a"),
      ("{url: a\n &b\n *c !d}", "a &b *c !d"), ("{url: 'a\n\n  b'}", "a\nb"), ("{url: a # b\n , sha512: c}", "a"),
      ("{url: a\n  - b}", "a - b"), ("url: a\n  'b\nc: d", "a 'b"), ("url: a\n  [b\n  - c\n", "a [b - c"),
      ("url: a\n\n\n  b # c", "a\n\nb"), ("- url: a\n  b: c", "a"), ("url: a\nb: 'c'", "a"),
      ("url: it\n\n  's # it", "it\n's"),
    ])
  func continued(_ text: String, _ expected: String) {
    let read = YAMLMappings.read(Array(text.utf8), keeping: [Array("url".utf8)])
    #expect(read.mappings.first?.fields.first?.value == .text(Array(expected.utf8)))
    #expect(read.fault == nil)
  }

  @Test(
    "two texts without a comma between them are no YAML",
    arguments: ["{url: 'a' 'b'}", "{url: a # c\n b}", "{url: 'a' b}"])
  func twoTexts(_ text: String) {
    #expect(YAMLMappings.read(Array(text.utf8), keeping: [Array("url".utf8)]).fault != nil)
  }

  @Test("a digest belongs to the name in its own mapping, as in feeds of web installers")
  func packages() throws {
    let text = """
      version: 1.0.0
      files:
        - url: tool
          sha512: TOOL
          size: 4
      path: tool
      sha512: TOOL
      packages:
        x64:
          size: 4
          sha512: PACKAGE
          blockMapSize: 1
          path: other
          file: /builds/dist/other
      releaseDate: '2026-01-01T00:00:00.000Z'
      """
    func findings(_ tool: [UInt8], _ package: [UInt8]) throws -> [String] {
      try Self.findings(
        text.replacingOccurrences("TOOL", Self.base64(tool)).replacingOccurrences("PACKAGE", Self.base64(package)))
    }
    #expect(try findings(Self.one, Self.two) == [])
    let wrong = try findings(Self.one, Self.one)
    #expect(wrong.count == 1 && wrong[0].hasPrefix("checksums error other at latest.yml, line 11"), "\(wrong)")
    #expect(try findings(Self.two, Self.two).count == 2)
  }

  @Test(
    "a name is a relative address",
    arguments: [
      "setup%201.exe", "setup%201.exe?x=1", "./setup 1.exe#a", "setup-1.exe", "setup-1.exe?x", "tool?x=1", "t%6Fol",
      "https://example.com/x/tool?a=b",
    ])
  func address(_ name: String) throws {
    for key in ["url", "path"] {
      #expect(try Self.findings("files:\n  - \(key): \(name)\n    sha512: \(Self.base64(Self.one))\n") == [])
      let found = try Self.findings("files:\n  - \(key): \(name)\n    sha512: \(Self.base64([1]))\n")
      #expect(found.count == 1 && found[0].contains("does not have the checksum"), "\(found)")
    }
  }

  @Test("a file whose name looks encoded is found by the name itself")
  func literalName() throws {
    let folder = try TemporaryFolder()
    try folder.write("a%20b.exe", Self.one)
    try folder.write("latest.yml", Array("path: a%20b.exe\nsha512: \(Self.base64(Self.one))\n".utf8))
    #expect(try ContentCheck(ChecksumsRule.self).findings(inRelease: folder.path) == [])
    try folder.write("latest.yml", Array("path: a%20b.exe\nsha512: \(Self.base64([1]))\n".utf8))
    #expect(try ContentCheck(ChecksumsRule.self).findings(inRelease: folder.path).count == 1)
  }

  @Test("digests in hexadecimal digits are compared, which the updater takes, too")
  func hexadecimal() throws {
    for (key, algorithm) in [("sha2", DigestAlgorithm.sha256), ("sha512", .sha512)] {
      let (right, wrong) = (try Digest.of(Self.one, algorithm).hex, try Digest.of([1], algorithm).hex)
      #expect(try Self.findings("version: 1.0.0\npath: tool\n\(key): \(right)\n") == [])
      #expect(try Self.findings("version: 1.0.0\npath: tool\n\(key): \(wrong)\n").count == 1)
    }
  }

  @Test(
    "a digest of a feed that cannot be read, or paired with a name, is found",
    arguments: [
      (3, "files:\n  - url: tool\n    sha512: bm9uZQ==\n"), (3, "files:\n  - url: tool\n    sha512:\nversion: 1\n"),
      (3, "files:\n  - url: tool\n    sha512: *digest\n"), (3, "files:\n  - url: [tool]\n    sha512: DIGEST\n"),
      (3, "files:\n  - url: tool\n    sha512: |\n      DIGEST\n"), (2, "path: tool\nsha512: DIGEST=\n"),
      (2, "path: tool\nsha512:\n  - DIGEST\n"), (2, "path: tool\nsha512: {a: DIGEST}\n"),
      (2, "path: tool\nsha2: x\n"),
      (3, "version: 1.0.0\nfiles:\n  - sha512: DIGEST\n"),
      (2, "version: 1.0.0\nfiles: [url: tool, sha512: DIGEST]\n"),
      (4, "files:\n  - url: other\n    url: tool\n    sha512: DIGEST\n"), (3, "files:\n  - url: tool\n    <<: *it\n"),
      (2, "path: tool\n? sha512\n: DIGEST\n"),
      (4, "version: 1.0.0\npath: tool\n\"sha5\\\n  12\": DIGEST\n"), (2, "path: tool\nnotes: \"a\nsha512: DIGEST\n"),
      (2, "path: tool\nnotes: [a\nsha512: DIGEST\n"), (2, "path: tool\nsha512: 'DIGEST' x\n"),
    ])
  func unread(_ line: Int, _ text: String) throws {
    let found = try Self.findings(text.replacingOccurrences("DIGEST", Self.base64(Self.one)))
    #expect(!found.isEmpty)
    #expect(found.first?.hasPrefix("checksums error latest.yml at line \(line)") ?? false, "\(found)")
    #expect(found.first?.contains("has a checksum that cannot be compared") ?? false, "\(found)")
  }

  @Test(
    "other files of YAML need not have digests that can be read",
    arguments: [
      "url: tool\nsha512: ${DIGEST}\n", "- url: tool\n  sha512: short\n", "sha512:\n  tool: x\n", "[{sha512: x}]",
      "files:\n  tool:\n    sha512: x\n", "a: [b\nsha512: c\n", "? a\n: sha512\n", "", "[", "{", "]", "- ", "-", ":",
      "&a", "a: |", "\"\\",
      "'", "*", "!", "--- ", "a: >9\n b", "\"\\u12", "{:", "{a: b}: c\n",
    ])
  func others(_ text: String) throws {
    #expect(try Self.findings(text, in: "config.yml") == [])
  }

  @Test(
    "time grows with the size of a feed alone",
    arguments: [
      "[", "{a: ", "- ", "a\n", "a: ", "\"", "- a: |\n", "#", "sha512:\n a\n", " ", "a: b\n", "? ", "[a\n",
      "- - a: b\n", "---\npath: x\n",
    ])
  func bounded(_ part: String) {
    let count = (1 << 16) / part.utf8.count
    for start in ["path: tool\nsha512: ", "path: tool\nsha512: [", "path: tool\nsha512:\n  "] {
      let text = Array((start + String(repeating: part, count: count)).utf8)
      let clock = ContinuousClock()
      #expect(clock.measure { _ = UpdateFeed.read(text) } < .seconds(20), "\(part)")
    }
  }
}

extension String {
  fileprivate func replacingOccurrences(_ word: String, _ text: String) -> String {
    split(separator: word, omittingEmptySubsequences: false).joined(separator: text)
  }
}
