internal import ModuleCatalog
public import ModuleResolver
internal import ModuleSpec
public import ModuleStore
public import Signet
internal import SignetArchive
public import SignetBase
internal import SignetCrypto
internal import SignetGit
internal import SignetSystem

/// The installation of what a Modfile names: releases are chosen, all of them are fetched and verified, and then installed.
///
/// Nothing is written before every module of the target has been verified under the host's policy. ``apply(_:for:to:sources:writing:began:)``
/// has the caller write the lock last.
public struct ModfileInstallation {
  /// The Modfile.
  public let modfile: Modfile
  /// The releases that were chosen, and what differs from the lock before.
  public let resolution: Resolution
  /// The lock that belongs to them.
  public let lock: ModuleLock
  /// Whether the lock stays as it is, also where who has signed was verified.
  private var keepsLock = false
  /// The lock of before.
  private let old: ModuleLock?
  private let registries: RegistryAccess

  /// Chooses the releases.
  ///
  /// - Parameters:
  ///   - modfile: the Modfile.
  ///   - old: the lock, or nil for the first installation.
  ///   - mode: what is kept of the lock.
  ///   - registries: the registries. Their complaints say what was left out, also if this throws.
  /// - Throws: what `ModuleResolver.resolve(_:lock:mode:offers:)` throws.
  public init(
    _ modfile: Modfile, lock old: ModuleLock?, mode: ModuleResolver.Mode, _ registries: RegistryAccess
  ) throws(SignetError) {
    self.modfile = modfile
    self.old = old
    self.registries = registries
    registries.keep(old, in: mode)
    let resolution: Resolution
    do throws(SignetError) {
      resolution = try ModuleResolver.resolve(modfile, lock: old, mode: mode, offers: registries)
    } catch { throw error.naming(registries.leftOut) }
    lock = try resolution.lock { (module) throws(SignetError) in
      try Self.signers(of: module, after: old?[module.identifier]?.served, registries)
    }
    self.resolution = resolution
  }

  /// The same installation, whose lock stays as it is, also where who has signed was verified.
  public func keepingLock(_ keepsLock: Bool = true) -> ModfileInstallation {
    var installation = self
    installation.keepsLock = keepsLock
    return installation
  }

  /// Who has signed a chosen release, as far as it is known before anything is verified.
  private static func signers(
    of module: Resolution.ResolvedModule, after old: LockedModule.Served?, _ registries: RegistryAccess
  ) throws(SignetError) -> ([ReleaseSigner], LockedModule.Served.Standing) {
    guard case .source(_, let content) = module.origin else { return ([], .verified) }
    // What was locked of the same bytes stays: the registry may name other signers later.
    if let old, old.content == content { return (old.signers, old.standing) }
    // Until it is verified, the release in its place is to be held to these.
    if let old, let record = old.record(), old.standing != .unverified {
      return (old.signers, record.attestations.isEmpty ? .unheld : .unheldWithSources)
    }
    return (Array(try registries.signers(of: module).prefix(SignatureSource.bundleLimit)), .unverified)
  }

  /// The lock with those by whom the releases were found to be signed that were verified: the next ones are held to them. Of
  /// sources it has whom the registry names, and those whom it has never named.
  ///
  /// - Parameter ready: the modules of the target. A release that takes the place of another one for another target keeps
  ///   that one's signers, and is held to them once it is needed.
  /// - Throws: nothing in practice: a release has no more signers than bundles.
  public func lock(after ready: [ReadyModule]) throws(SignetError) -> ModuleLock {
    guard !keepsLock else { return lock }
    let verified = Dictionary(ready.map { ($0.module.identifier, $0) }, uniquingKeysWith: { first, _ in first })
    return try ModuleLock(
      lock.modules.map { (module) throws(SignetError) in
        guard case .source(let served) = module.origin, let digests = served.digests,
          let found = verified[module.identifier]?.signers(in: served)
        else { return module }
        let (signers, standing) = found
        return try LockedModule(
          module.identifier, version: module.version, sequence: module.sequence,
          origin: .source(
            LockedModule.Served(source: served.source, digests: digests, signers: signers, standing: standing)),
          requirements: module.requirements)
      })
  }

  /// A module that comes from a folder, which nobody verifies: it is built, signed and installed by hand.
  public struct LocalModule: Sendable {
    /// The module's identifier.
    public let identifier: ModuleIdentifier
    /// The folder, as the Modfile has it.
    public let folder: FolderPath
    /// The sequence in the folder's description.
    public let sequence: Int
    /// The sequence of the release that the store has got from a Modfile, if it is not below that of the folder. A store
    /// has one release of each sequence, and hosts load the highest. So what is built from the folder needs a higher one.
    public let taken: Int?
  }

  /// The modules of a target that come from folders.
  ///
  /// - Parameter store: the store that the others were installed into.
  /// - Throws: `modfile.name`, `resolve.not-locked`; `lockfile.…`, `store.…`, `file.…`.
  public func local(for target: ModfileName?, in store: ModuleStore) throws(SignetError) -> [LocalModule] {
    let modules = try lock.modules(for: target, in: modfile).filter(\.isLocal)
    guard !modules.isEmpty else { return [] }
    let stored = try StoreRecord(of: store).sequences(of: modules)
    return modules.compactMap { module in
      guard case .override(.path(let folder)) = module.origin else { return nil }
      let taken = stored[module.identifier].flatMap { $0 >= module.sequence ? $0 : nil }
      return LocalModule(
        identifier: module.identifier, folder: folder, sequence: module.sequence, taken: taken)
    }
  }

  /// Which modules of a target are used as binary, and which as source.
  ///
  /// - Parameters:
  ///   - target: the target; nil for the modules outside of all targets.
  ///   - environment: the variables of the environment.
  /// - Throws: `modfile.name`, `resolve.not-locked`, `resolve.switch`.
  public func choice(
    for target: ModfileName?, environment: [String: String]
  ) throws(SignetError) -> BinaryChoice {
    let needed = Set(try lock.modules(for: target, in: modfile).map(\.identifier))
    return try BinaryChoice(
      resolution.modules.filter { needed.contains($0.identifier) }.map { ($0.identifier, $0.release.hasBinary) },
      environment: environment)
  }

  /// Fetches the modules of a target as far as they are not in the cache, and verifies each under a policy.
  ///
  /// A release without sources has one form, its archive, whatever is chosen.
  ///
  /// - Parameters:
  ///   - target: the target; nil for the modules outside of all targets.
  ///   - policy: the host's policy.
  ///   - choice: how modules are used; nil to use all of them as binary.
  ///   - tell: is told of each module that is not in the cache, before it is fetched.
  /// - Throws: `modfile.name`; `resolve.release-changed`; `continuity.…` for a release with less than the one in the lock;
  ///   `install.offline`, `install.other-module`,
  ///   `install.other-commit`, `install.unmet`, `install.no-summary`, `repo.provenance`; why a module is refused: `signature.…`, `signer.…`,
  ///   `policy.…` and so on; what fetching throws.
  public func fetch(
    for target: ModfileName?, under policy: TrustPolicy, as choice: BinaryChoice? = nil,
    _ tell: (LockedModule) -> Void = { _ in }
  ) throws(SignetError) -> [ReadyModule] {
    let uses = Dictionary(choice?.uses.map { ($0.module, $0.use) } ?? [], uniquingKeysWith: { first, _ in first })
    var ready: [ReadyModule] = []
    for module in try lock.modules(for: target, in: modfile) {
      let use = uses[module.identifier] ?? .binary
      if let fetched = try fetch(module, under: policy, as: use, { tell(module) }) { ready.append(fetched) }
    }
    return ready
  }

  /// Fetches a module and verifies it; nil for one that comes from no source.
  private func fetch(
    _ module: LockedModule, under policy: TrustPolicy, as use: BinaryChoice.Use, _ tell: () -> Void
  ) throws(SignetError) -> ReadyModule? {
    guard let served = module.served, let source = modfile.source(of: module.identifier) else { return nil }
    let files = try registries.files(
      of: module, served.content, from: source, amid: ChosenReleases(modfile: modfile, lock: lock), as: use,
      under: policy, tell)
    func verified(_ files: FetchedFiles) throws(SignetError) -> ReadyModule {
      let exceptions = try self.exceptions(of: module, in: files)
      let before = old?[module.identifier]
      let stated = try self.stated(of: module, after: before, from: source)
      return try ReadyModule(
        module, in: files, verifiedBy: registries.settings.verifier(policy), after: before, stated: stated,
        except: exceptions, at: registries.settings.clock.now())
    }
    do throws(SignetError) { return try verified(files) } catch {
      guard let files = try? registries.again(files, under: policy) else { throw error }
      return try verified(files)
    }
  }

  /// Whom the registry names as signers, where a release is held to them.
  private func stated(
    of module: LockedModule, after old: LockedModule?, from source: ModuleSource
  ) throws(SignetError) -> ReadyModule.Stated {
    guard let old, let before = old.served, before.digests != nil, let served = module.served, served.digests != nil,
      before.content != served.content || served.standing.isUnheld
    else { return ReadyModule.Stated(now: [], before: []) }
    return ReadyModule.Stated(
      now: try registries.signers(of: module.identifier, module.version, from: source),
      before: try registries.signers(of: module.identifier, old.version, from: source))
  }

  /// What lets a release have less than the one before it.
  private func exceptions(
    of module: LockedModule, in files: FetchedFiles
  ) throws(SignetError) -> ContinuityExceptions {
    let settings = registries.settings.exceptions
    var waiver = settings.waivers.last { $0.module == module.identifier && $0.sequence == module.sequence }?.text
    // The registry's file is from anybody, as the other one is.
    if waiver == nil, let path = files.waiver {
      waiver = try RegularFile(opening: path).bytes(limit: ContinuityWaiver.sizeLimit)
    }
    return ContinuityExceptions(
      waiver: waiver,
      isNamed: settings.less.contains { $0.isOf(module.identifier, module.version) })
  }

  /// Writes the files of the commits that modules of a target come from. They are what the commit's ID stands for. No
  /// signature is asked for, and nothing of them is executed.
  ///
  /// - Parameter began: is told of each draft, which is removed at an interruption.
  /// - Throws: `modfile.name`; `install.source-folder`, `git.…`, `output.failed`, `file.…`.
  func unpackCommits(
    for target: ModfileName?, into folder: SourcesFolder, began: (String) -> Void = { _ in },
    _ tell: (LockedModule, SourcesFolder.Unpacked) throws(SignetError) -> Void = { _, _ in }
  ) throws(SignetError) {
    for module in try lock.modules(for: target, in: modfile) {
      guard case .override(.commit(let commit)) = module.origin else { continue }
      let (git, tree) = try registries.tree(of: commit, for: module.identifier)
      try tell(module, try folder.put(tree, from: git, of: module.identifier, began))
    }
  }

  /// Checks that the sources of modules can get their places, before anything is written.
  ///
  /// - Throws: `install.source-folder`; `modfile.name`.
  func checkPlaces(
    of modules: [ReadyModule], for target: ModfileName?, in folder: SourcesFolder
  ) throws(SignetError) {
    // Also where a module becomes binary: what lies there would stay, and the host would have the module twice.
    for module in modules { try folder.check(module.module.identifier) }
    for module in try lock.modules(for: target, in: modfile) {
      if case .override = module.origin { try folder.check(module.identifier) }
    }
  }

  /// Unpacks the sources among modules that were fetched: the bytes that were verified, or none.
  ///
  /// - Parameter began: is told of each draft, which is removed at an interruption.
  /// - Throws: `digest.mismatch`; `install.source-folder`, `extraction.failed`, `git.…`, `file.…`, `output.failed`.
  func unpack(
    _ modules: [ReadyModule], into folder: SourcesFolder, began: (String) -> Void = { _ in },
    _ tell: (LockedModule, SourcesFolder.Unpacked) throws(SignetError) -> Void = { _, _ in }
  ) throws(SignetError) {
    for module in modules {
      if let (tree, git) = module.commit {
        try tell(module.module, try folder.put(tree, from: git, of: module.module.identifier, began))
      }
      guard let sources = try module.sourceArchive() else { continue }
      try tell(module.module, try folder.put(sources, of: module.module.identifier, began))
    }
  }
}

extension RegistryAccess {
  /// Who signed a chosen release when it was pushed.
  fileprivate func signers(of module: Resolution.ResolvedModule) throws(SignetError) -> [ReleaseSigner] {
    guard case .source(let source, _) = module.origin else { return [] }
    return try signers(of: module.identifier, module.release.version, from: source)
  }
}

extension SignetError {
  /// The same error, with the releases that would perhaps do, and were left out.
  ///
  /// - Parameter leftOut: the releases of each module that were left out.
  fileprivate func naming(_ leftOut: [ModuleIdentifier: [SpecOffers.LeftOut]]) -> SignetError {
    var error = self
    switch code {
    case .resolveMissing:
      let releases = ModuleIdentifier(object).flatMap { leftOut[$0] } ?? []
      guard let first = releases.first else { return self }
      error.message = "has no release that can be installed, and is required"
      error.expected = "a release that is not left out"
      error.found = SignetError.list(releases.map { ("\($0.version)", $0.error) })
      error.hint = first.error.hint
    case .resolveConflict:
      let sentences = (cause as? ConflictExplanation)?.sentences ?? []
      let concerned = leftOut.filter { module, releases in
        !releases.isEmpty && sentences.contains { $0.contains("\(module) ") }
      }
      let releases = concerned.sorted { "\($0.key)".precedesInBytes("\($1.key)") }
        .flatMap { module, releases in releases.map { ("\(module) \($0.version)", $0.error) } }
      guard let first = releases.first else { return self }
      error.found = "left out: \(SignetError.list(releases))"
      error.hint = [hint, first.1.hint].compactMap(\.self).joined(separator: "; or, for what is left out, ")
    default: break
    }
    return error
  }
}
