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
  /// A release that follows a revoked one need not wait.
  ///
  /// - Parameter exempt: says of a release whether it may be chosen at any age.
  package func waiting(
    _ releases: [Release], of module: ModuleIdentifier, except exempt: (Release) -> Bool = { _ in false }
  ) -> [Int: UnixTime] {
    var waiting: [Int: UnixTime] = [:]
    var newest: Release?
    for release in releases {
      let end = UnixTime(seconds: release.cameAt.seconds + age.seconds)
      if end > now, !exempt(release) {
        waiting[release.sequence] = end
      } else if newest.map({ $0.sequence < release.sequence }) ?? true {
        newest = release
      }
    }
    if let newest, isRevoked(newest, of: module) { return [:] }
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
      hint: "wait, or name it: signet update --allow-new MODULE@VERSION")
  }
}
