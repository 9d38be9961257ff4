public import Signet
public import SignetBase
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
  /// Crashes in a row that the release alone can have caused, as far as they are counted.
  public let crashes: Int
  /// Whether it is not loaded, because it has crashed too often.
  public let isSetAside: Bool
  /// Whether a host loads it alone, because it or another may have crashed the host.
  public let isHeldBack: Bool
  /// The proof that it is installed as it was signed and is accepted now, or why there is none.
  public let standing: Result<InstalledModule, SignetError>
}

extension ModuleStore {
  /// Opens everything that is installed: each release's bundles are verified under the policy as of now, its files held
  /// against what they sign.
  ///
  /// - Parameter identifier: only this module's releases; nil for all.
  /// - Returns: every release that is listed, sorted by module and sequence, good or not.
  /// - Throws: `store.locked`, and what reading the state throws.
  public func verify(_ identifier: ModuleIdentifier? = nil) throws(SignetError) -> [StoredRelease] {
    let hold = try hold()
    defer { withExtendedLifetime(hold) {} }
    let modules = try state().modules.keys.filter { identifier == nil || $0 == identifier }
    var releases: [StoredRelease] = []
    for module in modules.sorted(by: { "\($0)".precedesInBytes("\($1)") }) {
      releases += try listing { (listing) throws(SignetError) in verify(module, in: &listing) }
    }
    return releases
  }

  private func verify(_ module: ModuleIdentifier, in listing: inout ReleaseListing) -> [StoredRelease] {
    let known = listing.state.modules[module] ?? ModuleRecord()
    let standings = known.releases.map { release in
      Result { () throws(SignetError) in try listing.open(release, of: module) }
    }
    let choice = known.choice(embedded: nil, policy: policy) { sequence in
      zip(known.releases, standings).contains { $0.sequence == sequence && (try? $1.get()) != nil }
    }
    return zip(known.releases, standings).map { release, standing in
      let isActive = if case .run(release.sequence, _) = choice { true } else { false }
      return StoredRelease(
        identifier: module, sequence: release.sequence, sha256: release.sha256, isActive: isActive,
        crashes: known.crash(release.sequence)?.count ?? 0, isSetAside: known.isSetAside(release.sequence),
        isHeldBack: known.crash(release.sequence)?.isHeldBack ?? false, standing: standing)
    }
  }

  /// The releases that are installed as they were signed and are accepted now, sorted by module and sequence.
  ///
  /// - Throws: what ``verify(_:)`` throws.
  public func installed() throws(SignetError) -> [InstalledModule] {
    try verify().compactMap { try? $0.standing.get() }
  }

  static func notInstalled(_ module: ModuleIdentifier, _ sequence: Int?) -> SignetError {
    SignetError(
      .storeNotInstalled, "\(module)", "is not installed",
      expected: sequence.map { "release \($0)" } ?? "a release", hint: "see what is: signet module list")
  }
}
