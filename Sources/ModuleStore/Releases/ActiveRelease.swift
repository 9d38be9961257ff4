public import Signet
public import SignetCrypto

// Which of several releases is loaded (section 5 of the design).
extension ModuleStore {
  /// The release that is to be loaded: the active one, or, where that is not as it was signed or no longer accepted, the
  /// highest below it that is and is not below a floor.
  ///
  /// The active release is the highest that was installed, unless that has crashed: see ``noteCrash(of:embedded:)``.
  ///
  /// - Throws: why the active release cannot be loaded, where no other can: `store.damaged`, `policy.rollback`, the
  ///   policy's reasons; `store.not-installed`, `clock.rollback`, and what reading throws.
  public func active(_ identifier: ModuleIdentifier) throws(SignetError) -> InstalledModule {
    let hold = try hold()
    defer { withExtendedLifetime(hold) {} }
    let state = try checkedState()
    guard let module = state.modules[identifier], let active = module.active else {
      throw Self.notInstalled(identifier, nil)
    }
    var reason: SignetError?
    for release in module.releases.reversed() where release.sequence <= active {
      do throws(SignetError) {
        let isFallback = release.sequence == active && module.isFallback
        if !isFallback {
          try checkFloor(release.sequence, of: identifier, "\(identifier) \(release.sequence)", state)
        }
        return try open(release, of: identifier)
      } catch {
        reason = reason ?? error
      }
    }
    throw reason ?? Self.notInstalled(identifier, nil)
  }

  /// Remembers that a release has crashed while it was loaded. After the second time, unless one above it is accepted, the active
  /// release is another: the highest below that verifies now and is not below the policy's floor, the embedded release, or what the
  /// statement of the one that crashed allows. Where there is none, it stays the active one.
  ///
  /// The store's own floor does not count: it says what has been loaded, and that is what crashes now.
  ///
  /// - Parameters:
  ///   - release: what was being loaded.
  ///   - embedded: the sequence of the release that ships inside the host.
  /// - Throws: `clock.rollback`, `store.not-installed`, `store.write-failed`, `store.not-synced`, `store.locked`.
  public func noteCrash(of release: InstalledModule, embedded: Int? = nil) throws(SignetError) {
    try noteCrash(of: release.module.identifier, release.sequence, release.minimumSequence, embedded: embedded)
  }

  /// - Parameter minimumSequence: what the release's statement allows, where it is known.
  func noteCrash(
    of identifier: ModuleIdentifier, _ sequence: Int, _ minimumSequence: Int? = nil, embedded: Int?
  ) throws(SignetError) {
    var change = try StoreChange(self)
    defer { withExtendedLifetime(change) {} }
    guard var module = change.state.modules[identifier], let release = module.release(sequence) else {
      throw Self.notInstalled(identifier, sequence)
    }
    // One that does not verify any more says nothing about what may be fallen back to.
    let minimumSequence = minimumSequence ?? (try? open(release, of: identifier))?.minimumSequence
    var crashes = StoreState.Crashes(sequence: sequence, count: 0, minimumSequence: minimumSequence)
    if let known = module.crashes, known.sequence == release.sequence { crashes.count = known.count }
    // More are not counted: they would change nothing.
    crashes.count = min(crashes.count + 1, StoreState.Crashes.limit)
    module.crashes = crashes
    // Where one above it is accepted, that is what is loaded next, and not lost for what an older one does.
    let isCurrent = module.active.map { active in
      active >= sequence && highest(of: module, identifier) { $0 > sequence && $0 <= active } == nil
    }
    if crashes.count == StoreState.Crashes.limit, isCurrent == true {
      let least = max(crashes.minimumSequence ?? 1, embedded ?? 1)
      module.active = fallback(of: module, identifier, below: release.sequence, from: least) ?? module.active
    }
    change.state.modules[identifier] = module
    change.state.see(change.now)
    try change.commit()
  }

  /// The highest release in a range that verifies now; the policy's floor is part of that.
  func fallback(
    of module: StoreState.Module, _ identifier: ModuleIdentifier, below sequence: Int, from least: Int
  ) -> Int? {
    highest(of: module, identifier) { $0 < sequence && $0 >= least }
  }

  private func highest(
    of module: StoreState.Module, _ identifier: ModuleIdentifier, where isWanted: (_ sequence: Int) -> Bool
  ) -> Int? {
    module.releases.reversed().first { release in
      isWanted(release.sequence) && (try? open(release, of: identifier)) != nil
    }?.sequence
  }
}

extension StoreState.Module {
  /// Whether the active release was fallen back to, so that what had been loaded before does not speak against it.
  var isFallback: Bool {
    guard let active, let crashes, crashes.count >= StoreState.Crashes.limit else { return false }
    return active < crashes.sequence && active >= crashes.minimumSequence ?? 1
  }
}
