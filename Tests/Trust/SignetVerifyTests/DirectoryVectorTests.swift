import Foundation
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

/// Every case of `Tests/Vectors/directories`: one directory, one fault, its codes. A new case needs no code.
@Suite struct DirectoryVectorTests {
  static func vectors() throws -> [Vector] { try Vector.all(in: "directories") }

  /// Makes the directory that a text describes.
  static func make(_ tree: String, at root: String) throws {
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
    var modes: [(String, mode_t)] = []
    for line in tree.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 3).map(String.init)
      if words[0] == "l" {
        try FileManager.default.createSymbolicLink(atPath: "\(root)/\(words[1])", withDestinationPath: words[2])
        continue
      }
      let path = "\(root)/\(words[2])"
      switch words[0] {
      case "d": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      case "p": #expect(mkfifo(path, 0o600) == 0)
      default: try Data(words[3].utf8).write(to: URL(fileURLWithPath: path))
      }
      modes.append((path, try #require(mode_t(words[1], radix: 8))))
    }
    for (path, mode) in modes.reversed() { #expect(chmod(path, mode) == 0) }
  }

  @Test("the vector has the verdict it names", arguments: try vectors())
  func vector(_ vector: Vector) throws {
    let expected = vector.expected
    let place = try TemporaryFolder()
    try vector.write(into: place)
    try Self.make(try #require(vector.text("tree")), at: place.file("plugin"))
    let key = try PublicKey(file: SecretBytes(try Repository.bytes("keys/insecure-test-ed25519.pub")))
    let verifier = Verifier(
      policy: try TrustPolicy(trusting: [key], allowsTestKeys: true),
      clock: .fixed(try #require(UnixTime("2026-11-21T00:00:00Z"))))
    let verdict = try verifier.verify(
      .directory(Directory(opening: place.file("plugin"))), signatures: .file(place.file("plugin.sigstore.json")),
      expecting: .directory(named: "plugin"))
    switch verdict {
    case .verified(let proof):
      #expect(expected == ["verified"])
      #expect(proof.signatures.map(\.key) == [key])
      #expect(proof.sha256 == proof.listing.digest)
    case .refused(let refusal):
      #expect(refusal.reasons.map(\.code.rawValue) == expected, "\(refusal.reasons)")
      #expect(!refusal.reasons.contains { $0.hint?.contains("force") == true })
    }
  }

  @Test("there are vectors")
  func some() throws { #expect(try Self.vectors().count > 80) }
}

/// Every case of `Tests/Vectors/manifests`.
@Suite struct ManifestVectorTests {
  static func vectors() throws -> [Vector] { try Vector.all(in: "manifests") }

  @Test("the vector has the verdict it names", arguments: try vectors())
  func vector(_ vector: Vector) throws {
    let expected = vector.expected
    let key = try PublicKey(file: SecretBytes(try Repository.bytes("keys/insecure-test-ed25519.pub")))
    let verifier = Verifier(
      policy: try TrustPolicy(trusting: [key], allowsTestKeys: true),
      clock: .fixed(try #require(UnixTime("2026-11-21T00:00:00Z"))))
    let folder = try TemporaryFolder(inMemory: true)
    try vector.write(into: folder)
    let file = try RegularFile(opening: folder.file("bundle.json"))
    let verdict = try verifier.verify(
      .file(file), signatures: .beside(file.path),
      expecting: .hostManifest(
        identifier: try #require(ModuleIdentifier("com.example.player")), named: "bundle.json", leastSequence: 5))
    switch verdict {
    case .verified(let proof):
      #expect(expected == ["verified"])
      #expect(proof.identifier.description == "com.example.player")
      #expect(proof.sequence >= 5)
      #expect(proof.sha256 == (try file.sha256()))
    case .refused(let refusal):
      #expect(refusal.reason.code.rawValue == expected[0], "\(refusal.reasons)")
      if expected.count > 1 { #expect((refusal.reason.cause as? SignetError)?.code.rawValue == expected[1]) }
    }
  }

  @Test("there are vectors")
  func some() throws { #expect(try Self.vectors().count > 25) }
}
