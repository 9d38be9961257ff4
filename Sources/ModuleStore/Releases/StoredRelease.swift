public import Signet
public import SignetCrypto

/// A release that a store lists, and what came of opening it.
public struct StoredRelease: Sendable {
  /// The module.
  public let identifier: ModuleIdentifier
  /// Which release it is.
  public let sequence: Int
  /// The SHA-256 of its archive, without the signing block.
  public let sha256: Digest
  /// Whether it is the one to be loaded.
  public let isActive: Bool
  /// The proof that it is installed as it was signed and is accepted now, or why there is none.
  public let standing: Result<InstalledModule, SignetError>
}

extension ModuleStore {
  /// Opens everything that is installed: each release's bundles are verified under the policy as of now, its files held
  /// against what they sign.
  ///
  /// - Parameter identifier: only this module's releases; nil for all.
  /// - Returns: every release that is listed, sorted by module and sequence, good or not.
  /// - Throws: `clock.rollback`, `store.locked`, and what reading the state throws.
  public func verify(_ identifier: ModuleIdentifier? = nil) throws(SignetError) -> [StoredRelease] {
    let hold = try hold()
    defer { withExtendedLifetime(hold) {} }
    let state = try checkedState()
    var releases: [StoredRelease] = []
    for (module, known) in state.modules.sorted(by: { "\($0.key)".precedesInBytes("\($1.key)") })
    where identifier == nil || module == identifier {
      for release in known.releases {
        let standing = Result { () throws(SignetError) in try open(release, of: module) }
        releases.append(
          StoredRelease(
            identifier: module, sequence: release.sequence, sha256: release.sha256,
            isActive: release.sequence == known.active, standing: standing))
      }
    }
    return releases
  }

  /// The releases that are installed as they were signed and are accepted now, sorted by module and sequence.
  ///
  /// - Throws: what ``verify(_:)`` throws.
  public func installed() throws(SignetError) -> [InstalledModule] {
    try verify().compactMap { try? $0.standing.get() }
  }

  /// The state, unless the clock has been set back.
  func checkedState() throws(SignetError) -> StoreState {
    let state = try state()
    try state.check(clock.now(), path)
    return state
  }

  static func notInstalled(_ module: ModuleIdentifier, _ sequence: Int?) -> SignetError {
    SignetError(
      .storeNotInstalled, "\(module)", "is not installed",
      expected: sequence.map { "release \($0)" } ?? "a release", hint: "see what is: signet module list")
  }
}
