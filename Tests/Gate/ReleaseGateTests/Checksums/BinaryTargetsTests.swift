import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import ReleaseGate

/// Manifests with binary targets. TOOL and OTHER stand for the SHA-256 of the files.
@Suite struct BinaryTargetsTests {
  private static let (one, two) = (Array("one\n".utf8), Array("two\n".utf8))

  private static func findings(_ text: String, tool: [UInt8] = one, other: [UInt8] = two) throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.write("tool.zip", one)
    try folder.write("other.zip", two)
    let parts = try text.split(separator: "TOOL", omittingEmptySubsequences: false).map { part in
      try part.split(separator: "OTHER", omittingEmptySubsequences: false).joined(
        separator: Digest.of(other, .sha256).hex)
    }
    try folder.write("Package.swift", Array(parts.joined(separator: Digest.of(tool, .sha256).hex).utf8))
    return try ContentCheck(ChecksumsRule.self).findings(inRelease: folder.path)
  }

  @Test(
    "the checksum of each target is compared with the file of its own address",
    arguments: [
      ".binaryTarget(name: \"a\", url: \"https://h/tool.zip\", checksum: \"TOOL\"), "
        + ".binaryTarget(name: \"b\", url: \"https://h/other.zip\", checksum: \"OTHER\")",
      "[\n.binaryTarget(\n  name: \"a\",\n  url:\n    \"https://h/tool.zip\" // the file, url: \"x\"\n  ,\n  checksum : \"TOOL\"\n),"
        + "\n.binaryTarget(name: f(\"b)\"), url: \"\\(base(\"(\"))/other.zip\", checksum: /* \" */ \"OTHER\")]",
      "let t = .target(name: \"checksum: \\\"\", path: #\"a\"b\"#, x: \"\"\"\n  url: \" (\n  \"\"\")\n/* url: ( /* */ \" */"
        + "\nf(url: \"https://h/tool.zip\", checksum: \"TOOL\") + g(checksum: #\"OTHER\"#, url: \"https://h/other.zip\")",
    ])
  func pairs(_ text: String) throws {
    #expect(try Self.findings(text) == [])
    let (first, second) = (try Self.findings(text, tool: [1]), try Self.findings(text, other: [1]))
    #expect(first.count == 1 && first[0].hasPrefix("checksums error tool.zip at Package.swift"), "\(first)")
    #expect(second.count == 1 && second[0].hasPrefix("checksums error other.zip at Package.swift"), "\(second)")
    #expect(try Self.findings(text, tool: [1], other: [1]).count == 2)
  }

  @Test(
    "a checksum accuses no file of another target, and no file whose address or checksum is computed",
    arguments: [
      ".binaryTarget(name: \"a\", url: \"https://h/tool.zip\", checksum: sum),\n"
        + ".binaryTarget(name: \"b\", url: address, checksum: \"OTHER\")",
      "f(url: \"https://h/tool.zip\"), g(checksum: \"OTHER\")",
      "f(url: \"https://h/tool.zip\" + x, checksum: \"OTHER\")",
      "f(url: \"https://h/tool.zip\", checksum: \"OTHER\" + x)",
      "/* f(url: \"https://h/tool.zip\", checksum: \"OTHER\") */",
      "f(url: \"https://h/\\(tool).zip\", checksum: \"OTHER\")",
      "f(url: \"https://h/tool.zip\", g(checksum: \"OTHER\"))",
      "\"\"\"\n f(url: \"https://h/tool.zip\", checksum: \"OTHER\")\n\"\"\"", ")))", "((\"", "\"\\(", "#\"",
      "\"\"\"\\", "/*", "url:", "url: \"\\(\"",
    ])
  func others(_ text: String) throws {
    #expect(try Self.findings(text) == [])
  }

  @Test(
    "time grows with the size of a manifest alone",
    arguments: ["#", "\"", "(", "/*", "\"\\(", "url:", "url: \"", "// ", "/**/"])
  func bounded(_ part: String) {
    let text = Array(String(repeating: part, count: (1 << 16) / part.utf8.count).utf8)
    #expect(ContinuousClock().measure { _ = BinaryTargets.read(text) } < .seconds(20))
  }
}
