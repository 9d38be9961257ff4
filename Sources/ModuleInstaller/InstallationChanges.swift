public import ModuleResolver
public import ModuleStore
public import Signet
public import SignetBase

extension ModfileInstallation {
  /// What an installation did with a module.
  public enum Event: Sendable {
    /// It is in the store, and is what hosts load; perhaps it was already.
    case installed(InstalledModule, isChanged: Bool)
    /// Its sources are at a path; perhaps the same ones were there already.
    case unpacked(LockedModule, path: String, isChanged: Bool)
    /// It is in the store no longer, or its sources are there no longer.
    case removed(LockedModule, isSource: Bool)
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
    let local = try local(for: target)
    let binary = modules.filter { $0.use == .binary }.map(\.module)
    let builtIn = modules.filter { $0.use == .source }.map(\.module) + needed.filter(\.isCommit)
    let isNeeded = Set(needed.map(\.identifier))
    var record: StoreRecord?
    var leaving: [LockedModule] = []
    /// What other targets have got before, and what the lock has of it now.
    var elsewhere: [(known: LockedModule, locked: LockedModule)] = []
    var lowered: Set<ModuleIdentifier> = []
    var unpacked: [Event] = []
    var sourcesGone: Set<ModuleIdentifier> = []
    let outcome: ModuleStore.ExactOutcome
    do throws(SignetError) {
      outcome = try store.install(
        exactly: modules,
        removing: { () throws(SignetError) in
          try check()
          let before = try StoreRecord(of: store)
          record = before
          leaving = before.modules.filter { lock[$0.identifier] == nil }
          // What is newer was installed by hand since then.
          return before.sequences(of: leaving).merging(builtIn.map { ($0.identifier, .max) }) { $1 }
        },
        // What another target has got before must not stay newer than the lock.
        lowering: {
          guard let record else { return [:] }
          for known in record.modules where !isNeeded.contains(known.identifier) {
            guard let locked = lock[known.identifier], locked.served != nil else { continue }
            elsewhere.append((known, locked))
          }
          var highest = record.sequences(of: elsewhere.map(\.known))
          for (known, locked) in elsewhere where highest[known.identifier] != nil {
            // Without the lock's release nothing of it stays: the record would not know what.
            let isGone = known.sequence > locked.sequence && !record.isListed(locked)
            highest[known.identifier] = isGone ? 0 : locked.sequence
          }
          return highest
        },
        verified: { (module) throws(SignetError) in try module.verifiedBinary(policy) },
        whenReady: { (new) throws(SignetError) in
          let left = elsewhere.map(\.locked).filter { record?.isListed($0) ?? false }
          try record?.begin(binary + left, new: Set(new.map(\.module.identifier)), unpacking: builtIn)
          func tell(_ module: LockedModule, _ place: SourcesFolder.Unpacked) {
            unpacked.append(.unpacked(module, path: place.path, isChanged: place.isChanged))
          }
          try unpack(modules, into: folder, under: policy, began: began, tell)
          try unpackCommits(for: target, into: folder, began: began, tell)
        },
        whenDone: { (_) throws(SignetError) in
          for module in binary + local { try folder.remove(module.identifier) }
          for module in leaving where try folder.remove(module.identifier) { sourcesGone.insert(module.identifier) }
          for (known, locked) in elsewhere where known.sequence > locked.sequence {
            if try folder.remove(known.identifier) { lowered.insert(known.identifier) }
          }
          try publish()
          try record?.finish(lock, installed: binary, unpacked: builtIn)
        },
        whenFailed: { record?.end() })
    } catch  where error.code == .policyRollback {
      throw error.goingBack(modules.first { $0.name.isExactly(error.object) }?.module.identifier)
    }
    let removed = Set(outcome.removed)
    return outcome.installed.map { module in
      Event.installed(module, isChanged: outcome.changed.contains(module.module.identifier))
    } + unpacked
      + (builtIn + leaving).filter { removed.contains($0.identifier) }.map { Event.removed($0, isSource: false) }
      + leaving.filter { sourcesGone.subtracting(removed).contains($0.identifier) }
      .map { Event.removed($0, isSource: true) }
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
