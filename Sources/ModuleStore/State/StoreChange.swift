internal import Signet
internal import SignetBase

/// A change of a store under way; nobody else changes it as long as the value lives.
struct StoreChange {
  let store: ModuleStore
  /// The time of the change: never earlier than that of another.
  let now: UnixTime
  /// What the store will remember.
  var state: StoreState
  private let before: StoreState
  private let lock: StoreLock

  /// Things in `staging/` that are looked at, at once.
  private static let sweepLimit = 4096

  /// Begins a change.
  ///
  /// Others who change the store are waited for.
  ///
  /// - Parameter waits: whether for as long as an installation may take; otherwise as long as the store has patience, and not again after it
  ///   was in vain.
  /// - Throws: `store.locked`, and what reading the state throws.
  init(_ store: ModuleStore, waits: Bool = false) throws(SignetError) {
    self.store = store
    do throws(SignetError) {
      let patience = waits ? StoreLock.patience : store.isBusy.withLock(\.self) ? 0 : store.patience
      lock = try StoreLock(.change, of: store.root.directory, patience: patience)
      store.isBusy.withLock { $0 = false }
    } catch {
      if error.code == .storeLocked, !waits { store.isBusy.withLock { $0 = true } }
      throw error
    }
    before = try store.storedState()
    state = before
    // Asked for now that the latest time cannot change any more.
    now = before.judged(store.clock.now())
  }

  /// Makes it: the state is replaced, and the store is changed.
  ///
  /// - Throws: `store.write-failed` when the store is what it was, `store.not-synced` when it is not.
  func commit() throws(SignetError) {
    try state.write(into: store.root, by: store.staging)
    do throws(SignetError) {
      try store.root.sync()
    } catch {
      do throws(SignetError) {
        try before.write(into: store.root, by: store.staging)
      } catch let second {
        throw SignetError(
          .storeNotSynced, store.path,
          "was changed, but the change may be lost if the power fails now", cause: second,
          hint: "check the disk")
      }
      try? store.root.sync()
      throw error
    }
  }

  /// Removes what changes that were cut short have left in `staging/`, but for what somebody may still use. What cannot be
  /// removed stays for the next time.
  func sweep() throws(SignetError) {
    for name in try store.staging.names(upTo: Self.sweepLimit) where !StagingName.mayBeInUse(name) {
      try? store.staging.remove(name)
    }
  }

  /// Removes the files of releases that were removed from the store's list, once that is done. What cannot be removed now is removed by
  /// a later change.
  func removeFiles(of removed: [ModuleIdentifier: [StoreState.Release]]) {
    var left: [(module: ModuleIdentifier, folder: String)] = []
    for (module, releases) in removed {
      for folder in releases.map(\.folderName) {
        do throws(SignetError) { try setAside(folder, of: module) } catch { left.append((module, folder)) }
      }
    }
    _ = try? clear(left)
  }

  /// Removes what was removed from the store's list, when nobody uses anything of the store.
  ///
  /// - Parameter places: directories that could not be taken out of their places.
  /// - Returns: false when somebody does.
  private func clear(_ places: [(module: ModuleIdentifier, folder: String)] = []) throws(SignetError) -> Bool {
    let lock: StoreLock
    do throws(SignetError) {
      lock = try StoreLock(.collection, of: store.root.directory, patience: 0)
    } catch  where error.code == .storeLocked {
      return false
    }
    defer { withExtendedLifetime(lock) {} }
    for name in try store.staging.names(upTo: Self.sweepLimit) { try store.staging.remove(name) }
    for place in places { try store.modules.folder("\(place.module)").remove(place.folder) }
    return true
  }

  /// Takes a directory of a module out of its place, where somebody may use it still.
  private func setAside(_ folderName: String, of module: ModuleIdentifier) throws(SignetError) {
    let home: StoreFolder
    do throws(SignetError) {
      home = try store.modules.folder("\(module)")
    } catch  where error.code == .fileMissing {
      return
    }
    guard try home.has(folderName) else { return }
    try home.move(folderName, to: store.staging, as: StagingName.new(StagingName.removed))
    try home.sync()
    try store.staging.sync()
  }
}
