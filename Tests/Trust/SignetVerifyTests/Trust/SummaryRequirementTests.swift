import Foundation
import SignetArchive
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

/// What a policy gets that demands a verification summary besides the publishers' signatures.
@Suite struct SummaryRequirementTests: SummarySuite {
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

  @Test("a spec only says which files are meant: what a gate says is about these")
  func specs() throws {
    let verifier = Verifier(policy: try policy(), clock: .fixed(SummaryKeys.time))
    let texts = [try signature().canonicalBytes()]
    let spec = try verifier.verify(
      .bytes([1]), signatures: .bytes(texts), expecting: .spec(named: "a", as: .unnamed))
    #expect(reasons(spec) == [])
    #expect(reasons(try verdict([signature()])) == ["policy.summary -"])
  }

  @Test("a bundle that is malformed refuses the file, whatever the summary says")
  func malformed() throws {
    let texts = try [signature(), summary()].map { try $0.canonicalBytes() } + [Array("{}".utf8)]
    let verdict = try Verifier(policy: policy(), clock: .fixed(SummaryKeys.time)).verify(
      .bytes([1]), signatures: .bytes(texts), expecting: .file(named: "a"))
    #expect(reasons(verdict).contains { $0.hasPrefix("signature.malformed ") })
  }

  @Test("a certificate that is none refuses the file with a reason, where an authority certifies gates")
  func malformedCertificate() throws {
    let authority = try TestAuthority()
    var terms = TrustPolicy.Terms()
    terms.summary = try SummaryRequirement(
      signers: [TrustEntry("gate", .anyLeaf(of: [authority.certificate]), scope: .everything)],
      policySHA256: Digest(.sha256, hex: SummaryKeys.policySHA256), levels: [])
    let policy = try TrustPolicy(
      entries: [TrustEntry("publisher", .key(SummaryKeys.publisher.get().publicKey), scope: .everything)],
      terms: terms)
    let broken = SigstoreBundle(
      envelope: try summary().envelope, material: .certificate([0x30, 0]), logEntries: [], timestamps: [],
      mediaType: .v03)
    #expect(reasons(try verdict([signature(), broken], policy)).contains { $0.hasPrefix("policy.summary ") })
  }

  @Test("a publisher cannot pass its own file, nor a verifier publish one")
  func separation() throws {
    let publisher = try SummaryKeys.publisher.get()
    let own = try summary { $0.key = publisher }
    #expect(
      reasons(try verdict([signature(), own])).contains("statement.predicate-type \(SummaryPredicate.type.uri)"))
    let published = try signature(by: SummaryKeys.gate.get())
    #expect(reasons(try verdict([published, summary()])).first?.hasPrefix("signer.untrusted") == true)
    #expect(reasons(try verdict([signature(), published])) == ["policy.summary -"])
    // A stranger's summary is no summary, and harms nobody.
    let strange = try summary { $0.key = try SummaryKeys.stranger.get() }
    #expect(reasons(try verdict([signature(), strange])) == ["policy.summary -"])
    #expect(reasons(try verdict([signature(), strange, summary()])) == [])
  }

  @Test("a summary that says something else is refused for that")
  func differences() throws {
    func refused(
      _ expected: String, _ policy: TrustPolicy? = nil, _ change: (inout SummaryText) throws -> Void
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
      key: try SummaryKeys.gate.get().publicKey.id)
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
    #expect(
      reasons(try verdict([signature(), summary()], past)) == ["signer.outside-window \(SummaryKeys.time)"])
    let revoked = try policy {
      $0.revocations = [Revocation(.key(try SummaryKeys.gate.get().publicKey.id), reason: "stolen")]
    }
    let found = reasons(try verdict([signature(), summary()], revoked))
    #expect(found.map { $0.prefix { $0 != " " } } == ["signer.revoked"])
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
    let bundle = try Signer(SummaryKeys.publisher.get()).sign(mixed)
    let verifier = { (policy: TrustPolicy) in
      try Verifier(policy: policy, clock: .fixed(SummaryKeys.time)).verify(
        .bytes(other),
        signatures: .bytes([bundle.canonicalBytes(), try SummaryText(passed).bundle().canonicalBytes()]),
        expecting: .file(named: "a"))
    }
    #expect(reasons(try verifier(policy())).first?.hasPrefix("digest.mismatch") == true)
  }

  @Test("attestations and hosts' manifests need no summary")
  func others() throws {
    let type = PredicateType("https://example.com/report")
    let bundle = try Signer(SummaryKeys.publisher.get()).sign(
      .object(), of: type, about: "a", digests: [Digest.of([1], .sha256)])
    let verifier = Verifier(policy: try policy(), clock: .fixed(SummaryKeys.time))
    let attested = try verifier.verify(
      .bytes([1]), signatures: .bytes([bundle.canonicalBytes()]), expecting: .attestation(type, about: "a"))
    #expect(reasons(attested) == [])
    let host = try #require(ModuleIdentifier("com.example.host"))
    let content = Array("{}".utf8)
    let manifest = try Signer(SummaryKeys.publisher.get()).sign(
      .bytes(content), Signer.HostManifestClaims(name: "a", identifier: host, sequence: 1, signedAt: SummaryKeys.time)
    )
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
        try Verifier(policy: policy, clock: .fixed(SummaryKeys.time)).verify(
          .file(RegularFile(opening: folder.file("a"))), signatures: .beside(folder.file("a")),
          expecting: .file(named: "a")))
    }
    #expect(try verify(policy()) == ["policy.summary -"])
    try folder.write("a.vsa.sigstore.json", Array("{".utf8))
    #expect(try verify(policy()).first?.hasPrefix("signature.malformed") == true)
    #expect(try verify(TrustPolicy(trusting: [SummaryKeys.publisher.get().publicKey])) == [])
    try folder.write("a.vsa.sigstore.json", summary().canonicalBytes())
    #expect(try verify(policy()) == [])
    // The same may be a line of one file.
    try folder.write("a.sigstore.jsonl", summary().canonicalBytes() + [0x0a])
    try #require(unlink(folder.file("a.vsa.sigstore.json")) == 0)
    #expect(try verify(policy()) == [])
  }
}
