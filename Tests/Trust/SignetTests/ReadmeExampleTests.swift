import Foundation
import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import TrustTestSupport

@Suite struct ReadmeExampleTests {
  @Test("the program in the README is the one that is compiled here")
  func same() throws {
    let example = try Repository.text("Tests/Trust/SignetTests/ReadmeExample.swift")
    #expect(try Repository.text("README.md").contains("```swift\n\(example)```"))
  }

  @Test("the guide's host loads only what carries its own certificate")
  func host() throws {
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

  @Test("the guide's modules are packed, signed and verified in process, and refused when they are others or older")
  func modules() throws {
    let folder = try TemporaryFolder()
    let plugin = try TemporaryFolder()
    try plugin.write("module.json", Array(SignedModule.description.utf8))
    try plugin.write("assets", [1])
    let path = folder.file("player.zip")
    let key = try PrivateKey.generate(.ed25519)
    try release(plugin.path, as: path, by: key, at: SignedModule.time)
    #expect(try folder.listing() == ["player.zip"])
    let player = try #require(ModuleIdentifier("com.example.player"))
    let other = try #require(ModuleIdentifier("com.example.other"))
    let policy = try TrustPolicy(trusting: [key.publicKey])
    #expect(try module(player, in: path, from: 7, by: policy).module.sequence == 7)
    func refused(_ code: SignetError.Code, _ run: () throws -> VerifiedModule) {
      let refusal = #expect(throws: Refusal.self) { try run() }
      #expect(refusal?.reasons.map(\.code) == [code])
    }
    refused(.policyRollback) { try module(player, in: path, from: 8, by: policy) }
    refused(.moduleIdentifierMismatch) { try module(other, in: path, from: 7, by: policy) }
    var bytes = try folder.read("player.zip")
    bytes[bytes.count / 2] ^= 1
    let damaged = try folder.write("damaged.zip", bytes)
    #expect(throws: Refusal.self) { try module(player, in: damaged, from: 7, by: policy) }
  }

  @Test(
    "an archive with its signatures replaces what is there only when that is asked for, and never one that has changed"
  )
  func writing() throws {
    let folder = try TemporaryFolder()
    let signed = try SignedModule()
    let path = try folder.write("m.zip", signed.archive)
    #expect(chmod(path, 0o640) == 0)
    let archive = Artifact.file(try RegularFile(opening: path))
    let attached = try AttachedArchive.attaching([signed.bundle], to: archive, at: SignedModule.time)
    expectError(.outputExists) { try attached.write(to: path) }
    try attached.write(to: folder.file("other.zip"))
    #expect(try FileStatus(ofLink: folder.file("other.zip")).mode == 0o640)
    let found = try AttachedArchive.bundles(in: .bytes(folder.read("other.zip")))
    #expect(try found.map { try $0.canonicalBytes() } == [signed.bundle.canonicalBytes()])
    try attached.write(to: path, replaces: true)
    #expect(try folder.read("m.zip") == folder.read("other.zip"))
    let back = try AttachedArchive.detaching(from: .bytes(folder.read("other.zip")))
    try back.write(to: path, replaces: true)
    #expect(try folder.read("m.zip") == signed.archive && back.bundles.count == 1)
    let opened = Artifact.file(try RegularFile(opening: folder.file("other.zip")))
    let again = try AttachedArchive.detaching(from: opened)
    try folder.write("other.zip", signed.archive)
    expectError(.fileChanged) { try again.write(to: path, replaces: true) }
    #expect(try folder.read("m.zip") == signed.archive)
    expectError(.signatureMissing) {
      _ = try AttachedArchive.attaching([], to: .bytes(signed.archive), at: SignedModule.time)
    }
  }
}
