/// The routes of a host and its modules.
///
/// A router can be used from any thread, and lookups never wait for each other. Handlers run without any lock: those
/// that answer at once on the caller's thread, others on threads of their owner. They may open URLs, and register and
/// remove routes.
public final class Router: Sendable {
  struct State {
    var tree = RouteTree<RouteHandler>()
    /// The URLs of modules that are refused.
    var refusals = Refusals()
    var removed = RemovedOwners()
  }

  /// The scheme of patterns and URLs that have none.
  public let defaultScheme: String?
  let state = ReadWriteLock(State())

  /// Makes a router without routes.
  ///
  /// - Parameter defaultScheme: the scheme of patterns and URLs that have none, such as `ui`; nil if they are errors.
  ///   An invalid scheme makes them errors, too.
  public init(defaultScheme: String? = nil) { self.defaultScheme = defaultScheme }

  /// A registered route, which can be removed by this value.
  public struct Registration: Hashable, Sendable {
    let router: ObjectIdentifier
    let id: Int
  }

  func add(
    _ pattern: RoutePattern, _ owner: ModuleOwner, _ priority: Int, _ allowsFallback: Bool, _ handler: RouteHandler
  ) throws(PluginError) -> Registration {
    try state.write { (state) throws(PluginError) in
      try state.removed.checkPresent(owner)
      if owner != .host { try ModulePrecedence(owner, priority).check(pattern, in: state.tree) }
      return Registration(
        router: ObjectIdentifier(self),
        id: try state.tree.insert(
          pattern, owner: owner, priority: priority, allowsFallback: allowsFallback, value: handler))
    }
  }

  /// Removes a route. A handler that was already called goes on.
  ///
  /// - Returns: whether it was registered.
  @discardableResult public func remove(_ registration: Registration) -> Bool {
    // What the handler holds is released outside of the lock.
    guard registration.router == ObjectIdentifier(self) else { return false }
    let removed = state.write { $0.tree.remove(registration.id) }
    return removed != nil
  }

  /// Removes all routes of an owner, and the refusal of its URLs.
  public func removeAll(ownedBy owner: ModuleOwner) {
    let removed = state.write { state in
      state.refusals.remove(owner)
      return state.tree.removeAll(ownedBy: owner)
    }
    withExtendedLifetime(removed) {}
  }

  func isRemoved(_ owner: ModuleOwner) -> Bool { state.read { $0.removed.contains(owner) } }

  /// Removes everything of an owner for good: it can no longer register anything.
  func close(_ owner: ModuleOwner) {
    state.write { $0.removed.insert(owner) }
    removeAll(ownedBy: owner)
  }

  /// Refuses the URLs of a module that is refused: neither another module nor a route above serves them.
  ///
  /// This replaces an earlier refusal of the module.
  ///
  /// - Parameters:
  ///   - patterns: what the signed host manifest gives to the module: nothing else serves these URLs.
  ///   - exceptions: what the manifest gives to others below these patterns: that stays theirs.
  ///   - declared: the routes of the last accepted description, never what a refused archive says of itself. Others
  ///     still serve what they served while the module was loaded: URLs for which their pattern comes before these.
  ///   - isFailure: whether the module was accepted and then failed. Then others also serve what they have in the same
  ///     place.
  ///   - owner: the module.
  ///   - reason: why it is refused, for people.
  public func refuse(
    _ patterns: [RoutePattern], except exceptions: [RoutePattern] = [], declared: [RoutePattern] = [],
    isFailure: Bool = false, of owner: ModuleOwner, because reason: String
  ) {
    state.write { state in
      state.refusals.set(
        Refusals.Refusal(
          owner: owner, patterns: patterns, exceptions: exceptions, declared: declared, reason: reason,
          isFailure: isFailure))
    }
  }

  /// All routes, in the order of registration.
  public var routes: [RouteTree<Void>.Entry] {
    state.read { $0.tree.routes.map { $0.withoutValue } }
  }

  /// Adds a route that answers at once.
  ///
  /// - Parameters:
  ///   - pattern: the URLs that it serves.
  ///   - owner: the owner of the route.
  ///   - priority: routes with a higher priority come first, whatever their patterns.
  ///   - allowsFallback: whether it also serves URLs below its pattern that no other route serves.
  ///   - handler: runs on the caller's thread; its value is the answer.
  /// - Returns: a registration, by which the route can be removed.
  /// - Throws: `route.conflict`, `route.priorities`, `module.removed`.
  @discardableResult public func register(
    _ pattern: RoutePattern, owner: ModuleOwner, priority: Int = 0, allowsFallback: Bool = false,
    handler: @escaping @Sendable (RouteRequest) throws -> (any Sendable)?
  ) throws(PluginError) -> Registration {
    try add(pattern, owner, priority, allowsFallback, .value(handler))
  }

  /// Adds a route whose handler may take long. It runs in a task, which is cancelled when nothing waits for it any
  /// longer.
  ///
  /// - Parameters:
  ///   - pattern: the URLs that it serves.
  ///   - owner: the owner of the route.
  ///   - priority: routes with a higher priority come first, whatever their patterns.
  ///   - allowsFallback: whether it also serves URLs below its pattern that no other route serves.
  ///   - task: its value is the answer.
  /// - Throws: `route.conflict`, `route.priorities`, `module.removed`.
  @discardableResult public func register(
    _ pattern: RoutePattern, owner: ModuleOwner, priority: Int = 0, allowsFallback: Bool = false,
    task: @escaping @Sendable (RouteRequest) async throws -> (any Sendable)?
  ) throws(PluginError) -> Registration {
    try add(pattern, owner, priority, allowsFallback, .task(task))
  }

  /// Adds a route whose handler answers at any time, on any thread.
  ///
  /// - Parameters:
  ///   - pattern: the URLs that it serves.
  ///   - owner: the owner of the route.
  ///   - priority: routes with a higher priority come first, whatever their patterns.
  ///   - allowsFallback: whether it also serves URLs below its pattern that no other route serves.
  ///   - replying: receives the request and the reply to answer with.
  /// - Throws: `route.conflict`, `route.priorities`, `module.removed`.
  @discardableResult public func register(
    _ pattern: RoutePattern, owner: ModuleOwner, priority: Int = 0, allowsFallback: Bool = false,
    replying: @escaping @Sendable (RouteRequest, RouteReply) -> Void
  ) throws(PluginError) -> Registration {
    try add(pattern, owner, priority, allowsFallback, .reply(replying))
  }

  /// Parses a pattern, with the router's scheme if it has none.
  ///
  /// - Throws: `pattern.malformed`, `pattern.too-long`, `pattern.duplicate-name`.
  public func pattern(_ text: String) throws(PluginError) -> RoutePattern {
    try RoutePattern(text, defaultScheme: defaultScheme)
  }
}

extension RouteTree.Entry {
  var withoutValue: RouteTree<Void>.Entry {
    RouteTree<Void>.Entry(
      id: id, owner: owner, pattern: pattern, priority: priority, allowsFallback: allowsFallback, value: ())
  }
}
