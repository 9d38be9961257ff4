import Foundation
import TestSupport
import Testing

/// Signatures of other programs, one fault a case, as `signet verify` judges them.
@Suite struct OtherSignatureVectorTests {
  @Test("the case ends as its list says", arguments: try Vector.all(in: "others"))
  func verdict(vector: Vector) throws {
    let folder = try TemporaryFolder()
    try vector.write(into: folder)
    let run = try Shell.run(
      "signet verify tool --json --allow-test-keys \(vector.text("arguments") ?? "")", in: folder.path)
    let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let result = (document?["results"] as? [[String: Any]])?.first
    let told = "\(vector.reason)\n\(run.output)\(run.errors)"
    if vector.expected[0] == "verified" {
      let signature = (result?["signatures"] as? [[String: Any]])?.first
      #expect(run.status == 0 && result?["verdict"] as? String == "verified", "\(told)")
      #expect(signature?["format"] as? String == vector.expected[1], "\(told)")
      #expect(signature?["predicateType"] as? String == "urn:signet:message:v1", "\(told)")
    } else {
      let error =
        (result?["reasons"] as? [[String: Any]])?.first ?? document?["error"] as? [String: Any]
        ?? result?["error"] as? [String: Any]
      #expect(run.status != 0 && error?["code"] as? String == vector.expected[0], "\(told)")
    }
  }

  @Test("no changed byte of a signature or of its key verifies")
  func changes() throws {
    for name in ["minisign", "signify", "ssh", "ssh-certificate"] {
      let vector = try Vector.named(name, in: "others")
      let file = try #require(vector.inputs.keys.first { $0.hasPrefix("tool.") })
      let bytes = try vector.bytes(file)
      // What nobody has signed can be anything: the first comment, and the armor's lines.
      let first = name.hasPrefix("ssh") ? 31 : (bytes.firstIndex(of: 0x0a) ?? 0) + 1
      for place in stride(from: first, to: bytes.count - 32, by: 23) where bytes[place] > 0x20 {
        let folder = try TemporaryFolder()
        try vector.write(into: folder)
        var changed = bytes
        changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        try folder.write(file, changed)
        let run = try Shell.run("signet verify tool \(vector.text("arguments") ?? "")", in: folder.path)
        #expect(run.status == 1, "\(name), byte \(place): \(run.output)\(run.errors)")
      }
    }
  }
}
