@testable import KeyLineages
@testable import SignetBase
@testable import SignetCrypto
@testable import SignetModules
@testable import SignetOCSP
@testable import SignetVerify

/// What says who may sign from now on, and who no longer.
enum FedLineages {
  /// Lineages: what is accepted reads again from what is written, alone and inside a policy.
  static func feed(_ bytes: [UInt8]) {
    guard let lineage = try? KeyLineage(reading: bytes) else { return }
    require((try? KeyLineage(reading: lineage.text)) == lineage, "a lineage changed")
    require((try? lineage.extended(by: lineage)) == lineage, "a lineage does not extend itself")
    let policy = try? TrustPolicy(trusting: [lineage.first], leastRSABits: 2048, allowsTestKeys: true)
    guard let followed = try? policy?.following(lineage) else { return }
    require((try? followed.following(lineage)) == followed, "a lineage is new twice")
    guard let text = try? followed.canonicalBytes() else { return }
    require(
      (try? TrustPolicy(json: text, allowsTestKeys: true, with: [.rotations])) == followed, "a policy changed")
  }

  /// Waivers: what is read stays, and nobody whom nobody trusts waives anything.
  static func feedWaiver(_ bytes: [UInt8]) {
    guard let waiver = try? ContinuityWaiver(reading: bytes) else { return }
    require(waiver.text == bytes && waiver.bundles.count <= 16, "a waiver changed")
    guard let policy = try? TrustPolicy(entries: []), let sha256 = try? Digest.of(bytes, .sha256) else { return }
    let release = WaivedRelease(waiver.module, sequence: waiver.sequence, sha256: sha256, called: "release")
    let signer = RecordedSigner(key: "a", kind: .key)
    require(
      (try? waiver.check(
        release, signedBy: SigningRecord(signers: [signer]), under: policy, at: UnixTime(seconds: 1_800_000_000)))
        == nil,
      "nobody has waived")
  }

  /// Responses of OCSP: nobody whom nobody trusts answers.
  static func feedResponse(_ bytes: [UInt8]) {
    guard let response = try? StatusResponse(der: bytes) else { return }
    require(response.der == bytes && !response.statements.isEmpty, "a response changed")
    require(response.isSuperseded(by: response) == false, "a response is newer than itself")
    require((try? response.check(by: [], 2048, at: UnixTime(seconds: 1_800_000_000))) == nil, "nobody has answered")
    _ = response.description
  }
}
