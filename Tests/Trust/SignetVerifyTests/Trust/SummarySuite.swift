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

/// The time and the keys of the tests on verification summaries.
enum SummaryKeys {
  static let time = UnixTime(seconds: 1_800_000_000)
  static let publisher = Result { try PrivateKey.generate(.ed25519) }
  static let gate = Result { try PrivateKey.generate(.ed25519) }
  static let stranger = Result { try PrivateKey.generate(.ed25519) }
  static let policySHA256 = String(repeating: "ab", count: 32)
}

/// What a summary says; each test changes one thing.
struct SummaryText {
  var key: PrivateKey
  var type = SummaryPredicate.type
  var digests: [Digest]
  var result = "PASSED"
  var verifier = SummaryPredicate.gate
  var policySHA256: String? = SummaryKeys.policySHA256
  var levels = ["SLSA_BUILD_LEVEL_2"]
  /// The bundles whose statements it names; nil for a summary that names none.
  var statements: [SigstoreBundle]?
  var predicate: JSONValue?

  init(_ bytes: [UInt8]) throws {
    key = try SummaryKeys.gate.get()
    digests = [try Digest.of(bytes, .sha256)]
  }

  func with(_ change: (inout Self) -> Void) throws -> SigstoreBundle {
    var changed = self
    change(&changed)
    return try changed.bundle()
  }

  func bundle() throws -> SigstoreBundle {
    let said = JSONValue.object(
      ("verifier", .object(("id", .string(verifier)))), ("timeVerified", .string("2026-01-01T00:00:00Z")),
      ("resourceUri", .string("urn:x:a")),
      (
        "policy",
        .object(("uri", .string("urn:p")), ("digest", policySHA256.map { .object(("sha256", .string($0))) }))
      ),
      ("verificationResult", .string(result)), ("verifiedLevels", .array(levels.map { .string($0) })),
      (
        SummaryPredicate.statementsField,
        try statements.map { bundles in
          .array(
            try bundles.map { bundle in
              let statement = try Statement(payload: bundle.envelope.payload)
              return SummaryPredicate.VerifiedStatement(
                type: statement.predicateType.uri, payload: try Digest.of(bundle.envelope.payload, .sha256)
              ).json
            })
        }
      ))
    return try Signer(key).sign(predicate ?? said, of: type, about: "elsewhere/a", digests: digests)
  }
}

/// What the tests on verification summaries share.
protocol SummarySuite {}

extension SummarySuite {
  func policy(
    scope: TrustScope = .everything, window: TrustEntry.Window = .always, levels: [String] = [],
    _ change: (inout TrustPolicy.Terms) throws -> Void = { _ in }
  ) throws -> TrustPolicy {
    var terms = TrustPolicy.Terms()
    terms.summary = try SummaryRequirement(
      signers: [TrustEntry("gate", .key(SummaryKeys.gate.get().publicKey), scope: scope, window: window)],
      policySHA256: Digest(.sha256, hex: SummaryKeys.policySHA256), levels: levels)
    try change(&terms)
    return try TrustPolicy(
      entries: [TrustEntry("publisher", .key(SummaryKeys.publisher.get().publicKey), scope: .everything)],
      terms: terms)
  }

  func signature(_ bytes: [UInt8] = [1], by key: PrivateKey? = nil) throws -> SigstoreBundle {
    try Signer(key ?? SummaryKeys.publisher.get()).sign(
      .bytes(bytes), Signer.FileClaims(name: "a", signedAt: SummaryKeys.time))
  }

  func verdict(
    _ bundles: [SigstoreBundle], _ policy: TrustPolicy? = nil
  ) throws -> Verdict<VerifiedArtifact> {
    try Verifier(policy: policy ?? self.policy(), clock: .fixed(SummaryKeys.time)).verify(
      .bytes([1]), signatures: .bytes(bundles.map { try $0.canonicalBytes() }), expecting: .file(named: "a"))
  }

  /// The codes of all reasons, each with what was found.
  func reasons<Proof>(_ verdict: Verdict<Proof>) -> [String] {
    guard case .refused(let refusal) = verdict else { return [] }
    return refusal.reasons.map { "\($0.code) \($0.found ?? "-")" }
  }

  func summary(_ change: (inout SummaryText) throws -> Void = { _ in }) throws -> SigstoreBundle {
    var summary = try SummaryText([1])
    try change(&summary)
    return try summary.bundle()
  }
}
