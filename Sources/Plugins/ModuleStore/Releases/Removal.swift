public import Signet
public import SignetBase

extension ModuleStore {
  /// The name of a release: its module and sequence.
  public struct ReleaseName: Hashable, Sendable, CustomStringConvertible {
    /// The identifier of the module.
    public let identifier: ModuleIdentifier
    /// The sequence of the release.
    public let sequence: Int

    /// Names a release.
    public init(identifier: ModuleIdentifier, sequence: Int) {
      self.identifier = identifier
      self.sequence = sequence
    }

    /// The identifier and the sequence.
    public var description: String { "\(identifier) \(sequence)" }
  }

  /// Removes releases of a module. The floor of the module stays, so it is still known what was loaded once.
  ///
  /// Files in use are removed by a later change or by ``collectGarbage(embedded:)``.
  ///
  /// - Parameters:
  ///   - identifier: the module.
  ///   - sequence: the release; nil for all.
  /// - Returns: the releases that were removed.
  /// - Throws: `store.not-installed`, `store.write-failed`, `store.not-synced`, `store.locked`, `store.bounds`,
  ///   `store.state-missing`, `store.state-malformed`, `file.…`.
  @discardableResult
  public func remove(_ identifier: ModuleIdentifier, sequence: Int? = nil) throws(SignetError) -> [ReleaseName] {
    var change = try StoreChange(self)
    defer { withExtendedLifetime(change) {} }
    let all = change.state.modules[identifier]?.releases ?? []
    let removed = all.filter { sequence == nil || $0.sequence == sequence }
    guard !removed.isEmpty else { throw Self.notInstalled(identifier, sequence) }
    try remove([identifier: removed], &change)
    return removed.map { ReleaseName(identifier: identifier, sequence: $0.sequence) }
  }

  /// Removes all releases of all modules but some. The floors stay, so it is still known what was loaded once.
  ///
  /// - Parameter kept: the sequences of releases that stay, such as those that ship inside the host.
  /// - Returns: the modules of which a release was removed, sorted.
  /// - Throws: `store.write-failed`, `store.not-synced`, `store.locked`, `store.bounds`, `store.state-missing`,
  ///   `store.state-malformed`, `file.…`.
  @discardableResult
  public func removeAll(except kept: [ModuleIdentifier: Int]) throws(SignetError) -> [ModuleIdentifier] {
    var change = try StoreChange(self)
    defer { withExtendedLifetime(change) {} }
    var removed: [ModuleIdentifier: [StoreState.Release]] = [:]
    for (identifier, module) in change.state.modules {
      let releases = module.releases.filter { $0.sequence != kept[identifier] }
      if !releases.isEmpty { removed[identifier] = releases }
    }
    try remove(removed, &change)
    return removed.keys.sorted { "\($0)" < "\($1)" }
  }

  /// Removes what nothing needs: what interrupted changes have left, and unneeded releases.
  ///
  /// Of each module the active release, the newest one, the newest that was set aside, and the newest that may be a
  /// fallback are kept.
  ///
  /// - Parameter embedded: the sequences of releases that ship inside the host. Nothing below them is a fallback.
  /// - Returns: the releases that were removed.
  /// - Throws: `store.locked` if the store is in use; `store.write-failed`, `store.not-synced`, `store.bounds`,
  ///   `store.state-missing`, `store.state-malformed`, `file.…`.
  @discardableResult
  public func collectGarbage(embedded: [ModuleIdentifier: Int] = [:]) throws(SignetError) -> [ReleaseName] {
    let lock = try StoreLock(.collection, of: root.directory, patience: StoreLock.shortPatience)
    defer { withExtendedLifetime(lock) {} }
    var change = try StoreChange(self)
    defer { withExtendedLifetime(change) {} }
    var removed: [ModuleIdentifier: [StoreState.Release]] = [:]
    for (identifier, module) in change.state.modules {
      let needed = needed(of: module, identifier, embedded: embedded[identifier])
      let unneeded = module.releases.filter { !needed.contains($0.sequence) }
      if !needed.isEmpty && !unneeded.isEmpty { removed[identifier] = unneeded }
    }
    try remove(removed, &change)
    try clearUnlisted(change)
    return removed.flatMap { identifier, releases in
      releases.map { ReleaseName(identifier: identifier, sequence: $0.sequence) }
    }
    .sorted { ("\($0.identifier)", $0.sequence) < ("\($1.identifier)", $1.sequence) }
  }

  /// The sequences that are needed. Empty if no release is accepted: another policy may accept one.
  private func needed(
    of record: ModuleRecord, _ identifier: ModuleIdentifier, embedded: Int?
  ) -> Set<Int> {
    var opened: [Int: InstalledModule?] = [:]
    func running(_ record: ModuleRecord) -> InstalledModule? {
      let choice = record.choice(embedded: embedded, policy: policy) { sequence in
        let release = opened[sequence] ?? record.release(sequence).flatMap { try? open($0, of: identifier) }
        opened[sequence] = .some(release)
        return release != nil
      }
      guard case .run(let sequence, _) = choice else { return nil }
      return opened[sequence] ?? nil
    }
    guard let active = running(record) else { return [] }
    // The release that would run if the active one were set aside.
    var crashed = record
    for _ in 0..<CrashRecord.limit { crashed.noteCrash(active.sequence, CrashRecord.Facts(active)) }
    let setAside = record.releases.last { record.isSetAside($0.sequence) }
    let newest = record.releases.last?.sequence
    return Set([active.sequence, newest, running(crashed)?.sequence, setAside?.sequence].compactMap(\.self))
  }

  /// Removes releases from the list, which is what counts, and then their files.
  private func remove(
    _ removed: [ModuleIdentifier: [StoreState.Release]], _ change: inout StoreChange
  ) throws(SignetError) {
    guard !removed.isEmpty else { return }
    for (identifier, releases) in removed { _ = change.state.drop(identifier, releases.contains) }
    change.state.see(clock.now())
    try change.commit()
    change.removeFiles(of: removed)
  }

  /// Removes the files of releases that were removed or replaced while the store was in use, if nothing uses it now.
  ///
  /// A host calls this before it holds the store. While it runs, no other process can; the host can if it is the only one.
  /// What cannot be removed, or not without waiting, stays for the next time.
  package func clearRemoved() {
    guard (try? staging.names(upTo: Self.clearLimit))?.contains(where: StagingName.mayBeInUse) == true else { return }
    guard let change = try? StoreChange(self, atMost: 0) else { return }
    _ = try? change.clear()
    withExtendedLifetime(change) {}
  }

  /// The greatest number of entries in a directory to look at, at once.
  private static let clearLimit = 4096

  /// Removes what is in `modules/` and is not listed. Nothing uses the store meanwhile.
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
