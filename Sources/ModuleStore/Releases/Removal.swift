public import Signet
public import SignetBase

extension ModuleStore {
  /// A release by its module and sequence.
  public struct ReleaseName: Hashable, Sendable, CustomStringConvertible {
    /// The module.
    public let identifier: ModuleIdentifier
    /// Which release.
    public let sequence: Int

    /// Names a release.
    public init(identifier: ModuleIdentifier, sequence: Int) {
      self.identifier = identifier
      self.sequence = sequence
    }

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
    var change = try StoreChange(self)
    defer { withExtendedLifetime(change) {} }
    let all = change.state.modules[identifier]?.releases ?? []
    let removed = all.filter { sequence == nil || $0.sequence == sequence }
    guard !removed.isEmpty else { throw Self.notInstalled(identifier, sequence) }
    try remove([identifier: removed], &change)
    return removed.map { ReleaseName(identifier: identifier, sequence: $0.sequence) }
  }

  /// Removes what nobody needs: what changes that were cut short have left, and of each module all releases but the active
  /// one, the newest, the newest that was set aside, and the newest that may be fallen back to.
  ///
  /// - Parameter embedded: the sequences of releases that ship inside the host: what is below is not fallen back to.
  /// - Returns: the releases that were removed.
  /// - Throws: `store.locked` when somebody uses the store; `store.write-failed`,
  ///   `store.not-synced`.
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

  /// Nothing where no release is accepted: another policy may accept one.
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
    // What would run if that were set aside.
    var crashed = record
    for _ in 0..<CrashRecord.limit { crashed.noteCrash(active.sequence, CrashRecord.Facts(active)) }
    let setAside = record.releases.last { record.isSetAside($0.sequence) }
    let newest = record.releases.last?.sequence
    return Set([active.sequence, newest, running(crashed)?.sequence, setAside?.sequence].compactMap(\.self))
  }

  /// Takes releases out of the list, which is what removes them, and then their files.
  private func remove(
    _ removed: [ModuleIdentifier: [StoreState.Release]], _ change: inout StoreChange
  ) throws(SignetError) {
    guard !removed.isEmpty else { return }
    for (identifier, releases) in removed {
      guard var module = change.state.modules[identifier] else { continue }
      module.releases.removeAll { releases.contains($0) }
      // A module without releases is remembered for its floor and its crashes.
      change.state.modules[identifier] = module.isEmpty ? nil : module
    }
    change.state.see(clock.now())
    try change.commit()
    change.removeFiles(of: removed)
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
