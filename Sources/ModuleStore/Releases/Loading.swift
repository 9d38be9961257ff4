public import Signet
public import SignetBase

// What hosts say of loading.
extension ModuleStore {
  /// The description of the last release of a module that was accepted here, whatever became of the module since: what it names is the
  /// module's while it is refused. Nothing is verified, since it was when the release was installed: it is good for refusing alone.
  ///
  /// - Returns: nil where nothing can be told.
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
      // Where the state cannot be read, what was read last is told.
      guard let record = lastState?.modules[identifier], let release = lastAccepted(in: record) else { return nil }
      return try? claimed(by: release, of: identifier)
    }
  }

  private func lastAccepted(in record: ModuleRecord) -> StoreState.Release? {
    presumed(record).flatMap { record.release($0) } ?? record.releases.last
  }

  /// What a release says of itself, unverified; nil where it is another one.
  func claimed(
    by release: StoreState.Release, of identifier: ModuleIdentifier
  ) throws(SignetError) -> ModuleDescription? {
    let file = try modules.folder("\(identifier)").folder(release.folderName).file(ReleaseFile.bundles)
    guard let module = try ModulePredicate.claimed(in: file)?.module,
      module.identifier == identifier, module.sequence == release.sequence
    else { return nil }
    return module
  }

  /// The modules of which releases are listed, sorted; whether they are what was signed is not looked at.
  ///
  /// - Throws: what reading the state throws.
  public func listed() throws(SignetError) -> [ModuleIdentifier] { try Self.listed(state()) }

  /// The same as of when the state was last read.
  public var lastListed: [ModuleIdentifier] { lastState.map { Self.listed($0) } ?? [] }

  private static func listed(_ state: StoreState) -> [ModuleIdentifier] {
    state.modules.filter { !$1.releases.isEmpty }.keys.sorted { "\($0)".precedesInBytes("\($1)") }
  }

  /// Whether a release is listed, whatever has become of its files.
  ///
  /// - Throws: what reading the state throws.
  public func lists(_ release: VerifiedModule) throws(SignetError) -> Bool {
    guard let known = try state().modules[release.module.identifier]?.release(release.module.sequence) else {
      return false
    }
    return release.signatures.allSatisfy { $0.statement.subjectDigest == known.sha256 }
  }

  /// The highest sequence of a module's releases that are listed; nil where there are none.
  ///
  /// - Throws: what reading the state throws.
  public func highestSequence(of module: ModuleIdentifier) throws(SignetError) -> Int? {
    try state().modules[module]?.releases.last?.sequence
  }
}
