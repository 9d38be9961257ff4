package import SignetBase
internal import SignetCrypto
package import SignetVerify

extension SigningRecord {
  /// What a release lacks that the one before it had.
  ///
  /// A signer is the same with another key if the policy knows both keys from one lineage, and with another certificate if
  /// that has the same names. Nothing is expected of a signer whom the policy trusts no longer.
  ///
  /// - Parameters:
  ///   - old: the record of the release before.
  ///   - name: what messages call the release.
  ///   - policy: the policy that this release was verified under.
  /// - Returns: `continuity.fewer-signers`, `continuity.signer`, `continuity.kind`, `continuity.timestamp`, `continuity.attestation`; nothing if it
  ///   has all.
  package func lacks(of old: SigningRecord, _ name: String, under policy: TrustPolicy) -> [SignetError] {
    var lacks: [SignetError] = []
    let lineages = policy.lineageKeys
    let expected = old.signers.filter { $0.isTrusted(by: policy) }
    let pairs = expected.map { before in (before, signers.first { $0.isSame(as: before, lineages) }) }
    let gone = pairs.filter { $0.1 == nil }.map(\.0)
    if !gone.isEmpty {
      let isFewer = signers.count < expected.count
      lacks.append(
        SignetError(
          isFewer ? .continuityFewerSigners : .continuitySigner, name,
          isFewer
            ? "has fewer signers than the release before it"
            : "is not signed by who has signed the release before it",
          expected: Self.names(gone), found: Self.names(signers), hint: Self.hint))
    }
    for case (let before, let now?) in pairs where now.kind < before.kind {
      lacks.append(
        SignetError(
          .continuityKind, name, "counts for a weaker entry of the policy than the release before it",
          expected: "\(before.identity): \(before.kind.words)", found: now.kind.words, hint: Self.hint))
    }
    // Without an authority, nobody looks at timestamps.
    if stamped < old.stamped, !policy.timestampAuthorities.isEmpty {
      lacks.append(
        SignetError(
          .continuityTimestamp, name, "has fewer timestamps than the release before it", expected: "\(old.stamped)",
          found: "\(stamped)", hint: Self.hint))
    }
    let missing = old.attestations.subtracting(attestations)
    if !missing.isEmpty {
      lacks.append(
        SignetError(
          .continuityAttestation, name, "lacks what was stated about the release before it",
          expected: missing.sorted().joined(separator: ", "),
          found: attestations.isEmpty ? "nothing" : attestations.sorted().joined(separator: ", "), hint: Self.hint))
    }
    return lacks
  }

  private static func names(_ signers: [Signer]) -> String { signers.map(\.identity).joined(separator: ", ") }

  /// What somebody does who is told of a release with less.
  private static let hint =
    "ask the publisher, over another way than the release came; if it is meant, the signers of before say so: "
    + "signet trust waive FILE --key KEY --reason TEXT"
}

extension SigningRecord.Kind {
  fileprivate var words: String {
    switch self {
    case .anyone: "whoever an authority certifies"
    case .name: "a name that an authority certifies"
    case .key: "one key or certificate"
    case .identity: "an identity in a public log"
    }
  }
}

/// What lets a release have less than the one before it: a statement by those who have signed that one, or a person who
/// names it.
public struct ContinuityExceptions: Sendable {
  /// The text of a waiver, from anybody; nil for none.
  public var waiver: [UInt8]?
  /// Whether somebody has named the release.
  public var isNamed: Bool

  /// No exceptions, unless some are given.
  public init(waiver: [UInt8]? = nil, isNamed: Bool = false) {
    self.waiver = waiver
    self.isNamed = isNamed
  }
}

extension TrustPolicy {
  /// Holds a release to the one before it.
  ///
  /// - Parameters:
  ///   - record: what the release was signed with.
  ///   - old: what the one before it was signed with.
  ///   - release: the release, which waivers must be about.
  ///   - time: the time of the verification.
  /// - Returns: what whoever installs it should be told, because it was let through: by a waiver, by a person, or by a policy
  ///   that only warns.
  /// - Throws: the first of what ``SigningRecord/lacks(of:_:under:)`` finds; `continuity.waiver` for a waiver that does
  ///   not hold; `crypto.failure`.
  package func hold(
    _ record: SigningRecord, to old: SigningRecord, of release: WaivedRelease, at time: UnixTime,
    except exceptions: ContinuityExceptions
  ) throws(SignetError) -> [SignetError] {
    let lacks = record.lacks(of: old, release.name, under: self)
    guard let first = lacks.first else { return [] }
    var refusal = first
    if let waiver = exceptions.waiver {
      do throws(SignetError) {
        let reason = try ContinuityWaiver(reading: waiver).check(release, signedBy: old, under: self, at: time)
        return lacks.map { $0.letThrough("its signers of before have waived that: \(reason.visible)") }
      } catch  where error.code != .cryptoFailure {
        refusal.cause = error
      }
    }
    if exceptions.isNamed { return lacks.map { $0.letThrough("the command names it") } }
    guard terms.continuity == .refuse else {
      return lacks.map { $0.letThrough("the policy only warns of that") }
    }
    throw refusal
  }
}

extension SignetError {
  /// What is told of a release that is accepted all the same.
  fileprivate func letThrough(_ why: String) -> SignetError {
    var told = self
    told.message += "; it is accepted, because \(why)"
    told.hint = "ask the publisher if you did not expect that"
    return told
  }
}
