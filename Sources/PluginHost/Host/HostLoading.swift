internal import CSignetPlugin
internal import ModuleStore
internal import PluginKit
public import Signet
public import SignetCrypto

extension PluginHost {
  /// Loads a module, after those that it requires, and lets it register. One that is loaded is given as it is; of a module without
  /// code it is the release that is installed now.
  ///
  /// - Throws: `store.not-installed`; why it is refused, or could not be loaded: `policy.…`, `signature.…`, `store.damaged`, `elf.…`,
  ///   `loader.…`, `host.…`.
  @discardableResult public func load(_ module: ModuleIdentifier) throws(SignetError) -> LoadedModule {
    var modules: [ModuleIdentifier: LoadedModule] = [:]
    return try load(module, among: &modules)
  }

  /// Loads a module as one of several.
  ///
  /// - Parameter modules: what has been loaded for them. Modules without code are verified again each time, but not for each
  ///   of those that require them.
  func load(
    _ module: ModuleIdentifier, among modules: inout [ModuleIdentifier: LoadedModule]
  ) throws(SignetError) -> LoadedModule {
    try turn.hold("\(module)") { () throws(SignetError) in
      knowEmbedded()
      return try load(module, for: [], &modules)
    }
  }

  /// Modules in a row that require each other: more than any plugin has, and fewer than a thread's stack takes.
  private static let requirementLimit = 64

  /// - Parameter path: the modules that wait for this one, the first that was asked for first.
  private func load(
    _ module: ModuleIdentifier, for path: [ModuleIdentifier], _ modules: inout [ModuleIdentifier: LoadedModule]
  ) throws(SignetError) -> LoadedModule {
    if let loaded = records.loaded(module), !loaded.images.isEmpty || modules[module] != nil { return loaded }
    guard !path.contains(module) else {
      throw SignetError(
        .hostRequirementCycle, "\(module)", "requires itself, by way of others",
        found: (path + [module]).map { "\($0)" }.joined(separator: " requires "),
        hint: "release one of them without the requirement")
    }
    guard path.count < Self.requirementLimit else {
      throw SignetError(
        .hostRequirementDepth, "\(path[0])", "requires modules that require others, and so on",
        expected: "at most \(Self.requirementLimit) in a row", hint: "release it with fewer of them")
    }
    guard !records.hasEnded(module) else { throw unregistered(module) }
    let loaded: LoadedModule
    do throws(SignetError) {
      loaded = try enter(try release(module), for: path + [module], &modules)
    } catch {
      refuse(module, error)
      throw error
    }
    // Meanwhile somebody may have taken away what it registered.
    guard records.keep(loaded) else { throw unregistered(module) }
    modules[module] = loaded
    return loaded
  }

  private func unregistered(_ module: ModuleIdentifier) -> SignetError {
    SignetError(.loaderFinal, "\(module)", "was unregistered", hint: "start the program again")
  }

  /// The release that is to be loaded, accepted now.
  private func release(_ module: ModuleIdentifier) throws(SignetError) -> InstalledModule {
    let release = try candidate(module)
    // What was found by its absence until now is there.
    if records.status(of: module) < .installed { records.note(module, .installed) }
    return release
  }

  private func enter(
    _ release: InstalledModule, for path: [ModuleIdentifier], _ modules: inout [ModuleIdentifier: LoadedModule]
  ) throws(SignetError) -> LoadedModule {
    let module = release.module
    let owner = ModuleOwner.module("\(module.identifier)")
    try checkHost(module)
    for required in module.requirements.modules {
      let other = try load(required.identifier, required, of: module, path, &modules)
      guard required.versions.contains(other.module.version) else {
        throw SignetError(
          .hostRequirement, "\(module.identifier)", "requires another release of \(required.identifier)",
          expected: "\(required.versions)", found: "\(other.module.version)",
          hint: "install a release of \(required.identifier) in that range")
      }
    }
    records.note(module.identifier, .loading)
    let declaration: ModuleDeclaration
    do throws(PluginError) { declaration = try ModuleDeclaration(module, in: switchboard) } catch {
      throw SignetError(.hostDeclaration, "\(module.identifier)", "declares what cannot be registered", cause: error)
    }
    try checkURLs(of: declaration, module.identifier)
    guard !module.binaries.isEmpty else {
      accept(owner)
      records.note(module.identifier, .loaded)
      raiseFloor(release)
      return LoadedModule(release: release, images: [])
    }
    let code = try store.noting(loadOf: release) { () throws(SignetError) in
      try loader.load(release) { (code) throws(SignetError) in
        records.tell(.images(code.images))
        accept(owner)
        do throws(PluginError) {
          try enter(code.principal, declaration, release)
        } catch {
          throw SignetError(.loaderEntryFailed, "\(module.identifier)", "could not be entered", cause: error)
        }
      }
    }
    raiseFloor(release)
    return LoadedModule(release: release, images: code.images)
  }

  private func load(
    _ identifier: ModuleIdentifier, _ required: ModuleDescription.Dependency, of module: ModuleDescription,
    _ path: [ModuleIdentifier], _ modules: inout [ModuleIdentifier: LoadedModule]
  ) throws(SignetError) -> LoadedModule {
    do throws(SignetError) { return try load(identifier, for: path, &modules) } catch {
      guard error.code != .hostRequirementCycle, error.code != .hostRequirementDepth else { throw error }
      throw SignetError(
        .hostRequirement, "\(module.identifier)", "requires a module that is not there",
        expected: "\(identifier) \(required.versions)",
        cause: error, hint: "install \(identifier) first")
    }
  }

  private func checkHost(_ module: ModuleDescription) throws(SignetError) {
    guard let range = module.requirements.host else { return }
    guard let version = configuration.version, range.contains(version) else {
      throw SignetError(
        .hostRequirement, "\(module.identifier)", "is not for this host", expected: "host \(range)",
        found: configuration.version.map { "host \($0)" } ?? "a host that does not say its version",
        hint: "install a release of the module for this host")
    }
  }

  /// What the host's manifest names for a module is that module's alone.
  private func checkURLs(of declaration: ModuleDeclaration, _ module: ModuleIdentifier) throws(SignetError) {
    let named = records.named
    for route in declaration.routes {
      guard let owner = named.other(than: module, for: route) else { continue }
      throw SignetError(
        .hostDeclaration, "\(module)", "declares a route that the host's manifest names for another module",
        expected: "routes elsewhere", found: "\(route.text) of \(owner)",
        hint: "change the route, or the manifest")
    }
  }

  /// What has loaded once is what nothing older comes after.
  private func raiseFloor(_ release: InstalledModule) {
    do throws(SignetError) { try store.raiseFloor(after: release) } catch { records.tell(.notice(error)) }
  }

  /// Notes why a module is not loaded, and refuses its URLs: they are nobody else's meanwhile.
  func refuse(_ module: ModuleIdentifier, _ error: SignetError) {
    let sequence = records.loaded(module)?.sequence
    let isRefusal = records.status(of: module) != .loading && records.status(of: module) != .loaded
    records.note(module, isRefusal ? .refused : .loadFailed, error)
    records.refuse(
      RefusedModule(
        identifier: module, sequence: sequence, source: "\(module)", reason: error, time: configuration.clock.now()))
    guard error.code != .storeNotInstalled else { return }
    refuseURLs(of: module, error, isFailure: !isRefusal)
  }

  /// What the host's manifest names for the module, and what its last accepted statement does.
  func refuseURLs(of module: ModuleIdentifier, _ error: SignetError, isFailure: Bool = false) {
    let accepted = store.lastAccepted(module)
    let owner = ModuleOwner.module("\(module)")
    let named = records.named
    switchboard.router.refuse(
      named.patterns(of: module), except: named.exceptions(of: module),
      declared: (accepted?.routes ?? []).compactMap { try? switchboard.router.pattern($0) },
      isFailure: isFailure, of: owner, because: "\(error.code)")
    switchboard.targets.refuse(accepted?.targets.map(\.name) ?? [], of: owner, because: "\(error.code)")
  }

  /// What was refused for the module's sake before is not any more.
  private func accept(_ owner: ModuleOwner) {
    switchboard.router.refuse([], of: owner, because: "")
    switchboard.targets.refuse([], of: owner, because: "")
  }
}

extension ModuleDeclaration {
  /// What a verified description declares.
  fileprivate init(_ module: ModuleDescription, in switchboard: Switchboard) throws(PluginError) {
    var targets: [String: [String: Bool]] = [:]
    for target in module.targets {
      targets[target.name] = Dictionary(target.actions.map { ($0.name, $0.isLocal) }) { $0 && $1 }
    }
    try self.init(
      identifier: "\(module.identifier)", routes: module.routes, targets: targets, services: module.services,
      defaultScheme: switchboard.router.defaultScheme)
  }
}
