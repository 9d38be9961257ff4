public import SignetBase
public import SignetNames

/// The releases that a Modfile gets.
public struct Resolution: Sendable {
  /// The modules, in the order of their identifiers.
  public let modules: [ResolvedModule]
  /// What differs from the lock, in the order of the identifiers.
  public let changes: [Change]
  /// What somebody should know, in the order of the identifiers.
  public let remarks: [Remark]

  /// The release that was chosen for a module.
  public struct ResolvedModule: Sendable {
    /// The module's identifier.
    public let identifier: ModuleIdentifier
    /// The release.
    public let release: CandidateRelease
    /// Where it comes from.
    public let origin: Origin
  }

  /// Where a release comes from.
  public enum Origin: Sendable {
    /// From its source. The bytes must be these.
    case source(ModuleSource, ReleaseContent)
    /// From a folder or a commit.
    case override(ModuleOverride)
  }

  /// A difference from the lock.
  public enum Change: Sendable {
    /// The lock did not have the module.
    case added(ModuleIdentifier, SemanticVersion)
    /// The lock had another release, or the same one from elsewhere.
    case changed(ModuleIdentifier, from: ChangedRelease, to: ChangedRelease)
    /// Nothing requires the module any longer.
    case removed(ModuleIdentifier, SemanticVersion)
  }

  /// One side of a change.
  public struct ChangedRelease: Sendable, CustomStringConvertible {
    /// The version.
    public let version: SemanticVersion
    /// Where the release comes from, in words; nil if that has not changed.
    public let place: String?

    /// The version, and where it comes from.
    public var description: String { "\(version)" + (place.map { " from \($0)" } ?? "") }
  }

  /// What somebody should know.
  public enum Remark: Hashable, Sendable {
    /// A release was kept that has been withdrawn since, with the reason.
    case withdrawn(ModuleIdentifier, SemanticVersion, reason: String)
    /// The source does not offer the locked release any longer, so another one was chosen.
    case notOffered(ModuleIdentifier, SemanticVersion)
    /// The chosen release has a lower sequence than the lock. Hosts that have loaded the locked one refuse it.
    case sequenceFell(ModuleIdentifier, from: Int, to: Int, because: FallCause)
  }

  /// Why a sequence is lower than before.
  public enum FallCause: Hashable, Sendable {
    /// Another release of the same source was chosen.
    case choice
    /// The locked release was withdrawn, and an older one of the same source was chosen in its place.
    case withdrawal(SemanticVersion)
    /// The Modfile does not accept the locked release any longer, and an older one of the same source meets its lines.
    case demand
    /// What replaces the source's offers has the lower sequence.
    case override(ModuleOverride)
    /// What replaced the source's offers before had the higher one.
    case endOfOverride(ModuleOverride)
  }

  /// The lock for this resolution.
  ///
  /// - Parameter signers: who has signed a module that came from a registry, and how that is known.
  /// - Throws: what `signers` throws; `lockfile.count`, `lockfile.order` for signers that a lock cannot have.
  public func lock(
    signers: (ResolvedModule) throws(SignetError) -> ([ReleaseSigner], LockedModule.Served.Standing)
  ) throws(SignetError) -> ModuleLock {
    var locked: [LockedModule] = []
    for module in modules {
      let origin: LockedModule.Origin
      switch module.origin {
      case .override(let override): origin = .override(override)
      case .source(let source, .registry(let digests)):
        let (signers, standing) = try signers(module)
        origin = .source(
          try LockedModule.Served(source: source.name, digests: digests, signers: signers, standing: standing))
      case .source(let source, .spec(let release)):
        origin = .source(LockedModule.Served(source: source.name, spec: release))
      }
      locked.append(
        try LockedModule(
          module.identifier, version: module.release.version, sequence: module.release.sequence, origin: origin,
          requirements: module.release.requirements))
    }
    return try ModuleLock(locked)
  }
}
