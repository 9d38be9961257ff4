internal import ModuleCatalog
public import ModuleResolver
public import Signet
internal import SignetArchive
public import SignetBase
internal import SignetCrypto
internal import SignetGit
internal import SignetSystem
public import SignetTUF

/// The registries of a Modfile: what they offer, and the files of their releases.
///
/// Each registry is refreshed once, when it is asked for the first time. A value is used by one thread at a time.
public final class RegistryAccess: CandidateSource {
  /// How registries are reached.
  public struct Settings: Sendable {
    /// The folder of the Modfile, to which overriding paths are relative.
    public let project: String
    /// The folder with the first root of each source, `NAME.root.json`.
    public let roots: String
    /// What is kept on this machine.
    public let cache: InstallCache
    /// The clock, by which metadata and signatures are judged.
    public let clock: VerificationClock
    /// Makes the mirror for the URL of a source; nil to ask nobody, and use what the cache has.
    public let mirror: (@Sendable (String) throws(SignetError) -> RepositoryMirror)?
    /// Gives the files below an address, for modules that specs name; nil to ask nobody.
    public let files: (@Sendable (String) throws(SignetError) -> any RepositorySource)?
    /// Whom the host trusts, so that specs that nobody trusted has signed are left out; nil if that is not known, where
    /// nothing is installed.
    public let policy: TrustPolicy?
    /// What is installed although it would be refused, or left out.
    public var exceptions = InstallExceptions()
    /// The Modfile's minimum age; nil for none. The policy may have a longer one.
    public var minimumAge: MinimumAge?

    /// Creates settings.
    public init(
      project: String, roots: String, cache: InstallCache, clock: VerificationClock,
      mirror: (@Sendable (String) throws(SignetError) -> RepositoryMirror)?,
      files: (@Sendable (String) throws(SignetError) -> any RepositorySource)? = nil, policy: TrustPolicy? = nil
    ) {
      self.project = project
      self.roots = roots
      self.cache = cache
      self.clock = clock
      self.mirror = mirror
      self.files = files
      self.policy = policy
    }

    /// The verifier of what is installed under a policy.
    func verifier(_ policy: TrustPolicy) -> Verifier { Verifier(policy: policy, clock: clock) }
  }

  /// What went wrong and stopped nothing.
  public private(set) var complaints: [SignetError] = []

  /// The releases that are there and were left out, of each module that was asked for.
  private(set) var leftOut: [ModuleIdentifier: [SpecOffers.LeftOut]] = [:]

  /// The locked releases that are kept if they can be. None of them is left out with a warning alone.
  private var locked: [ModuleIdentifier: LockedModule] = [:]

  /// The lock, whose releases were chosen before.
  private(set) var lock: ModuleLock?

  let settings: Settings
  private var offers: [ModfileName: ModuleOffers] = [:]
  private var specs: [ModfileName: SpecOffers] = [:]
  /// The index that was asked for last. A solver keeps what it needs of each, so that not all of them fill the memory.
  private var last: (module: ModuleIdentifier, index: ModuleIndex?)?
  private var trees: [GitCommit: (git: GitProgram, tree: GitTree)] = [:]

  /// Creates the access to registries, and asks nobody yet.
  public init(_ settings: Settings) { self.settings = settings }

  /// Says which releases of a lock a resolution keeps if it can.
  package func keep(_ lock: ModuleLock?, in mode: ModuleResolver.Mode) {
    self.lock = lock
    locked = [:]
    for module in lock?.modules ?? [] {
      switch mode {
      case .update: continue
      case .updateOnly(let modules) where modules.contains(module.identifier): continue
      case .install, .updateOnly: locked[module.identifier] = module
      }
    }
  }

  // MARK: What is offered

  /// All releases of a module that a source offers.
  ///
  /// - Throws: `install.no-root`, `install.offline`; `tuf.…`, `repo.index`; what the mirror throws; `output.failed`; for specs
  ///   `install.spec`, `install.offline`, `spec.…`, `spec-repo.…`, `git.…`.
  public func releases(
    of module: ModuleIdentifier, from source: ModuleSource
  ) throws(SignetError) -> [CandidateRelease] {
    // The last answer is what counts.
    leftOut[module] = []
    guard source.kind == .registry else {
      let specs = try specs(of: source)
      return specs.candidates(of: module, locked: locked[module]) {
        complaints.append($0)
      } leavingOut: {
        leftOut[module, default: []].append($0)
      }
    }
    var candidates: [CandidateRelease] = []
    let releases = try index(of: module, from: source)?.releases ?? []
    let waiting = try waiting(releases, of: module, from: source)
    for release in releases {
      guard let digests = try release.digests() else { continue }
      if let leftOut = waiting[release.sequence] { self.leftOut[module, default: []].append(leftOut) }
      candidates.append(
        CandidateRelease(
          release.module, yanked: release.yanked, isWaiting: waiting[release.sequence] != nil,
          content: .registry(digests)))
    }
    return candidates
  }

  /// The module in an overriding folder, or of an overriding commit, which is fetched unless it is in the cache.
  ///
  /// - Throws: `install.override`; `install.offline`; `git.…`; `file.others-may-write`, `output.failed`.
  public func module(
    _ module: ModuleIdentifier, at override: ModuleOverride
  ) throws(SignetError) -> CandidateRelease {
    let description = try OverridingDescription.read(module, at: override, in: settings.project) {
      (commit) throws(SignetError) in
      let (git, tree) = try self.tree(of: commit, for: module)
      return try tree.bytes(of: ModuleDescription.path, from: git, limit: JSONLimits.moduleDescription.size)
    }
    return CandidateRelease(description)
  }

  /// The files of a commit, which is fetched unless it is in the cache.
  ///
  /// - Throws: `install.offline`; `git.…`; `file.others-may-write`, `output.failed`.
  func tree(
    of commit: GitCommit, for module: ModuleIdentifier
  ) throws(SignetError) -> (git: GitProgram, tree: GitTree) {
    if let known = trees[commit] { return known }
    let git = try settings.repository(of: commit, for: "\(module)")
    let tree = try GitTree(of: commit.id, in: git, ArchiveLimits())
    try tree.targets(from: git, ArchiveLimits())
    trees[commit] = (git, tree)
    return (git, tree)
  }

  private func index(
    of module: ModuleIdentifier, from source: ModuleSource
  ) throws(SignetError) -> ModuleIndex? {
    if let last, last.module == module { return last.index }
    let index: ModuleIndex?
    do throws(SignetError) { index = try offers(of: source).index(of: module) } catch
      where settings.mirror == nil && error.code == .tufUnreachable
    {
      throw isNotKept("\(module) of the source \(source.name)")
    }
    last = (module, index)
    return index
  }

  /// The error for metadata that nobody is asked for.
  private func isNotKept(_ object: String) -> SignetError {
    SignetError(
      .installOffline, object, "is not in the cache", found: settings.cache.path, hint: "install once with a network")
  }

  private func specs(of source: ModuleSource) throws(SignetError) -> SpecOffers {
    if let known = specs[source.name] { return known }
    let found = try SpecFetch(settings: settings).offers(of: source) { complaints.append($0) }
    specs[source.name] = found
    return found
  }

  func offers(of source: ModuleSource) throws(SignetError) -> ModuleOffers {
    if let known = offers[source.name] { return known }
    let file = "\(settings.roots)/\(source.name).root.json"
    let root: [UInt8]
    do throws(SignetError) {
      root = try TrustedPath.open(file, isSecret: false).bytes(limit: TUFLimits.standard.root)
    } catch  where error.code == .fileMissing {
      throw SignetError(
        .installNoRoot, file, "is missing, so nothing from the source \(source.name) can be verified", cause: error,
        hint: "get 1.root.json from the owner of the registry, over a way that you trust")
    }
    let mirrors = try settings.mirror.map { (mirror) throws(SignetError) in [try mirror(source.url)] } ?? []
    let catalog = ModuleCatalog(folder: try settings.cache.metadata(of: source, root: root), mirrors: mirrors)
    let found: ModuleOffers
    do throws(SignetError) {
      found =
        try mirrors.isEmpty ? catalog.stored(at: settings.clock.now()) : catalog.refreshed(at: settings.clock.now())
    } catch  where error.code == .tufThreshold {
      // Nothing is wrong with the registry if the root is another one's.
      var error = error.about("the source \(source.name), \(error.object)")
      error.hint = "compare \(file) with the first root that the registry's owner gives out"
      throw error
    } catch  where settings.mirror == nil && [.tufNotFound, .tufUnreachable].contains(error.code) {
      throw isNotKept("the source \(source.name)")
    }
    complaints += found.complaints
    offers[source.name] = found
    return found
  }

  /// Who signed a release when it was pushed.
  func signers(
    of module: ModuleIdentifier, _ version: SemanticVersion, from source: ModuleSource
  ) throws(SignetError) -> [ReleaseSigner] {
    try index(of: module, from: source)?.release(version)?.signers.compactMap(ReleaseSigner.init) ?? []
  }

  // MARK: Files

  /// What is used of a locked release, in the cache.
  ///
  /// - Throws: what ``files(of:from:_:as:_:)`` throws; for specs `spec-repo.unverified`, what
  ///   ``SpecFetch/module(_:_:requiring:amid:as:under:_:)`` throws.
  func files(
    of module: LockedModule, _ content: ReleaseContent, from source: ModuleSource, amid chosen: ChosenReleases,
    as use: BinaryChoice.Use, under policy: TrustPolicy, _ tell: () -> Void
  ) throws(SignetError) -> FetchedFiles {
    switch content {
    case .registry(let digests): return try files(of: module, from: source, digests, as: use, tell)
    case .spec(let release):
      let offers = try specs(of: source)
      let offer = try offers.offer(of: module, release)
      try offer.verify(by: settings.verifier(policy))
      return .specified(
        try SpecFetch(settings: settings).module(
          offer, release, requiring: offers.requirements(of: offer), amid: chosen, as: use, under: policy, tell))
    }
  }

  /// The same files, where what lies beside them may be put right since they were kept.
  ///
  /// - Returns: nil if nothing was fetched again.
  /// - Throws: what fetching throws.
  func again(_ files: FetchedFiles, under policy: TrustPolicy) throws(SignetError) -> FetchedFiles? {
    guard case .specified(let module) = files else { return nil }
    return try SpecFetch(settings: settings).module(withBundlesAnew: module, under: policy).map { .specified($0) }
  }

  /// The archive of a locked release and the bundles beside it, in the cache.
  ///
  /// - Parameters:
  ///   - use: whether the archive or the sources are fetched. Only releases with sources are used as source.
  ///   - tell: is called if something has to be fetched.
  /// - Returns: the release as its registry describes it, and the paths.
  /// - Throws: `resolve.release-changed` if the registry does not offer these bytes; `install.offline`; what the mirror
  ///   throws; `tuf.…`; `output.failed`.
  private func files(
    of module: LockedModule, from source: ModuleSource, _ digests: ReleaseDigests, as use: BinaryChoice.Use,
    _ tell: () -> Void
  ) throws(SignetError) -> FetchedFiles {
    let offers = try offers(of: source)
    guard let release = try index(of: module.identifier, from: source)?.release(module.version),
      try release.digests() == digests
    else {
      throw SignetError(
        .resolveReleaseChanged, "\(module.identifier) \(module.version)", "is not offered with the bytes of the lock",
        expected: "\(digests.archive)", hint: "ask the module's publisher what has happened")
    }
    var isTold = false
    func fetch(_ file: ModuleRelease.File) throws(SignetError) -> String {
      let place = try settings.cache.place(of: file.sha256)
      if !isTold, (try? RegularFile(opening: place).size) != file.length {
        isTold = true
        tell()
      }
      do throws(SignetError) { try offers.download(file, of: release, to: place) } catch
        where error.code == .tufUnreachable && settings.mirror == nil
      {
        throw SignetError(
          .installOffline, "\(module.identifier) \(module.version)", "is not in the cache, or was changed there",
          found: settings.cache.path,
          hint: "install once with a network")
      }
      return place
    }
    /// A waiver that cannot be had keeps nobody from a release that needs none.
    func waiver() -> String? {
      guard let file = release.waiver, file.length <= ContinuityWaiver.sizeLimit else { return nil }
      do throws(SignetError) { return try fetch(file) } catch {
        complaints.append(error)
        return nil
      }
    }
    guard let code = release.source else {
      return .binary(
        archive: try fetch(release.archive), bundles: try release.bundles.last.map(fetch), provenance: nil,
        waiver: waiver(), release.module)
    }
    switch use {
    case .source:
      return .source(
        archive: try fetch(code.archive), provenance: try fetch(code.provenance),
        waiver: waiver(), release.module)
    case .binary:
      return .binary(
        archive: try fetch(release.archive), bundles: try release.bundles.last.map(fetch),
        provenance: try fetch(code.moduleProvenance), waiver: waiver(), release.module)
    }
  }
}

extension ModuleRelease {
  /// The digests that a lock records; nil if they are not SHA-256, which an index does not have.
  fileprivate func digests() throws(SignetError) -> ReleaseDigests? {
    ReleaseDigests(
      archive: archive.sha256, description: try Digest.of(module.canonicalBytes(), .sha256),
      source: source.flatMap { ReleaseDigests.Source(archive: $0.archive.sha256, commit: $0.commit) })
  }
}

extension CandidateRelease {
  /// The release that a module's description is of.
  fileprivate init(
    _ module: ModuleDescription, yanked: String? = nil, isWaiting: Bool = false, content: ReleaseContent? = nil
  ) {
    self.init(
      version: module.version, sequence: module.sequence, requirements: module.requirements.modules,
      host: module.requirements.host, hasBinary: module.hasBinary, yanked: yanked,
      isWaiting: isWaiting, content: content)
  }
}

extension ModuleDescription {
  /// Whether the module has code for this machine.
  var hasBinary: Bool { ModulePlatform.current.map { binaries[$0] != nil } ?? false }

  /// Whether a binary of the module can be used on this machine. One of resources alone is for every machine.
  var isForThisMachine: Bool { binaries.isEmpty || hasBinary }
}
