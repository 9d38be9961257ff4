import Foundation
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import ModuleStore
@testable import Signet

/// A store under a policy that demands verification summaries.
@Suite struct SummaryTests {
  private static let gate = Result { try PrivateKey.generate(.ed25519) }

  private func policy(_ fixture: StoreFixture) throws -> TrustPolicy {
    try fixture.policy {
      $0.summary = try? SummaryRequirement(
        signers: [TrustEntry("gate", .key(Self.gate.get().publicKey), scope: .everything)])
    }
  }

  /// The gate's summary of an archive.
  private func summary(_ path: String, result: String = "PASSED") throws -> SigstoreBundle {
    let predicate = JSONValue.object(
      ("verifier", .object(("id", .string("urn:signet:gate")))), ("resourceUri", .string("urn:x")),
      ("policy", .object(("uri", .string("urn:p")))), ("verificationResult", .string(result)),
      ("verifiedLevels", .array([])))
    return try Signer(Self.gate.get()).sign(
      predicate, of: SummaryPredicate.type, about: "m",
      digests: [Digest.of(Array(Data(contentsOf: URL(filePath: path))), .sha256)])
  }

  @Test("a module is installed and loaded with its summary, which the store keeps")
  func kept() throws {
    let fixture = try StoreFixture()
    let policy = try policy(fixture)
    #expect(policy.summary != nil)
    let release = try fixture.release(7)
    let summary = try summary(release.path)
    for bundles in [[summary] + release.bundles, release.bundles + [summary]] {
      let proof = try StoreFixture.Release(path: release.path, bundles: bundles).verified(policy)
      let installed = try fixture.store(policy).install(proof)
      #expect(try fixture.store(policy).installed().map(\.sequence) == [7])
      let lines = try String(contentsOfFile: "\(fixture.place(of: installed))/bundles.jsonl", encoding: .utf8)
        .split(separator: "\n").map { try SigstoreBundle(json: Array($0.utf8)) }
      #expect(
        try lines.map { try Statement(payload: $0.envelope.payload).predicateType } == [
          .module, SummaryPredicate.type,
        ])
    }
  }

  @Test("a module without a summary is not installed, and one that lost it is not loaded")
  func lost() throws {
    let fixture = try StoreFixture()
    let policy = try policy(fixture)
    let release = try fixture.release(7)
    #expect(throws: Refusal.self) { try release.verified(policy) }
    // A proof under a laxer policy is not enough: the store verifies its copy again.
    let lax = try release.verified(fixture.policy())
    expectError(.policySummary) { _ = try fixture.store(policy).install(lax) }
    let failed = StoreFixture.Release(
      path: release.path, bundles: release.bundles + [try summary(release.path, result: "FAILED")])
    expectError(.policySummary) { _ = try fixture.store(policy).install(failed.verified(fixture.policy())) }
    let good = StoreFixture.Release(path: release.path, bundles: release.bundles + [try summary(release.path)])
    let installed = try fixture.store(policy).install(good.verified(policy))
    let file = "\(fixture.place(of: installed))/bundles.jsonl"
    let first = try #require(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").first)
    try (first + "\n").write(toFile: file, atomically: false, encoding: .utf8)
    expectError(.policySummary) { _ = try fixture.store(policy).active(StoreFixture.player) }
    #expect(try fixture.store(policy).installed().isEmpty)
  }
}
