public import Signet
public import SignetCrypto

// What hosts say of loading (section 5 of the design).
extension ModuleStore {
  /// Loads a release, and leaves a note as long as that lasts: a process that crashes meanwhile has counted as a crash of the release
  /// when the next one asks for ``crashes(embedded:)``.
  ///
  /// Who may not write to the store leaves no note, and loads all the same.
  ///
  /// - Parameter body: loads.
  /// - Throws: what the body throws.
  public func noting<Result>(
    loadOf release: InstalledModule, _ body: () throws(SignetError) -> Result
  ) throws(SignetError) -> Result {
    let mark = try? LoadingMark(release.module.identifier, release.sequence, in: self)
    defer { withExtendedLifetime(mark) {} }
    return try body()
  }

  /// Counts the crashes of processes that are gone. A host calls it once, before it loads anything; see
  /// ``noteCrash(of:embedded:)``.
  ///
  /// - Parameter embedded: the sequences of releases that ship inside the host: what is below is not fallen back to.
  /// - Returns: the releases that were being loaded.
  /// - Throws, and what was not counted is counted the next time: `clock.rollback`, `store.write-failed`, `store.not-synced`, `store.locked`, `file.…`.
  @discardableResult
  public func crashes(embedded: [ModuleIdentifier: Int] = [:]) throws(SignetError) -> [ReleaseName] {
    var found: [ReleaseName] = []
    try LoadingMark.collect(in: self) { (identifier, sequence) throws(SignetError) in
      do throws(SignetError) {
        try noteCrash(of: identifier, sequence, embedded: embedded[identifier])
        found.append(ReleaseName(identifier: identifier, sequence: sequence))
      } catch  where error.code == .storeNotInstalled {
        // It was removed since.
      }
    }
    return found
  }

  /// The description of the last release of a module that was accepted here, whatever became of the module since: what it names is the
  /// module's while it is refused. Nothing is verified, since it was when the release was installed: it is good for refusing alone.
  ///
  /// - Returns: nil where nothing can be told.
  public func lastAccepted(_ identifier: ModuleIdentifier) -> ModuleDescription? {
    guard let known = try? state().modules[identifier],
      let release = known.releases.last(where: { $0.sequence == known.active }) ?? known.releases.last,
      let folder = try? modules.folder("\(identifier)").folder(release.folderName),
      let file = try? folder.file(ReleaseFile.bundles),
      let predicate = try? ModulePredicate.claimed(in: file)
    else { return nil }
    let module = predicate.module
    return module.identifier == identifier && module.sequence == release.sequence ? module : nil
  }

  /// The modules of which releases are listed, sorted; whether they are what was signed is not looked at.
  ///
  /// - Throws: `clock.rollback`, and what reading the state throws.
  public func listed() throws(SignetError) -> [ModuleIdentifier] {
    try checkedState().modules.filter { $1.active != nil }.keys.sorted { "\($0)".precedesInBytes("\($1)") }
  }

  /// The highest sequence of a module's releases that are listed; nil where there are none.
  ///
  /// - Throws: what reading the state throws.
  public func highestSequence(of module: ModuleIdentifier) throws(SignetError) -> Int? {
    try state().modules[module]?.releases.last?.sequence
  }
}
