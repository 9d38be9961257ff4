public import Signet
public import SignetBase
internal import SignetProcesses
internal import SignetSystem

// What happens after a host's process has ended with a release.
extension ModuleStore {
  /// Counts a crash of a release. After ``CrashRecord/limit`` crashes in a row the release is set aside: another one
  /// runs, or none.
  ///
  /// Hosts need not call this: they leave a ``LoadingJournal``, which ``countCrashes()`` reads.
  ///
  /// - Throws: `store.write-failed`, `store.not-synced`, `store.locked`, and errors of reading the state.
  package func noteCrash(of release: InstalledModule) throws(SignetError) {
    var change = try StoreChange(self)
    defer { withExtendedLifetime(change) {} }
    change.state.modules[release.module.identifier, default: ModuleRecord()].noteCrash(
      release.sequence, CrashRecord.Facts(release))
    change.state.see(clock.now())
    try change.commit()
  }

  /// Counts the crashes of processes that have ended, by the journals that they left.
  ///
  /// A host calls this once, before it loads anything.
  ///
  /// The store may not be writable, because its disk is full or another process changes it. Then the crashes count
  /// all the same for as long as this ``ModuleStore`` and its copies live. The journals stay, and are counted the
  /// next time.
  ///
  /// - Returns: the releases with which a process may have crashed, and why that could not be written; nil if it was.
  @discardableResult
  public func countCrashes() -> (releases: [ReleaseName], failure: SignetError?) {
    let (left, names): ([LoadingJournal.Left], [String])
    do throws(SignetError) { (left, names) = try LoadingJournal.left(in: self) } catch { return ([], error) }
    let journals = left.map(\.record)
    let crashed = journals.flatMap(\.runs).flatMap(\.crashed)
    let facts = facts(of: crashed)
    do throws(SignetError) {
      let known = try storedState()
      var counted = known
      counted.count(journals, facts)
      if counted.modules != known.modules {
        var change = try StoreChange(self)
        defer { withExtendedLifetime(change) {} }
        change.state.count(journals, facts)
        // If the process ends before the journals are removed, they are not counted again.
        change.state.forgetCounted(except: Set(names))
        change.state.see(clock.now())
        try change.commit()
      }
      for journal in left { journal.remove() }
      uncounted.withLock { $0 = UncountedJournals() }
      return (crashed, nil)
    } catch {
      uncounted.withLock { $0 = UncountedJournals(journals: journals, facts: facts) }
      return (crashed, error)
    }
  }

  /// Counts what could not be written before. Otherwise the journals would say it again after the change that is made
  /// now.
  private func countLeft() throws(SignetError) {
    guard !uncounted.withLock(\.journals).isEmpty, let failure = countCrashes().failure else { return }
    throw failure
  }

  /// What is known of releases that can be verified now.
  private func facts(of releases: [ReleaseName]) -> [ReleaseName: CrashRecord.Facts] {
    var facts: [ReleaseName: CrashRecord.Facts] = [:]
    for release in Set(releases) {
      guard let known = try? state().modules[release.identifier]?.release(release.sequence),
        let installed = try? open(known, of: release.identifier)
      else { continue }
      facts[release] = CrashRecord.Facts(installed)
    }
    return facts
  }

  /// Remembers that releases have run well, or have failed in order. Their earlier crashes no longer count.
  ///
  /// Releases that may have caused a crash together are cleared of that only when all of them have run well together.
  ///
  /// - Parameters:
  ///   - releases: releases that have run well together.
  ///   - failed: releases that failed without a crash of the process.
  /// - Throws: `store.write-failed`, `store.not-synced`, `store.locked`, `store.bounds`, `store.state-missing`,
  ///   `store.state-malformed`, `file.…`.
  public func noteWell(_ releases: [ReleaseName], failed: [ReleaseName] = []) throws(SignetError) {
    func note(in state: inout StoreState) { state.noteWell(releases, failed: failed) }
    try countLeft()
    let known = try storedState()
    var noted = known
    note(in: &noted)
    guard noted.modules != known.modules else { return }
    var change = try StoreChange(self)
    defer { withExtendedLifetime(change) {} }
    note(in: &change.state)
    change.state.see(clock.now())
    try change.commit()
  }

  /// Lets releases run again as if they had not crashed: those that were set aside, and those that are loaded alone.
  ///
  /// The store's notes keep when this was done, and by which user.
  ///
  /// - Parameters:
  ///   - identifier: the module.
  ///   - sequence: the release; nil for all of the module.
  /// - Returns: the sequences of the releases that were changed.
  /// - Throws: `store.write-failed`, `store.not-synced`, `store.locked`, `store.bounds`, `store.state-missing`,
  ///   `store.state-malformed`, `file.…`.
  @discardableResult
  public func retry(_ identifier: ModuleIdentifier, sequence: Int? = nil) throws(SignetError) -> [Int] {
    // All crashes until now are forgotten, counted or not.
    if let failure = countCrashes().failure { throw failure }
    var known = try storedState().modules[identifier]
    guard known?.retry(sequence).isEmpty == false else { return [] }
    var change = try StoreChange(self)
    defer { withExtendedLifetime(change) {} }
    let retried = change.state.modules[identifier]?.retry(sequence) ?? []
    guard !retried.isEmpty else { return [] }
    for sequence in retried {
      change.state.note(
        StoreState.Note(
          time: change.now, user: CurrentProcess.user, action: .retry, module: identifier, sequence: sequence))
    }
    try change.commit()
    return retried
  }

  /// A release that does not run, because it crashed too often.
  public struct SetAsideRelease: Hashable, Sendable {
    /// The sequence of the release.
    public let sequence: Int
    /// The version of the release, if it is known.
    ///
    /// If the release did not verify when its crash was counted, this is what it says itself while it is installed,
    /// and nil after that.
    public let version: SemanticVersion?
  }

  /// The releases of a module that were set aside, sorted by sequence, installed or not.
  ///
  /// - Throws: `store.state-missing`, `store.state-malformed`, `file.…`.
  public func setAside(_ identifier: ModuleIdentifier) throws(SignetError) -> [SetAsideRelease] {
    guard let record = try state().modules[identifier] else { return [] }
    return record.crashes.filter(\.isSetAside).map { crash in
      let release = record.release(crash.sequence)
      let version =
        crash.release?.version ?? release.flatMap { (try? claimed(by: $0, of: identifier))?.version }
      return SetAsideRelease(sequence: crash.sequence, version: version)
    }
  }

  /// Checks that a release was not set aside.
  ///
  /// - Throws: `module.crashed`, `store.state-missing`, `store.state-malformed`, `file.…`.
  public func checkSetAside(_ identifier: ModuleIdentifier, _ sequence: Int) throws(SignetError) {
    guard let record = try state().modules[identifier], record.isSetAside(sequence) else { return }
    throw crashed(identifier, sequence, record)
  }

  /// Whether a host's process may have crashed with a release that was not set aside. Such a release waits for others:
  /// it is loaded alone, or apart from releases with which it has crashed the process.
  ///
  /// - Throws: `store.state-missing`, `store.state-malformed`, `file.…`.
  public func isHeldBack(_ release: ReleaseName) throws(SignetError) -> Bool {
    try state().modules[release.identifier]?.crash(release.sequence)?.isHeldBack ?? false
  }

  /// Finds which of some modules a host loads alone, if their newest releases that were not set aside are accepted.
  ///
  /// - Returns: batches of modules. Those that are most likely to have crashed the process come first. A batch has
  ///   several modules only if there are very many, or if they get on with each other, and not with others.
  /// - Throws: `store.state-missing`, `store.state-malformed`, `file.…`.
  public func heldBack(among modules: [ModuleIdentifier]) throws(SignetError) -> [[ModuleIdentifier]] {
    try state().heldBack(among: modules)
  }
}

/// What journals say that could not be written. It counts as long as the store's value lives.
struct UncountedJournals: Sendable {
  var journals: [JournalRecord] = []
  var facts: [ModuleStore.ReleaseName: CrashRecord.Facts] = [:]
}
