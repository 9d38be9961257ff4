import Keyless
import SignetBase
import SignetSystem
import SignetVerify
import TestSupport
import Testing

@Suite("bytes that are signed alone") struct MessageDigestTests {
  @Test("they are hashed once, by however many bundles")
  func once() throws {
    let root = try Repository.text("Tests/Vectors/keyless/megabyte.root.json")
    let bundle = try Repository.bytes("Tests/Vectors/keyless/megabyte.sigstore.json")
    let policy = """
      {"version": 1, "entries": [{"name": "tool", "files": ["*"], "formats": ["message"], "sigstore": {"root": \(root), \
      "identities": [{"repository": "https://github.com/example/tool"}]}}]}
      """
    let verifier = Verifier(policy: try TrustPolicy(json: Array(policy.utf8), with: .all), clock: .system)
    let folder = try TemporaryFolder()
    try folder.write("tool", [UInt8](repeating: 0, count: 1 << 20))
    for count in [1, 3] {
      let progress = ProgressCounter()
      let verdict = try verifier.verify(
        .file(RegularFile(opening: folder.file("tool"))),
        signatures: .bytes([[UInt8]](repeating: bundle, count: count)), expecting: .file(named: "tool"),
        progress: progress)
      guard case .verified(let proof) = verdict else {
        Issue.record("\(verdict)")
        continue
      }
      #expect(proof.signatures.count == 1)
      #expect(progress.completed == 1 << 20)
    }
  }
}
