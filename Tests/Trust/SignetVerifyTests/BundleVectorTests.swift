import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

/// Every case of `Tests/Vectors/bundles`: one artifact, one fault, one code. A new case needs no code.
@Suite struct BundleVectorTests {
  static func vectors() throws -> [Vector] { try Vector.all(in: "bundles") }

  @Test("the vector has the verdict it names", arguments: try vectors())
  func vector(_ vector: Vector) throws {
    let artifact = try #require(vector.inputs.keys.first { $0.hasSuffix(".bin") })
    let expected = vector.expected
    let folder = try TemporaryFolder(inMemory: true)
    try vector.write(into: folder)
    let key = try PublicKey(file: SecretBytes(try Repository.bytes("keys/insecure-test-ed25519.pub")))
    let verifier = Verifier(
      policy: try TrustPolicy(trusting: [key], allowsTestKeys: true),
      clock: .fixed(try #require(UnixTime("2026-11-21T00:00:00Z"))))
    let file = try RegularFile(opening: folder.file(artifact))
    let name = vector.text("name") ?? artifact
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
    if let type = vector.text("type") {
      try holds(.attestation(PredicateType(type), about: name))
    } else {
      try holds(.file(named: name))
    }
  }

  @Test("there are vectors")
  func some() throws { #expect(try Self.vectors().count > 100) }
}
