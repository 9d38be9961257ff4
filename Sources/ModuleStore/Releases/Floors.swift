public import Signet
public import SignetCrypto

// The least sequence of each module (section 5 of the design).
extension ModuleStore {
  /// The floors that hold under the policy: those that a key has raised which it revokes do not. The policy has floors of
  /// its own beside them.
  ///
  /// - Throws: what reading the state throws.
  public func floors() throws(SignetError) -> [ModuleIdentifier: Floor] {
    try state().modules.compactMapValues { $0.floor }.filter { !$0.value.isDropped(by: policy) }
  }

  /// Raises a module's floor to a release. Call it after the first successful load of the release, and never before:
  /// a release that was only installed must not shut out others.
  ///
  /// - Returns: the floor that holds now.
  /// - Throws: `clock.rollback`, `store.not-installed`, `store.write-failed`, `store.not-synced`, `store.locked`.
  @discardableResult
  public func raiseFloor(after loaded: InstalledModule) throws(SignetError) -> Floor {
    let identifier = loaded.module.identifier
    var change = try StoreChange(self)
    defer { withExtendedLifetime(change) {} }
    guard var module = change.state.modules[identifier], module.release(loaded.sequence)?.sha256 == loaded.sha256
    else {
      throw Self.notInstalled(identifier, loaded.sequence)
    }
    let known = module.floor.flatMap { $0.isDropped(by: policy) ? nil : $0 }
    let floor = known.flatMap { $0.sequence >= loaded.sequence ? $0 : nil } ?? Floor(loaded, since: change.now)
    if module.crashes?.sequence == loaded.sequence { module.crashes = nil }
    module.floor = floor
    change.state.modules[identifier] = module
    // A start that changed nothing is worth a write when some time has passed, so that the clock cannot be set back far.
    let isDue = change.state.latestTime.map { change.now.seconds - $0.seconds >= Self.timeInterval } ?? true
    change.state.see(change.now)
    if isDue || !change.isUnchanged(module: identifier) { try change.commit() }
    return floor
  }

  /// Seconds: an hour.
  private static let timeInterval: Int64 = 3600

  /// Forgets a module's floor, so that an older release can be installed and loaded. That it was done, when and by whom
  /// stays in the store's notes.
  ///
  /// - Returns: the floor that was forgotten; nil where there was none.
  /// - Throws: `store.write-failed`, `store.not-synced`, `store.locked`, and what reading the state throws.
  @discardableResult
  public func resetFloor(_ identifier: ModuleIdentifier) throws(SignetError) -> Floor? {
    // The clock may be what has gone wrong.
    var change = try StoreChange(self, checksClock: false)
    defer { withExtendedLifetime(change) {} }
    guard let floor = change.state.modules[identifier]?.floor else { return nil }
    change.state.modules[identifier]?.floor = nil
    change.state.note(
      StoreState.Note(
        time: change.now, user: StoreUser.current, action: .floorReset, module: identifier, sequence: floor.sequence))
    try change.commit()
    return floor
  }

  /// Forgets the latest time that was seen, after a clock that was wrong by years has been set right. That it was done, when
  /// and by whom stays in the store's notes.
  ///
  /// - Throws: what ``resetFloor(_:)`` throws.
  public func resetLatestTime() throws(SignetError) {
    var change = try StoreChange(self, checksClock: false)
    defer { withExtendedLifetime(change) {} }
    change.state.latestTime = change.now
    change.state.note(
      StoreState.Note(
        time: change.now, user: StoreUser.current, action: .timeReset, module: nil, sequence: nil))
    try change.commit()
  }

  /// Makes sure that a release is not below the store's floor.
  ///
  /// - Throws: `policy.rollback`.
  func checkFloor(
    _ sequence: Int, of identifier: ModuleIdentifier, _ name: String, _ state: StoreState
  ) throws(SignetError) {
    guard let floor = state.modules[identifier]?.floor, !floor.isDropped(by: policy) else { return }
    try floor.check(sequence, of: identifier, name)
  }
}
