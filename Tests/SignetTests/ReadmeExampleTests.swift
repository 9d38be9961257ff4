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

  @Test("the rule of a host that loads only what carries its own certificate stands there, and works")
  func host() throws {
    let example = try Repository.text("Tests/SignetTests/ReadmeHostExample.swift")
    #expect(try Repository.text("README.md").contains("```swift\n\(example)```"))
    let authority = try TestAuthority()
    let folder = try TemporaryFolder()
    let path = try folder.write("plugin.zip", [1])
    let claims = try Signer.FileClaims(name: "plugin.zip", signedAt: UnixTime(seconds: 0))
    let keys = try (0..<2).map { _ in try PrivateKey.generate(.ed25519) }
    let certificates = try keys.map { try authority.certify($0) }
    for (index, key) in keys.enumerated() {
      let bundle = try Signer(key, certificates: [certificates[index]]).sign(.bytes([1]), claims)
      try folder.write("plugin.zip.sigstore.json", bundle.canonicalBytes())
      if index == 0 {
        #expect(try loadOwn(path, named: "plugin.zip", as: certificates[0]).name == "plugin.zip")
      } else {
        let refusal = #expect(throws: Refusal.self) {
          try loadOwn(path, named: "plugin.zip", as: certificates[0])
        }
        #expect(refusal?.reason.code == .signerUntrusted)
      }
    }
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
