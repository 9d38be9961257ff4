package import SignetBase
internal import SignetCrypto
package import SignetNames
package import SignetVerify

/// Which releases of a module are too young to be chosen.
///
/// Most stolen accounts and keys are noticed within days. Whoever waits so long does not get what a thief has released.
package struct AgeRule: Sendable {
  private let age: MinimumAge
  private let policy: TrustPolicy?
  private let now: UnixTime

  /// A release, as far as the rule asks.
  package struct Release {
    package let sequence: Int
    package let version: SemanticVersion
    /// The SHA-256 of its archive; nil if that is not known.
    let sha256: Digest?
    /// When it came.
    let cameAt: UnixTime

    package init(_ sequence: Int, _ version: SemanticVersion, _ sha256: Digest?, cameAt: UnixTime) {
      (self.sequence, self.version, self.sha256, self.cameAt) = (sequence, version, sha256, cameAt)
    }

    /// Whether both are the same release, with the same bytes as far as that is known.
    func isSame(as other: Release) -> Bool {
      sequence == other.sequence && version.description.isExactly(other.version.description)
        && (sha256 == nil || other.sha256 == nil || sha256 == other.sha256)
    }
  }

  /// - Parameters:
  ///   - policy: what it revokes may be replaced at once; nil where nothing is known of that.
  ///   - age: another minimum age. The longer one counts.
  ///   - now: the current time.
  /// - Returns: nil if there is no minimum age.
  package init?(_ policy: TrustPolicy?, or age: MinimumAge? = nil, at now: UnixTime) {
    let ages = [policy?.terms.minimumAge, age].compactMap(\.self)
    guard let age = ages.max(by: { $0.seconds < $1.seconds }) else { return nil }
    (self.age, self.policy, self.now) = (age, policy, now)
  }

  /// From when on releases may be chosen that are too young now, by their sequences.
  ///
  /// - Parameters:
  ///   - has: the release that was chosen before; nil if there is none. It need not wait; and if the policy revokes it, no
  ///     other one need wait, either.
  ///   - exempt: says of a release whether it may be chosen at any age.
  package func waiting(
    _ releases: [Release], of module: ModuleIdentifier, after has: Release?,
    except exempt: (Release) -> Bool = { _ in false }
  ) -> [Int: UnixTime] {
    if let has, isRevoked(has, of: module) { return [:] }
    var waiting: [Int: UnixTime] = [:]
    for release in releases where !(has.map { release.isSame(as: $0) } ?? false) && !exempt(release) {
      let end = UnixTime(seconds: release.cameAt.seconds + age.seconds)
      if end > now { waiting[release.sequence] = end }
    }
    return waiting
  }

  private func isRevoked(_ release: Release, of module: ModuleIdentifier) -> Bool {
    guard let policy else { return false }
    return policy.revocation(of: module, sequence: release.sequence, version: release.version) != nil
      || release.sha256.map { policy.revocation(sha256: [$0], fsverity: []) != nil } ?? false
  }

  /// The error for a release that is too young.
  package func refusal(
    of module: ModuleIdentifier, _ version: SemanticVersion, until time: UnixTime
  ) -> SignetError {
    SignetError(
      .continuityAge, "\(module) \(version)", "came too recently",
      expected: "a release that came \(age) ago or earlier",
      found: "one that may be chosen from \(time) on",
      hint: "wait until \(time), or name it: --allow-new MODULE@VERSION")
  }
}
