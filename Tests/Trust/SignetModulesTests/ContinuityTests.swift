import Foundation
import KeyLineages
import SignetArchive
import SignetBase
import SignetCrypto
import SignetKeys
import SignetNames
import SignetSigning
import SignetSystem
import SignetVerify
import TestSupport
import Testing

@testable import SignetModules

/// What a release must have that the one before it had.
@Suite("continuity") struct ContinuityTests {
  private static let start = UnixTime(seconds: 1_800_000_000)
  private static let name = "player.zip"
  private let keys: [PrivateKey]

  init() throws {
    keys = try (0..<3).map { _ in try PrivateKey.generate(.ed25519) }
  }

  private func policy(_ indices: [Int], _ change: (inout TrustPolicy.Terms) -> Void = { _ in }) throws -> TrustPolicy
  {
    var terms = TrustPolicy.Terms()
    change(&terms)
    let entries = try indices.map { try TrustEntry("key-\($0)", .key(keys[$0].publicKey), scope: .everything) }
    return try TrustPolicy(entries: entries, terms: terms)
  }

  /// The record of a file that keys have signed.
  private func record(_ indices: Int..., under policy: TrustPolicy) throws -> SigningRecord {
    let artifact = Artifact.bytes([1])
    var bundles: [SigstoreBundle] = []
    for index in indices {
      let signer = try Signer(keys[index])
      bundles.append(
        bundles.isEmpty
          ? try signer.sign(artifact, Signer.FileClaims(name: Self.name, signedAt: Self.start))
          : try signer.addSignature(to: bundles, of: artifact, named: Self.name, at: Self.start))
    }
    let texts = try bundles.map { try $0.canonicalBytes() }
    let proof = try Verifier(policy: policy, clock: .fixed(Self.start)).verify(
      artifact, signatures: .bytes(texts), expecting: .file(named: Self.name)
    ).get()
    return SigningRecord(proof.signatures, under: policy)
  }

  private func lacks(_ new: SigningRecord, of old: SigningRecord, _ policy: TrustPolicy) -> [SignetError.Code] {
    new.lacks(of: old, Self.name, under: policy, as: .unnamed.named(Self.name), at: Self.start).map(\.code)
  }

  @Test("no fewer signers, and no others; more are no less")
  func signers() throws {
    let policy = try policy([0, 1, 2])
    let both = try record(0, 1, under: policy)
    #expect(try lacks(record(0, 1, under: policy), of: both, policy) == [])
    #expect(try lacks(record(1, 0, 2, under: policy), of: both, policy) == [])
    #expect(try lacks(record(0, under: policy), of: both, policy) == [.continuityFewerSigners])
    #expect(try lacks(record(0, 2, under: policy), of: both, policy) == [.continuitySigner])
    #expect(try lacks(record(2, under: policy), of: record(0, under: policy), policy) == [.continuitySigner])
  }

  @Test("nothing is expected of a signer whom the policy trusts no longer, or revokes")
  func removed() throws {
    let policy = try policy([0, 1, 2])
    let both = try record(0, 1, under: policy)
    let less = try self.policy([0, 2])
    #expect(try lacks(record(0, under: less), of: both, less) == [])
    let revoking = try self.policy([0, 1, 2]) {
      $0.revocations = [Revocation(.key(keys[1].publicKey.id), reason: "stolen", date: Self.start)]
    }
    #expect(try lacks(record(0, under: revoking), of: both, revoking) == [])
    #expect(try lacks(record(2, under: revoking), of: both, revoking) == [.continuitySigner])
  }

  @Test("a key that was introduced by the one before is the same signer, in both directions")
  func lineages() throws {
    let lineage = try KeyLineage.rotating(
      nil, from: keys[0], to: keys[1], since: Self.start, until: UnixTime(seconds: Self.start.seconds + 86_400))
    let policy = try policy([0, 2]).following(lineage)
    #expect(try lacks(record(1, under: policy), of: record(0, under: policy), policy) == [])
    #expect(try lacks(record(0, under: policy), of: record(1, under: policy), policy) == [])
    #expect(try lacks(record(2, under: policy), of: record(0, under: policy), policy) == [.continuitySigner])
  }

  @Test("nothing is expected of a signer whose entry has ended, or is for other artifacts, whatever its name is")
  func silent() throws {
    let old = try record(0, 1, under: policy([0, 1]))
    func trusting(_ name: String, _ scope: TrustScope, until: UnixTime? = nil) throws -> TrustPolicy {
      let window = TrustEntry.Window(until: until)
      return try TrustPolicy(entries: [
        TrustEntry("key-0", .key(keys[0].publicKey), scope: .everything),
        TrustEntry(name, .key(keys[1].publicKey), scope: scope, window: window),
      ])
    }
    let new = try record(0, under: policy([0, 1]))
    let past = UnixTime(seconds: Self.start.seconds - 1)
    let others = TrustScope(modules: [try #require(ModulePattern("com.example.**"))])
    for name in ["key-1", "renamed"] {
      #expect(try lacks(new, of: old, trusting(name, .everything)) == [.continuityFewerSigners])
      #expect(try lacks(new, of: old, trusting(name, .everything, until: Self.start)) == [.continuityFewerSigners])
      #expect(try lacks(new, of: old, trusting(name, .everything, until: past)) == [])
      #expect(try lacks(new, of: old, trusting(name, others)) == [])
    }
  }

  @Test("a name counts by its authority: renewed certificates are one signer, and the same name of another is not")
  func names() throws {
    let policy = try policy([0])
    let key = "\(keys[0].publicKey.id)"
    func signer(_ names: [String], _ issuer: String?, key: String) -> RecordedSigner {
      RecordedSigner(key: key, names: names, issuer: issuer, kind: .name)
    }
    let ann = signer(["email:ann@example.com"], "CN=A", key: "one")
    #expect(ann.isSame(as: signer(["dns:a", "email:ann@example.com"], "CN=A", key: "two"), under: policy))
    #expect(ann.isSame(as: signer(["email:ann@example.com"], nil, key: "two"), under: policy))
    #expect(!ann.isSame(as: signer(["email:ann@example.com"], "CN=B", key: "two"), under: policy))
    #expect(!ann.isSame(as: signer(["email:ben@example.com"], "CN=A", key: "two"), under: policy))
    #expect(ann.isSame(as: signer([], nil, key: "one"), under: policy))
    #expect(!signer([], nil, key: "one").isSame(as: signer([], nil, key: key), under: policy))
  }

  @Test("a weaker kind of entry, or an attestation that is missing")
  func kinds() throws {
    let policy = try policy([0])
    let kinds: [RecordedSigner.Kind] = [.anyone, .name, .key, .identity]
    #expect(kinds == kinds.sorted() && kinds == RecordedSigner.Kind.allCases)
    let key = "\(keys[0].publicKey.id)"
    func record(
      _ kind: RecordedSigner.Kind, key other: String? = nil, _ attestations: Set<String> = []
    ) -> SigningRecord {
      let signer = RecordedSigner(key: other ?? key, names: ["email:a@example.com"], kind: kind)
      return SigningRecord(signers: [signer], attestations: attestations)
    }
    // The policy trusts the key, whatever kind it was recorded as.
    for (index, kind) in kinds.enumerated() {
      for (other, before) in kinds.enumerated() {
        let isLess = index < other
        #expect(lacks(record(kind, key: "another"), of: record(before), policy) == (isLess ? [.continuityKind] : []))
        // The owner of the key is nobody else for having a certificate.
        #expect(lacks(record(kind), of: record(before), policy) == [])
      }
    }
    let all = record(.key, ["a", "b"])
    #expect(lacks(record(.key, ["a"]), of: all, policy) == [.continuityAttestation])
    #expect(lacks(all, of: record(.key, ["a"]), policy) == [])
    // Nothing is told twice, and everything is told.
    #expect(
      lacks(record(.name, key: "another"), of: record(.key, ["a"]), policy)
        == [.continuityKind, .continuityAttestation])
  }

  @Test("a record is read as it was written, and nothing else is one")
  func coding() throws {
    let signer = RecordedSigner(key: "SHA256:x", names: ["email:a@example.com"], issuer: "CN=A", kind: .name)
    for record in [
      SigningRecord(signers: [signer]),
      SigningRecord(
        signers: [RecordedSigner(key: "k", kind: .key, isStamped: true), signer], attestations: ["b", "a"]),
      try record(0, 1, under: policy([0, 1])),
    ] {
      let text = try CanonicalJSON.write(record.json)
      let value = try JSONReader.read(text, limits: .payload)
      #expect(try SigningRecord(JSONObject(value, "record", unknownField: .policyUnknownField)) == record)
    }
    for text in [
      "{}", #"{"signers":[]}"#, #"{"signers":[{"key":"b","kind":"other"}]}"#, #"{"signers":[{"kind":"key"}]}"#,
      #"{"signers":[{"key":"b","kind":"key","stamped":1}]}"#, #"{"signers":[{"key":"b","kind":"key"}],"more":1}"#,
      #"{"signers":[{"key":"b","kind":"key","certificate":{"serial":"1"}}]}"#,
    ] {
      #expect(throws: SignetError.self, "\(text)") {
        let value = try JSONReader.read(Array(text.utf8), limits: .payload)
        _ = try SigningRecord(JSONObject(value, "record", unknownField: .policyUnknownField))
      }
    }
  }

  private func release(_ sha256: Digest) throws -> WaivedRelease {
    WaivedRelease(
      try #require(ModuleIdentifier("com.example.player")), sequence: 2, sha256: sha256, called: Self.name)
  }

  /// A waiver that keys have signed.
  private func waiver(_ indices: Int..., sequence: Int = 2, sha256: Digest) throws -> [UInt8] {
    let module = try #require(ModuleIdentifier("com.example.player"))
    let payload = try ContinuityWaiver.payload(
      module, sequence: sequence, sha256: sha256, reason: "Ben has left")
    return try indices.flatMap { index in
      let signature = try keys[index].sign(Envelope.preAuthenticationEncoding(of: payload))
      let bundle = SigstoreBundle(payload: payload, signature: signature, key: keys[index].publicKey.id)
      return try bundle.canonicalBytes() + [0x0a]
    }
  }

  @Test("a waiver lets one release through, if all have signed it who have signed the one before")
  func waivers() throws {
    let policy = try policy([0, 1, 2])
    let (old, new) = (try record(0, 1, under: policy), try record(2, under: policy))
    let sha256 = try Digest.of([1], .sha256)
    let release = try release(sha256)
    func hold(_ exceptions: ContinuityExceptions, under policy: TrustPolicy) throws(SignetError) -> [SignetError.Code]
    {
      try policy.hold(new, to: old, of: release, at: Self.start, except: exceptions).map(\.code)
    }
    func refused(_ waiver: [UInt8]?) throws {
      let error = try #require(throws: SignetError.self) {
        _ = try hold(ContinuityExceptions(waiver: waiver), under: policy)
      }
      #expect(error.code == .continuityFewerSigners)
      #expect((error.cause as? SignetError)?.code == (waiver == nil ? nil : .continuityWaiver))
    }
    try refused(nil)
    let good = try waiver(0, 1, sha256: sha256)
    #expect(try hold(ContinuityExceptions(waiver: good), under: policy) == [.continuityFewerSigners])
    #expect(try hold(ContinuityExceptions(isNamed: true), under: policy) == [.continuityFewerSigners])
    #expect(
      try hold(ContinuityExceptions(), under: self.policy([0, 1, 2]) { $0.continuity = .warn }) == [
        .continuityFewerSigners
      ])
    #expect(try policy.hold(old, to: old, of: release, at: Self.start, except: ContinuityExceptions()).isEmpty)
    // By one of them alone, by one of them twice, by the new one, about another release, empty, too many lines.
    for bad in [
      try waiver(0, sha256: sha256), try waiver(0, 0, sha256: sha256), try waiver(0, 2, sha256: sha256),
      try waiver(0, 1, sequence: 3, sha256: sha256), try waiver(0, 1, sha256: Digest.of([2], .sha256)), [],
      try waiver(0, sha256: sha256) + waiver(1, sequence: 3, sha256: sha256),
      Array(repeating: try waiver(0, sha256: sha256), count: 17).flatMap { $0 },
    ] { try refused(bad) }
    // A damaged byte in what is signed, or in a signature.
    let text = String(decoding: good, as: UTF8.self)
    for match in text.matches(of: /"(?:payload|sig)":"([^"]*)"/) {
      let value = match.1
      let start = text.utf8.distance(from: text.startIndex, to: value.startIndex)
      for offset in stride(from: 0, to: value.utf8.count, by: 11) {
        var damaged = good
        damaged[start + offset] ^= 0x01
        try refused(damaged)
      }
    }
    // Whom the policy revokes waives nothing; then nothing is expected of that one either.
    let revoking = try self.policy([0, 1, 2]) {
      $0.revocations = [Revocation(.key(keys[1].publicKey.id), reason: "stolen", date: Self.start)]
    }
    expectError(.continuitySigner) { _ = try hold(ContinuityExceptions(waiver: good), under: revoking) }
    #expect(try hold(ContinuityExceptions(waiver: waiver(0, sha256: sha256)), under: revoking) == [.continuitySigner])
  }

  @Test("each vector is the waiver that it is, or has its code")
  func vectors() throws {
    let folder = "Tests/Vectors/waivers"
    var names: Set<String> = []
    for line in try Repository.text("\(folder)/cases.txt").split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ").map(String.init)
      names.insert(words[0])
      let text = try Repository.bytes("\(folder)/\(words[0])")
      var code = "ok"
      do throws(SignetError) { #expect(try ContinuityWaiver(reading: text).text == text) } catch {
        code = error.code.rawValue
      }
      #expect(code == words[1], "\(words[0])")
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: "\(Repository.root)/\(folder)")
    #expect(names == Set(files.filter { $0.hasSuffix(".waiver") }) && names.count == 10)
  }

  @Test("a release waits until it is old enough, unless it is named, or what somebody has is revoked")
  func ages() throws {
    let module = try #require(ModuleIdentifier("com.example.player"))
    let version = try #require(SemanticVersion("1.0.0"))
    func release(_ sequence: Int, hours: Int64) -> AgeRule.Release {
      AgeRule.Release(
        sequence, version, nil, cameAt: UnixTime(seconds: Self.start.seconds - hours * 3_600))
    }
    let releases = [release(1, hours: 100), release(2, hours: 72), release(3, hours: 71), release(4, hours: -1)]
    let (short, long) = (MinimumAge("12h"), MinimumAge("3d"))
    #expect(try AgeRule(policy([0]), at: Self.start).map { _ in 1 } == nil)
    let aged = try policy([0]) { $0.minimumAge = long }
    let waiting = [
      3: UnixTime(seconds: Self.start.seconds + 3_600), 4: UnixTime(seconds: Self.start.seconds + 73 * 3_600),
    ]
    for rule in [
      AgeRule(aged, at: Self.start), AgeRule(aged, or: short, at: Self.start), AgeRule(nil, or: long, at: Self.start),
    ] {
      let rule = try #require(rule)
      #expect(rule.waiting(releases, of: module, after: nil) == waiting)
      #expect(rule.waiting(releases, of: module, after: releases[1]) == waiting)
      #expect(Set(rule.waiting(releases, of: module, after: nil) { $0.sequence == 3 }.keys) == [4])
      // What was chosen before need not wait; the same version with other bytes is another release.
      #expect(Set(rule.waiting(releases, of: module, after: releases[2]).keys) == [4])
      let (one, other) = (try Digest.of([1], .sha256), try Digest.of([2], .sha256))
      let changed = AgeRule.Release(3, version, one, cameAt: releases[2].cameAt)
      let locked = AgeRule.Release(3, version, other, cameAt: Self.start)
      #expect(Set(rule.waiting([changed], of: module, after: locked).keys) == [3])
    }
    // Only what somebody has can be revoked for him: a registry can show what is revoked as its newest release.
    let revoking = try policy([0]) {
      $0.minimumAge = long
      $0.revocations = [Revocation(.sequence(module, 1), reason: "flaw", date: Self.start)]
    }
    let rule = try #require(AgeRule(revoking, at: Self.start))
    #expect(rule.waiting(releases, of: module, after: releases[0]).isEmpty)
    #expect(rule.waiting(releases, of: module, after: releases[1]) == waiting)
    #expect(rule.waiting(releases, of: module, after: nil) == waiting)
  }

  @Test(
    "ages and names of releases",
    arguments: [
      ("3d", 259_200), ("1h", 3_600), ("999w", 604_195_200), ("", nil), ("3", nil), ("d", nil), ("0d", nil),
      ("03d", nil),
      ("+3d", nil), ("1000d", nil), ("3 d", nil), ("3D", nil), ("-3d", nil),
    ] as [(String, Int64?)])
  func texts(text: String, seconds: Int64?) {
    #expect(MinimumAge(text)?.seconds == seconds)
    #expect(MinimumAge(text)?.description == (seconds == nil ? nil : text))
    #expect(NamedRelease("com.example.player@\(text)") == nil)
  }
}
