public import Signet
public import SignetBase
internal import SignetProcesses
internal import SignetSystem

// The lowest sequence that each module may have.
extension ModuleStore {
  /// The floors that hold under the policy. A floor does not hold if the policy revokes the key that raised it. The
  /// policy also has floors of its own.
  ///
  /// - Throws: `store.state-missing`, `store.state-malformed`, `file.…`.
  public func floors() throws(SignetError) -> [ModuleIdentifier: Floor] {
    try state().modules.compactMapValues { $0.floor }.filter { !$0.value.isDropped(by: policy) }
  }

  /// Raises a module's floor to a release. Call this after the first successful load of the release, and never before:
  /// a release that was only installed must not exclude others.
  ///
  /// - Returns: the floor that holds now.
  /// - Throws: what ``raiseFloors(after:)`` throws, and `store.not-installed`.
  @discardableResult
  public func raiseFloor(after loaded: InstalledModule) throws(SignetError) -> Floor {
    let identifier = loaded.module.identifier
    try raiseFloors(after: [loaded])
    guard let record = try storedState().modules[identifier], let floor = record.floor, isListed(loaded, record)
    else {
      throw Self.notInstalled(identifier, loaded.sequence)
    }
    return floor
  }

  /// Raises the floors of modules to releases that were loaded, in one change. A release that was removed since raises
  /// none. If all floors are as high already, nothing is locked.
  ///
  /// - Throws: `store.write-failed`, `store.not-synced`, `store.locked`, `store.bounds`, `store.state-missing`,
  ///   `store.state-malformed`, `file.…`.
  public func raiseFloors(after loaded: [InstalledModule]) throws(SignetError) {
    guard try isNews(loaded, storedState()) else { return }
    var change = try StoreChange(self)
    defer { withExtendedLifetime(change) {} }
    for release in loaded {
      guard let record = change.state.modules[release.module.identifier], isListed(release, record) else { continue }
      _ = change.state.modules[release.module.identifier]?.raiseFloor(
        to: Floor(release, since: change.now), under: policy)
    }
    change.state.see(clock.now(), after: loaded.compactMap(\.signedAt).max())
    try change.commit()
  }

  private func isListed(_ release: InstalledModule, _ record: ModuleRecord) -> Bool {
    record.release(release.sequence)?.sha256 == release.sha256
  }

  /// Whether a floor would rise, or enough time has passed, so that the clock cannot be set back far.
  private func isNews(_ loaded: [InstalledModule], _ state: StoreState) throws(SignetError) -> Bool {
    let now = clock.now()
    let isDue = state.latestTime.map { now.seconds - $0.seconds >= Self.timeInterval } ?? true
    return isDue
      || loaded.contains { release in
        guard let record = state.modules[release.module.identifier], isListed(release, record) else { return false }
        var copy = record
        _ = copy.raiseFloor(to: Floor(release, since: now), under: policy)
        return copy != record
      }
  }

  /// An hour, in seconds.
  private static let timeInterval: Int64 = 3600

  /// Forgets a module's floor, so that an older release can be installed and loaded. The store's notes keep when this
  /// was done, and by which user.
  ///
  /// - Returns: the floor that was forgotten; nil if there was none.
  /// - Throws: `store.write-failed`, `store.not-synced`, `store.locked`, `store.bounds`, `store.state-missing`,
  ///   `store.state-malformed`, `file.…`.
  @discardableResult
  public func resetFloor(_ identifier: ModuleIdentifier) throws(SignetError) -> Floor? {
    var change = try StoreChange(self)
    defer { withExtendedLifetime(change) {} }
    guard let floor = change.state.modules[identifier]?.floor else { return nil }
    change.state.modules[identifier]?.floor = nil
    change.state.note(
      StoreState.Note(
        time: change.now, user: CurrentProcess.user, action: .floorReset, module: identifier, sequence: floor.sequence
      ))
    try change.commit()
    return floor
  }

  /// Forgets the latest time that was seen, after a clock that was wrong by years has been corrected. The store's notes
  /// keep when this was done, and by which user.
  ///
  /// - Throws: what ``resetFloor(_:)`` throws.
  public func resetLatestTime() throws(SignetError) {
    var change = try StoreChange(self)
    defer { withExtendedLifetime(change) {} }
    let now = clock.now()
    change.state.latestTime = now
    change.state.aheadTime = nil
    change.state.note(
      StoreState.Note(time: now, user: CurrentProcess.user, action: .timeReset, module: nil, sequence: nil))
    try change.commit()
  }
}

// The lowest sequence that a host's manifest may have: that of the highest one that was used.
extension ModuleStore {
  /// The floor of a host's manifest under the policy; nil if no manifest has set one.
  ///
  /// - Throws: `store.state-missing`, `store.state-malformed`, `file.…`.
  public func manifestFloor(of host: ModuleIdentifier) throws(SignetError) -> Floor? {
    floor(of: host, try state())
  }

  private func floor(of host: ModuleIdentifier, _ state: StoreState) -> Floor? {
    state.manifests[host].flatMap { $0.isDropped(by: policy) ? nil : $0 }
  }

  /// Raises the floor of a host's manifest to one that is used.
  ///
  /// - Throws: `store.bounds`, `store.write-failed`, `store.not-synced`, `store.locked`, `store.state-missing`,
  ///   `store.state-malformed`, `file.…`.
  public func raiseManifestFloor(after manifest: VerifiedHostManifest) throws(SignetError) {
    func isRaised(_ state: StoreState) -> Bool {
      floor(of: manifest.identifier, state).map { $0.sequence >= manifest.sequence } ?? false
    }
    guard try !isRaised(state()) else { return }
    var change = try StoreChange(self)
    defer { withExtendedLifetime(change) {} }
    // Another host may have used a later one meanwhile.
    guard !isRaised(change.state) else { return }
    guard
      change.state.manifests[manifest.identifier] != nil || change.state.manifests.count < StoreState.manifestLimit
    else {
      throw SignetError(
        .storeBounds, path, "has manifests of too many hosts", expected: "at most \(StoreState.manifestLimit)")
    }
    change.state.manifests[manifest.identifier] = Floor(
      sequence: manifest.sequence, since: change.now, signatures: manifest.signatures)
    change.state.see(clock.now())
    try change.commit()
  }
}
