internal import Signet

/// What a store remembers of a release with which a host's process has ended.
///
/// A record is forgotten when the release runs well once. It outlives the release's files: a release that was set aside
/// stays so, also when somebody installs it again.
struct CrashRecord: Hashable, Sendable {
  /// Crashes in a row after which a release is set aside.
  static let limit = 2

  /// Which release.
  let sequence: Int
  /// Crashes that only this release can have caused, since it last ran well or since somebody asked to try it again. More than
  /// ``limit`` are not counted.
  var count = 0
  /// The last crash that this release may have caused, or another release that was on trial with it.
  var suspicion: Suspicion?
  /// Whether it was set aside and has not run well since: the floor that it raised holds nothing off meanwhile.
  var wasSetAside = false
  /// What is known of the release; nil where it did not verify when it was counted.
  var release: Facts?

  /// A crash that several releases may have caused.
  struct Suspicion: Hashable, Sendable {
    /// The crash's number in the store. All releases that may have caused it have the same.
    let crash: Int
    /// How likely the release is to have caused it.
    let grade: Grade

    enum Grade: String, CaseIterable, Sendable {
      /// It has run well before: it is trusted once more.
      case weak
      /// It has never run well, or it is suspected for the second time in a row.
      case strong
      /// Its code was being opened.
      case loading
    }
  }

  /// What a release says of itself, and who signed it.
  struct Facts: Hashable, Sendable {
    /// Its version.
    let version: SemanticVersion
    /// The least sequence that may be run instead of it, as its statement says.
    let minimumSequence: Int?
    /// Who signed it.
    let signers: [Floor.Signer]
  }

  /// Whether the release is not run: it has crashed too often.
  var isSetAside: Bool { count >= Self.limit }

  /// Whether the release is run, and loaded alone: another crash is attributed to it alone.
  var isHeldBack: Bool { !isSetAside && (count > 0 || suspicion.map { $0.grade != .weak } ?? false) }

  /// Whether the record says nothing.
  var isEmpty: Bool { count == 0 && suspicion == nil && !wasSetAside }

  /// Whether it counts for nothing, because the policy revokes everybody who signed the release: what that says about older
  /// releases is nobody's word.
  func isDropped(by policy: TrustPolicy) -> Bool {
    release.map { Floor.isDropped($0.signers, by: policy) } ?? false
  }

  /// Counts a crash that only this release can have caused. It is the second in a row where the release was suspected before.
  mutating func count(_ facts: Facts?) {
    count = min(count + (suspicion == nil ? 1 : 2), Self.limit)
    suspicion = nil
    wasSetAside = wasSetAside || isSetAside
    release = facts ?? release
  }

  /// Notes a crash that this release may have caused, or another one.
  ///
  /// - Parameter grade: how likely the release is to have caused it, if it is suspected for the first time.
  mutating func suspect(crash: Int, _ grade: Suspicion.Grade, _ facts: Facts?) {
    suspicion = Suspicion(crash: crash, grade: grade == .weak && suspicion != nil ? .strong : grade)
    release = facts ?? release
  }
}

extension CrashRecord.Facts {
  /// The facts of a release that was verified.
  init(_ release: InstalledModule) {
    self.init(
      version: release.module.version, minimumSequence: release.minimumSequence,
      signers: Floor.signers(release.signatures))
  }
}
