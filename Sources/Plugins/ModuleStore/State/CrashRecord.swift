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
  /// The lane in which the release is loaded; nil for the first one.
  ///
  /// Releases that have crashed the process together, and ran well when each was loaded alone, are loaded in different
  /// lanes. What is in one lane is loaded together, when what is in the lanes before has passed its trial.
  var lane: Int?
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
      /// It has run well since, but not yet together with all others that may have caused the crash. It is no longer
      /// loaded alone. If it crashes the process together with some of them again, these are loaded apart.
      case passed
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

  /// Whether the release runs, but waits for others: it is loaded alone, so that another crash is attributed to it only,
  /// or in a later lane.
  var isHeldBack: Bool { !isSetAside && (isSuspect || lane != nil) }

  /// Whether the release may by itself have caused a crash.
  var isSuspect: Bool { count > 0 || suspicion.map { $0.grade == .strong || $0.grade == .loading } ?? false }

  /// The crash that the release may have caused by itself, or with others.
  var doubt: Int? { suspicion.flatMap { $0.grade == .passed ? nil : $0.crash } }

  /// Whether the record says nothing.
  var isEmpty: Bool { count == 0 && suspicion == nil && lane == nil && !wasSetAside }

  /// Whether the record does not count, because the policy revokes every signer of the release. Then no signer vouches
  /// for what the release says about older ones.
  func isDropped(by policy: TrustPolicy) -> Bool {
    release.map { Floor.isDropped($0.signers, by: policy) } ?? false
  }

  /// Counts a crash that only this release can have caused. If the release was suspected before, this crash is its
  /// second in a row.
  mutating func count(_ facts: Facts?) {
    count = min(count + (doubt == nil ? 1 : 2), Self.limit)
    if doubt != nil { suspicion = nil }
    wasSetAside = wasSetAside || isSetAside
    release = facts ?? release
  }

  /// Notes that the release has run well, or has failed in order.
  ///
  /// - Parameter isCleared: whether all that may have caused the crash have run well together.
  mutating func noteWell(isCleared: Bool) {
    count = 0
    wasSetAside = false
    suspicion = isCleared ? nil : suspicion.map { Suspicion(crash: $0.crash, grade: .passed) }
  }

  /// Notes a crash that this release or another one may have caused.
  ///
  /// - Parameter grade: how likely the release is to have caused it, if it is suspected for the first time.
  mutating func suspect(crash: Int, _ grade: Suspicion.Grade, _ facts: Facts?) {
    suspicion = Suspicion(crash: crash, grade: grade == .weak && doubt != nil ? .strong : grade)
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
