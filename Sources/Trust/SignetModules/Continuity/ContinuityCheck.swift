package import SignetBase
internal import SignetCrypto
package import SignetVerify

extension SigningRecord {
  /// What a release lacks that the one before it had.
  ///
  /// A signer is the same with another key if the policy knows both keys from one lineage, and with another certificate if
  /// that has one of the names, by the same authority. Nothing is expected of a signer whom the policy trusts no longer.
  ///
  /// - Parameters:
  ///   - old: the record of the release before.
  ///   - name: what messages call the release.
  ///   - policy: the policy that this release was verified under.
  ///   - role: what the release is taken for.
  ///   - now: the time of the verification.
  /// - Returns: `continuity.fewer-signers`, `continuity.signer`, `continuity.kind`, `continuity.timestamp`,
  ///   `continuity.attestation`; nothing if it has all.
  package func lacks(
    of old: SigningRecord, _ name: String, under policy: TrustPolicy, as role: ArtifactRole, at now: UnixTime
  ) -> [SignetError] {
    var lacks: [SignetError] = []
    func names(_ signers: [RecordedSigner]) -> String {
      signers.map { $0.shown(under: policy) }.joined(separator: ", ")
    }
    let expected = old.signers.filter { $0.isTrusted(by: policy, for: role, at: now) }
    let pairs = expected.map { before in (before, signers.first { $0.isSame(as: before, under: policy) }) }
    let gone = pairs.filter { $0.1 == nil }.map(\.0)
    if !gone.isEmpty {
      let isFewer = signers.count < expected.count
      lacks.append(
        SignetError(
          isFewer ? .continuityFewerSigners : .continuitySigner, name,
          isFewer
            ? "has fewer signers than the release before it"
            : "is not signed by who has signed the release before it",
          expected: names(gone), found: names(signers), hint: Self.hint))
    }
    for case (let before, let present?) in pairs {
      // The owner of the key is nobody else for having a certificate.
      if present.kind < before.kind, !present.key.isExactly(before.key) {
        lacks.append(
          SignetError(
            .continuityKind, name, "counts for a weaker entry of the policy than the release before it",
            expected: "\(before.shown(under: policy)): \(before.kind.words)", found: present.kind.words,
            hint: Self.hint))
      }
      // Without an authority, nobody looks at timestamps.
      if before.isStamped, !present.isStamped, !policy.timestampAuthorities.isEmpty {
        lacks.append(
          SignetError(
            .continuityTimestamp, name, "lacks the timestamp that the release before it had",
            expected: "a timestamp of the signature by \(present.shown(under: policy))", found: "none",
            hint: Self.hint))
      }
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

  /// What somebody does who is told of a release with less.
  private static let hint =
    "ask the publisher, over another way than the release came; if it is meant, a waiver by the signers of before lets it "
    + "through: --waiver FILE"
}

extension RecordedSigner.Kind {
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
  /// - Throws: the first of what ``SigningRecord/lacks(of:_:under:as:at:)`` finds; `continuity.waiver` for a waiver that does
  ///   not hold; `crypto.failure`.
  package func hold(
    _ record: SigningRecord, to old: SigningRecord, of release: WaivedRelease, at time: UnixTime,
    except exceptions: ContinuityExceptions
  ) throws(SignetError) -> [SignetError] {
    let lacks = record.lacks(of: old, release.name, under: self, as: release.role, at: time)
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
