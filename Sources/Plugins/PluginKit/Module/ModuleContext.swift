/// A source of a module's resources. It returns the signed bytes; nil if the path is not a resource.
public typealias ModuleResources = @Sendable (_ path: String) throws -> [UInt8]?

/// A module's access to the host and to other modules.
///
/// Only a module that was verified and loaded gets one. It accepts only what the module's signed description declares.
/// Everything that is registered belongs to the module, and is removed with it.
public final class ModuleContext: Sendable {
  let switchboard: Switchboard
  /// The registrations that the module may make, as its signed description names them.
  public let declaration: ModuleDeclaration
  /// The module as an owner.
  public let owner: ModuleOwner
  /// The presenter of the module's pages, which works until the module is removed.
  public var presenter: ModulePresenter { ModulePresenter(switchboard.presenter, owner) }

  private let resources: ModuleResources?

  init(
    _ switchboard: Switchboard, _ declaration: ModuleDeclaration, owner: ModuleOwner, resources: ModuleResources?
  ) {
    self.switchboard = switchboard
    self.declaration = declaration
    self.owner = owner
    self.resources = resources
  }

  /// The bytes of one of the module's resources, as they were signed.
  ///
  /// - Parameter path: the path of a file that the description names in its `resources`, or of one in a directory named
  ///   there.
  /// - Throws: `resource.missing` for any other path; `resource.failed` if it is no longer what was signed, or cannot
  ///   be read.
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

  /// - Throws: `module.removed`.
  func checkPresent() throws(PluginError) {
    try switchboard.router.state.read { (state) throws(PluginError) in try state.removed.checkPresent(owner) }
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

  /// Finds the declaration of a pattern. A route that serves the paths below its pattern has to declare these, too.
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

  /// Opens a URL and waits for the answer, as ``Router`` does.
  ///
  /// - Throws: `route.…`, `url.…`, and what the handler answers with.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func open(
    _ url: some RoutableURL, userInfo: [String: any Sendable] = [:], limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> (any Sendable)? {
    try switchboard.router.open(url, userInfo: sent(userInfo), limit: limit)
  }

  /// Opens a URL. The completion receives the answer once, on any thread.
  public func open(
    _ url: some RoutableURL, userInfo: [String: any Sendable] = [:], limit: Duration = Router.defaultLimit,
    completion: @escaping @Sendable (RouteAnswer) -> Void
  ) {
    switchboard.router.open(url, userInfo: sent(userInfo), limit: limit, completion: completion)
  }

  /// The object that a URL stands for; nil if no object is found within the limit.
  @available(*, noasync, message: "use the async form")
  public func object(
    for url: some RoutableURL, userInfo: [String: any Sendable] = [:], limit: Duration = Router.defaultLimit
  ) -> (any Sendable)? {
    switchboard.router.object(for: url, userInfo: sent(userInfo), limit: limit)
  }

  /// Calls an action of a target with values by name.
  ///
  /// - Throws: `target.…`, `action.…`; for an action in C also `route.timeout`, `route.no-answer`, `route.busy` and
  ///   `plugin.failed`; and any ``PluginError`` that the action throws.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func perform(
    _ action: String, on target: String, with input: ActionInput = ActionInput(), keepsTarget: Bool = false,
    limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> (any Sendable)? {
    try switchboard.targets.perform(
      ActionCall(action, on: target, input: input, keepsTarget: keepsTarget, limit: limit, sender: owner))
  }

  /// Calls an action of a target that takes one value of a type.
  ///
  /// - Throws: `target.…`, `action.…`; for an action in C also `route.timeout`, `route.no-answer`, `route.busy` and
  ///   `plugin.failed`; and any ``PluginError`` that the action throws.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func perform(
    _ action: String, on target: String, value: any Sendable, keepsTarget: Bool = false,
    limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> (any Sendable)? {
    try switchboard.targets.perform(
      ActionCall(action, on: target, input: value, keepsTarget: keepsTarget, limit: limit, sender: owner))
  }

  /// Calls the action that a URL names, such as `app://Player/play?track=7`, if URLs may call it.
  ///
  /// - Throws: `target.…`, `action.…`, `url.…`; for an action in C also `route.timeout`, `route.no-answer`,
  ///   `route.busy` and `plugin.failed`; and any ``PluginError`` that the action throws.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func perform(
    _ url: some RoutableURL, keepsTarget: Bool = false, limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> (any Sendable)? {
    let call = try switchboard.targets.call(of: url, keepsTarget, limit, sender: owner)
    return try switchboard.targets.perform(call)
  }

  /// Calls an action and casts its result to a type.
  ///
  /// - Throws: `action.type` if the result is missing or has another type; `target.…`, `action.…`; for an action
  ///   in C also `route.timeout`, `route.no-answer`, `route.busy` and `plugin.failed`; and any ``PluginError`` that
  ///   the action throws.
  @available(*, noasync, message: "use the async form")
  public func perform<Output>(
    _ action: String, on target: String, with input: ActionInput = ActionInput(), keepsTarget: Bool = false,
    limit: Duration = Router.defaultLimit, as type: Output.Type
  ) throws(PluginError) -> Output {
    let call = ActionCall(action, on: target, input: input, keepsTarget: keepsTarget, limit: limit, sender: owner)
    return try call.result(switchboard.targets.perform(call))
  }

  /// A service by its protocol, if there is a provider.
  ///
  /// - Returns: nil if there is no provider, or the provided object is gone.
  /// - Throws: `service.cycle`, `service.failed`, `service.too-deep`, and any ``PluginError`` that the provider
  ///   throws.
  @available(*, noasync, message: "use the async form")
  public func instance<Service: Sendable>(of service: Service.Type) throws(PluginError) -> Service? {
    try switchboard.services.instance(of: service)
  }

  /// A service by its protocol; nil if no module provides it, or creating it fails.
  @available(*, noasync, message: "use the async form")
  public func resolve<Service: Sendable>(_ service: Service.Type) -> Service? {
    switchboard.services.resolve(service)
  }

  /// Posts a notification, and returns when all observers have been called.
  ///
  /// - Throws: `notification.too-deep`.
  @available(*, noasync, message: "use the async form")
  public func post(
    _ notification: String, object: (any AnyObject & Sendable)? = nil, userInfo: [String: any Sendable] = [:]
  ) throws(PluginError) {
    try switchboard.notifications.post(notification, object: object, userInfo: userInfo)
  }
}

extension Switchboard {
  /// Makes the context that a module registers with.
  ///
  /// If the module was removed, the context stays closed unless ``readmit(module:)`` came before it.
  ///
  /// - Parameters:
  ///   - declaration: the declaration of the verified description.
  ///   - resources: where the module's resources come from.
  public func context(for declaration: ModuleDeclaration, resources: ModuleResources? = nil) -> ModuleContext {
    let owner = admitted(.module(declaration.identifier))
    reservedSchemes.reserve(declaration.routes, for: owner)
    return ModuleContext(self, declaration, owner: owner, resources: resources)
  }
}

extension ModuleContext {
  /// The values of a call, marked as the module's.
  func sent(_ userInfo: [String: any Sendable]) -> [String: any Sendable] {
    var values = userInfo
    values[CallSender.key] = CallSender(owner: owner)
    return values
  }
}
