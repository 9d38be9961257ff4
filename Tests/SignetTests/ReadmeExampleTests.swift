import Signet
import SignetCrypto
import TestSupport
import Testing

@Suite struct ReadmeExampleTests {
  @Test("the program in the README is the one that is compiled here")
  func same() throws {
    let example = try Repository.text("Tests/SignetTests/ReadmeExample.swift")
    #expect(try Repository.text("README.md").contains("```swift\n\(example)```"))
  }

  @Test("it accepts what was signed and refuses what was not")
  func works() throws {
    let key = try PrivateKey.generate(.ed25519)
    let claims = try Signer.FileClaims(name: "plugin.tar.gz", signedAt: UnixTime(seconds: 0))
    let signature = try Signer(key).sign(.bytes([1, 2, 3]), claims).canonicalBytes()
    #expect(try load([1, 2, 3], signature: signature, trusting: key.publicKey).name == "plugin.tar.gz")
    let refusal = #expect(throws: Refusal.self) {
      try load([1, 2], signature: signature, trusting: key.publicKey)
    }
    #expect(refusal?.reasons.map(\.code) == [.digestMismatch])
  }
}
