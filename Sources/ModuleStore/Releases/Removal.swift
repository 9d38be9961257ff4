public import Signet
public import SignetCrypto

extension ModuleStore {
  /// A release by its module and sequence.
  public struct ReleaseName: Hashable, Sendable, CustomStringConvertible {
    /// The module.
    public let identifier: ModuleIdentifier
    /// Which release.
    public let sequence: Int

    /// Both.
    public var description: String { "\(identifier) \(sequence)" }
  }

  /// Removes releases of a module. Its floor stays: what was loaded once is still known.
  ///
  /// Files that somebody uses are removed by a later change or ``collectGarbage(embedded:)``.
  ///
  /// - Parameter sequence: the release; nil for all.
  /// - Returns: what was removed.
  /// - Throws: `store.not-installed`, `store.write-failed`, `store.not-synced`, `store.locked`.
  @discardableResult
  public func remove(_ identifier: ModuleIdentifier, sequence: Int? = nil) throws(SignetError) -> [ReleaseName] {
    // Removing accepts nothing, so the clock has no say.
    var change = try StoreChange(self, checksClock: false)
    defer { withExtendedLifetime(change) {} }
    let all = change.state.modules[identifier]?.releases ?? []
    let removed = all.filter { sequence == nil || $0.sequence == sequence }
    guard !removed.isEmpty else { throw Self.notInstalled(identifier, sequence) }
    try remove([identifier: removed], &change)
    return removed.map { ReleaseName(identifier: identifier, sequence: $0.sequence) }
  }

  /// Removes what nobody needs: what changes that were cut short have left, and of each module all releases but the active
  /// one, the one that has crashed, and the highest that may be fallen back to.
  ///
  /// - Parameter embedded: the sequences of releases that ship inside the host: what is below is not fallen back to.
  /// - Returns: the releases that were removed.
  /// - Throws: `store.locked` when somebody uses the store; `clock.rollback`, `store.write-failed`,
  ///   `store.not-synced`.
  @discardableResult
  public func collectGarbage(embedded: [ModuleIdentifier: Int] = [:]) throws(SignetError) -> [ReleaseName] {
    let lock = try StoreLock(.collection, of: root.directory, patience: StoreLock.shortPatience)
    defer { withExtendedLifetime(lock) {} }
    var change = try StoreChange(self)
    defer { withExtendedLifetime(change) {} }
    var removed: [ModuleIdentifier: [StoreState.Release]] = [:]
    for (identifier, module) in change.state.modules {
      guard let active = module.active else { continue }
      let needed = needed(of: module, identifier, active, embedded: embedded[identifier])
      // Above the active one there is only what was fallen back from.
      let unneeded = module.releases.filter { !needed.contains($0.sequence) }
      if !unneeded.isEmpty { removed[identifier] = unneeded }
    }
    try remove(removed, &change)
    try clearUnlisted(change)
    return removed.flatMap { identifier, releases in
      releases.map { ReleaseName(identifier: identifier, sequence: $0.sequence) }
    }
    .sorted { ("\($0.identifier)", $0.sequence) < ("\($1.identifier)", $1.sequence) }
  }

  private func needed(
    of module: StoreState.Module, _ identifier: ModuleIdentifier, _ active: Int, embedded: Int?
  ) -> Set<Int> {
    var needed: Set<Int> = [active]
    if let crashes = module.crashes { needed.insert(crashes.sequence) }
    // An active release that does not verify says nothing about what may be fallen back to.
    let statement = module.release(active).flatMap { try? open($0, of: identifier) }?.minimumSequence
    let least = max(statement ?? 1, embedded ?? 1)
    if let fallback = fallback(of: module, identifier, below: active, from: least) { needed.insert(fallback) }
    return needed
  }

  /// Takes releases out of the list, which is what removes them, and then their files.
  private func remove(
    _ removed: [ModuleIdentifier: [StoreState.Release]], _ change: inout StoreChange
  ) throws(SignetError) {
    guard !removed.isEmpty else { return }
    for (identifier, releases) in removed {
      guard var module = change.state.modules[identifier] else { continue }
      module.releases.removeAll { releases.contains($0) }
      if let active = module.active, module.release(active) == nil { module.active = module.releases.last?.sequence }
      // A module without releases is remembered for its floor.
      change.state.modules[identifier] = module.releases.isEmpty && module.floor == nil ? nil : module
    }
    change.state.see(change.now)
    try change.commit()
    // It is done; what of the files cannot be removed now is removed by the next change.
    for (identifier, releases) in removed {
      for release in releases { try? change.setAside(release.folderName, of: identifier) }
    }
    _ = try? change.clear()
  }

  /// Things in a directory that are looked at, at once.
  private static let clearLimit = 4096

  /// Removes what lies in `modules/` and is not listed, when nobody uses the store.
  private func clearUnlisted(_ change: StoreChange) throws(SignetError) {
    for name in try staging.names(upTo: Self.clearLimit) { try staging.remove(name) }
    for name in try modules.names(upTo: Self.clearLimit) {
      let known = ModuleIdentifier(name).flatMap { change.state.modules[$0] }
      guard let known else {
        try modules.remove(name)
        continue
      }
      let home = try modules.folder(name)
      for folder in try home.names(upTo: Self.clearLimit)
      where !known.releases.contains(where: { $0.folderName.isExactly(folder) }) {
        try home.remove(folder)
      }
    }
  }
}
