public import Signet
internal import SignetArchive
public import SignetBase
internal import SignetCrypto
public import SignetSystem

extension ModuleStore {
  /// Installs a release of a module.
  ///
  /// The proof says where the archive is. The release is installed from a private copy, which is verified again under
  /// the store's own policy, at the store's own time.
  ///
  /// A release that is installed already is only verified. If the policy demands more than the signatures that it was
  /// installed with, it is installed again with those of the archive. Releases that nothing needs any longer are
  /// removed.
  ///
  /// - Parameters:
  ///   - module: the archive.
  ///   - progress: counts the archive's bytes as they are copied, and the files' bytes as they are unpacked.
  ///   - exceptions: what lets the release have less than the one before it.
  ///   - tell: is told why a release with less was let through.
  /// - Throws: `policy.rollback` below a floor, `module.crashed` for a release that was set aside,
  ///   `store.sequence-conflict`, `continuity.…` for a release that is signed with less than the one before it, and the reasons of the policy's `Refusal`; `digest.mismatch` if the
  ///   archive has changed; `store.damaged` if the release is installed, but not as it was signed; `store.bounds`,
  ///   `store.write-failed`, `store.not-synced`, `store.locked`, `store.state-missing`, `store.state-malformed`,
  ///   `file.…`, `extraction.failed`, `crypto.failure`.
  @discardableResult
  public func install(
    _ module: VerifiedModule, progress: ProgressCounter? = nil,
    except exceptions: ContinuityExceptions = ContinuityExceptions(), telling tell: (SignetError) -> Void = { _ in }
  ) throws(SignetError) -> InstalledModule {
    try placing(module, progress: progress, except: exceptions, telling: tell).installed
  }

  /// Installs a release as ``install(_:progress:except:telling:)`` does, or repairs one, and says whether anything was placed.
  ///
  /// - Throws: what ``install(_:progress:except:telling:)`` and ``repair(from:progress:)`` throw.
  package func placing(
    _ module: VerifiedModule, repairs: Bool = false, progress: ProgressCounter? = nil,
    except exceptions: ContinuityExceptions = ContinuityExceptions(), telling tell: (SignetError) -> Void = { _ in }
  ) throws(SignetError) -> (installed: InstalledModule, isPlaced: Bool) {
    var module = try ModuleToInstall(module)
    module.exceptions = exceptions
    let placed = try Installation(of: module, into: self, progress).run(repairs: repairs, waits: true)
    for remark in placed.remarks { tell(remark) }
    return (placed.installed, placed.undo != nil)
  }

  /// Installs a release that ships with a host as ``install(_:progress:except:telling:)`` does, but does not wait long for
  /// another process that changes the store: a host that starts can install it later. It is not held to the release before
  /// it.
  ///
  /// - Throws: what ``install(_:progress:except:telling:)`` throws.
  @discardableResult
  package func installSoon(_ module: VerifiedModule) throws(SignetError) -> InstalledModule {
    var module = try ModuleToInstall(module)
    // Whoever made the host has chosen it.
    module.exceptions.isNamed = true
    return try Installation(of: module, into: self, nil).run(repairs: false, waits: false).installed
  }

  /// Repairs a damaged release by installing it again from its archive. Floors, and which release is active, stay as
  /// they are.
  ///
  /// A release that is not damaged is only verified.
  ///
  /// - Throws: what ``install(_:progress:except:telling:)`` throws, and `store.not-installed`.
  @discardableResult
  public func repair(
    from module: VerifiedModule, progress: ProgressCounter? = nil
  ) throws(SignetError) -> InstalledModule {
    try placing(module, repairs: true, progress: progress).installed
  }
}

/// One installation.
struct Installation {
  private let store: ModuleStore
  private let verified: VerifiedModule
  private let bundles: RegularFile
  private let release: StoreState.Release
  private let progress: ProgressCounter?
  private let exceptions: ContinuityExceptions

  private var identifier: ModuleIdentifier { verified.module.identifier }
  private var name: String { verified.name }

  /// Copies and verifies. Nothing of it is visible in the store.
  init(of module: ModuleToInstall, into store: ModuleStore, _ progress: ProgressCounter?) throws(SignetError) {
    self.store = store
    self.progress = progress
    exceptions = module.exceptions
    // What cannot be installed need not be copied.
    let state = try store.state()
    try Self.check(
      module.sequence, of: module.identifier, called: module.name, state.modules[module.identifier], store)
    let folder = store.staging.directory.path
    let copy = try ArchiveCopy(of: module.archive, in: folder, called: module.name, progress: progress)
    if let expected = module.sha256, expected != copy.digests.whole.sha256 {
      throw SignetError(
        .digestMismatch, module.name, "was changed since it was verified", expected: "\(expected)",
        found: "\(copy.digests.whole.sha256)", hint: "install again")
    }
    // Bundles in the archive are in the copy.
    let detached = try module.detachedBundles(in: folder, withSummary: store.policy.summary != nil)
    let verdict = try store.verifier.verify(
      copy, signatures: detached.map { .lines(of: $0) } ?? .absent,
      expecting: .module(module.identifier, named: module.name))
    switch verdict {
    case .verified(let proof): verified = proof
    case .refused(let refusal): throw refusal.combined
    }
    // All that were verified, from the private copies only.
    var all = try BundleCopy(of: module.name, in: folder)
    try verified.readBundles { (text, _) throws(SignetError) in try all.add(text) }
    guard let digest = verified.sha256, let bundles = try all.finish() else {
      throw SignetError(.digestMismatch, module.name, "has no computed digest", expected: "a SHA-256")
    }
    self.bundles = bundles
    let whole = copy.digests.whole
    release = StoreState.Release(
      sequence: verified.module.sequence, sha256: digest, file: whole.sha256 == digest ? nil : whole)
  }

  /// Installs the release, unless it is there and good.
  func run(repairs: Bool, waits: Bool) throws(SignetError) -> PlacedRelease {
    var change = try StoreChange(store, waits: waits)
    defer { withExtendedLifetime(change) {} }
    try change.sweep()
    let placed = try place(in: &change, repairs: repairs)
    guard placed.undo != nil else { return placed }
    if placed.isNew { try noteByHand(placed) }
    try change.commit(placing: [placed], removing: [identifier: placed.pruned])
    return placed
  }

  /// Writes down that nobody's Modfile has brought the release. It is not listed yet.
  private func noteByHand(_ placed: PlacedRelease) throws(SignetError) {
    let name = ModuleStore.ReleaseName(identifier: identifier, sequence: release.sequence)
    do throws(SignetError) { try store.note(byHand: name) } catch {
      placed.undo?.run()
      throw error
    }
  }

  /// Puts the release in its place, and lists it in a change that is not made yet.
  ///
  /// - Parameters:
  ///   - repairs: whether the release must be listed, and is placed anew unless it is good.
  ///   - mendsDamage: whether a listed release that is damaged is placed anew.
  ///   - before: what the newest release was signed with that was installed before the change; nil to ask the change.
  /// - Throws: what ``run(repairs:waits:)`` throws. Then nothing was placed.
  func place(
    in change: inout StoreChange, repairs: Bool, mendsDamage: Bool = false, after before: ModuleRecord.Signing? = nil
  ) throws(SignetError) -> PlacedRelease {
    var isRepaired = false
    var remarks: [SignetError] = []
    let signing = ModuleRecord.Signing(
      sequence: release.sequence, record: SigningRecord(verified.signatures, under: store.policy))
    let before = before ?? change.state.modules[identifier]?.signing
    let known = change.state.modules[identifier]?.release(release.sequence)
    if let known {
      guard known.isSame(as: release) else { throw conflict(known) }
      // A process that is killed between removing a release and putting another in its place leaves none. So a good
      // release is not touched.
      do throws(SignetError) {
        return PlacedRelease(installed: try store.open(known, of: identifier))
      } catch {
        isRepaired = error.code == .storeDamaged
        guard repairs || error.isAboutSigners || isRepaired && mendsDamage else { throw error }
      }
    } else {
      guard !repairs else { throw ModuleStore.notInstalled(identifier, release.sequence) }
      try Self.check(
        verified.module.sequence, of: identifier, called: name, change.state.modules[identifier], store)
      try checkBounds(change.state)
      remarks = try hold(signing, to: before)
    }
    let staged = StagingName.new("new")
    var undo = Undo(store: store, module: identifier, release: release, staged: staged)
    do throws(SignetError) {
      let written = try unpack(to: staged)
      try undo.place()
      // The release is not listed yet.
      let installed = try store.openPlaced(release, of: identifier, written: written)
      let pruned = known == nil ? change.state.modules[identifier, default: ModuleRecord()].add(release) : []
      before.map { change.state.modules[identifier]?.note($0) }
      change.state.modules[identifier]?.note(signing, isChosen: !remarks.isEmpty)
      return PlacedRelease(
        installed: installed, isNew: known == nil, isRepaired: isRepaired, pruned: pruned, remarks: remarks,
        undo: undo)
    } catch {
      undo.run()
      throw error
    }
  }

  /// Holds the release to the newest one that was installed before.
  ///
  /// - Returns: why it was let through with less.
  /// - Throws: `continuity.…`; `crypto.failure`.
  private func hold(_ signing: ModuleRecord.Signing, to before: ModuleRecord.Signing?) throws(SignetError)
    -> [SignetError]
  {
    // Whatever its sequence: who has stolen a key chooses that, too.
    guard let before else { return [] }
    let waived = WaivedRelease(identifier, sequence: release.sequence, sha256: release.sha256, called: name)
    return try store.policy.hold(
      signing.record, to: before.record, of: waived, at: store.clock.now(), except: exceptions)
  }

  /// Unpacks into `staging/`, from the copy only, and syncs everything to the disk.
  ///
  /// - Returns: the digests of the files that were written.
  private func unpack(to staged: String) throws(SignetError) -> [FileStatus: Digest] {
    try store.staging.makeFolder(staged)
    // Opened before anything is written, so that the sync reports what is lost from now on.
    let folder = try store.staging.folder(staged)
    try folder.makeFolder(StoredFile.files)
    let files = try folder.folder(StoredFile.files)
    let written = try Extraction.extract(
      verified.contents.expectedEntries, from: verified.archive, into: files.directory, discardsArchive: true,
      progress: progress)
    // The copy, and what was decompressed, is no longer needed and does not have to reach the disk.
    verified.archive.source.discard(0..<verified.archive.source.size)
    let copy = try verified.artifact.source()
    copy.discard(0..<copy.size)
    try files.share()
    try folder.makeFile(StoredFile.bundles, copying: bundles)
    try folder.share()
    try folder.syncFileSystem()
    return written
  }

  private func checkBounds(_ state: StoreState) throws(SignetError) {
    guard state.modules[identifier] != nil || state.modules.count < StoreState.moduleLimit else {
      throw SignetError(
        .storeBounds, store.path, "has too many modules", expected: "at most \(StoreState.moduleLimit)",
        hint: "remove modules that are not needed")
    }
  }

  /// Checks that a release may be installed: it is not below a floor, and was not set aside.
  private static func check(
    _ sequence: Int, of identifier: ModuleIdentifier, called name: String, _ record: ModuleRecord?,
    _ store: ModuleStore
  ) throws(SignetError) {
    try store.checkFloor(sequence, of: identifier, name, record)
    if let record, record.isSetAside(sequence) { throw store.crashed(identifier, sequence, record) }
  }

  private func conflict(_ known: StoreState.Release) -> SignetError {
    SignetError(
      .storeSequenceConflict, name,
      "has the sequence of a release of \(identifier) that is installed, but other bytes",
      expected: "\(known.sha256), sequence \(known.sequence)", found: "\(release.sha256)",
      hint: "ask the publisher which of them is the release; if you have built it, raise its sequence in module.json")
  }
}

/// A release that is in its place, and that a change lists which is not made yet.
struct PlacedRelease {
  let installed: InstalledModule
  /// Whether the store did not list it before.
  var isNew = false
  /// Whether it has taken the place of a damaged one.
  var isRepaired = false
  /// The releases that nothing needs any longer, which the change lists no more.
  var pruned: [StoreState.Release] = []
  /// Why it was let through, although it has less than the release before it.
  var remarks: [SignetError] = []
  /// The way back; nil if the release was there already, and is good.
  var undo: Undo?
}

extension StoreChange {
  /// Makes the change. If that fails, what was placed for it is taken back.
  ///
  /// - Parameter removed: the releases that the change lists no more, whose files are removed.
  /// - Throws: what ``commit()`` throws.
  mutating func commit(
    placing placed: [PlacedRelease], removing removed: [ModuleIdentifier: [StoreState.Release]]
  ) throws(SignetError) {
    state.see(store.clock.now(), after: placed.compactMap(\.installed.signedAt).max())
    do throws(SignetError) { try commit() } catch {
      // After that failure the state lists the releases, so they stay where they are.
      if error.code != .storeNotSynced { for release in placed.reversed() { release.undo?.run() } }
      throw error
    }
    // Also removes what was replaced, unless that is still in use.
    removeFiles(of: removed)
  }
}

extension SignetError {
  /// Whether a stored release is refused for the signatures that it came with. The archive at hand has others, which
  /// the same policy accepts.
  fileprivate var isAboutSigners: Bool {
    Set.aboutPolicies.union(Set.aboutSigners).union(Set.aboutChains).union(Set.aboutStatements).contains(code)
  }
}
