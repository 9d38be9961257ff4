internal import Signet
internal import SignetBase

/// A change of a store that is under way. Nothing else changes the store while the value lives.
struct StoreChange {
  let store: ModuleStore
  /// The time of the change, which is never earlier than that of another.
  let now: UnixTime
  /// What the store will remember.
  var state: StoreState
  private let before: StoreState
  private let lock: StoreLock

  /// The greatest number of entries in `staging/` to look at, at once.
  private static let sweepLimit = 4096

  /// Begins a change.
  ///
  /// This waits for other processes that change the store.
  ///
  /// - Parameter waits: whether to wait for as long as an installation may take. Otherwise this waits for the store's
  ///   patience, and not at all if the last such wait was in vain.
  /// - Parameter milliseconds: how many milliseconds to wait at most.
  /// - Throws: `store.locked`, and errors of reading the state.
  init(_ store: ModuleStore, waits: Bool = false, atMost milliseconds: Int = .max) throws(SignetError) {
    self.store = store
    do throws(SignetError) {
      let patience = min(
        milliseconds, waits ? StoreLock.patience : store.isBusy.withLock(\.self) ? 0 : store.patience)
      lock = try StoreLock(.change, of: store.root.directory, patience: patience)
      store.isBusy.withLock { $0 = false }
    } catch {
      if error.code == .storeLocked, !waits, milliseconds > 0 { store.isBusy.withLock { $0 = true } }
      throw error
    }
    before = try store.storedState()
    state = before
    // The time is read now that the latest time cannot change any longer.
    now = before.judged(store.clock.now())
  }

  /// Makes the change. Replacing the state is what changes the store.
  ///
  /// - Throws: `store.write-failed` if the store is as it was, `store.not-synced` if it is not.
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

  /// Removes what interrupted changes have left in `staging/`, except what may still be in use. What cannot be removed
  /// stays for the next time.
  func sweep() throws(SignetError) {
    for name in try store.staging.names(upTo: Self.sweepLimit) where !StagingName.mayBeInUse(name) {
      try? store.staging.remove(name)
    }
  }

  /// Removes the files of releases, once they were removed from the store's list. What cannot be removed now is removed
  /// by a later change.
  func removeFiles(of removed: [ModuleIdentifier: [StoreState.Release]]) {
    var left: [(module: ModuleIdentifier, folder: String)] = []
    for (module, releases) in removed {
      for folder in releases.map(\.folderName) {
        do throws(SignetError) { try setAside(folder, of: module) } catch { left.append((module, folder)) }
      }
    }
    _ = try? clear(left)
  }

  /// Removes what was removed from the store's list, if no other process uses the store. What this process uses stays.
  ///
  /// - Parameter places: directories that could not be moved out of their places.
  /// - Returns: false if others use the store.
  func clear(_ places: [(module: ModuleIdentifier, folder: String)] = []) throws(SignetError) -> Bool {
    guard let doomed = try doomed(places) else { return false }
    // A process that comes now finds none of them, and need not wait.
    for name in doomed { try store.staging.remove(name) }
    return true
  }

  /// Finds out what nobody uses, and gives it names in `staging/` of which that is known; nil if others use the store.
  private func doomed(_ places: [(module: ModuleIdentifier, folder: String)]) throws(SignetError) -> [String]? {
    // A host holds the store as long as it runs. With its lock it finds out whether it is the only one.
    if let own = store.ownHold.withLock({ $0.lock }) {
      guard own.excludeOthers() else { return nil }
      defer { own.admitOthers() }
      return try doomed(places, isAlone: false)
    }
    let lock: StoreLock
    do throws(SignetError) {
      lock = try StoreLock(.collection, of: store.root.directory, patience: 0)
    } catch  where error.code == .storeLocked {
      return nil
    }
    defer { withExtendedLifetime(lock) {} }
    return try doomed(places, isAlone: true)
  }

  /// - Parameter isAlone: whether nobody holds the store, this process included.
  private func doomed(
    _ places: [(module: ModuleIdentifier, folder: String)], isAlone: Bool
  ) throws(SignetError) -> [String] {
    var doomed: [String] = []
    for name in try store.staging.names(upTo: Self.sweepLimit) {
      guard StagingName.mayBeInUse(name) else {
        if isAlone { doomed.append(name) }
        continue
      }
      guard isAlone || !ReleaseUse.isInUse(name, of: store.staging) else { continue }
      doomed.append(try StagingName.release(name, in: store.staging))
    }
    for place in places {
      let home = try store.modules.folder("\(place.module)")
      if isAlone || !ReleaseUse.isInUse(place.folder, of: home) { try home.remove(place.folder) }
    }
    return doomed
  }

  /// Moves a directory of a module out of its place, because it may still be in use.
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
