import Foundation
import Keyless
import SignetBase
import SignetCrypto
import SignetNames
import TestSupport
import Testing

/// Signatures of a private Sigstore, each with one fault or none (Tests/Vectors/keyless/make.py).
@Suite struct PrivateSigstoreTests {
  private static let document = PrivateSigstore.shared

  private func proof(_ name: String) throws -> KeylessProof {
    let document = try #require(Self.document)
    let test = try document.testCase(name)
    let content = try #require(Hexadecimal.decode(document.text("artifact")))
    let demands: KeylessDemands =
      switch test["demands"] as? String {
      case "github": .github
      case "key": .keyAndLog
      case "two logs": KeylessDemands(entries: 2, timestamps: 0, promises: 1)
      case "two timestamps": KeylessDemands(entries: 1, timestamps: 2, promises: 1)
      default: .publicGood
      }
    let expected: ExpectedSigner
    if let key = test["key"] as? String {
      expected = .key(try PublicKey(text: key))
    } else {
      let identity = try test["identity"] as? String ?? document.text("identity")
      let issuer = test["issuer"] is NSNull ? nil : try document.text("issuer")
      expected = .identities([.init("somebody@example.com", issuer: "x"), .init(identity, issuer: issuer)])
    }
    let now = UnixTime(seconds: Int64(try #require(document.fields["now"] as? Int)))
    let root = try SigstoreRoot(json: document.json(test["root"] ?? document.fields["root"]))
    let artifact = try DigestAlgorithm.allCases.map { try Digest.of(content, $0) }
    return try KeylessVerifier(root: root, demands: demands, now: now).verify(
      KeylessBundle(json: document.json(test["bundle"])), of: artifact, by: expected)
  }

  @Test("each case ends with its code", arguments: document?.names ?? [])
  func verdict(name: String) throws {
    let expected = try #require(Self.document?.testCase(name)["expected"] as? String)
    do {
      let proof = try proof(name)
      #expect(expected == "ok", "it was accepted")
      #expect(proof.checks.map(\.step).first == .form)
      #expect(!proof.times.isEmpty)
    } catch { #expect((error as? SignetError)?.code.rawValue == expected, "\(error)") }
  }

  @Test("there are as many cases as were made")
  func count() { #expect((Self.document?.names.count ?? 0) >= 190) }

  @Test("what is proven is told: who, when, by which checks, and what was not demanded")
  func told() throws {
    let proof = try proof("dsse in a log, v0.3")
    #expect(proof.identity?.identity == (try Self.document?.text("identity")))
    #expect(proof.identity?.issuer == (try Self.document?.text("issuer")))
    #expect(proof.identity?.claims.map { "\($0.name) \($0.text)" } == ["repository https://github.com/example/tool"])
    #expect(proof.times.count == 1)
    #expect(proof.statement.map { String(decoding: $0, as: UTF8.self).contains("slsa.dev") } == true)
    func words(_ proof: KeylessProof) -> [String] {
      proof.checks.map { check in
        if case .passed = check.outcome { check.step.rawValue } else { "\(check.step.rawValue): not demanded" }
      }
    }
    #expect(
      words(proof) == [
        "form", "timestamps: not demanded", "log-entry", "log-promise", "log-inclusion", "chain", "certificate-log",
        "signature", "identity", "subject",
      ])
    #expect(
      words(try self.proof("message with a timestamp and no log"))
        == [
          "form", "timestamps", "log-entry: not demanded", "log-promise: not demanded", "log-inclusion: not demanded",
          "chain", "certificate-log: not demanded", "signature", "identity", "subject",
        ])
  }
}
