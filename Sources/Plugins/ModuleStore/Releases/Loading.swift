public import Signet
public import SignetBase

// What hosts need for loading.
extension ModuleStore {
  /// The description of the last release of a module that was accepted here, whatever has become of the module since.
  ///
  /// What it names belongs to the module while the module is refused. Nothing is verified, because that was done when
  /// the release was installed. So this is good only for refusing.
  ///
  /// - Returns: nil if nothing is known.
  public func lastAccepted(_ identifier: ModuleIdentifier) -> ModuleDescription? {
    do throws(SignetError) {
      return try listing { (listing) throws(SignetError) in
        guard let record = listing.state.modules[identifier], let release = lastAccepted(in: record) else {
          return nil
        }
        return try listing.read(release, of: identifier) { () throws(SignetError) in
          try claimed(by: release, of: identifier)
        }
      }
    } catch {
      // If the state cannot be read, the one that was read last is used.
      guard let record = lastState?.modules[identifier], let release = lastAccepted(in: record) else { return nil }
      return try? claimed(by: release, of: identifier)
    }
  }

  private func lastAccepted(in record: ModuleRecord) -> StoreState.Release? {
    presumed(record).flatMap { record.release($0) } ?? record.releases.last
  }

  /// What a release says of itself, unverified; nil if it is another release.
  func claimed(
    by release: StoreState.Release, of identifier: ModuleIdentifier
  ) throws(SignetError) -> ModuleDescription? {
    let file = try modules.folder("\(identifier)").folder(release.folderName).file(StoredFile.bundles)
    guard let module = try ModulePredicate.claimed(in: file)?.module,
      module.identifier == identifier, module.sequence == release.sequence
    else { return nil }
    return module
  }

  /// The modules with listed releases, sorted. Whether the releases are what was signed is not checked.
  ///
  /// - Throws: `store.state-missing`, `store.state-malformed`, `file.…`.
  public func listed() throws(SignetError) -> [ModuleIdentifier] { try Self.listed(state()) }

  /// The modules with listed releases, sorted, from the state that was read last.
  public var lastListed: [ModuleIdentifier] { lastState.map { Self.listed($0) } ?? [] }

  private static func listed(_ state: StoreState) -> [ModuleIdentifier] {
    state.modules.filter { !$1.releases.isEmpty }.keys.sorted { "\($0)".precedesInBytes("\($1)") }
  }

  /// Whether a release is listed, whatever happened to its files.
  ///
  /// - Throws: `store.state-missing`, `store.state-malformed`, `file.…`.
  public func lists(_ release: VerifiedModule) throws(SignetError) -> Bool {
    guard let known = try state().modules[release.module.identifier]?.release(release.module.sequence) else {
      return false
    }
    return release.signatures.allSatisfy { $0.statement.subjectDigest == known.sha256 }
  }

  /// The highest sequence of a module's listed releases; nil if the store lists no release.
  ///
  /// - Throws: `store.state-missing`, `store.state-malformed`, `file.…`.
  public func highestSequence(of module: ModuleIdentifier) throws(SignetError) -> Int? {
    try state().modules[module]?.releases.last?.sequence
  }
}
