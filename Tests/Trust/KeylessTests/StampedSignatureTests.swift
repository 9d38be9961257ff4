import Foundation
import Keyless
import SignetKeys
import SignetModules
import SignetNames
import TestSupport
import Testing

@testable import SignetVerify

/// Signatures by keys and certificates with a timestamp, under policies with authorities of timestamps.
@Suite struct StampedSignatureTests {
  private static let name = "dsse with a timestamp and no log"

  /// A policy and a bundle, both of which a case can change.
  struct Workshop {
    let sigstore: PrivateSigstore
    var bundle: [String: Any]
    var entry: [String: Any]
    var others: [[String: Any]] = []
    var more: [String: Any]
    var parts: [PolicyPart] = .all
    /// The time of the timestamp.
    let stamped: UnixTime

    /// The signer's certificate has ended at the time of the verification, and was valid at the time of the timestamp.
    init() throws {
      sigstore = try #require(PrivateSigstore.shared)
      bundle = try #require(sigstore.testCase(StampedSignatureTests.name)["bundle"] as? [String: Any])
      let chain = try Self.chain("certificateAuthorities", sigstore)
      entry = try [
        "name": "a", "files": ["*"],
        "authority": [
          "certificates": [#require(chain.last)], "intermediates": [chain[0]],
          "identities": ["uri:\(sigstore.text("identity"))"],
        ],
      ]
      // Its tokens carry no certificate, so the clock's own is trusted.
      more = ["timestampAuthorities": try [Self.chain("timestampAuthorities", sigstore)[0]]]
      let proof = try sigstore.verify(
        [StampedSignatureTests.name],
        sigstore.policy([sigstore.entry("s", sigstore.signers(StampedSignatureTests.name))]))
      stamped = try #require(proof.get().signatures.first?.identity?.times.first)
    }

    static func chain(_ kind: String, _ sigstore: PrivateSigstore) throws -> [String] {
      let root = try #require(sigstore.fields["root"] as? [String: Any])
      let list = try #require(root[kind] as? [[String: Any]])
      let certificates = try #require(
        (list.first?["certChain"] as? [String: Any])?["certificates"] as? [[String: Any]])
      return certificates.compactMap { $0["rawBytes"] as? String }
    }

    var timestamps: [String] {
      get {
        let material = bundle["verificationMaterial"] as? [String: Any]
        let data = material?["timestampVerificationData"] as? [String: Any]
        return (data?["rfc3161Timestamps"] as? [[String: Any]] ?? []).compactMap { $0["signedTimestamp"] as? String }
      }
      set {
        var material = bundle["verificationMaterial"] as? [String: Any] ?? [:]
        material["timestampVerificationData"] = ["rfc3161Timestamps": newValue.map { ["signedTimestamp": $0] }]
        bundle["verificationMaterial"] = material
      }
    }

    /// The certificate of the signer in base64.
    var leaf: String? {
      ((bundle["verificationMaterial"] as? [String: Any])?["certificate"] as? [String: Any])?["rawBytes"] as? String
    }

    /// Makes the same signature one by a key that nothing names.
    mutating func trustKey(_ more: [String: Any] = [:]) throws {
      let certificate = try Certificate(der: Base64.decode(#require(leaf)))
      var material = bundle["verificationMaterial"] as? [String: Any] ?? [:]
      material["certificate"] = nil
      material["publicKey"] = ["hint": ""]
      bundle["verificationMaterial"] = material
      entry = ["name": "a", "files": ["*"], "key": Base64.encode(try certificate.publicKey().der)].merging(more) {
        $1
      }
    }

    func policy() throws -> TrustPolicy {
      let fields: [String: Any] = ["version": 1, "entries": [entry] + others].merging(more) { $1 }
      return try TrustPolicy(json: sigstore.json(fields), with: parts)
    }

    func verdict(at time: UnixTime? = nil) throws -> Verdict<VerifiedAttestation> {
      try sigstore.verify(bundles: [sigstore.json(bundle)], policy(), at: time ?? sigstore.now())
    }

    func codes(at time: UnixTime? = nil) throws -> [String] {
      switch try verdict(at: time) {
      case .verified: ["ok"]
      case .refused(let refusal): refusal.reasons.map(\.code.rawValue)
      }
    }

    /// What the step about timestamps says.
    func told() throws -> String {
      switch try verdict().checks.first(where: { $0.step == .timestamps })?.outcome {
      case .passed(let text)?, .skipped(let text)?: text
      case .failed(let error)?: error.code.rawValue
      case nil: "nothing"
      }
    }
  }

  @Test("a certificate that has ended counts by a timestamp of a trusted authority, and by no other")
  func certificate() throws {
    var workshop = try Workshop()
    #expect(try workshop.codes() == ["ok"])
    #expect(try workshop.verdict().get().signatures.first?.certificatePath?.time == workshop.stamped)
    #expect(try workshop.told() == "signed by \(workshop.stamped), which CN=clock states")
    #expect(try workshop.verdict().get().signatures.first?.stamped == workshop.stamped)
    // Years later, too.
    #expect(try workshop.codes(at: UnixTime(seconds: workshop.stamped.seconds + 5 * 365 * 86400)) == ["ok"])
    // A program that verifies no timestamps, a policy without their authorities, and one with another authority.
    workshop.parts = [.sigstore]
    #expect(try workshop.codes() == ["chain.expired"])
    #expect(try workshop.told() == "1, no authority is trusted")
    workshop.parts = .all
    workshop.more = [:]
    #expect(try workshop.codes() == ["chain.expired"])
    for other in try [workshop.leaf, Workshop.chain("timestampAuthorities", workshop.sigstore).last] {
      workshop.more = ["timestampAuthorities": [try #require(other)]]
      #expect(try workshop.codes() == ["chain.expired"])
    }
    #expect(try workshop.codes() == ["chain.expired"])
    #expect(try workshop.told() == "1, by no authority that the policy trusts")
    workshop = try Workshop()
    workshop.timestamps = []
    #expect(try workshop.codes() == ["chain.expired"])
    #expect(try workshop.told() == "the bundle has none")
  }

  @Test("a timestamp by a trusted authority that does not hold refuses, whatever else there is")
  func broken() throws {
    var workshop = try Workshop()
    let good = workshop.timestamps
    let other = try #require(
      workshop.sigstore.testCase("dsse in a log, with a timestamp, too")["bundle"] as? [String: Any])
    var another = workshop
    another.bundle = other
    for (changed, code) in [
      (another.timestamps, "timestamp.imprint"), (good + another.timestamps, "timestamp.imprint"),
      ([Base64.encode([0x30, 0])], "cms.malformed"),
      (good + [Base64.encode([0x30, 0])], "cms.malformed"),
    ] {
      workshop.timestamps = changed
      #expect(try workshop.codes() == [code], "\(code)")
    }
    workshop.timestamps = good + good
    #expect(try workshop.codes() == ["ok"])
  }

  @Test("a timestamp that has not come yet refuses, but for a minute by which clocks differ")
  func future() throws {
    let workshop = try Workshop()
    let time = workshop.stamped.seconds
    #expect(try workshop.codes(at: UnixTime(seconds: time - 61)) == ["timestamp.outside-window"])
    #expect(try workshop.codes(at: UnixTime(seconds: time - 60)) == ["ok"])
    // It is judged now, not later.
    let early = UnixTime(seconds: time - 60)
    #expect(try workshop.verdict(at: early).get().signatures.first?.certificatePath?.time == early)
  }

  @Test("an entry with a key counts until it ends, by a timestamp afterwards, too, and never before it begins")
  func key() throws {
    var workshop = try Workshop()
    func text(_ seconds: Int64) -> String { "\(UnixTime(seconds: workshop.stamped.seconds + seconds))" }
    let (before, after) = (text(-60), text(60))
    try workshop.trustKey(["validUntil": after])
    #expect(try workshop.codes() == ["ok"])
    let good = workshop.timestamps
    workshop.timestamps = []
    #expect(try workshop.codes() == ["signer.outside-window"])
    workshop = try Workshop()
    try workshop.trustKey(["validUntil": before])
    #expect(try workshop.codes() == ["signer.outside-window"])
    workshop = try Workshop()
    try workshop.trustKey(["validFrom": after])
    #expect(try workshop.codes() == ["signer.outside-window"])
    workshop.timestamps = []
    #expect(try workshop.codes() == ["ok"])
    #expect(!good.isEmpty)
  }

  @Test("a timestamp saves neither what the policy revokes nor a policy that has ended")
  func revoked() throws {
    var workshop = try Workshop()
    let leaf = try Certificate(der: Base64.decode(#require(workshop.leaf)))
    workshop.more["revoked"] = [
      ["key": "\(try leaf.publicKey().id)", "reason": "stolen", "date": "2030-01-01T00:00:00Z"]
    ]
    #expect(try workshop.codes() == ["signer.revoked"])
    // From a time on: what was stamped before stays valid, the very second is revoked, and so is what nobody has stamped.
    for (target, isKey) in [
      (["key": "\(try leaf.publicKey().id)"], true),
      (["serial": leaf.serialNumber, "issuer": "\(leaf.issuer)"], false),
    ] {
      var dated = workshop
      func codes(from seconds: Int64) throws -> [String] {
        let from = "\(UnixTime(seconds: workshop.stamped.seconds + seconds))"
        dated.more["revoked"] = [target.merging(["reason": "stolen", "from": from]) { $1 }]
        return try dated.codes()
      }
      #expect(try codes(from: 1) == ["ok"], "\(isKey)")
      #expect(try codes(from: 0) == ["signer.revoked"], "\(isKey)")
      #expect(try codes(from: -1) == ["signer.revoked"], "\(isKey)")
      try dated.trustKey()
      #expect(try codes(from: 1) == ["ok"], "\(isKey)")
      dated.timestamps = []
      // Without a certificate and a token, a serial number says nothing of a bare key.
      #expect(try codes(from: 100 * 365 * 86400) == (isKey ? ["signer.revoked"] : ["ok"]), "\(isKey)")
    }
    workshop = try Workshop()
    workshop.more["expires"] = "\(UnixTime(seconds: workshop.stamped.seconds + 60))"
    #expect(try workshop.codes() == ["policy.expired"])
  }

  @Test("a timestamp by an authority that the policy revokes does not count")
  func revokedAuthority() throws {
    let workshop = try Workshop()
    let chain = try Workshop.chain("timestampAuthorities", workshop.sigstore).map {
      try Certificate(der: Base64.decode($0))
    }
    // The clock's own certificate is trusted, or that of its authority, which the bundle then must have with it: it has not.
    for certificate in chain {
      var changed = workshop
      changed.more["timestampAuthorities"] = chain.map { Base64.encode($0.der) }
      #expect(try changed.codes() == ["ok"])
      changed.more["revoked"] = [["key": "\(try certificate.publicKey().id)", "reason": "stolen"]]
      let isClock = certificate == chain[0]
      // What an authority has stamped before its key was stolen stays valid.
      for (seconds, code) in [(1, "ok"), (0, isClock ? "chain.expired" : "signer.revoked")] as [(Int64, String)] {
        let from = "\(UnixTime(seconds: workshop.stamped.seconds + seconds))"
        var dated = changed
        dated.more["revoked"] = [
          ["key": "\(try certificate.publicKey().id)", "reason": "stolen", "from": from]
        ]
        #expect(try dated.codes() == [code], "\(seconds)")
      }
      #expect(try changed.codes() == (isClock ? ["chain.expired"] : ["signer.revoked"]))
      changed.more["revoked"] = [
        ["serial": certificate.serialNumber, "issuer": "\(certificate.issuer)", "reason": "stolen"]
      ]
      #expect(try changed.codes() == (isClock ? ["chain.expired"] : ["signer.revoked"]))
    }
  }

  @Test("exactly those must have signed who speak now, and those who spoke at the time of a timestamp")
  func exactly() throws {
    var workshop = try Workshop()
    let end = "\(UnixTime(seconds: workshop.stamped.seconds + 60))"
    try workshop.trustKey(["validUntil": end])
    workshop.more["exact"] = true
    #expect(try workshop.codes() == ["ok"])
    let other = Base64.encode(try PrivateKey.generate(.ed25519).publicKey.der)
    func codes(_ more: [String: Any]) throws -> [String] {
      var changed = workshop
      changed.others = [["name": "b", "files": ["*"], "key": other].merging(more) { $1 }]
      return try changed.codes()
    }
    // The other one might have signed then, or may now.
    #expect(try codes(["validUntil": end]) == ["policy.exact"])
    #expect(try codes([:]) == ["policy.exact"])
    #expect(try codes(["validFrom": end]) == ["policy.exact"])
    // It had ended before, and it has not begun.
    #expect(try codes(["validUntil": "\(UnixTime(seconds: workshop.stamped.seconds - 60))"]) == ["ok"])
    #expect(try codes(["validFrom": "2100-01-01T00:00:00Z"]) == ["ok"])
  }

  @Test("an entry that has ended is one of exactly those who must have signed, if it has")
  func exact() throws {
    var workshop = try Workshop()
    try workshop.trustKey(["validUntil": "\(UnixTime(seconds: workshop.stamped.seconds + 60))"])
    workshop.more["exact"] = true
    #expect(try workshop.codes() == ["ok"])
    workshop.timestamps = []
    #expect(try workshop.codes() == ["signer.outside-window"])
  }

  @Test("a policy demands timestamps: each authority counts once, and those of identities are theirs")
  func demanded() throws {
    var workshop = try Workshop()
    workshop.more["timestamps"] = 1
    #expect(try workshop.codes() == ["ok"])
    let good = workshop.timestamps
    workshop.timestamps = []
    #expect(try workshop.codes() == ["chain.expired"])
    // Of a key without an end, only the timestamp is missing.
    try workshop.trustKey()
    #expect(try workshop.codes() == ["timestamp.missing"])
    workshop.timestamps = good
    #expect(try workshop.codes() == ["ok"])
    // No more can be demanded than there are authorities, and one of them is no two, by whatever tokens.
    workshop.more["timestamps"] = 2
    #expect(throws: SignetError.self) { try workshop.codes() }
    let other = try #require(Workshop.chain("certificateAuthorities", workshop.sigstore).last)
    workshop.more["timestampAuthorities"] =
      try #require(workshop.more["timestampAuthorities"] as? [String]) + [other]
    #expect(try workshop.codes() == ["timestamp.missing"])
    workshop.timestamps = good + good
    #expect(try workshop.codes() == ["timestamp.missing"])
    #expect(try workshop.told() == "2, by too few authorities that the policy trusts")
    // The same authority by two certificates of its chain is one, too: who writes a bundle chooses how a token is accepted.
    workshop.timestamps = good
    workshop.more["timestampAuthorities"] = try Workshop.chain("timestampAuthorities", workshop.sigstore)
    #expect(try workshop.codes() == ["timestamp.missing"])
    // A program that verifies no timestamps refuses what demands them.
    workshop.more["timestamps"] = 1
    #expect(try workshop.codes() == ["ok"])
    workshop.parts = [.sigstore]
    #expect(try workshop.codes() == ["timestamp.missing"])
    // Who is proven by Sigstore has a time of its own.
    let proven = workshop.sigstore
    let policy = try TrustPolicy(
      json: proven.json(
        [
          "version": 1, "timestamps": 1, "timestampAuthorities": [other],
          "entries": [proven.entry("s", proven.signers(Self.name))],
        ] as [String: Any]), with: .all)
    #expect(throws: Never.self) { try proven.verify([Self.name], policy).get() }
  }

  @Test("authorities of timestamps stay in a policy that is written again")
  func written() throws {
    let workshop = try Workshop()
    let fields: [String: Any] = ["version": 1, "entries": [workshop.entry]].merging(workshop.more) { $1 }
    let policy = try TrustPolicy(json: workshop.sigstore.json(fields), with: .all)
    #expect(policy.timestampAuthorities.count == 1 && policy.leastTimestamps == 0)
    let demanding = try TrustPolicy(
      json: workshop.sigstore.json(fields.merging(["timestamps": 1]) { $1 }), with: .all)
    #expect(demanding.leastTimestamps == 1 && demanding != policy)
    #expect(try TrustPolicy(json: demanding.canonicalBytes(), with: .all) == demanding)
    #expect(try TrustPolicy(json: policy.canonicalBytes(), with: .all) == policy)
  }
}
