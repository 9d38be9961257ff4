internal import Dispatch
internal import ModuleStore
internal import Signet
internal import SignetBase
internal import SignetSystem

/// What a host remembers of its run until it is known to be healthy.
///
/// This is the journal of what it loads, the releases on trial, and the floors that are still to be raised.
final class HostTrial: Sendable {
  private struct State {
    var journal: LoadingJournal?
    /// Releases that pass with the host and are not in a journal: those without code, and those that could not be noted
    /// before.
    var unnoted: Set<ModuleStore.ReleaseName> = []
    /// Steps of code that are not in a journal, because none could be made. The next journal begins with them.
    var missed: [(step: LoadingJournal.Step, release: ModuleStore.ReleaseName)] = []
    var floors: [InstalledModule] = []
    /// The manifest whose floor is still to be raised.
    var manifest: VerifiedHostManifest?
    /// Counts the code that was opened, so that the end of an earlier trial does not end the trial of that code.
    var loads = 0
    /// Whether code is on trial. Marking the host as healthy does not change this.
    var isOpen = false
    /// Releases that stay on trial for the whole time, even if the host is marked as healthy.
    var alone: Set<ModuleStore.ReleaseName> = []
    /// Whether the crashes of earlier starts were counted.
    var hasCounted = false
    /// Whether it was reported that no journal can be written.
    var hasNoJournal = false
  }

  private let store: ModuleStore
  private let records: HostRecords
  private let state = Monitor(State())

  init(_ store: ModuleStore, _ records: HostRecords) {
    self.store = store
    self.records = records
  }

  deinit { ProcessTrials.remove(ObjectIdentifier(self)) }

  /// Calls a body each time when no code of the store is on trial any longer in this process.
  func whenClosed(_ body: @escaping @Sendable () -> Void) {
    ProcessTrials.add(ObjectIdentifier(self), of: store.path, whenClosed: body)
  }

  /// What is on trial in all hosts of the store in this process. A crash may be attributed to it.
  var current: TrialState { ProcessTrials.current(of: store.path) }
  /// Whether code of this host is on trial.
  var isOpen: Bool { state.withLock(\.isOpen) }

  /// Notes how far the code of a release is. The release is on trial from the first step on.
  ///
  /// If no journal can be written, the host is told, and loads the release all the same.
  ///
  /// - Parameter isAlone: whether the release stays on trial for the whole time.
  func note(_ step: LoadingJournal.Step, _ release: InstalledModule, isAlone: Bool) {
    state.withLock { state in
      state.loads += 1
      state.isOpen = true
      if isAlone { state.alone.insert(release.name) }
      // Under the lock, so that both say the same.
      _ = ProcessTrials.set(state.alone.isEmpty ? .open : .ofSuspect, of: ObjectIdentifier(self))
    }
    state.withLock { $0.missed.append((step, release.name)) }
    guard let journal = journal() else { return }
    let missed = state.withLock { state in
      defer { state.missed = [] }
      return state.missed
    }
    for (step, release) in missed {
      do throws(SignetError) { try journal.note(step, release) } catch { records.tell(.notice(error)) }
    }
  }

  private func journal() -> LoadingJournal? {
    let result = state.withLock { state -> Swift.Result<LoadingJournal, SignetError> in
      if let journal = state.journal { return .success(journal) }
      let result = Swift.Result { () throws(SignetError) in
        // A module that ends the process counts as having crashed it.
        try LoadingJournal(in: store) { ProcessEnd.isInOrder }
      }
      state.journal = try? result.get()
      return result
    }
    switch result {
    case .success(let journal): return journal
    case .failure(let error):
      let isNews = state.withLock { state in
        defer { state.hasNoJournal = true }
        return !state.hasNoJournal
      }
      if isNews { records.tell(.notice(error)) }
      return nil
    }
  }

  /// Notes that a release is in use, so that its floor will be raised.
  func loaded(_ release: InstalledModule, hasCode: Bool) {
    state.withLock { state in
      state.floors.append(release)
      if !hasCode { state.unnoted.insert(release.name) }
    }
  }

  /// Raises the floor of a manifest that is used. If another process is changing the store, this is done later.
  func use(_ manifest: VerifiedHostManifest) {
    state.withLock { $0.manifest = manifest }
    raiseManifestFloor()
  }

  /// - Returns: false if it could not be raised.
  @discardableResult private func raiseManifestFloor() -> Bool {
    guard let manifest = state.withLock({ $0.manifest.take() }) else { return true }
    do throws(SignetError) {
      try store.raiseManifestFloor(after: manifest)
      return true
    } catch {
      state.withLock { $0.manifest = $0.manifest ?? manifest }
      records.tell(.notice(error))
      return false
    }
  }

  /// Raises the floors of what was loaded, all at once. If another process is changing the store, this is done later.
  ///
  /// - Returns: false if they could not be raised.
  @discardableResult func raiseFloors() -> Bool {
    let floors = state.withLock { state in
      defer { state.floors = [] }
      return state.floors
    }
    guard !floors.isEmpty else { return true }
    do throws(SignetError) {
      try store.raiseFloors(after: floors)
      return true
    } catch {
      state.withLock { $0.floors = floors + $0.floors }
      records.tell(.notice(error))
      return false
    }
  }

  /// The time after which a failed write is retried. No process changes a store for longer.
  private static let retryTime = Duration.seconds(300)

  /// Ends the trial after a time without another load.
  ///
  /// The trial belongs to the process: loaded code stays in it when the host is released, and may still crash. So the
  /// timer keeps this value.
  func passLater(_ time: Duration) {
    let loads = state.withLock(\.loads)
    DispatchQueue.global().asyncAfter(deadline: .now() + time.seconds) { [self] in
      let isLast = state.withLock { state in
        guard state.loads == loads else { return false }
        state.alone = []
        return true
      }
      guard isLast else { return }
      let hasPassed = pass()
      close(loads)
      if !hasPassed { passLater(Self.retryTime) }
    }
  }

  /// Notes that loading a release has not returned in time.
  func noteStalled(_ release: InstalledModule) {
    let journal = state.withLock(\.journal)
    do throws(SignetError) { try journal?.note(.stalled, release.name) } catch { records.tell(.notice(error)) }
  }

  /// Notes that the host is healthy: what was loaded has passed, except releases that are on trial alone.
  ///
  /// - Returns: false if the store could not be changed.
  @discardableResult func pass() -> Bool {
    let (journal, unnoted) = state.withLock { state in
      defer { state.unnoted = [] }
      // Without a journal, nothing says later what has passed.
      let (passed, kept) = (state.missed.filter { !state.alone.contains($0.release) }, state.alone)
      state.missed.removeAll { !kept.contains($0.release) }
      return (state.journal, state.unnoted.union(passed.filter { $0.step == .loaded }.map(\.release)))
    }
    do throws(SignetError) {
      let note = { [store] (well: [ModuleStore.ReleaseName], failed: [ModuleStore.ReleaseName]) throws(SignetError) in
        try store.noteWell(well + unnoted, failed: failed)
      }
      if let journal {
        try journal.passTrial(except: { state.withLock(\.alone) }, note)
      } else {
        try note([], [])
      }
    } catch {
      state.withLock { $0.unnoted.formUnion(unnoted) }
      records.tell(.notice(error))
      return false
    }
    // This comes afterwards: both may wait for another process that changes the store, and what is loaded meanwhile has
    // not passed.
    return ![raiseManifestFloor(), raiseFloors()].contains(false)
  }

  /// Notes that no code is on trial any longer, unless some was opened meanwhile.
  private func close(_ loads: Int) {
    let listeners = state.withLock { state -> [@Sendable () -> Void] in
      guard state.isOpen, state.loads == loads else { return [] }
      state.isOpen = false
      return ProcessTrials.set(.closed, of: ObjectIdentifier(self))
    }
    for listener in listeners { listener() }
  }

  /// Counts the crashes of earlier starts. A host that does not take stock does so once.
  func countCrashes(again: Bool) {
    let isFirst = state.withLock { state in
      defer { state.hasCounted = true }
      return !state.hasCounted
    }
    guard isFirst || again, let failure = store.countCrashes().failure else { return }
    records.tell(.notice(failure))
  }
}

extension InstalledModule {
  /// The release's name.
  var name: ModuleStore.ReleaseName {
    ModuleStore.ReleaseName(identifier: module.identifier, sequence: sequence)
  }
}
