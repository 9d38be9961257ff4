internal import ModuleCatalog
public import ModuleResolver
public import ModuleStore
public import Signet
public import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// The installation of what a Modfile names: releases are chosen, all of them are fetched and verified, and then installed.
///
/// Nothing is written before every module of the target has been verified under the host's policy.
public struct ModfileInstallation {
  /// The Modfile.
  public let modfile: Modfile
  /// The releases that were chosen, and what differs from the lock before.
  public let resolution: Resolution
  /// The lock that belongs to them.
  public let lock: ModuleLock
  private let registries: RegistryAccess

  /// A module that is verified and lies in the cache.
  public struct Ready: Sendable {
    /// What the lock says of it.
    public let module: LockedModule
    fileprivate let archive: String
    fileprivate let bundles: String?
    fileprivate let description: ModuleDescription
  }

  /// Chooses the releases.
  ///
  /// - Parameters:
  ///   - modfile: the Modfile.
  ///   - old: the lock, or nil for the first installation.
  ///   - mode: what is kept of the lock.
  ///   - registries: the registries.
  /// - Throws: what `ModuleResolver.resolve(_:lock:mode:offers:)` throws.
  public init(
    _ modfile: Modfile, lock old: ModuleLock?, mode: ModuleResolver.Mode, _ registries: RegistryAccess
  ) throws(SignetError) {
    self.modfile = modfile
    self.registries = registries
    let resolution = try ModuleResolver.resolve(modfile, lock: old, mode: mode, offers: registries)
    lock = try resolution.lock { (module) throws(SignetError) in try registries.signers(of: module) }
    self.resolution = resolution
  }

  /// The modules of a target that come from folders, which nobody verifies: they are built, signed and installed by hand.
  ///
  /// - Throws: `modfile.name`, `resolve.not-locked`.
  public func local(for target: ModfileName?) throws(SignetError) -> [LockedModule] {
    try lock.modules(for: target, in: modfile).filter { $0.served == nil }
  }

  /// The modules of earlier locks that are in this one no longer, each once, in the order of their identifiers.
  public func leaving(_ earlier: [ModuleLock]) -> [LockedModule] {
    var known: Set<ModuleIdentifier> = []
    let left = earlier.flatMap(\.modules).filter {
      lock[$0.identifier] == nil && known.insert($0.identifier).inserted
    }
    return left.sorted { "\($0.identifier)".utf8.lexicographicallyPrecedes("\($1.identifier)".utf8) }
  }

  /// Fetches the modules of a target as far as they are not in the cache, and verifies each under a policy.
  ///
  /// - Parameters:
  ///   - target: the target; nil for the modules outside of all targets.
  ///   - policy: the host's policy.
  ///   - tell: is told of each module that is not in the cache, before it is fetched.
  /// - Throws: `modfile.name`; `resolve.release-changed`; `install.offline`, `install.other-module`; why a module is refused:
  ///   `signature.…`, `signer.…`, `policy.…` and so on; what fetching throws.
  public func fetch(
    for target: ModfileName?, under policy: TrustPolicy, _ tell: (LockedModule) -> Void = { _ in }
  ) throws(SignetError) -> [Ready] {
    var ready: [Ready] = []
    for module in try lock.modules(for: target, in: modfile) {
      guard let served = module.served, let source = modfile.source(of: module.identifier) else { continue }
      let files = try registries.files(of: module, from: source, served.digests) { tell(module) }
      let one = Ready(
        module: module, archive: files.archive, bundles: files.bundles, description: files.release.module)
      _ = try Self.verified(one, policy)
      ready.append(one)
    }
    return ready
  }

  /// Installs modules that were fetched. Each is verified again as it is installed, because the cache may have changed.
  ///
  /// - Throws: why a module is refused; `store.…`, `extraction.failed`, `file.…`.
  public func install(
    _ modules: [Ready], into store: ModuleStore, under policy: TrustPolicy,
    _ tell: (InstalledModule) throws(SignetError) -> Void = { _ in }
  ) throws(SignetError) {
    for module in modules { try tell(try store.install(Self.verified(module, policy))) }
  }

  private static func verified(_ ready: Ready, _ policy: TrustPolicy) throws(SignetError) -> VerifiedModule {
    let name = "\(ready.module.identifier) \(ready.module.version)"
    let file = try RegularFile(opening: ready.archive)
    guard let digests = ready.module.served?.digests, try file.sha256() == digests.archive else {
      throw SignetError(
        .digestMismatch, name, "was changed in the cache", found: ready.archive, hint: "install again")
    }
    let verdict = try Verifier(policy: policy, clock: .system).verify(
      .file(file), signatures: ready.bundles.map { .file($0) } ?? .absent,
      expecting: .module(ready.module.identifier, named: name))
    switch verdict {
    case .refused(let refusal):
      var error = refusal.combined
      error.object = name
      throw error
    case .verified(let proof):
      guard proof.module == ready.description else {
        throw SignetError(
          .installOtherModule, name, "is not the module that the registry's index describes",
          expected: "the description in the index", hint: "ask the module's publisher")
      }
      return proof
    }
  }
}

extension RegistryAccess {
  /// The keys by which a chosen release was signed when it was pushed.
  fileprivate func signers(of module: Resolution.ResolvedModule) throws(SignetError) -> [KeyID] {
    guard case .source(let source, _) = module.origin else { return [] }
    return try signers(of: module.identifier, module.version, from: source)
  }
}
