internal import Signet

/// What a store remembers of a release with which a host's process has ended.
///
/// A record is forgotten when the release runs well once. It outlives the release's files: a release that was set aside
/// stays so, even if it is installed again.
struct CrashRecord: Hashable, Sendable {
  /// The number of crashes in a row after which a release is set aside.
  static let limit = 2

  /// The sequence of the release.
  let sequence: Int
  /// Crashes that only this release can have caused, since it last ran well or was last retried. No more than ``limit``
  /// are counted.
  var count = 0
  /// The last crash that this release, or another one that was on trial with it, may have caused.
  var suspicion: Suspicion?
  /// Whether it was set aside and has not run well since. Meanwhile the floor that it raised excludes nothing.
  var wasSetAside = false
  /// What is known of the release; nil if it did not verify when it was counted.
  var release: Facts?

  /// A crash that several releases may have caused.
  struct Suspicion: Hashable, Sendable {
    /// The crash's number in the store. It is the same for all releases that may have caused the crash.
    let crash: Int
    /// How likely the release is to have caused it.
    let grade: Grade

    enum Grade: String, CaseIterable, Sendable {
      /// It has run well before, so it is trusted once more.
      case weak
      /// It has never run well, or it is suspected for the second time in a row.
      case strong
      /// Its code was being opened.
      case loading
    }
  }

  /// What a release says of itself, and its signers.
  struct Facts: Hashable, Sendable {
    /// Its version.
    let version: SemanticVersion
    /// The lowest sequence that may run instead of it, as its statement says.
    let minimumSequence: Int?
    /// Its signers.
    let signers: [Floor.Signer]
  }

  /// Whether the release does not run, because it has crashed too often.
  var isSetAside: Bool { count >= Self.limit }

  /// Whether the release runs, but is loaded alone, so that another crash is attributed to it only.
  var isHeldBack: Bool { !isSetAside && (count > 0 || suspicion.map { $0.grade != .weak } ?? false) }

  /// Whether the record says nothing.
  var isEmpty: Bool { count == 0 && suspicion == nil && !wasSetAside }

  /// Whether the record does not count, because the policy revokes every signer of the release. Then no signer vouches
  /// for what the release says about older ones.
  func isDropped(by policy: TrustPolicy) -> Bool {
    release.map { Floor.isDropped($0.signers, by: policy) } ?? false
  }

  /// Counts a crash that only this release can have caused. If the release was suspected before, this crash is its
  /// second in a row.
  mutating func count(_ facts: Facts?) {
    count = min(count + (suspicion == nil ? 1 : 2), Self.limit)
    suspicion = nil
    wasSetAside = wasSetAside || isSetAside
    release = facts ?? release
  }

  /// Notes a crash that this release or another one may have caused.
  ///
  /// - Parameter grade: how likely the release is to have caused it, if it is suspected for the first time.
  mutating func suspect(crash: Int, _ grade: Suspicion.Grade, _ facts: Facts?) {
    suspicion = Suspicion(crash: crash, grade: grade == .weak && suspicion != nil ? .strong : grade)
    release = facts ?? release
  }
}

extension CrashRecord.Facts {
  /// The facts of a verified release.
  init(_ release: InstalledModule) {
    self.init(
      version: release.module.version, minimumSequence: release.minimumSequence,
      signers: Floor.signers(release.signatures))
  }
}
