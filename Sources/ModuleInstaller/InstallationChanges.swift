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
    /// It was installed for another target, and what was newer than the lock's release is there no longer.
    case lowered(LockedModule)
  }

  /// Makes the store and the folder of sources what the lock says, and then has the lock written: it says what was done.
  ///
  /// The store changes in one step, after all binaries are verified and in their places, and all sources are unpacked. If
  /// this is ended in between, the next installation does what is missing, and removes what it does not want. Nobody else
  /// installs into the store before the lock is written: of several installations at once, each finds what the one before
  /// has done.
  ///
  /// - Parameters:
  ///   - modules: what ``fetch(for:under:as:_:)`` returned.
  ///   - began: is told of each draft of sources, which is removed at an interruption.
  ///   - check: is called before anything is changed, and throws if the project is not what the installation was made from.
  ///   - publish: writes the lock.
  /// - Returns: what was done, module by module.
  /// - Throws: why a module is refused: `policy.rollback` if a host has loaded a newer release; `install.source-folder`,
  ///   before anything is written; `modfile.name`, `lockfile.…`, `store.…`, `git.…`, `extraction.failed`, `output.failed`,
  ///   `file.…`; what `check` and `publish` throw.
  public func apply(
    _ modules: [ReadyModule], for target: ModfileName?, to store: ModuleStore, sources folder: SourcesFolder,
    under policy: TrustPolicy, began: (String) -> Void = { _ in },
    checking check: () throws(SignetError) -> Void = {}, publishing publish: () throws(SignetError) -> Void
  ) throws(SignetError) -> [Event] {
    try checkPlaces(of: modules, for: target, in: folder)
    // A module is in one of both places: a host must not load what its build has built in.
    let needed = try lock.modules(for: target, in: modfile)
    let commits = needed.filter(\.isCommit)
    let local = try local(for: target)
    let builtIn = modules.filter { $0.use == .source }.map(\.module) + commits
    let isNeeded = Set(needed.map(\.identifier))
    var record: StoreRecord?
    var leaving: [LockedModule] = []
    /// What other targets have got before, and what the lock has of it now.
    var elsewhere: [(known: LockedModule, locked: LockedModule)] = []
    var lowered: Set<ModuleIdentifier> = []
    var unpacked: [Event] = []
    let outcome: ModuleStore.ExactOutcome
    do throws(SignetError) {
      outcome = try store.install(
        exactly: modules,
        removing: { () throws(SignetError) in
          try check()
          let before = try StoreRecord(of: store)
          record = before
          leaving = before.modules.filter { lock[$0.identifier] == nil }
          return (builtIn + leaving).map(\.identifier)
        },
        // What another target has got before must not stay newer than the lock.
        lowering: {
          for known in record?.modules ?? [] where !isNeeded.contains(known.identifier) {
            guard let locked = lock[known.identifier], locked.served != nil else { continue }
            elsewhere.append((known, locked))
          }
          return Dictionary(
            elsewhere.map { ($0.locked.identifier, $0.locked.sequence) }, uniquingKeysWith: { first, _ in first })
        },
        verified: { (module) throws(SignetError) in try module.verifiedBinary(policy) },
        whenReady: { () throws(SignetError) in
          try record?.add(modules.map(\.module) + commits)
          try unpack(modules, into: folder, under: policy, began: began) { unpacked.append(.unpacked($0, path: $1)) }
          try unpackCommits(for: target, into: folder, began: began) { unpacked.append(.unpacked($0, path: $1)) }
        },
        whenDone: { (_) throws(SignetError) in
          for module in modules.filter({ $0.use == .binary }).map(\.module) + leaving + local {
            try folder.remove(module.identifier)
          }
          for (known, locked) in elsewhere where known.sequence > locked.sequence {
            if try folder.remove(known.identifier) { lowered.insert(known.identifier) }
          }
          try publish()
          try record?.forget { lock[$0.identifier]?.isLocal ?? true }
        })
    } catch  where error.code == .policyRollback {
      throw error.goingBack(modules.first { $0.name.isExactly(error.object) }?.module.identifier)
    }
    let removed = Set(outcome.removed)
    return outcome.installed.map(Event.installed) + unpacked
      + (builtIn + leaving).filter { removed.contains($0.identifier) }.map(Event.removed)
      + elsewhere.map(\.locked).filter { lowered.union(outcome.lowered).contains($0.identifier) }.map(Event.lowered)
  }
}

extension LockedModule {
  /// Whether the module comes from a commit of git.
  fileprivate var isCommit: Bool { if case .override(.commit) = origin { true } else { false } }
  /// Whether the module comes from a folder, and is installed by hand.
  var isLocal: Bool { if case .override(.path) = origin { true } else { false } }
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
