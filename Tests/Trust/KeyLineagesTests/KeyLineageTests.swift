import Foundation
import KeyLineages
import SignetBase
import SignetCrypto
import SignetKeys
import SignetModules
import SignetSigning
import SignetSystem
import SignetVerify
import TestSupport
import Testing

/// The keys of a signer, one after the other, and policies that follow them.
@Suite("key lineages") struct KeyLineageTests {
  private let keys: [PrivateKey]
  private static let start = UnixTime(seconds: 1_800_000_000)
  private static let name = "tool"

  init() throws {
    keys = try (0..<4).map { _ in try PrivateKey.generate(.ed25519) }
  }

  private static func day(_ number: Int64) -> UnixTime { UnixTime(seconds: start.seconds + number * 86_400) }

  /// The lineage of some of the keys: each follows the one before after ten days, and overlaps with it for five.
  private func lineage(_ indices: Int..., from first: KeyLineage? = nil) throws -> KeyLineage {
    var lineage = first
    for (number, pair) in zip(indices, indices.dropFirst()).enumerated() {
      let since = Self.day(Int64(10 * ((first?.rotations.count ?? 0) + number + 1)))
      lineage = try .rotating(
        lineage, from: keys[pair.0], to: keys[pair.1], since: since,
        until: UnixTime(seconds: since.seconds + 5 * 86_400))
    }
    return try #require(lineage)
  }

  private func policy(_ indices: Int..., threshold: Int = 1) throws -> TrustPolicy {
    var terms = TrustPolicy.Terms()
    terms.requirement = .threshold(threshold)
    let entries = try indices.enumerated().map {
      try TrustEntry("entry-\($0.offset)", .key(keys[$0.element].publicKey), scope: .everything)
    }
    return try TrustPolicy(entries: entries, terms: terms)
  }

  /// Verifies a file that keys have signed.
  private func verify(
    _ indices: Int..., under policy: TrustPolicy, at time: UnixTime
  ) throws -> [SignetError.Code] {
    let artifact = Artifact.bytes(Array("tool".utf8))
    let claims = try Signer.FileClaims(name: Self.name, signedAt: Self.start)
    var bundles: [SigstoreBundle] = []
    for index in indices {
      let signer = try Signer(keys[index])
      bundles.append(
        bundles.isEmpty
          ? try signer.sign(artifact, claims)
          : try signer.addSignature(to: bundles, of: artifact, named: Self.name, at: Self.start))
    }
    let texts = try bundles.map { try $0.canonicalBytes() }
    let verdict = try Verifier(policy: policy, clock: .fixed(time)).verify(
      artifact, signatures: .bytes(texts), expecting: .file(named: Self.name))
    switch verdict {
    case .verified: return []
    case .refused(let refusal): return refusal.reasons.map(\.code)
    }
  }

  @Test("who trusts the old key accepts the new one from its time on, and the old one until the overlap ends")
  func times() throws {
    let policy = try policy(0).following(lineage(0, 1, 2))
    #expect(try verify(1, under: self.policy(0), at: Self.day(11)) == [.signerUntrusted])
    for (index, from, until) in [(0, 0, 15), (1, 10, 25), (2, 20, 4000)] as [(Int, Int64, Int64)] {
      #expect(try verify(index, under: policy, at: Self.day(from)) == [])
      #expect(try verify(index, under: policy, at: Self.day(until)) == [])
      let (before, after) = (
        UnixTime(seconds: Self.day(from).seconds - 1), UnixTime(seconds: Self.day(until).seconds + 1)
      )
      if index > 0 { #expect(try verify(index, under: policy, at: before) == [.signerOutsideWindow]) }
      if index < 2 { #expect(try verify(index, under: policy, at: after) == [.signerOutsideWindow]) }
    }
    #expect(try verify(3, under: policy, at: Self.day(21)) == [.signerUntrusted])
  }

  @Test("a policy that begins with a later key follows what comes after it, and is written as it was read")
  func later() throws {
    let policy = try policy(1).following(lineage(0, 1, 2))
    #expect(try verify(2, under: policy, at: Self.day(21)) == [])
    #expect(try verify(0, under: policy, at: Self.day(1)) == [.signerUntrusted])
    let text = try policy.canonicalBytes()
    #expect(try TrustPolicy(json: text, with: [.rotations]) == policy)
    expectError(.policyUnknownField) { _ = try TrustPolicy(json: text) }
    expectError(.lineageStranger) { _ = try self.policy(3).following(lineage(0, 1)) }
    // Who trusts the newest key already takes the published lineage as well.
    #expect(try self.policy(2).following(lineage(0, 1, 2)) == self.policy(2))
    // Another signer who introduces somebody's key does not keep that one from introducing the next.
    let both = try self.policy(3, 0).following(lineage(3, 0))
    #expect(try verify(1, under: both.following(lineage(0, 1)), at: Self.day(12)) == [])
  }

  @Test("the keys of one signer count once, whatever entries they are in")
  func counting() throws {
    let lineage = try lineage(0, 1)
    #expect(try verify(0, 1, under: policy(0, threshold: 1).following(lineage), at: Self.day(12)) == [])
    #expect(
      try verify(0, 1, under: policy(0, 0, threshold: 2).following(lineage), at: Self.day(12)) == [.policyThreshold])
    #expect(
      try verify(0, 1, under: policy(0, 1, threshold: 2).following(lineage), at: Self.day(12)) == [.policyThreshold])
    #expect(try verify(1, 3, under: policy(0, 3, threshold: 2).following(lineage), at: Self.day(12)) == [])
    #expect(
      try verify(1, under: policy(0, 1, threshold: 2).following(lineage), at: Self.day(12)) == [.policyThreshold])
    // Whoever signs summaries is another one.
    var terms = TrustPolicy.Terms()
    terms.summary = try SummaryRequirement(
      signers: [TrustEntry("gate", .key(keys[1].publicKey), scope: .everything)])
    let demanding = try TrustPolicy(entries: policy(0).entries, terms: terms)
    expectError(.policyDuplicate) { _ = try demanding.following(lineage) }
  }

  @Test("a lineage that was seen never leads elsewhere, and never gets shorter")
  func keeping() throws {
    let (short, long) = (try lineage(0, 1), try lineage(0, 1, 2))
    let seen = try policy(0).following(long)
    #expect(try seen.following(short) == seen)
    #expect(try policy(0).following(short).following(long) == seen)
    // Who has stolen the first key later, or the second one, introduces another.
    for fork in [try lineage(0, 3), try lineage(0, 3, 2), try lineage(1, 3, from: lineage(0, 1))] {
      expectError(.lineageFork) { _ = try seen.following(fork) }
    }
    // What comes in between is missing.
    let far = try lineage(2, 3, from: long)
    let tail = try KeyLineage(Array(far.rotations.suffix(1)))
    #expect(try seen.following(tail) == seen.following(far))
    expectError(.lineageStranger) { _ = try policy(0).following(short).following(tail) }
    // The same again, signed anew at another time, is another statement.
    let again = try KeyLineage.rotating(
      nil, from: keys[0], to: keys[1], since: Self.day(11), until: Self.day(15))
    expectError(.lineageFork) { _ = try seen.following(again) }
  }

  @Test("forks, replays, cycles, gaps and too many keys are refused in one lineage")
  func lines() throws {
    let long = try lineage(0, 1, 2)
    let (first, second) = (long.rotations[0], long.rotations[1])
    expectError(.lineageReplay) { _ = try KeyLineage([first, first]) }
    expectError(.lineageReplay) { _ = try KeyLineage([first, second, first]) }
    expectError(.lineageFork) { _ = try KeyLineage([first, lineage(0, 3).rotations[0]]) }
    expectError(.lineageOrder) { _ = try KeyLineage([second, first]) }
    expectError(.lineageOrder) { _ = try KeyLineage([first, lineage(1, 2).rotations[0]]) }
    expectError(.lineageCycle) { _ = try lineage(0, 1, 0) }
    expectError(.lineageCycle) { _ = try lineage(0, 0) }
    expectError(.lineageMalformed) { _ = try KeyLineage([]) }
    expectError(.lineageMalformed) { _ = try KeyLineage(reading: []) }
    expectError(.lineageMalformed) {
      _ = try KeyLineage.rotating(nil, from: keys[0], to: keys[1], since: Self.day(2), until: Self.day(1))
    }
    expectError(.lineageOrder) { _ = try lineage(2, 3, from: lineage(0, 1)) }
    var many: KeyLineage?
    var last = keys[0]
    for _ in 0..<32 {
      let next = try PrivateKey.generate(.ed25519)
      many = try .rotating(many, from: last, to: next, since: Self.start, until: Self.start)
      last = next
    }
    let full = try #require(many)
    #expect(try KeyLineage(reading: full.text) == full)
    expectError(.lineageTooLong) {
      _ = try KeyLineage.rotating(full, from: last, to: keys[1], since: Self.start, until: Self.start)
    }
    expectError(.lineageTooLong) { _ = try KeyLineage(reading: full.text + first.bundle) }
  }

  @Test("a statement of another signer, of another type, or with any bit changed is refused")
  func statements() throws {
    let rotation = try lineage(0, 1).rotations[0]
    let text = String(decoding: rotation.bundle, as: UTF8.self)
    let payload = try #require(text.firstMatch(of: /"payload":"([^"]*)"/)).1
    let inner = try Base64.decode(String(payload))
    let signer = try PrivateKey.generate(.ed25519)
    /// A bundle that somebody has signed with these words in the statement's place.
    func signed(_ change: (String) -> String, by key: PrivateKey) throws -> [UInt8] {
      let changed = Array(change(String(decoding: inner, as: UTF8.self)).utf8)
      let signature = try key.sign(Envelope.preAuthenticationEncoding(of: changed))
      return try SigstoreBundle(payload: changed, signature: signature, key: key.publicKey.id).canonicalBytes()
    }
    #expect(try RotationStatement(bundle: signed({ $0 }, by: keys[0])) == rotation)
    expectError(.lineageSignature) { _ = try RotationStatement(bundle: signed({ $0 }, by: signer)) }
    for (old, new) in [
      ("urn:signet:rotation:v1", "urn:signet:file:v1"), ("\"number\":1", "\"number\":0"),
      ("\"number\":1", "\"number\":2"),
      ("\"number\":1", "\"number\": 1"), ("\"number\":1", "\"more\":1,\"number\":1"),
      ("\"number\":1", "\"number\":1,\"previous\":\"00\""), (keys[1].publicKey.id.description, "SHA256:other"),
      ("\"since\":\"2027", "\"since\":\"2029"), (Base64.encode(keys[1].publicKey.der), Base64.encode([0x30, 0x00])),
    ] {
      expectError(.lineageMalformed, "\(old) \(new)") {
        _ = try RotationStatement(bundle: signed({ $0.replacing(old, with: new) }, by: keys[0]))
      }
    }
    // Nobody introduces a key without its owner: neither with the acceptance of something else, nor with one of their own.
    func words(_ payload: [UInt8]) -> String { String(decoding: payload, as: UTF8.self) }
    let acceptance = try #require(words(inner).firstMatch(of: /"acceptance":"([^"]*)"/)).1
    let other = try SigstoreBundle(json: lineage(2, 1).rotations[0].bundle).envelope.payload
    let borrowed = try #require(words(other).firstMatch(of: /"acceptance":"([^"]*)"/)).1
    let own = try keys[0].sign(Envelope.preAuthenticationEncoding(of: inner))
    for forged in [String(borrowed), Base64.encode(own)] {
      expectError(.lineageSignature) {
        _ = try RotationStatement(bundle: signed({ $0.replacing(acceptance, with: forged) }, by: keys[0]))
      }
    }
    expectError(.lineageMalformed) {
      _ = try RotationStatement(bundle: signed({ $0.replacing(/"acceptance":"[^"]*",/, with: "") }, by: keys[0]))
    }
    // What the new key has signed is no statement by which it introduces anybody.
    let accepted = words(inner).replacing(/"acceptance":"[^"]*",/, with: "")
      .replacing("urn:signet:rotation:v1", with: "urn:signet:rotation-acceptance:v1")
    let taken = try SigstoreBundle(
      payload: Array(accepted.utf8), signature: Base64.decode(String(acceptance)), key: keys[1].publicKey.id)
    expectError(.lineageMalformed) { _ = try RotationStatement(bundle: taken.canonicalBytes()) }
    // A file's statement is no rotation, and a rotation says nothing about a file.
    let file = try Signer(keys[0]).sign(.bytes([1]), Signer.FileClaims(name: "a", signedAt: Self.start))
    expectError(.lineageMalformed) { _ = try RotationStatement(bundle: file.canonicalBytes()) }
    let verdict = try Verifier(policy: policy(0), clock: .fixed(Self.start)).verify(
      .bytes(keys[1].publicKey.der), signatures: .bytes([rotation.bundle]),
      expecting: .file(named: keys[1].publicKey.id.description))
    var refusal: [SignetError.Code] = []
    if case .refused(let reasons) = verdict { refusal = reasons.reasons.map(\.code) }
    #expect(refusal == [.statementPredicateType])
    for index in inner.indices {
      var changed = inner
      changed[index] ^= 0x01
      let bundle = text.replacing(payload, with: Base64.encode(changed))
      let error = try #require(throws: SignetError.self) { _ = try RotationStatement(bundle: Array(bundle.utf8)) }
      #expect([.lineageMalformed, .lineageSignature, .lineageCycle].contains(error.code), "byte \(index): \(error)")
    }
  }

  @Test("a revoked key introduces nobody any more, and what it has introduced before stays")
  func revoked() throws {
    let revoked = Revocation(.key(keys[0].publicKey.id), reason: "stolen", date: Self.start)
    func revoking(_ policy: TrustPolicy) throws -> TrustPolicy {
      var terms = policy.terms
      terms.revocations = [revoked]
      return try TrustPolicy(entries: policy.entries, terms: terms)
    }
    let lineage = try lineage(0, 1)
    expectError(.signerRevoked) { _ = try revoking(policy(0)).following(lineage) }
    let seen = try revoking(policy(0).following(lineage))
    #expect(try seen.following(lineage) == seen)
    #expect(try verify(1, under: seen, at: Self.day(12)) == [])
    #expect(try verify(0, under: seen, at: Self.day(12)) == [.signerRevoked])
    let next = try self.lineage(1, 2, from: lineage)
    #expect(try verify(2, under: seen.following(next), at: Self.day(22)) == [])
  }

  @Test("each vector is the lineage that it is, or has its code")
  func vectors() throws {
    let folder = "Tests/Vectors/lineages"
    var names: Set<String> = []
    for line in try Repository.text("\(folder)/cases.txt").split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ").map(String.init)
      names.insert(words[0])
      let text = try Repository.bytes("\(folder)/\(words[0])")
      var code = "ok"
      var again = text
      do throws(SignetError) { again = try KeyLineage(reading: text).text } catch { code = error.code.rawValue }
      #expect(again == text)
      #expect(code == words[1], "\(words[0])")
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: "\(Repository.root)/\(folder)")
    #expect(names == Set(files.filter { $0.hasSuffix(".lineage") }) && names.count == 13)
  }

  @Test("the program in the guide about a new key does what the guide says")
  func guide() throws {
    let folder = try TemporaryFolder()
    let now = SystemTime.now()
    let lineage = try KeyLineage.rotating(nil, from: keys[0], to: keys[1], since: now, until: now)
    let check = UpdateCheck(publicKey: Base64.encode(keys[0].publicKey.der), keptAt: folder.path + "/keys.lineage")
    let bytes = Array("tool".utf8)
    let bundle = try Signer(keys[1]).sign(.bytes(bytes), Signer.FileClaims(name: Self.name, signedAt: now))
    try check.check(bytes, named: Self.name, bundle: bundle.canonicalBytes(), lineage: lineage.text)
    #expect(throws: Refusal.self) {
      try check.check([1], named: Self.name, bundle: bundle.canonicalBytes(), lineage: lineage.text)
    }
    let thief = try KeyLineage.rotating(nil, from: keys[0], to: keys[3], since: now, until: now)
    expectError(.lineageFork) {
      try check.check(bytes, named: Self.name, bundle: bundle.canonicalBytes(), lineage: thief.text)
    }
  }

  @Test("the story of an updater: its only key is built in, no flag day, and a lost key introduces nobody")
  func updater() throws {
    let folder = try TemporaryFolder()
    let kept = KeptLineages(at: folder.path + "/keys.lineage")
    let builtIn = try policy(0)
    #expect(try kept.policy(builtIn) == builtIn)
    // The next release comes with the lineage; the program keeps it.
    let first = try lineage(0, 1)
    let followed = try kept.follow(first.text, builtIn)
    #expect(try verify(1, under: followed, at: Self.day(12)) == [])
    #expect(try kept.policy(builtIn) == followed)
    #expect(try folder.read("keys.lineage") == first.text)
    // Years later the first key is stolen. Whoever has it introduces a key of their own: not here.
    expectError(.lineageFork) { _ = try kept.follow(lineage(0, 3).text, builtIn) }
    #expect(try folder.read("keys.lineage") == first.text)
    #expect(try verify(3, under: kept.policy(builtIn), at: Self.day(12)) == [.signerUntrusted])
    // A program that slept through two changes catches up with one file; a mirror's old file changes nothing.
    let both = try lineage(1, 2, from: first)
    #expect(try verify(2, under: policy(0).following(both), at: Self.day(22)) == [])
    let newest = try kept.follow(both.text, builtIn)
    #expect(try kept.follow(first.text, builtIn) == newest)
    // A new version of the program has the new key built in, and goes on with the same file.
    #expect(try verify(2, under: kept.policy(policy(1)), at: Self.day(22)) == [])
    #expect(try kept.policy(policy(3)) == policy(3))
    // The next version of the program revokes the old key, which was stolen since. What it had introduced before stays.
    var terms = TrustPolicy.Terms()
    terms.revocations = [Revocation(.key(keys[0].publicKey.id), reason: "stolen", date: Self.start)]
    let revoking = try TrustPolicy(entries: builtIn.entries, terms: terms)
    #expect(try verify(2, under: kept.policy(revoking), at: Self.day(22)) == [])
    #expect(try verify(0, under: kept.policy(revoking), at: Self.day(12)) == [.signerRevoked])
    // A key that is lost signs no statement: a new one that says so itself is refused.
    let alone = try KeyLineage.rotating(
      nil, from: keys[3], to: PrivateKey.generate(.ed25519), since: Self.start, until: Self.start)
    expectError(.lineageStranger) { _ = try kept.follow(alone.text, builtIn) }
    // What cannot be read is not as if nothing had been seen.
    try folder.write("keys.lineage", Array("damaged\n".utf8))
    expectError(.lineageMalformed) { _ = try kept.policy(builtIn) }
    expectError(.lineageMalformed) { _ = try kept.follow(both.text, builtIn) }
    #expect(try folder.read("keys.lineage") == Array("damaged\n".utf8))
  }
}
