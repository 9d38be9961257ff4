internal import ModuleResolver
internal import ModuleStore
internal import Signet
internal import SignetBase

/// What one installation changes beside the releases that it places: what leaves the store and the folder of sources, and
/// what is written down about it.
///
/// Its steps are called one after the other, while nobody else can change the store.
final class InstallationChange {
  private let lock: ModuleLock
  private let folder: SourcesFolder
  /// The modules that hosts load. A module is in one of both places: a host must not load what its build has built in.
  private let binary: [LockedModule]
  /// The modules that the host's build builds in.
  private let builtIn: [LockedModule]
  /// The modules of folders, which are installed by hand.
  private let local: [LockedModule]
  /// All modules of the target.
  private let needed: Set<ModuleIdentifier>

  private var record: StoreRecord?
  /// What came from a Modfile, and is in the lock no longer.
  private var leaving: [LockedModule] = []
  /// What other targets have got before, and what the lock has of it now.
  private var elsewhere: [(known: LockedModule, locked: LockedModule)] = []
  /// What the store had because of a Modfile.
  private var before: [ModuleIdentifier: LockedModule] = [:]
  private var unpacked: [ModfileInstallation.Event] = []
  private var sourcesGone: [ModfileInstallation.Event] = []
  private var sourcesLowered: Set<ModuleIdentifier> = []

  /// - Throws: `modfile.name`, `resolve.not-locked`.
  init(
    _ installation: ModfileInstallation, _ modules: [ReadyModule], for target: ModfileName?, in folder: SourcesFolder
  ) throws(SignetError) {
    let wanted = try installation.lock.modules(for: target, in: installation.modfile)
    // As the lock has them in the end, with those who were found to have signed.
    let lock = try installation.lock(after: modules)
    func locked(as use: BinaryChoice.Use) -> [LockedModule] {
      modules.filter { $0.use == use }.map { lock[$0.module.identifier] ?? $0.module }
    }
    self.lock = lock
    self.folder = folder
    binary = locked(as: .binary)
    builtIn = locked(as: .source) + wanted.filter(\.isCommit)
    local = wanted.filter(\.isLocal)
    needed = Set(wanted.map(\.identifier))
  }

  // MARK: Steps

  /// What stays in the store of modules that are not to be installed.
  func kept(in store: ModuleStore) throws(SignetError) -> [ModuleIdentifier: ModuleStore.Kept] {
    let record = try StoreRecord(of: store)
    self.record = record
    for module in record.storedModules { before[module.identifier] = module }
    leaving = record.modules.filter { lock[$0.identifier] == nil }
    for known in record.modules where !needed.contains(known.identifier) {
      guard let locked = lock[known.identifier], locked.served != nil else { continue }
      elsewhere.append((known, locked))
    }
    // What is newer was installed by hand since then.
    var kept = record.sequences(of: leaving).mapValues { ModuleStore.Kept.after($0) }
    for module in builtIn { kept[module.identifier] = ModuleStore.Kept.nothing }
    // What another target has got before must not stay newer than the lock.
    let ours = record.sequences(of: elsewhere.map(\.known))
    for (known, locked) in elsewhere where ours[known.identifier] != nil {
      // Without the lock's release nothing of it stays: the record would not know what.
      let isGone = known.sequence > locked.sequence && !record.isListed(locked)
      kept[known.identifier] = isGone ? ModuleStore.Kept.nothing : .upTo(locked.sequence)
    }
    return kept
  }

  /// Writes down what is about to be done.
  ///
  /// - Parameter new: the modules of which the store does not list the release yet.
  func begin(new: Set<ModuleIdentifier>) throws(SignetError) {
    let left = elsewhere.map(\.locked).filter { record?.isListed($0) ?? false }
    try record?.begin(binary + left, new: new, unpacking: builtIn)
  }

  /// Is told of each module whose sources are in their place.
  func tell(_ module: LockedModule, _ place: SourcesFolder.Unpacked) {
    unpacked.append(.unpacked(module, path: place.path, isChanged: place.isChanged))
  }

  /// Removes the sources of modules that no build finds there any longer.
  func removeSources() throws(SignetError) {
    for module in binary + local + leaving where try folder.remove(module.identifier) {
      let version = record?.unpackedModule(module.identifier)?.version
      sourcesGone.append(.removed(module.identifier, version, isSource: true))
    }
    for (known, locked) in elsewhere where known.sequence > locked.sequence {
      if try folder.remove(known.identifier) { sourcesLowered.insert(known.identifier) }
    }
  }

  /// Writes down what was done.
  func finish() throws(SignetError) { try record?.finish(lock, installed: binary, unpacked: builtIn) }

  /// Takes back what was written down and not done.
  func end() { record?.end() }

  // MARK: What was done

  func events(_ outcome: ModuleStore.ExactOutcome) -> [ModfileInstallation.Event] {
    let installed = outcome.installed.map { module -> ModfileInstallation.Event in
      let identifier = module.module.identifier
      guard !outcome.repaired.contains(identifier) else { return .repaired(module) }
      return .installed(module, isChanged: outcome.changed.contains(identifier))
    }
    let removed = (builtIn + leaving).map(\.identifier).filter(outcome.dropped.contains).map { module in
      ModfileInstallation.Event.removed(module, before[module]?.version, isSource: false)
    }
    let lowered = elsewhere.map(\.locked).filter { locked in
      sourcesLowered.contains(locked.identifier) || outcome.dropped.contains(locked.identifier)
    }
    let replaced = binary.compactMap { module -> ModfileInstallation.Event? in
      let known = before[module.identifier]?.sequence
      let sequences = (outcome.newer[module.identifier] ?? []).filter { $0 != known }
      return sequences.isEmpty ? nil : .replaced(module, sequences: sequences)
    }
    return installed + unpacked + removed + sourcesGone + lowered.map { .lowered($0) } + replaced
  }
}

extension LockedModule {
  /// Whether the module comes from a commit of git.
  fileprivate var isCommit: Bool { if case .override(.commit) = origin { true } else { false } }
  /// Whether the module comes from a folder, and is installed by hand.
  var isLocal: Bool { if case .override(.path) = origin { true } else { false } }
}
