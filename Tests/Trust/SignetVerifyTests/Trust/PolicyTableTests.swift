import SignetBase
import TestSupport
import Testing

@testable import SignetCrypto
@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

/// Every combination of entry kinds, scopes, requirements, signers and revocations, against a slow and obvious model.
@Suite struct PolicyTableTests {
  /// One who signs: with a bare key or with a certificate.
  struct Person {
    let key: PrivateKey
    let certificate: Certificate?
    let email: String?
    let organization: String?
  }

  static let module = ModuleIdentifier("com.example.player")

  struct World {
    let authority: TestAuthority
    let people: [Person]
    let bundles: [[UInt8]]

    init() throws {
      authority = try TestAuthority()
      let keys = try (0..<3).map { _ in try PrivateKey.generate(.ed25519) }
      people = [
        Person(key: keys[0], certificate: nil, email: nil, organization: nil),
        Person(
          key: keys[1], certificate: try authority.certify(keys[1], names: ["email:a@example.com"], serial: 1),
          email: "a@example.com", organization: "Example"),
        Person(
          key: keys[2],
          certificate: try authority.certify(
            keys[2], "/C=DE/O=Other/CN=b", names: ["email:b@example.com"], serial: 2),
          email: "b@example.com", organization: "Other"),
        // The second person again, without the certificate.
        Person(key: keys[1], certificate: nil, email: nil, organization: nil),
      ]
      let claims = try Signer.FileClaims(name: "a", signedAt: UnixTime(seconds: 0))
      bundles = try people.map { person in
        try Signer(person.key, certificates: person.certificate.map { [$0] } ?? []).sign(.bytes([1]), claims)
          .canonicalBytes()
      }
    }
  }

  /// An entry, and the model's opinion whom it accepts and as which of its signers.
  struct Candidate {
    let anchor: TrustAnchor
    let accepts: (Person) -> [Int]
  }

  static func candidates(_ world: World) throws -> [Candidate] {
    let root = world.authority.certificate
    let own = try #require(world.people[1].certificate)
    let names = ["a@example.com", "b@example.com", "c@example.com"]
    return [
      Candidate(anchor: .key(world.people[0].key.publicKey)) {
        $0.certificate == nil && $0.key.publicKey == world.people[0].key.publicKey ? [0] : []
      },
      Candidate(anchor: .key(world.people[1].key.publicKey)) {
        $0.certificate == nil && $0.key.publicKey == world.people[1].key.publicKey ? [0] : []
      },
      Candidate(
        anchor: try .authority([root], identities: names.map { SignerIdentity(.email, $0) }),
        accepts: { person in names.indices.filter { names[$0] == person.email } }),
      Candidate(anchor: try .authority([root], identities: [SignerIdentity(.email, "b@example.com")])) {
        $0.email == "b@example.com" ? [0] : []
      },
      Candidate(anchor: try .anyLeaf(of: [root])) { $0.certificate != nil ? [0] : [] },
      Candidate(anchor: .sameSigner(as: own)) { $0.key.publicKey == world.people[1].key.publicKey ? [0] : [] },
      Candidate(anchor: try .sameAuthority(as: own, issuer: root)) { $0.organization == "Example" ? [0] : [] },
    ]
  }

  enum Revoked: CaseIterable { case nothing, key, serial, artifact }

  /// The model: for every way to give each key to one signer of the policy, or to none, how many are there?
  static func accepted(
    _ present: [Person], _ entries: [(candidate: Candidate, covers: Bool)], _ requirement: TrustPolicy.Requirement,
    _ revoked: Revoked, _ world: World
  ) -> Bool {
    if revoked == .artifact { return false }
    let revokedKey = world.people[1].key.publicKey
    // Revoking a serial revokes the key where the certificate is seen: beside the artifact, or in the policy.
    let isSeen =
      present.contains { $0.certificate != nil && $0.key.publicKey == revokedKey }
      || entries.contains { $0.candidate.anchor.certificates.contains { $0 == world.people[1].certificate } }
    let isRevoked = revoked == .key || (revoked == .serial && isSeen)
    var units: [PublicKey: Set<SignerUnit>] = [:]
    var isStranger = false
    for person in present {
      var own: Set<SignerUnit> = []
      for (index, entry) in entries.enumerated() where entry.covers {
        for identity in entry.candidate.accepts(person) { own.insert(SignerUnit(entry: index, identity: identity)) }
      }
      if own.isEmpty || (isRevoked && person.key.publicKey == revokedKey) {
        isStranger = true
      } else {
        units[person.key.publicKey, default: []].formUnion(own)
      }
    }
    let most = SignerCountTests.most(units.values.map { Array($0) })
    switch requirement {
    case .threshold(let count): return most >= count
    case .exact:
      let expected = entries.filter(\.covers).reduce(0) { $0 + ($1.candidate.anchor.identityCount ?? 1) }
      return most > 0 && most == expected && units.count == most && !isStranger
    }
  }

  @Test("every combination ends as the obvious model says", .slow)
  func table() throws {
    let world = try World()
    let candidates = try Self.candidates(world)
    let module = try #require(Self.module)
    let elsewhere = TrustScope(modules: [try #require(ModulePattern("org.other.**"))])
    let here = TrustScope(modules: [try #require(ModulePattern("com.example.*"))])
    let sets = (1..<16).map { bits in world.people.indices.filter { bits >> $0 & 1 == 1 } }
    var count = 0
    var verified = 0
    let pairs = candidates.indices.flatMap { first in (first..<candidates.count).map { (first, $0) } }
    let looked = Extent.sample(of: pairs, oneOf: 3)
    for (first, second) in looked {
      for covers in [true, false] {
        var entries = [(candidate: candidates[first], covers: true)]
        if second != first { entries.append((candidates[second], covers)) }
        if second == first && !covers { continue }
        for requirement in [TrustPolicy.Requirement.threshold(1), .threshold(2), .exact] {
          for revoked in Revoked.allCases {
            let policy = try Self.policy(entries, requirement, revoked, world, here, elsewhere)
            let verifier = Verifier(policy: policy, clock: .system)
            for present in sets {
              let verdict = try verifier.verify(
                .bytes([1]), signatures: .bytes(present.map { world.bundles[$0] }),
                expecting: .file(named: "a", as: ArtifactRole(module: module)))
              var isVerified = false
              if case .verified = verdict { isVerified = true }
              let expected = Self.accepted(
                present.map { world.people[$0] }, entries, requirement, revoked, world)
              #expect(isVerified == expected, "\(first) \(second) \(covers) \(requirement) \(revoked) \(present)")
              count += 1
              verified += isVerified ? 1 : 0
            }
          }
        }
      }
    }
    #expect(count * pairs.count > 8000 * looked.count)
    #expect(verified * pairs.count > 1000 * looked.count)
  }

  private static func policy(
    _ entries: [(candidate: Candidate, covers: Bool)], _ requirement: TrustPolicy.Requirement, _ revoked: Revoked,
    _ world: World, _ here: TrustScope, _ elsewhere: TrustScope
  ) throws -> TrustPolicy {
    var terms = TrustPolicy.Terms()
    terms.requirement = requirement
    switch revoked {
    case .nothing: break
    case .key: terms.revocations = [Revocation(.key(world.people[1].key.publicKey.id), reason: "lost")]
    case .serial:
      let certificate = try #require(world.people[1].certificate)
      terms.revocations = [
        Revocation(
          .certificate(serial: certificate.serialNumber, issuer: "\(certificate.issuer)"), reason: "lost")
      ]
    case .artifact: terms.revocations = [Revocation(.sha256(try Digest.of([1], .sha256)), reason: "bad")]
    }
    return try TrustPolicy(
      entries: entries.enumerated().map { index, entry in
        try TrustEntry("entry-\(index)", entry.candidate.anchor, scope: entry.covers ? here : elsewhere)
      }, terms: terms)
  }
}
