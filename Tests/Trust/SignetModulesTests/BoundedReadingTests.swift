import Foundation
import SignetArchive
import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import SignetCrypto
@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify
@testable import TrustTestSupport

/// How much of an artifact is read before it is known to be worth it: counted in bytes, never in seconds.
struct BoundedReadingTests {
  static let time = UnixTime(seconds: 1_800_000_000)
  static let gigantic = 40 << 30
  static let content = Array("{\"bundles\":[]}\n".utf8)
  static let host = ModuleIdentifier("com.example.player")

  let key: PrivateKey
  let host: ModuleIdentifier

  init() throws {
    key = try PrivateKey.generate(.ed25519)
    host = try #require(Self.host)
  }

  private func policy(
    _ keys: [PublicKey]? = nil, _ change: (inout TrustPolicy.Terms) -> Void = { _ in }
  ) throws -> TrustPolicy {
    var terms = TrustPolicy.Terms()
    change(&terms)
    let entries = try (keys ?? [key.publicKey]).enumerated().map {
      try TrustEntry("key-\($0.offset)", .key($0.element), scope: .everything)
    }
    return try TrustPolicy(entries: entries, terms: terms)
  }

  private func file(_ content: [UInt8] = content, named name: String = "a", notAfter: UnixTime? = nil) throws
    -> SigstoreBundle
  {
    let before = UnixTime(seconds: Self.time.seconds - 10)
    return try Signer(key).sign(
      .bytes(content), Signer.FileClaims(name: name, signedAt: before, notAfter: notAfter))
  }

  private func manifest() throws -> SigstoreBundle {
    try Signer(key).sign(
      .bytes(Self.content),
      Signer.HostManifestClaims(name: "a", identifier: host, sequence: 5, signedAt: Self.time))
  }

  /// What a verification says, and how many bytes it has read for that.
  private func verify<Proof>(
    _ source: CountedSource, _ bundles: [SigstoreBundle], _ expectation: Verifier.Expectation<Proof>,
    _ policy: TrustPolicy? = nil
  ) throws -> (codes: [SignetError.Code], read: Int, hashed: Int) {
    let progress = ProgressCounter()
    let verdict = try Verifier(policy: policy ?? self.policy(), clock: .fixed(Self.time)).verify(
      .source(source), signatures: .bytes(bundles.map { try $0.canonicalBytes() }), expecting: expectation,
      progress: progress)
    var codes: [SignetError.Code] = []
    if case .refused(let refusal) = verdict { codes = refusal.reasons.map(\.code) }
    return (codes, source.read, progress.completed)
  }

  /// A policy that revokes some artifact by its digest, so that both digests have to be known.
  private func revoking(_ target: Revocation.Target? = nil) throws -> TrustPolicy {
    let other = try Digest.of([9], .sha256)
    return try policy { $0.revocations = [Revocation(target ?? .sha256(other), reason: "r")] }
  }

  @Test("what is good is read once, and counted")
  func good() throws {
    let found = try verify(CountedSource(Self.content), [file()], .file(named: "a"))
    #expect(found.codes == [] && found.read == Self.content.count && found.hashed == Self.content.count)
  }

  @Test("a file, a manifest or an archive of another size than the signed one is not read")
  func size() throws {
    for policy in [try policy(), try revoking()] {
      let file = try verify(
        CountedSource(Self.content, size: Self.gigantic), [self.file()], .file(named: "a"), policy)
      #expect(file.codes == [.digestMismatch] && file.read == 0)
      let manifest = try verify(
        CountedSource(Self.content, size: Self.gigantic), [self.manifest()],
        .hostManifest(identifier: host, named: "a", leastSequence: 1), policy)
      #expect(manifest.codes == [.digestMismatch] && manifest.read == 0)
      // Its first bytes show that it is no archive.
      let either = try verify(
        CountedSource(Self.content, size: Self.gigantic), [self.file()], .fileOrModule(named: "a"), policy)
      #expect(either.codes == [.digestMismatch] && either.read == 512)
      // A tar that goes on after its end.
      let tar = try TarFixture.module()
      let bundle = try Signer(key).sign(module: .bytes(tar), Signer.ModuleClaims(name: "a", signedAt: Self.time))
      let module = try verify(
        CountedSource(tar, size: Self.gigantic), [bundle], .module(nil, named: "a"), policy)
      #expect(module.codes == [.digestMismatch] && module.read == 512)
    }
  }

  @Test("what is refused already is not read")
  func refused() throws {
    let revoked = try Digest.of(Self.content, .sha256)
    let tree = try FSVerityDigest(of: Self.content)
    let other = try PrivateKey.generate(.ed25519)
    let threshold = try policy([key.publicKey, other.publicKey]) { $0.requirement = .threshold(2) }
    let expired = UnixTime(seconds: Self.time.seconds - 1)
    let cases: [([SigstoreBundle], TrustPolicy, [SignetError.Code])] = [
      ([try file(named: "b")], try policy(), [.subjectName]),
      ([try file(notAfter: expired)], try policy(), [.statementExpired]),
      ([try manifest()], try revoking(), [.statementPredicateType]),
      ([try file()], try revoking(.sha256(revoked)), [.policyRevoked]),
      ([try file()], try revoking(.fsverity(tree)), [.policyRevoked]),
      ([try file()], threshold, [.policyThreshold]),
      ([try file()], try policy([other.publicKey]), [.signerUntrusted]),
      // The second bundle refuses, though the first holds.
      ([try file(), try file(Self.content + [1])], try policy(), [.digestMismatch]),
    ]
    for (bundles, policy, codes) in cases {
      let found = try verify(CountedSource(Self.content), bundles, .file(named: "a"), policy)
      #expect(found.codes == codes && found.read == 0, "\(codes): \(found)")
    }
  }

  @Test("an archive is not expanded, nor read behind its first bytes, for bundles that nobody trusted has signed")
  func strangers() throws {
    let stranger = try PrivateKey.generate(.ed25519)
    let tar = try TarFixture.module(compressed: true)
    let bundles = try (0..<16).map { number in
      try Signer(stranger).sign(
        module: .bytes(tar), Signer.ModuleClaims(name: "a\(number)", signedAt: Self.time))
    }
    let found = try verify(CountedSource(tar), bundles, .fileOrModule(named: "a"))
    #expect(Set(found.codes) == [.signerUntrusted])
    #expect(found.read <= 2 * 512 && found.hashed == 0)
  }
}
