internal import Signet
internal import SignetCrypto

/// A change of a store under way; nobody else changes it as long as the value lives.
struct StoreChange {
  let store: ModuleStore
  /// The time of the change.
  let now: UnixTime
  /// What the store will remember.
  var state: StoreState
  private let before: StoreState
  private let lock: StoreLock

  /// Things in `staging/` that are looked at, at once.
  private static let sweepLimit = 4096

  /// Begins a change.
  ///
  /// - Parameter checksClock: whether a time that is earlier than the latest seen ends it.
  /// - Throws: `store.locked`, `clock.rollback`, and what reading the state throws.
  init(_ store: ModuleStore, checksClock: Bool = true) throws(SignetError) {
    self.store = store
    lock = try StoreLock(.change, of: store.root.directory)
    before = try store.state()
    state = before
    // Asked for now that the latest time cannot change any more.
    now = store.clock.now()
    if checksClock { try before.check(now, store.path) }
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
          "is changed, and may be what it was before if the machine loses its power now", cause: second,
          hint: "check the disk")
      }
      try? store.root.sync()
      throw error
    }
  }

  /// Whether a module's part of the state is what it was.
  func isUnchanged(module: ModuleIdentifier) -> Bool { state.modules[module] == before.modules[module] }

  /// Removes what changes that were cut short have left in `staging/`, but for what somebody may still use. What cannot be
  /// removed stays for the next time.
  func sweep() throws(SignetError) {
    for name in try store.staging.names(upTo: Self.sweepLimit) where !StagingName.mayBeInUse(name) {
      try? store.staging.remove(name)
    }
  }

  /// Removes what was removed from the store's list, when nobody uses anything of the store.
  ///
  /// - Returns: false when somebody does.
  func clear() throws(SignetError) -> Bool {
    let lock: StoreLock
    do throws(SignetError) {
      lock = try StoreLock(.collection, of: store.root.directory, patience: StoreLock.leastPatience)
    } catch  where error.code == .storeLocked {
      return false
    }
    defer { withExtendedLifetime(lock) {} }
    for name in try store.staging.names(upTo: Self.sweepLimit) { try store.staging.remove(name) }
    return true
  }

  /// Takes a directory of a module out of its place, where somebody may use it still.
  func setAside(_ folderName: String, of module: ModuleIdentifier) throws(SignetError) {
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
