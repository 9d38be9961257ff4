/// Where a module's resources come from: the bytes that were signed; nil for a path that is none of them.
public typealias ModuleResources = @Sendable (_ path: String) throws -> [UInt8]?

/// What a module registers with, and reaches the others by.
///
/// Only a module that was verified and loaded gets one, and it takes only what the module's signed description declares.
/// Everything belongs to the module, and goes with it.
public final class ModuleContext: Sendable {
  let switchboard: Switchboard
  /// What the module's signed description names.
  public let declaration: ModuleDeclaration
  /// The module as an owner.
  public var owner: ModuleOwner { .module(declaration.identifier) }
  /// What shows the module's pages, until the module is removed.
  public var presenter: ModulePresenter { ModulePresenter(switchboard, owner) }

  private let resources: ModuleResources?

  init(_ switchboard: Switchboard, _ declaration: ModuleDeclaration, _ resources: ModuleResources? = nil) {
    self.switchboard = switchboard
    self.declaration = declaration
    self.resources = resources
  }

  /// The bytes of a resource that the module brings, as they were signed.
  ///
  /// - Parameter path: of a file that the description names among its `resources`, or that lies in a directory named there.
  /// - Throws: `resource.missing` for any other path; `resource.failed` when it is not what was signed any more, or cannot be read.
  public func resource(_ path: String) throws(PluginError) -> [UInt8] {
    let shown = PluginURL.shown(path)
    guard let resources else { throw PluginError(.resourceMissing, shown, "is not a resource: the host offers none") }
    let bytes: [UInt8]?
    do { bytes = try resources(path) } catch {
      throw PluginError(.resourceFailed, shown, "is not available", cause: error)
    }
    guard let bytes else {
      throw PluginError(
        .resourceMissing, shown, "is not a resource that the description of \(owner) declares",
        hint: "add it to \"resources\" in module.json, and sign the module again")
    }
    return bytes
  }

  func declared(_ text: String) throws(PluginError) -> RoutePattern {
    let pattern = try switchboard.router.pattern(text)
    guard let declared = declaration.declared(pattern) else {
      throw PluginError(
        .routeUndeclared, PluginURL.shown(text), "is not a route that the description of \(owner) declares",
        expected: declaration.routes.isEmpty
          ? "none" : PluginURL.shown(declaration.routes.map(\.text).joined(separator: ", ")),
        hint: "add it to \"routes\" in module.json, and sign the module again")
    }
    return declared
  }

  /// Serving what is below a pattern takes a declaration of that, too.
  func declared(_ text: String, allowsFallback: Bool) throws(PluginError) -> RoutePattern {
    let pattern = try declared(text)
    guard !allowsFallback || declaration.namesAllBelow(pattern) else {
      throw PluginError(
        .routeUndeclared, PluginURL.shown(text),
        "serves the paths below it, which the description of \(owner) does not declare",
        expected: "the same pattern with /* at its end",
        hint: "add it to \"routes\" in module.json, and sign the module again")
    }
    return pattern
  }

  func checkDeclared(_ target: String, _ action: String?, isLocal: Bool) throws(PluginError) {
    let name = PluginURL.shown(action.map { "\(target).\($0)" } ?? target)
    guard let declared = declaration.targets[target], let action = action ?? declared.keys.first,
      let isDeclaredLocal = declared[action]
    else {
      throw PluginError(
        .targetUndeclared, name, "is not a target or action that the description of \(owner) declares",
        hint: "add it to \"targets\" in module.json, and sign the module again")
    }
    guard !isDeclaredLocal || isLocal else {
      throw PluginError(
        .targetUndeclared, name, "is declared for calls from code only", expected: "isLocal: true",
        found: "an action that URLs may call")
    }
  }

  func checkDeclared(service: String) throws(PluginError) {
    guard declaration.services.contains(service) else {
      throw PluginError(
        .serviceUndeclared, service, "is not a service that the description of \(owner) declares",
        hint: "add it to \"services\" in module.json, and sign the module again")
    }
  }

  /// Whether opening a URL would run a handler.
  public func canOpen(_ url: some RoutableURL) -> Bool { switchboard.router.canOpen(url) }

  /// Opens a URL and waits for the answer, as ``Router`` does.
  ///
  /// - Throws: `route.…`, `url.…`, and what the handler answers with.
  @available(*, noasync, message: "use the form that is awaited")
  @discardableResult public func open(
    _ url: some RoutableURL, userInfo: [String: any Sendable] = [:], limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> (any Sendable)? {
    try switchboard.router.open(url, userInfo: userInfo, limit: limit)
  }

  /// Opens a URL; the answer is told once, on whatever thread it comes.
  public func open(
    _ url: some RoutableURL, userInfo: [String: any Sendable] = [:], limit: Duration = Router.defaultLimit,
    completion: @escaping @Sendable (RouteAnswer) -> Void
  ) {
    switchboard.router.open(url, userInfo: userInfo, limit: limit, completion: completion)
  }

  /// The object that a URL stands for; nil when there is none.
  @available(*, noasync, message: "use the form that is awaited")
  public func object(for url: some RoutableURL, userInfo: [String: any Sendable] = [:]) -> (any Sendable)? {
    switchboard.router.object(for: url, userInfo: userInfo)
  }

  /// Calls an action of a target with values by name.
  ///
  /// - Throws: `target.…`, `action.…`.
  @available(*, noasync, message: "use the form that is awaited")
  @discardableResult public func perform(
    _ action: String, on target: String, with input: ActionInput = ActionInput(),
    limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> (any Sendable)? {
    try switchboard.targets.perform(action, on: target, with: input, limit: limit)
  }

  /// Calls an action of a target that takes one value of a type.
  ///
  /// - Throws: `target.…`, `action.…`.
  @available(*, noasync, message: "use the form that is awaited")
  @discardableResult public func perform(
    _ action: String, on target: String, value: any Sendable, limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> (any Sendable)? {
    try switchboard.targets.perform(action, on: target, value: value, limit: limit)
  }

  /// Calls the action that a URL names, `app://Player/play?track=7`, as far as URLs may.
  ///
  /// - Throws: `target.…`, `action.…`, `url.…`.
  @available(*, noasync, message: "use the form that is awaited")
  @discardableResult public func perform(
    _ url: some RoutableURL, limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> (any Sendable)? {
    try switchboard.targets.perform(url, limit: limit)
  }

  /// Calls an action and takes its result for a type.
  ///
  /// - Throws: as the other form; `action.type` when the result is of another type, or there is none.
  @available(*, noasync, message: "use the form that is awaited")
  public func perform<Output>(
    _ action: String, on target: String, with input: ActionInput = ActionInput(),
    limit: Duration = Router.defaultLimit, as type: Output.Type
  ) throws(PluginError) -> Output {
    try switchboard.targets.perform(action, on: target, with: input, limit: limit, as: type)
  }

  /// A service, if somebody provides it.
  ///
  /// - Returns: nil when nobody does, or what was provided is gone.
  /// - Throws: `service.cycle`, `service.failed`, `service.too-deep`.
  @available(*, noasync, message: "use the form that is awaited")
  public func instance<Service: Sendable>(of service: Service.Type) throws(PluginError) -> Service? {
    try switchboard.services.instance(of: service)
  }

  /// A service, whoever provides it; nil when nobody does.
  @available(*, noasync, message: "use the form that is awaited")
  public func resolve<Service: Sendable>(_ service: Service.Type) -> Service? {
    switchboard.services.resolve(service)
  }

  /// Makes something known, and returns when all have heard of it.
  ///
  /// - Throws: `notification.too-deep`.
  @available(*, noasync, message: "use the form that is awaited")
  public func post(
    _ notification: String, object: (any AnyObject & Sendable)? = nil, userInfo: [String: any Sendable] = [:]
  ) throws(PluginError) {
    try switchboard.notifications.post(notification, object: object, userInfo: userInfo)
  }
}
