import Foundation
import Signet
import SignetCrypto
import TestSupport
import Testing

@Suite("guides") struct GuideTests {
  @Test("each program in a guide is one that is compiled here")
  func compiled() throws {
    let root = URL(fileURLWithPath: Repository.root)
    let tests = try #require(FileManager.default.enumerator(atPath: root.appending(path: "Tests").path))
    let files = tests.compactMap { $0 as? String }.filter {
      let name = ($0 as NSString).lastPathComponent
      return name.hasPrefix("Guide") && name != "GuideTests.swift"
    }
    let sources =
      try files.map { try Repository.text("Tests/" + $0) } + [
        Repository.text("Fixtures/Host/Sources/GuideHost/Host.swift")
      ]
    let documents = try [
      "docs/guides", "Sources/Trust/Signet/Signet.docc", "Sources/Trust/SignetVerify/SignetVerify.docc",
      "Sources/Plugins/PluginHost/PluginHost.docc",
    ].flatMap {
      folder in
      try FileManager.default.contentsOfDirectory(atPath: Repository.root + "/" + folder).map { folder + "/" + $0 }
    }
    var shown = Set<String>()
    for document in documents {
      // What a guide shows of a new plugin is built by the test that walks through that guide.
      let text = try Repository.text(document).replacing("```swift stage/Sources/Host/Host.swift", with: "```swift")
      for block in text.components(separatedBy: "```swift\n").dropFirst() {
        let program = try #require(block.components(separatedBy: "```").first)
        #expect(sources.contains(program), "\(document)")
        shown.insert(program)
      }
    }
    #expect(shown == Set(sources), "a program that no guide shows")
  }

  @Test("the programs of the guides sign, and say who has signed, or why a file is refused")
  func verifies() throws {
    let folder = try TemporaryFolder()
    let key = try PrivateKey.generate(.ed25519)
    let path = try folder.write("tool", [1, 2, 3])
    try folder.write("tool.sigstore.json", bundle(for: path, by: key, at: UnixTime(seconds: 1)))
    let entry = try TrustEntry("publisher", .key(key.publicKey), scope: .everything)
    let policy = try folder.write("trust.json", TrustPolicy(entries: [entry]).canonicalBytes())
    #expect(try describe(path, under: policy) == "verified: tool, signed by publisher")
    try folder.write("tool", [1, 2, 4])
    let refused = try describe(path, under: policy)
    #expect(refused.hasPrefix("refused: digest.mismatch: tool: is not what was signed"), "\(refused)")
  }
}
