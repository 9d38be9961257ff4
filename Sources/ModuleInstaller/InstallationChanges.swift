public import ModuleResolver
public import ModuleStore
public import Signet
public import SignetBase

extension ModfileInstallation {
  /// What an installation did with a module.
  public enum Event: Sendable {
    /// It is in the store, and is what hosts load.
    case installed(InstalledModule)
    /// Its sources are at a path.
    case unpacked(LockedModule, path: String)
    /// It is in the store no longer.
    case removed(LockedModule)
  }

  /// Makes the store and the folder of sources what the lock says, and then has the lock written: it says what was done.
  ///
  /// The store changes in one step, after all binaries are verified and in their places, and all sources are unpacked. If this is ended in between, the next installation does what is missing, and removes what it
  /// does not want.
  ///
  /// - Parameters:
  ///   - modules: what ``fetch(for:under:as:_:)`` returned.
  ///   - earlier: the lock of before. Modules that this one lacks are removed.
  ///   - began: is told of each draft of sources, which is removed at an interruption.
  ///   - publish: writes the lock.
  /// - Returns: what was done, module by module.
  /// - Throws: why a module is refused: `policy.rollback` if a host has loaded a newer release; `install.source-folder`,
  ///   before anything is written; `modfile.name`, `store.…`, `git.…`, `extraction.failed`, `output.failed`, `file.…`; what
  ///   `publish` throws.
  public func apply(
    _ modules: [ReadyModule], for target: ModfileName?, replacing earlier: ModuleLock?, to store: ModuleStore,
    sources folder: SourcesFolder, under policy: TrustPolicy, began: (String) -> Void = { _ in },
    publishing publish: () throws(SignetError) -> Void
  ) throws(SignetError) -> [Event] {
    try checkPlaces(of: modules, for: target, in: folder)
    let unfinished = try UnfinishedInstallation(in: store)
    let isChange = earlier != lock || !unfinished.modules.isEmpty
    let leaving = leaving(unfinished.modules + (earlier?.modules ?? []))
    // A module is in one of both places: a host must not load what its build has built in.
    let commits = try lock.modules(for: target, in: modfile).filter(\.isCommit)
    let unwanted = modules.filter { $0.use == .source }.map(\.module) + commits + leaving
    var unpacked: [Event] = []
    let outcome: ModuleStore.ExactOutcome
    do throws(SignetError) {
      outcome = try store.install(
        exactly: modules, removing: unwanted.map(\.identifier),
        verified: { (module) throws(SignetError) in try module.verifiedBinary(policy) },
        whenReady: { () throws(SignetError) in
          if isChange { try unfinished.begin([earlier, lock].compactMap(\.self)) }
          try unpack(modules, into: folder, under: policy, began: began) { unpacked.append(.unpacked($0, path: $1)) }
          try unpackCommits(for: target, into: folder, began: began) { unpacked.append(.unpacked($0, path: $1)) }
        })
    } catch  where error.code == .policyRollback {
      throw error.goingBack(modules.first { $0.name.isExactly(error.object) }?.module.identifier)
    }
    for module in modules where module.use == .binary { try folder.remove(module.module.identifier) }
    for module in try leaving + local(for: target) { try folder.remove(module.identifier) }
    try publish()
    if isChange { try unfinished.end() }
    let removed = Set(outcome.removed)
    return outcome.installed.map(Event.installed) + unpacked
      + unwanted.filter { removed.contains($0.identifier) }.map(Event.removed)
  }

  /// The modules that the lock does not have, each once, in the order of their identifiers.
  private func leaving(_ modules: [LockedModule]) -> [LockedModule] {
    var known: Set<ModuleIdentifier> = []
    let left = modules.filter { lock[$0.identifier] == nil && known.insert($0.identifier).inserted }
    return left.sorted { "\($0.identifier)".utf8.lexicographicallyPrecedes("\($1.identifier)".utf8) }
  }
}

extension LockedModule {
  /// Whether the module comes from a commit of git.
  fileprivate var isCommit: Bool { if case .override(.commit) = origin { true } else { false } }
}

extension SignetError {
  /// The refusal of a release that is older than one that a host has loaded, with the way out.
  fileprivate func goingBack(_ module: ModuleIdentifier?) -> SignetError {
    guard let module else { return self }
    var error = self
    error.hint = "let the Modfile accept a newer release, then: signet update \(module)"
    return error
  }
}
