internal import CSignetPlugin
internal import ModuleStore
internal import PluginKit
public import Signet
public import SignetBase

extension PluginHost {
  /// Loads a module, after those that it requires, and lets it register. One that is loaded is given as it is; of a module without
  /// code it is the release that is installed now.
  ///
  /// - Throws: `store.not-installed`; why it is refused, or could not be loaded: `policy.…`, `signature.…`, `store.damaged`, `elf.…`,
  ///   `loader.…`, `host.…`.
  @available(*, noasync, message: "use the form that is awaited")
  @discardableResult public func load(_ module: ModuleIdentifier) throws(SignetError) -> LoadedModule {
    heldBack.withLock { $0.ask(for: module) }
    var round = LoadingRound()
    defer { end(round) }
    return try loadInTurn(module, in: &round)
  }

  /// Loads a module as one of several.
  func loadInTurn(_ module: ModuleIdentifier, in round: inout LoadingRound) throws(SignetError) -> LoadedModule {
    try turn.hold("\(module)") { () throws(SignetError) in
      trial.countCrashes(again: false)
      knowEmbedded()
      do throws(SignetError) { return try loadOnce(module, for: [], &round) } catch {
        if error.code == .hostRequirement, !round.heldBack.isEmpty { round.dependents.append(module) }
        throw error
      }
    }
  }

  /// Everything of a round is loaded, or is not: floors are raised, and the trial goes on for a while. What was held back waits for the
  /// trial's end.
  func end(_ round: LoadingRound) {
    let waiting = round.heldBack.filter { records.loaded($0) == nil }
    let batches = (try? store.heldBack(among: waiting)) ?? []
    // Others only wait for one of these.
    let others = waiting.filter { !batches.joined().contains($0) }.map { [$0] }
    heldBack.withLock { $0.add(batches + others, dependents: round.dependents) }
    if trial.current == .closed { loadHeldBackSoon() }
    guard trial.isOpen || round.results.contains(where: { (try? $0.value.get()) != nil }) else { return }
    trial.raiseFloors()
    trial.passLater(configuration.trial)
  }

  /// Modules in a row that require each other: more than any plugin has, and fewer than a thread's stack takes.
  private static let requirementLimit = 64

  /// - Parameter path: the modules that wait for this one, the first that was asked for first.
  private func loadOnce(
    _ module: ModuleIdentifier, for path: [ModuleIdentifier], _ round: inout LoadingRound
  ) throws(SignetError) -> LoadedModule {
    if let loaded = records.loaded(module), !loaded.images.isEmpty { return loaded }
    if let result = round.results[module] { return try result.get() }
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
      if round.leftOut.contains(module) { throw Self.leftOut(module) }
      loaded = try loadAccepted(try release(module), for: path + [module], &round)
    } catch {
      refuse(module, error)
      // Too long a row of requirements is shorter for the next one who asks. What is held back may have its turn later in the round.
      if ![.hostRequirementDepth, .hostHeldBack].contains(error.code) { round.results[module] = .failure(error) }
      throw error
    }
    // Meanwhile somebody may have taken away what it registered.
    guard records.keep(loaded) else { throw unregistered(module) }
    round.results[module] = .success(loaded)
    return loaded
  }

  /// A release with which the process may have crashed is opened when no other code is on trial, so that another crash has one cause. What
  /// requires it may have to wait, too.
  ///
  /// - Returns: whether the process may have crashed with it.
  private func checkTurn(_ release: InstalledModule, in round: inout LoadingRound) throws(SignetError) -> Bool {
    let isSuspect = try store.isHeldBack(release.name)
    guard round.suspectOrder.holdsBack(isSuspect: isSuspect, trial.current) else { return isSuspect }
    round.heldBack.append(release.module.identifier)
    throw SignetError(
      .hostHeldBack, "\(release.name)", "waits: the process has crashed, and this or another module was the cause",
      expected: "no other module on trial",
      hint: "wait: the host loads it alone once the other modules have passed their trial")
  }

  private static func leftOut(_ module: ModuleIdentifier) -> SignetError {
    SignetError(
      .hostLeftOut, "\(module)", "is left out of this start",
      hint: "load it, or start the program without leaving it out")
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

  private func loadAccepted(
    _ release: InstalledModule, for path: [ModuleIdentifier], _ round: inout LoadingRound
  ) throws(SignetError) -> LoadedModule {
    let module = release.module
    let owner = ModuleOwner.module("\(module.identifier)")
    try checkHost(module)
    for required in module.requirements.modules {
      let other = try loadRequired(required.identifier, required, of: module, path, &round)
      guard required.versions.contains(other.module.version) else {
        throw SignetError(
          .hostRequirement, "\(module.identifier)", "requires another release of \(required.identifier)",
          expected: "\(required.versions)", found: "\(other.module.version)",
          hint: "install a release of \(required.identifier) in that range")
      }
    }
    let isSuspect = module.binaries.isEmpty ? false : try checkTurn(release, in: &round)
    records.note(module.identifier, .loading)
    let declaration: ModuleDeclaration
    do throws(PluginError) { declaration = try ModuleDeclaration(module, in: switchboard) } catch {
      throw SignetError(.hostDeclaration, "\(module.identifier)", "declares what cannot be registered", cause: error)
    }
    try checkURLs(of: declaration, module.identifier)
    guard !module.binaries.isEmpty else {
      accept(owner)
      records.note(module.identifier, .loaded)
      trial.loaded(release, hasCode: false)
      return LoadedModule(release: release, images: [])
    }
    let tellStalled: @Sendable () -> Void = { [records, configuration, trial] in
      trial.noteStalled(release)
      records.tell(.stalled(module.identifier, sequence: module.sequence, after: configuration.loadingPatience))
    }
    let code = try watch.watch(tellStalled) { () throws(SignetError) in
      try loader.load(release) { step in
        trial.note(step, release, isAlone: isSuspect)
      } enter: { (code) throws(SignetError) in
        records.tell(.images(code.images))
        accept(owner)
        do throws(PluginError) {
          try enter(code.principal, declaration, release)
        } catch {
          throw SignetError(.loaderEntryFailed, "\(module.identifier)", "could not be entered", cause: error)
        }
      }
    }
    if let warning = loader.descriptorWarning() { records.tell(.notice(warning)) }
    trial.loaded(release, hasCode: true)
    return LoadedModule(release: release, images: code.images)
  }

  private func loadRequired(
    _ identifier: ModuleIdentifier, _ required: ModuleDescription.Dependency, of module: ModuleDescription,
    _ path: [ModuleIdentifier], _ round: inout LoadingRound
  ) throws(SignetError) -> LoadedModule {
    do throws(SignetError) { return try loadOnce(identifier, for: path, &round) } catch {
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
