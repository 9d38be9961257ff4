public import Signet
internal import SignetArchive
public import SignetCrypto

extension ModuleStore {
  /// Installs a release of a module.
  ///
  /// The proof says where the archive is; what is installed is a private copy of it, verified again under the store's own
  /// policy, at the store's own time.
  ///
  /// A release that is installed already is verified, and that is all.
  ///
  /// - Parameters:
  ///   - module: the archive.
  ///   - progress: counts the archive's bytes as they are copied, and the files' as they are unpacked.
  /// - Throws: `policy.rollback` below a floor, `store.sequence-conflict`, `clock.rollback`, and every reason the policy
  ///   has; `digest.mismatch` when the archive is not what it was; `store.damaged` when the release is installed, and not as it
  ///   was signed; `store.write-failed`, `store.not-synced`, `store.bounds`, `store.locked`, `extraction.failed`,
  ///   and what reading throws.
  @discardableResult
  public func install(
    _ module: VerifiedModule, progress: ProgressCounter? = nil
  ) throws(SignetError) -> InstalledModule {
    try Installation(of: module, into: self, progress).run(repairs: false)
  }

  /// Installs a release again that is damaged, from its archive. Floors, and which release is active, stay as they are.
  ///
  /// A release that is not damaged is verified, and that is all.
  ///
  /// - Throws: what ``install(_:progress:)`` throws, and `store.not-installed`.
  @discardableResult
  public func repair(
    from module: VerifiedModule, progress: ProgressCounter? = nil
  ) throws(SignetError) -> InstalledModule {
    try Installation(of: module, into: self, progress).run(repairs: true)
  }
}

/// One installation.
struct Installation {
  private let store: ModuleStore
  private let verified: VerifiedModule
  private let bundles: RegularFile
  private let release: StoreState.Release
  private let progress: ProgressCounter?

  private var identifier: ModuleIdentifier { verified.module.identifier }
  private var name: String { verified.name }

  /// Copies and verifies; nothing of it shows in the store.
  init(of module: VerifiedModule, into store: ModuleStore, _ progress: ProgressCounter?) throws(SignetError) {
    self.store = store
    self.progress = progress
    // What cannot be installed anyhow need not be copied.
    let state = try store.state()
    try state.check(store.clock.now(), store.path)
    try store.checkFloor(module.module.sequence, of: module.module.identifier, module.name, state)
    let folder = store.staging.directory.path
    let copy = try ArchiveCopy(of: module.artifact.source(), in: folder, called: module.name, progress: progress)
    // Those in the archive are in the copy.
    let detached = try Self.copy(module, in: folder, where: { !$0 })
    let verdict = try Verifier(policy: store.policy, clock: store.clock).verify(
      copy, signatures: detached.map { .lines(of: $0) } ?? .absent,
      expecting: .module(module.module.identifier, named: module.name))
    switch verdict {
    case .verified(let proof): verified = proof
    case .refused(let refusal): throw refusal.combined
    }
    // From the private copies alone, all that were verified.
    guard let digest = verified.sha256, let all = try Self.copy(verified, in: folder, where: { _ in true }) else {
      throw SignetError(.digestMismatch, module.name, "has no established digest", expected: "a SHA-256")
    }
    bundles = all
    release = StoreState.Release(
      sequence: verified.module.sequence, sha256: digest, file: copy.digests.sha256 == digest ? nil : copy.digests)
  }

  /// Bundles that stood in the archive or did not, each once; nil where there are none.
  private static func copy(
    _ module: VerifiedModule, in folder: String, where isWanted: (_ isAttached: Bool) -> Bool
  ) throws(SignetError) -> RegularFile? {
    let snapshot = try ArchiveSnapshot(in: folder, of: "\(module.name): bundles")
    var known: Set<Digest> = []
    try module.readBundles { (text, isAttached) throws(SignetError) in
      guard isWanted(isAttached), try known.insert(Digest.of(text, .sha256)).inserted else { return }
      try snapshot.append(text + [UInt8(ascii: "\n")])
    }
    let file = try snapshot.finish()
    return known.isEmpty ? nil : file
  }

  /// Installs.
  func run(repairs: Bool) throws(SignetError) -> InstalledModule {
    var change = try StoreChange(store)
    defer { withExtendedLifetime(change) {} }
    try change.sweep()
    let known = change.state.modules[identifier]?.release(release.sequence)
    if let known {
      guard known.isSame(as: release) else { throw conflict(known) }
      if !repairs { return try store.open(known, of: identifier) }
      // Whoever is killed between taking a release out of its place and giving that to another leaves none: a good one is
      // not touched.
      if let installed = try? store.open(known, of: identifier) { return installed }
    } else {
      guard !repairs else { throw ModuleStore.notInstalled(identifier, release.sequence) }
      try store.checkFloor(release.sequence, of: identifier, name, change.state)
      try checkBounds(change.state)
    }
    let staged = StagingName.new("new")
    var undo = Undo(store: store, module: identifier, release: release, staged: staged)
    do throws(SignetError) {
      try unpack(to: staged)
      try undo.place()
      let installed = try store.open(release, of: identifier)
      if known == nil { change.state.add(release, to: identifier) }
      change.state.see(change.now)
      try change.commit()
      // What it has replaced, unless somebody uses it still.
      _ = try? change.clear()
      return installed
    } catch {
      // There it stays where the state lists it.
      if error.code != .storeNotSynced { undo.run() }
      throw error
    }
  }

  /// Unpacks into `staging/`, from the copy alone, and brings everything to the disk.
  private func unpack(to staged: String) throws(SignetError) {
    try store.staging.makeFolder(staged)
    // Open before anything is written: what is lost from now on is told by the sync.
    let folder = try store.staging.folder(staged)
    try folder.makeFolder(ReleaseFile.files)
    let files = try folder.folder(ReleaseFile.files)
    try Extraction.extract(
      verified.contents.expectedEntries, from: verified.archive, into: files.directory, progress: progress)
    try files.share()
    try folder.makeFile(ReleaseFile.bundles, copying: bundles)
    try folder.share()
    try folder.syncFileSystem()
  }

  private func checkBounds(_ state: StoreState) throws(SignetError) {
    let module = state.modules[identifier]
    guard module != nil || state.modules.count < StoreState.moduleLimit else {
      throw SignetError(
        .storeBounds, store.path, "has too many modules", expected: "at most \(StoreState.moduleLimit)",
        hint: "remove some that nobody needs")
    }
    guard (module?.releases.count ?? 0) < StoreState.releaseLimit else {
      throw SignetError(
        .storeBounds, "\(identifier)", "has too many releases installed",
        expected: "at most \(StoreState.releaseLimit)", hint: "remove those that nobody needs")
    }
  }

  private func conflict(_ known: StoreState.Release) -> SignetError {
    SignetError(
      .storeSequenceConflict, name,
      "has the sequence of a release of \(identifier) that is installed, and other bytes",
      expected: "\(known.sha256), sequence \(known.sequence)", found: "\(release.sha256)",
      hint: "ask the publisher which of them is the release")
  }
}

extension StoreState {
  /// Lists a release that is installed. The highest is the one to be loaded; what crashed before it no longer matters.
  fileprivate mutating func add(_ release: Release, to identifier: ModuleIdentifier) {
    var module = modules[identifier] ?? Module()
    module.releases = (module.releases + [release]).sorted { $0.sequence < $1.sequence }
    module.active = max(module.active ?? 0, release.sequence)
    if let crashes = module.crashes, release.sequence > crashes.sequence { module.crashes = nil }
    modules[identifier] = module
  }
}
