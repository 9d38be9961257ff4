import Foundation
import SignetArchive
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import Signet

/// What a policy gets that demands a verification summary besides the publishers' signatures.
@Suite struct SummaryRequirementTests {
  private static let time = UnixTime(seconds: 1_800_000_000)
  private static let publisher = Result { try PrivateKey.generate(.ed25519) }
  private static let gate = Result { try PrivateKey.generate(.ed25519) }
  private static let stranger = Result { try PrivateKey.generate(.ed25519) }
  private static let policySHA256 = String(repeating: "ab", count: 32)

  /// What a summary says; each test changes one thing.
  private struct Summary {
    var key: PrivateKey
    var type = SummaryPredicate.type
    var digests: [Digest]
    var result = "PASSED"
    var verifier = SummaryPredicate.gate
    var policySHA256: String? = SummaryRequirementTests.policySHA256
    var levels = ["SLSA_BUILD_LEVEL_2"]
    var predicate: JSONValue?

    init(_ bytes: [UInt8]) throws {
      key = try SummaryRequirementTests.gate.get()
      digests = [try Digest.of(bytes, .sha256)]
    }

    func bundle() throws -> SigstoreBundle {
      let said = JSONValue.object(
        ("verifier", .object(("id", .string(verifier)))), ("timeVerified", .string("2026-01-01T00:00:00Z")),
        ("resourceUri", .string("urn:x:a")),
        (
          "policy",
          .object(("uri", .string("urn:p")), ("digest", policySHA256.map { .object(("sha256", .string($0))) }))
        ),
        ("verificationResult", .string(result)), ("verifiedLevels", .array(levels.map { .string($0) })))
      return try Signer(key).sign(predicate ?? said, of: type, about: "elsewhere/a", digests: digests)
    }
  }

  private func policy(
    scope: TrustScope = .everything, window: TrustEntry.Window = .always, levels: [String] = [],
    _ change: (inout TrustPolicy.Terms) throws -> Void = { _ in }
  ) throws -> TrustPolicy {
    var terms = TrustPolicy.Terms()
    terms.summary = try SummaryRequirement(
      signers: [TrustEntry("gate", .key(Self.gate.get().publicKey), scope: scope, window: window)],
      policySHA256: Digest(.sha256, hex: Self.policySHA256), levels: levels)
    try change(&terms)
    return try TrustPolicy(
      entries: [TrustEntry("publisher", .key(Self.publisher.get().publicKey), scope: .everything)], terms: terms)
  }

  private func signature(_ bytes: [UInt8] = [1], by key: PrivateKey? = nil) throws -> SigstoreBundle {
    try Signer(key ?? Self.publisher.get()).sign(.bytes(bytes), Signer.FileClaims(name: "a", signedAt: Self.time))
  }

  private func verdict(
    _ bundles: [SigstoreBundle], _ policy: TrustPolicy? = nil
  ) throws -> Verdict<VerifiedArtifact> {
    try Verifier(policy: policy ?? self.policy(), clock: .fixed(Self.time)).verify(
      .bytes([1]), signatures: .bytes(bundles.map { try $0.canonicalBytes() }), expecting: .file(named: "a"))
  }

  /// The codes of all reasons, each with what was found.
  private func reasons<Proof>(_ verdict: Verdict<Proof>) -> [String] {
    guard case .refused(let refusal) = verdict else { return [] }
    return refusal.reasons.map { "\($0.code) \($0.found ?? "-")" }
  }

  private func summary(_ change: (inout Summary) throws -> Void = { _ in }) throws -> SigstoreBundle {
    var summary = try Summary([1])
    try change(&summary)
    return try summary.bundle()
  }

  @Test("a file passes with the publisher's signature and the gate's summary, in any order, and with neither alone")
  func both() throws {
    for bundles in [[try signature(), try summary()], [try summary(), try signature()]] {
      let verdict = try verdict(bundles)
      let proof = try verdict.get()
      #expect(proof.signatures.map(\.entries) == [["publisher"]])
      // What keeps the bundles takes the first one for the publisher's.
      #expect(
        try proof.evidence.bundles.map { try Statement(payload: $0.bundle().envelope.payload).predicateType }
          == [.file, SummaryPredicate.type])
      let last = try #require(verdict.checks.last)
      #expect(last.step == .summary)
      guard case .passed(let found) = last.outcome else {
        Issue.record("\(last)")
        continue
      }
      #expect(found == "PASSED by urn:signet:gate, signed by gate")
    }
    #expect(reasons(try verdict([signature()])) == ["policy.summary -"])
    #expect(reasons(try verdict([summary()])) == ["signature.missing -"])
    #expect(try verdict([signature()]).checks.last?.step == .summary)
  }

  @Test("a publisher cannot pass its own file, nor a verifier publish one")
  func separation() throws {
    let publisher = try Self.publisher.get()
    let own = try summary { $0.key = publisher }
    #expect(
      reasons(try verdict([signature(), own])).contains("statement.predicate-type \(SummaryPredicate.type.uri)"))
    let published = try signature(by: Self.gate.get())
    #expect(reasons(try verdict([published, summary()])).first?.hasPrefix("signer.untrusted") == true)
    #expect(reasons(try verdict([signature(), published])) == ["policy.summary -"])
    // A stranger's summary is no summary, and harms nobody.
    let strange = try summary { $0.key = try Self.stranger.get() }
    #expect(reasons(try verdict([signature(), strange])) == ["policy.summary -"])
    #expect(reasons(try verdict([signature(), strange, summary()])) == [])
  }

  @Test("a summary that says something else is refused for that")
  func differences() throws {
    func refused(
      _ expected: String, _ policy: TrustPolicy? = nil, _ change: (inout Summary) throws -> Void
    ) throws {
      #expect(reasons(try verdict([signature(), summary(change)], policy)) == [expected])
    }
    try refused("policy.summary FAILED") { $0.result = "FAILED" }
    try refused("policy.summary passed") { $0.result = "passed" }
    try refused("policy.summary FAILED") { $0.levels = ["SLSA_BUILD_LEVEL_2", "FAILED"] }
    try refused("policy.summary urn:other") { $0.verifier = "urn:other" }
    try refused("policy.summary none") { $0.policySHA256 = nil }
    try refused("policy.summary \(String(repeating: "cd", count: 32))") {
      $0.policySHA256 = String(repeating: "cd", count: 32)
    }
    let other = try Digest.of([2], .sha256)
    try refused("policy.summary \(other)") { $0.digests = [other] }
    try refused("policy.summary -") { $0.predicate = .object() }
    try refused("policy.summary SLSA_BUILD_LEVEL_2", policy(levels: ["SLSA_BUILD_LEVEL_3"])) { _ in }
    try refused("policy.summary none", policy(levels: ["SLSA_BUILD_LEVEL_3"])) { $0.levels = [] }
    #expect(reasons(try verdict([signature(), summary()], policy(levels: ["SLSA_BUILD_LEVEL_1"]))) == [])
    // A statement of another type is no summary, whatever it says and whoever has signed it.
    let type = try summary { $0.type = PredicateType("https://slsa.dev/verification_summary/v0") }
    #expect(reasons(try verdict([signature(), type])) == ["policy.summary -"])
  }

  @Test("one good summary among others is enough, and any of its subjects")
  func several() throws {
    let failed = try summary { $0.result = "FAILED" }
    #expect(reasons(try verdict([failed, signature(), summary()])) == [])
    let many = try summary { $0.digests = [try Digest.of([2], .sha256), try Digest.of([1], .sha256)] }
    #expect(reasons(try verdict([signature(), many])) == [])
  }

  @Test("a forged summary refuses the file, also beside a good one")
  func forged() throws {
    let good = try summary()
    let forged = SigstoreBundle(
      payload: good.envelope.payload + [0x20], signature: good.envelope.signature,
      key: try Self.gate.get().publicKey.id)
    #expect(try reasons(verdict([signature(), forged])) == ["signature.invalid -"])
    #expect(try reasons(verdict([signature(), good, forged])) == ["signature.invalid -"])
  }

  @Test("scopes, windows and revocations hold for the signers of summaries")
  func trust() throws {
    let module = try #require(ModulePattern("com.example.**"))
    let narrow = try policy(scope: TrustScope(modules: [module]))
    let outside = reasons(try verdict([signature(), summary()], narrow))
    #expect(outside == ["signer.out-of-scope \(ArtifactRole(file: "a"))"])
    let past = try policy(window: .init(until: UnixTime(seconds: 1)))
    #expect(reasons(try verdict([signature(), summary()], past)) == ["policy.summary -"])
    let revoked = try policy {
      $0.revocations = [Revocation(.key(try Self.gate.get().publicKey.id), reason: "stolen")]
    }
    #expect(reasons(try verdict([signature(), summary()], revoked)) == ["policy.summary -"])
  }

  @Test("a policy that demands exact signers does not count the verifier among them")
  func exact() throws {
    let exact = try policy { $0.requirement = .exact }
    #expect(reasons(try verdict([signature(), summary()], exact)) == [])
  }

  @Test("both digests of a statement are compared, so that a summary of one file cannot pass another")
  func digests() throws {
    // The statement has the flat digest of a file that has passed, and the tree digest of another one.
    let passed: [UInt8] = [1]
    let other: [UInt8] = [2]
    let honest = try Statement(payload: signature(other).envelope.payload)
    let file = try #require(honest.file)
    let mixed = Statement(file: "a", digest: try Digest.of(passed, .sha256), file)
    let bundle = try Signer(Self.publisher.get()).sign(mixed)
    let verifier = { (policy: TrustPolicy) in
      try Verifier(policy: policy, clock: .fixed(Self.time)).verify(
        .bytes(other), signatures: .bytes([bundle.canonicalBytes(), try Summary(passed).bundle().canonicalBytes()]),
        expecting: .file(named: "a"))
    }
    #expect(reasons(try verifier(policy())).first?.hasPrefix("digest.mismatch") == true)
  }

  @Test("attestations and hosts' manifests need no summary")
  func others() throws {
    let type = PredicateType("https://example.com/report")
    let bundle = try Signer(Self.publisher.get()).sign(
      .object(), of: type, about: "a", digests: [Digest.of([1], .sha256)])
    let verifier = Verifier(policy: try policy(), clock: .fixed(Self.time))
    let attested = try verifier.verify(
      .bytes([1]), signatures: .bytes([bundle.canonicalBytes()]), expecting: .attestation(type, about: "a"))
    #expect(reasons(attested) == [])
    let host = try #require(ModuleIdentifier("com.example.host"))
    let content = Array("{}".utf8)
    let manifest = try Signer(Self.publisher.get()).sign(
      .bytes(content), Signer.HostManifestClaims(name: "a", identifier: host, sequence: 1, signedAt: Self.time))
    let verified = try verifier.verify(
      .bytes(content), signatures: .bytes([manifest.canonicalBytes()]),
      expecting: .hostManifest(identifier: host, named: "a", leastSequence: 1))
    #expect(reasons(verified) == [])
  }

  @Test("beside a file, the summary's own file is read if the policy demands it, and only then")
  func beside() throws {
    let folder = try TemporaryFolder()
    try folder.write("a", [1])
    try folder.write("a.sigstore.json", signature().canonicalBytes())
    func verify(_ policy: TrustPolicy) throws -> [String] {
      reasons(
        try Verifier(policy: policy, clock: .fixed(Self.time)).verify(
          .file(RegularFile(opening: folder.file("a"))), signatures: .beside(folder.file("a")),
          expecting: .file(named: "a")))
    }
    #expect(try verify(policy()) == ["policy.summary -"])
    try folder.write("a.vsa.sigstore.json", Array("{".utf8))
    #expect(try verify(policy()).first?.hasPrefix("signature.malformed") == true)
    #expect(try verify(TrustPolicy(trusting: [Self.publisher.get().publicKey])) == [])
    try folder.write("a.vsa.sigstore.json", summary().canonicalBytes())
    #expect(try verify(policy()) == [])
    // The same may be a line of one file.
    try folder.write("a.sigstore.jsonl", summary().canonicalBytes() + [0x0a])
    try #require(unlink(folder.file("a.vsa.sigstore.json")) == 0)
    #expect(try verify(policy()) == [])
  }

  @Test("a module with signatures in it is meant by the digest without them")
  func attached() throws {
    let module = try SignedModule()
    let attached = try AttachedArchive.attaching(
      [module.bundle], to: .bytes(module.archive), at: Self.time)
    let folder = try TemporaryFolder()
    try attached.write(to: folder.file("m.zip"), mode: 0o644, .keep)
    let whole = try Digest.of(folder.read("m.zip"), .sha256)
    let plain = try Digest.of(module.archive, .sha256)
    var terms = TrustPolicy.Terms()
    terms.summary = try SummaryRequirement(
      signers: [TrustEntry("gate", .key(Self.gate.get().publicKey), scope: .everything)])
    let policy = try TrustPolicy(
      entries: [TrustEntry("publisher", .key(module.key), scope: .everything)], terms: terms, allowsTestKeys: true)
    for (digests, expected) in [([whole, plain], []), ([whole], ["policy.summary \(whole)"])] {
      let summary = try summary { $0.digests = digests }
      let verdict = try Verifier(policy: policy, clock: .fixed(Self.time)).verify(
        .file(RegularFile(opening: folder.file("m.zip"))), signatures: .bytes([summary.canonicalBytes()]),
        expecting: .module(nil, named: "m.zip"))
      #expect(reasons(verdict) == expected)
    }
  }
}
