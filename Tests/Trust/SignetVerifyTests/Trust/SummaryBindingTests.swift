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
@testable import TrustTestSupport

/// What a verification summary is about: one statement of a publisher, and nothing else with its digest.
@Suite struct SummaryBindingTests: SummarySuite {
  @Test("a summary that names a publisher's statement holds for that one alone")
  func binding() throws {
    let published = try signature()
    #expect(reasons(try verdict([published, summary { $0.statements = [published] }])) == [])
    let other = try Signer(SummaryKeys.publisher.get()).sign(
      .bytes([1]), Signer.FileClaims(name: "a", signedAt: UnixTime(seconds: 1)))
    for statements in [[], [other]] {
      let found = reasons(try verdict([published, summary { $0.statements = statements }]))
      #expect(found.map { $0.prefix { $0 != " " } } == ["policy.summary"])
    }
    // Every statement that counts has to be named.
    #expect(reasons(try verdict([published, other, summary { $0.statements = [published, other] }])) == [])
    #expect(reasons(try verdict([published, other, summary { $0.statements = [published] }])).count == 1)
    let broken = try summary {
      $0.predicate = .object(
        ("verifier", .object(("id", .string("urn:signet:gate")))), ("resourceUri", .string("x")),
        ("policy", .object()), ("verificationResult", .string("PASSED")), ("verifiedLevels", .array([])),
        (SummaryPredicate.statementsField, .string("all")))
    }
    #expect(reasons(try verdict([published, broken])).map { $0.prefix { $0 != " " } } == ["policy.summary"])
  }

  @Test("a file with the bytes of a listing does not pass the directory")
  func listing() throws {
    let folder = try TemporaryFolder()
    try #require(mkdir(folder.file("d"), 0o755) == 0)
    try folder.write("d/run.sh", [1], mode: 0o777)
    let directory = try Directory(opening: folder.file("d"))
    let bundle = try Signer(SummaryKeys.publisher.get()).sign(
      .directory(directory), Signer.FileClaims(name: "d", signedAt: SummaryKeys.time))
    let listing = try #require(try Statement(payload: bundle.envelope.payload).directory?.listing.canonicalBytes())
    let file = try signature(listing)
    func verify(_ statements: [SigstoreBundle]?) throws -> [String] {
      var summary = try SummaryText(listing)
      summary.statements = statements
      return reasons(
        try Verifier(policy: policy(), clock: .fixed(SummaryKeys.time)).verify(
          .directory(directory), signatures: .bytes([bundle.canonicalBytes(), summary.bundle().canonicalBytes()]),
          expecting: .directory(named: "d")))
    }
    #expect(try verify([bundle]) == [])
    #expect(try verify(nil) == ["policy.summary -"])
    #expect(try verify([file]).map { $0.prefix { $0 != " " } } == ["policy.summary"])
  }

  @Test("an archive that passed as a file does not pass as a module")
  func archive() throws {
    let module = try SignedModule()
    let key = try SignedModule.key()
    let file = try Signer(key).sign(
      .bytes(module.archive), Signer.FileClaims(name: "m.zip", signedAt: SummaryKeys.time))
    var terms = TrustPolicy.Terms()
    terms.summary = try SummaryRequirement(
      signers: [TrustEntry("gate", .key(SummaryKeys.gate.get().publicKey), scope: .everything)])
    let policy = try TrustPolicy(
      entries: [TrustEntry("publisher", .key(module.key), scope: .everything)], terms: terms, allowsTestKeys: true)
    for (statements, expected) in [([module.bundle], 0), ([file], 1), (nil, 1)] {
      let summary = try SummaryText(module.archive).with { $0.statements = statements }
      let verdict = try Verifier(policy: policy, clock: .fixed(SummaryKeys.time)).verify(
        .bytes(module.archive), signatures: .bytes([module.bundle.canonicalBytes(), summary.canonicalBytes()]),
        expecting: .module(nil, named: "m.zip"))
      #expect(reasons(verdict).count == expected)
      #expect(reasons(verdict).allSatisfy { $0.hasPrefix("policy.summary ") })
    }
  }

  @Test("one key is not a publisher and a verifier, whatever a policy calls it")
  func sameKey() throws {
    let publisher = try SummaryKeys.publisher.get()
    let authority = try TestAuthority()
    let certificate = try authority.certify(publisher, names: ["email:a@example.com"])
    func policy(_ entry: TrustAnchor, _ signer: TrustAnchor) throws -> TrustPolicy {
      var terms = TrustPolicy.Terms()
      terms.summary = try SummaryRequirement(signers: [TrustEntry("gate", signer, scope: .everything)])
      return try TrustPolicy(entries: [TrustEntry("publisher", entry, scope: .everything)], terms: terms)
    }
    let identity = try #require(SignerIdentity("email:a@example.com"))
    let other = try #require(SignerIdentity("email:b@example.com"))
    let named = try TrustAnchor.authority([authority.certificate], intermediates: [], identities: [identity])
    let anybody = try TrustAnchor.anyLeaf(of: [authority.certificate], intermediates: [])
    let sameSigner = TrustAnchor.sameSigner(as: certificate, issuers: [])
    for (entry, signer) in [
      (sameSigner, TrustAnchor.key(publisher.publicKey)), (.key(publisher.publicKey), sameSigner),
      (sameSigner, sameSigner), (named, named), (named, anybody), (anybody, named), (anybody, anybody),
    ] {
      expectError(.policyDuplicate) { _ = try policy(entry, signer) }
    }
    _ = try policy(named, .authority([authority.certificate], intermediates: [], identities: [other]))
    // That the name's key is the other entry's shows in the signatures alone.
    let hidden = try policy(named, .key(publisher.publicKey))
    let signed = try Signer(publisher, certificates: [certificate]).sign(
      .bytes([1]), Signer.FileClaims(name: "a", signedAt: SummaryKeys.time))
    let own = try summary { $0.key = publisher }
    let verdict = try Verifier(policy: hidden, clock: .fixed(SystemTime.now())).verify(
      .bytes([1]), signatures: .bytes([signed.canonicalBytes(), own.canonicalBytes()]), expecting: .file(named: "a"))
    #expect(reasons(verdict) == ["policy.summary \(publisher.publicKey.id)"])
  }

  @Test("a module with signatures in it is meant by the digest without them")
  func attached() throws {
    let module = try SignedModule()
    let attached = try AttachedArchive.attaching(
      [module.bundle], to: .bytes(module.archive), at: SummaryKeys.time)
    let folder = try TemporaryFolder()
    try attached.write(to: folder.file("m.zip"), mode: 0o644, .keep)
    let whole = try Digest.of(folder.read("m.zip"), .sha256)
    let plain = try Digest.of(module.archive, .sha256)
    var terms = TrustPolicy.Terms()
    terms.summary = try SummaryRequirement(
      signers: [TrustEntry("gate", .key(SummaryKeys.gate.get().publicKey), scope: .everything)])
    let policy = try TrustPolicy(
      entries: [TrustEntry("publisher", .key(module.key), scope: .everything)], terms: terms, allowsTestKeys: true)
    for (digests, expected) in [([whole, plain], []), ([whole], ["policy.summary \(whole)"])] {
      let summary = try summary {
        $0.digests = digests
        $0.statements = [module.bundle]
      }
      let verdict = try Verifier(policy: policy, clock: .fixed(SummaryKeys.time)).verify(
        .file(RegularFile(opening: folder.file("m.zip"))), signatures: .bytes([summary.canonicalBytes()]),
        expecting: .module(nil, named: "m.zip"))
      #expect(reasons(verdict) == expected)
    }
  }
}
