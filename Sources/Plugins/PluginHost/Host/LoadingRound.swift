internal import CSignetPlugin
internal import ModuleStore
internal import PluginKit
internal import Signet
internal import SignetBase

/// Several modules that are loaded together, and the result for each.
///
/// A module is loaded after the modules that it requires, in its turn, and once in a round.
struct LoadingRound {
  private let host: HostContext
  /// The results for the modules. A module without code is verified again in each round, and so is one that failed, but
  /// not for each module that requires it.
  private(set) var results: [ModuleIdentifier: Result<LoadedModule, SignetError>] = [:]
  /// Modules that are not loaded in this round.
  private let leftOut: Set<ModuleIdentifier>
  /// When suspects are opened.
  var suspectOrder: SuspectOrder
  /// Modules that have to be loaded alone, and are not loaded because other code is on trial.
  private var heldBack: [ModuleIdentifier] = []
  /// Modules that require one of those.
  private var dependents: [ModuleIdentifier] = []

  /// - Parameters:
  ///   - leftOut: modules that are not loaded.
  ///   - suspectOrder: when suspects are opened.
  init(in host: HostContext, leftOut: Set<ModuleIdentifier> = [], suspectOrder: SuspectOrder = .asked) {
    self.host = host
    self.leftOut = leftOut
    self.suspectOrder = suspectOrder
  }

  /// Loads one module of the round.
  mutating func load(_ module: ModuleIdentifier) throws(SignetError) -> LoadedModule {
    try host.turn.hold("\(module)") { () throws(SignetError) in
      host.trial.countCrashes(again: false)
      host.embedded.know()
      do throws(SignetError) { return try loadOnce(module, for: []) } catch {
        if error.code == .hostRequirement, !heldBack.isEmpty { dependents.append(module) }
        throw error
      }
    }
  }

  /// Ends the round, when everything is loaded or has failed. Floors are raised, and the trial goes on for a while.
  /// Modules that were held back wait for the trial's end.
  func end() {
    let waiting = heldBack.filter { host.records.loaded($0) == nil }
    let batches = (try? host.store.heldBack(among: waiting)) ?? []
    // The others only wait for one of these.
    let others = waiting.filter { !batches.joined().contains($0) }.map { [$0] }
    host.heldBack.withLock { $0.add(batches + others, dependents: dependents) }
    if host.trial.current == .closed { host.loadHeldBackSoon() }
    guard host.trial.isOpen || results.contains(where: { (try? $0.value.get()) != nil }) else { return }
    host.trial.raiseFloors()
    host.trial.passLater(host.configuration.trial)
  }

  /// The greatest length of a chain of requirements. It is longer than any plugin's, and fits into a thread's stack.
  private static let requirementLimit = 64

  /// - Parameter path: the modules that wait for this one, beginning with the one that was asked for.
  private mutating func loadOnce(
    _ module: ModuleIdentifier, for path: [ModuleIdentifier]
  ) throws(SignetError) -> LoadedModule {
    if let loaded = host.records.loaded(module), !loaded.images.isEmpty { return loaded }
    if let result = results[module] { return try result.get() }
    guard !path.contains(module) else {
      throw SignetError(
        .hostRequirementCycle, "\(module)", "requires itself through other modules",
        found: (path + [module]).map { "\($0)" }.joined(separator: " requires "),
        hint: "remove the requirement from one of these modules")
    }
    guard path.count < Self.requirementLimit else {
      throw SignetError(
        .hostRequirementDepth, "\(path[0])", "starts a chain of requirements that is too long",
        expected: "at most \(Self.requirementLimit) in a row", hint: "shorten the chain of requirements")
    }
    guard !host.records.hasEnded(module) else { throw unregistered(module) }
    let loaded: LoadedModule
    do throws(SignetError) {
      if leftOut.contains(module) { throw Self.leftOut(module) }
      loaded = try loadAccepted(try release(module), for: path + [module])
    } catch {
      host.refused.refuse(module, because: error)
      // A chain that is too long may be shorter for the next request. A module that is held back may get its turn
      // later.
      if ![.hostRequirementDepth, .hostHeldBack].contains(error.code) { results[module] = .failure(error) }
      throw error
    }
    // Its registrations may have been removed meanwhile.
    guard host.records.keep(loaded) else { throw unregistered(module) }
    results[module] = .success(loaded)
    return loaded
  }

  /// Checks whether a release may be opened now.
  ///
  /// A release that may have crashed the process is opened when no other code is on trial, so that another crash has
  /// one cause. Modules that require it may have to wait, too.
  ///
  /// - Returns: whether the release may have crashed the process.
  private mutating func checkTurn(_ release: InstalledModule) throws(SignetError) -> Bool {
    let isSuspect = try host.store.isHeldBack(release.name)
    guard suspectOrder.holdsBack(isSuspect: isSuspect, host.trial.current) else { return isSuspect }
    heldBack.append(release.module.identifier)
    throw SignetError(
      .hostHeldBack, "\(release.name)", "is held back: the process has crashed, and this module may be the cause",
      expected: "no other module on trial",
      hint: "wait until the host loads it alone, after the other modules have passed their trial")
  }

  private static func leftOut(_ module: ModuleIdentifier) -> SignetError {
    SignetError(
      .hostLeftOut, "\(module)", "was left out of this start",
      hint: "load it, or do not leave it out of the next start")
  }

  private func unregistered(_ module: ModuleIdentifier) -> SignetError {
    SignetError(.loaderFinal, "\(module)", "was unregistered", hint: "restart the program")
  }

  /// The release to load, accepted now.
  private func release(_ module: ModuleIdentifier) throws(SignetError) -> InstalledModule {
    let release = try host.embedded.candidate(module)
    // A module that was missing until now is there.
    if host.records.status(of: module) < .installed { host.records.note(module, .installed) }
    return release
  }

  private mutating func loadAccepted(
    _ release: InstalledModule, for path: [ModuleIdentifier]
  ) throws(SignetError) -> LoadedModule {
    let module = release.module
    let owner = ModuleOwner.module("\(module.identifier)")
    try checkHost(module)
    for required in module.requirements.modules {
      let other = try loadRequired(required.identifier, required, of: module, path)
      guard required.versions.contains(other.module.version) else {
        throw SignetError(
          .hostRequirement, "\(module.identifier)", "requires another release of \(required.identifier)",
          expected: "\(required.versions)", found: "\(other.module.version)",
          hint: "install a release of \(required.identifier) in that range")
      }
    }
    let isSuspect = module.binaries.isEmpty ? false : try checkTurn(release)
    host.records.note(module.identifier, .loading)
    var declaration: ModuleDeclaration
    do throws(PluginError) { declaration = try ModuleDeclaration(module, in: host.switchboard) } catch {
      throw SignetError(
        .hostDeclaration, "\(module.identifier)", "has a declaration that cannot be registered", cause: error)
    }
    try checkURLs(of: declaration, module.identifier)
    declaration.urlsOfOthers = host.records.named.others(than: module.identifier)
    guard !module.binaries.isEmpty else {
      host.refused.accept(owner)
      host.records.note(module.identifier, .loaded)
      host.trial.loaded(release, hasCode: false)
      return LoadedModule(release: release, images: [])
    }
    let tellStalled: @Sendable () -> Void = { [host] in
      host.trial.noteStalled(release)
      host.records.tell(
        .stalled(module.identifier, sequence: module.sequence, after: host.configuration.loadingPatience))
    }
    let code = try host.watch.watch(tellStalled) { () throws(SignetError) in
      try host.loader.load(release) { step in
        host.trial.note(step, release, isAlone: isSuspect)
      } enter: { (code) throws(SignetError) in
        host.records.tell(.images(code.images))
        host.refused.accept(owner)
        do throws(PluginError) {
          try PrincipalCall(host.switchboard, host.records).enter(code.principal, declaration, release)
        } catch {
          throw SignetError(.loaderEntryFailed, "\(module.identifier)", "failed in its entry function", cause: error)
        }
      }
    }
    if let warning = host.loader.descriptorWarning() { host.records.tell(.notice(warning)) }
    host.trial.loaded(release, hasCode: true)
    return LoadedModule(release: release, images: code.images)
  }

  private mutating func loadRequired(
    _ identifier: ModuleIdentifier, _ required: ModuleRequirement, of module: ModuleDescription,
    _ path: [ModuleIdentifier]
  ) throws(SignetError) -> LoadedModule {
    do throws(SignetError) { return try loadOnce(identifier, for: path) } catch {
      guard error.code != .hostRequirementCycle, error.code != .hostRequirementDepth else { throw error }
      throw SignetError(
        .hostRequirement, "\(module.identifier)", "requires a module that cannot be loaded",
        expected: "\(identifier) \(required.versions)",
        cause: error, hint: "install \(identifier) first")
    }
  }

  private func checkHost(_ module: ModuleDescription) throws(SignetError) {
    guard let range = module.requirements.host else { return }
    guard let version = host.configuration.version, range.contains(version) else {
      throw SignetError(
        .hostRequirement, "\(module.identifier)", "does not support this host", expected: "host \(range)",
        found: host.configuration.version.map { "host \($0)" } ?? "a host that does not say its version",
        hint: "install a release of the module for this host")
    }
  }

  /// Checks that no route is below a URL that the host's manifest gives to another module.
  private func checkURLs(of declaration: ModuleDeclaration, _ module: ModuleIdentifier) throws(SignetError) {
    let named = host.records.named
    for route in declaration.routes {
      guard let owner = named.other(than: module, for: route) else { continue }
      throw SignetError(
        .hostDeclaration, "\(module)", "declares a route that the host's manifest gives to another module",
        expected: "routes elsewhere", found: "\(route.text) of \(owner)",
        hint: "change the route, or the manifest")
    }
  }
}

/// When a round opens modules that may have crashed the process.
enum SuspectOrder {
  /// In a later round, after everything else.
  case last
  /// In this round, if no other code is on trial. The program has asked for a module, so only suspects wait.
  case asked
  /// In this round, if no other code is on trial. Modules that require the suspect wait until it has passed.
  case alone
  /// In this round, whatever is on trial, because there are very many of them.
  case together

  /// Whether a module waits for a later round.
  func holdsBack(isSuspect: Bool, _ trial: TrialState) -> Bool {
    switch self {
    case .last: isSuspect
    case .asked: isSuspect && trial != .closed
    case .alone: isSuspect ? trial != .closed : trial == .ofSuspect
    case .together: false
    }
  }
}

extension HostContext {
  /// Loads modules that were held back, on another thread.
  func loadHeldBackSoon() {
    guard heldBack.withLock(\.isWaiting) else { return }
    loading.begin { [weak self] in self?.loadHeldBack() }
  }

  /// Loads modules that were held back, as long as no code is on trial: one module, which is on trial then, and so on.
  private func loadHeldBack() {
    while trial.current == .closed, let (modules, areTogether) = heldBack.withLock({ $0.next() }) {
      var round = LoadingRound(
        in: self, leftOut: heldBack.withLock(\.leftOut), suspectOrder: areTogether ? .together : .alone)
      // Failures are reported, as always.
      for module in modules { _ = try? round.load(module) }
      round.end()
    }
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
      pages: module.pages.names,
      boards: Dictionary(module.pages.boards.map { ($0.name, $0.identifiers) }) { $0 + $1 },
      acceptedParameters: Dictionary(module.pages.acceptedParameters.map { ($0.page, $0.names) }) { $0 + $1 },
      defaultScheme: switchboard.router.defaultScheme)
  }
}
