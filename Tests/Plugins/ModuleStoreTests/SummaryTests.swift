import Foundation
import Signet
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import ModuleStore

/// A store under a policy that demands verification summaries.
@Suite struct SummaryTests {
  private static let gate = Result { try PrivateKey.generate(.ed25519) }

  private func policy(_ fixture: StoreFixture) throws -> TrustPolicy {
    try fixture.policy {
      $0.summary = try? SummaryRequirement(
        signers: [TrustEntry("gate", .key(Self.gate.get().publicKey), scope: .everything)])
    }
  }

  /// The gate's summary of a release.
  private func summary(_ release: StoreFixture.Release, result: String = "PASSED") throws -> SigstoreBundle {
    let statements = try release.bundles.map { bundle in
      SummaryPredicate.VerifiedStatement(
        type: PredicateType.module.uri, payload: try Digest.of(bundle.envelope.payload, .sha256)
      ).json
    }
    let predicate = JSONValue.object(
      ("verifier", .object(("id", .string("urn:signet:gate")))), ("resourceUri", .string("urn:x")),
      ("policy", .object(("uri", .string("urn:p")))), ("verificationResult", .string(result)),
      ("verifiedLevels", .array([])), (SummaryPredicate.statementsField, .array(statements)))
    return try Signer(Self.gate.get()).sign(
      predicate, of: SummaryPredicate.type, about: "m",
      digests: [Digest.of(Array(Data(contentsOf: URL(filePath: release.path))), .sha256)])
  }

  @Test("a module is installed and loaded with its summary, which the store keeps")
  func kept() throws {
    let fixture = try StoreFixture()
    let policy = try policy(fixture)
    #expect(policy.summary != nil)
    let release = try fixture.release(7)
    let summary = try summary(release)
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
      path: release.path, bundles: release.bundles + [try summary(release, result: "FAILED")])
    expectError(.policySummary) { _ = try fixture.store(policy).install(failed.verified(fixture.policy())) }
    let good = StoreFixture.Release(path: release.path, bundles: release.bundles + [try summary(release)])
    let installed = try fixture.store(policy).install(good.verified(policy))
    let file = "\(fixture.place(of: installed))/bundles.jsonl"
    let first = try #require(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").first)
    try (first + "\n").write(toFile: file, atomically: false, encoding: .utf8)
    expectError(.policySummary) { _ = try fixture.store(policy).active(StoreFixture.player) }
    #expect(try fixture.store(policy).installed().isEmpty)
  }

  @Test("a release that was installed before is installed again with the summary that is demanded now")
  func later() throws {
    let fixture = try StoreFixture()
    let release = try fixture.release(7)
    try fixture.store().install(release.verified(fixture.policy()))
    let policy = try policy(fixture)
    expectError(.policySummary) { _ = try fixture.store(policy).active(StoreFixture.player) }
    let good = StoreFixture.Release(path: release.path, bundles: release.bundles + [try summary(release)])
    #expect(try fixture.store(policy).install(good.verified(policy)).sequence == 7)
    #expect(try fixture.store(policy).active(StoreFixture.player).sequence == 7)
    #expect(try fixture.store(policy).staging().isEmpty)
  }

  @Test("a publisher who can write to the store cannot load what the gate has not seen")
  func rewritten() throws {
    let fixture = try StoreFixture()
    let policy = try policy(fixture)
    let release = try fixture.release(7)
    let summary = try summary(release)
    let good = StoreFixture.Release(path: release.path, bundles: release.bundles + [summary])
    let installed = try fixture.store(policy).install(good.verified(policy))
    // The same sequence and the digest of the archive that has passed, with other contents.
    let evil = try fixture.release(7, files: ["assets/a": Array("evil!".utf8)])
    let honest = try Statement(payload: release.bundles[0].envelope.payload)
    let other = try Statement(payload: evil.bundles[0].envelope.payload)
    let predicate = try #require(other.module)
    let mixed = try Signer(fixture.key).sign(
      Statement(module: other.subjectName, digest: honest.subjectDigest, predicate))
    let lines = try mixed.canonicalBytes() + [0x0a] + summary.canonicalBytes() + [0x0a]
    let place = fixture.place(of: installed)
    try Data(lines).write(to: URL(filePath: "\(place)/bundles.jsonl"))
    expectError(.policySummary) { _ = try fixture.store(policy).active(StoreFixture.player) }
  }

  @Test("a changed summary in the store is damage, which a host mends")
  func damaged() throws {
    let fixture = try StoreFixture()
    let policy = try policy(fixture)
    let release = try fixture.release(7)
    let good = StoreFixture.Release(path: release.path, bundles: release.bundles + [try summary(release)])
    let installed = try fixture.store(policy).install(good.verified(policy))
    let file = "\(fixture.place(of: installed))/bundles.jsonl"
    var lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
    let sound = try SigstoreBundle(json: Array(lines[1].utf8))
    let forged = SigstoreBundle(
      payload: sound.envelope.payload + [0x20], signature: sound.envelope.signature,
      key: try Self.gate.get().publicKey.id)
    lines[1] = String(decoding: try forged.canonicalBytes(), as: UTF8.self)
    try (lines.joined(separator: "\n") + "\n").write(toFile: file, atomically: false, encoding: .utf8)
    expectError(.storeDamaged) { _ = try fixture.store(policy).active(StoreFixture.player) }
    #expect(try fixture.store(policy).repair(from: good.verified(policy)).sequence == 7)
  }
}
