import Foundation
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import Signet

/// Every folder below `Tests/Vectors/bundles`: one artifact, one fault, one code. A new case needs no code.
@Suite struct BundleVectorTests {
  static let folder = Repository.root + "/Tests/Vectors/bundles"
  static let names =
    (try? FileManager.default.contentsOfDirectory(atPath: folder))?.filter { !$0.contains(".") }.sorted() ?? []

  @Test("the vector has the verdict it names", arguments: names)
  func vector(name: String) throws {
    let folder = Self.folder + "/" + name
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    func text(_ file: String) throws -> String? {
      files.contains(file) ? try String(contentsOfFile: folder + "/" + file, encoding: .utf8) : nil
    }
    let artifact = try #require(files.first { $0.hasSuffix(".bin") })
    let expected = try #require(try text("expected")?.split(separator: "\n").first).split(separator: " ").map(
      String.init)
    let key = try PublicKey(file: SecretBytes(try Repository.bytes("keys/insecure-test-ed25519.pub")))
    let verifier = Verifier(
      policy: try TrustPolicy(trusting: [key], allowsTestKeys: true),
      clock: .fixed(try #require(UnixTime("2026-11-21T00:00:00Z"))))
    let file = try RegularFile(opening: folder + "/" + artifact)
    let name = try text("name") ?? artifact
    func holds<Proof>(_ expectation: Verifier.Expectation<Proof>) throws {
      switch try verifier.verify(.file(file), signatures: .beside(file.path), expecting: expectation) {
      case .verified(let proof):
        #expect(expected == ["verified"])
        #expect(proof.signatures.map(\.key) == [key])
        #expect(proof.sha256 != nil || proof.fsverity != nil)
        for check in proof.checks { if case .failed = check.outcome { Issue.record("\(check)") } }
      case .refused(let refusal):
        #expect(refusal.reason.code.rawValue == expected[0], "\(refusal.reasons)")
        if expected.count > 1 { #expect((refusal.reason.cause as? SignetError)?.code.rawValue == expected[1]) }
        #expect(refusal.reason.hint?.contains("force") != true)
      }
    }
    if let type = try text("type") {
      try holds(.attestation(PredicateType(type), about: name))
    } else {
      try holds(.file(named: name))
    }
  }

  @Test("there are vectors")
  func some() { #expect(Self.names.count > 100) }
}
