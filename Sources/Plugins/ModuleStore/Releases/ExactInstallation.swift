public import Signet
public import SignetBase
internal import SignetCrypto

extension ModuleStore {
  /// What one change of several modules did.
  public struct ExactOutcome: Sendable {
    /// The releases that are installed now, in the order in which they were asked for.
    public let installed: [InstalledModule]
    /// The modules of which only some releases were to stay, or none, and of which releases were removed.
    public let dropped: Set<ModuleIdentifier>
    /// The modules among the installed ones that were not just so before: the release is new, or a newer one is removed.
    public let changed: Set<ModuleIdentifier>
    /// The sequences of the releases that were newer than the installed ones, and are removed.
    public let newer: [ModuleIdentifier: [Int]]
    /// The modules among the changed ones whose release was damaged, and is placed anew.
    public let repaired: Set<ModuleIdentifier>
    /// Why releases were let through that have less than the ones before them.
    public let remarks: [SignetError]
  }

  /// Which releases of a module stay that is not to be installed.
  public enum Kept: Hashable, Sendable {
    /// Not one.
    case nothing
    /// Those behind a sequence.
    case after(Int)
    /// Those up to a sequence, and with it.
    case upTo(Int)

    /// Whether a release stays.
    fileprivate func includes(_ release: StoreState.Release) -> Bool {
      switch self {
      case .nothing: false
      case .after(let sequence): release.sequence > sequence
      case .upTo(let sequence): release.sequence <= sequence
      }
    }
  }

  /// Installs the releases that somebody has chosen, as a lock does, and removes modules: all in one change, or nothing.
  ///
  /// Hosts load the newest release of a module. So newer releases of these modules are removed, and the chosen ones are
  /// what hosts load. A host that has loaded a newer one has raised the floor; then nothing is installed.
  ///
  /// A release that is listed and damaged is placed anew, from the file that it was installed from.
  ///
  /// Files in use are removed by a later change or by ``collectGarbage(embedded:)``.
  ///
  /// - Parameters:
  ///   - modules: what is to be installed.
  ///   - kept: says what stays of modules that are not to be installed; those that it does not name stay as they are. Like
  ///     the closures below it is called while no other process can change the store.
  ///   - file: gives the file of one of them, when it is its turn; nil for one that is not to be installed.
  ///   - ready: is called when everything is verified and in its place, and nothing is changed yet. If it throws, nothing
  ///     is. It gets the releases that the store did not list before.
  ///   - done: is called when the store has changed, or needs no change.
  ///   - failed: is called when the installation of a module has failed, or a step after it.
  /// - Throws: what the closures throw; what ``install(_:progress:except:telling:)`` throws.
  @discardableResult
  public func install<Module>(
    exactly modules: [Module],
    keeping kept: () throws(SignetError) -> [ModuleIdentifier: Kept] = { [:] },
    from file: (Module) throws(SignetError) -> ModuleToInstall?,
    whenReady ready: ([InstalledModule]) throws(SignetError) -> Void = { _ in },
    whenDone done: (ExactOutcome) throws(SignetError) -> Void = { _ in },
    whenFailed failed: () -> Void = {}
  ) throws(SignetError) -> ExactOutcome {
    var change = try StoreChange(self, waits: true)
    defer { withExtendedLifetime(change) {} }
    try change.sweep()
    var placed: [PlacedRelease] = []
    var changed: Set<ModuleIdentifier> = []
    var repaired: Set<ModuleIdentifier> = []
    var higher: [ModuleIdentifier: [Int]] = [:]
    var dropped: [ModuleIdentifier: [StoreState.Release]] = [:]
    // First, so that there is room for the others.
    for (identifier, kept) in try kept() {
      dropped[identifier] = change.state.drop(identifier) { !kept.includes($0) }
    }
    let gone = Set(dropped.filter { !$0.value.isEmpty }.keys)
    do throws(SignetError) {
      for module in modules {
        guard let file = try file(module) else { continue }
        let (identifier, sequence) = (file.identifier, file.sequence)
        let installation = try Installation(of: file, into: self, nil)
        let before = change.state.modules[identifier]?.signing
        // First, so that they do not count among those that are kept to fall back to.
        let newer = change.state.drop(identifier) { $0.sequence > sequence }
        dropped[identifier, default: []] += newer
        if !newer.isEmpty { higher[identifier] = newer.map(\.sequence).sorted() }
        let release = try installation.place(in: &change, repairs: false, mendsDamage: true, after: before)
        placed.append(release)
        if release.undo != nil || !newer.isEmpty { changed.insert(identifier) }
        if release.isRepaired { repaired.insert(identifier) }
        dropped[identifier, default: []] += release.pruned
      }
      try ready(placed.filter(\.isNew).map(\.installed))
    } catch {
      for release in placed.reversed() { release.undo?.run() }
      failed()
      throw error
    }
    let outcome = ExactOutcome(
      installed: placed.map(\.installed), dropped: gone, changed: changed, newer: higher, repaired: repaired,
      remarks: placed.flatMap(\.remarks))
    do throws(SignetError) {
      // What hosts have is not written anew.
      if placed.contains(where: { $0.undo != nil }) || dropped.contains(where: { !$0.value.isEmpty }) {
        try change.commit(placing: placed, removing: dropped)
      }
      try done(outcome)
    } catch {
      failed()
      throw error
    }
    return outcome
  }

  /// The releases that the store lists: of each module the SHA-256 of the files that they were installed from, by their
  /// sequences.
  ///
  /// - Throws: `store.state-missing`, `store.state-malformed`; `file.…`.
  package func listedFiles() throws(SignetError) -> [ModuleIdentifier: [Int: Digest]] {
    try storedState().modules.mapValues { record in
      Dictionary(record.releases.map { ($0.sequence, $0.file?.sha256 ?? $0.sha256) }) { first, _ in first }
    }
  }
}

extension StoreState {
  /// Lists some releases of a module no longer. Its floor and its crashes stay.
  ///
  /// - Returns: those releases.
  mutating func drop(_ module: ModuleIdentifier, _ isDropped: (Release) -> Bool) -> [Release] {
    guard var record = modules[module] else { return [] }
    let dropped = record.releases.filter(isDropped)
    record.releases.removeAll(where: isDropped)
    // A module without releases is remembered for its floor and its crashes.
    modules[module] = record.isEmpty ? nil : record
    return dropped
  }
}
