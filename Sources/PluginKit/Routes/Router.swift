/// The routes of a host and its modules.
///
/// Safe from any thread; looking something up never waits for others that do. Handlers run without any lock: those that answer at
/// once on the thread of the caller, others on threads of their owner. They may open, register and remove.
public final class Router: Sendable {
  struct State {
    var tree = RouteTree<RouteHandler>()
    /// What belongs to modules that are refused.
    var refusals = Refusals()
    var removed = RemovedOwners()
  }

  /// The scheme of patterns and URLs without one.
  public let defaultScheme: String?
  let state = ReadWriteLock(State())

  /// Makes a router without routes.
  ///
  /// - Parameter defaultScheme: the scheme of patterns and URLs without one, as in `ui`; none when nil. What is no scheme makes
  ///   these patterns and URLs errors.
  public init(defaultScheme: String? = nil) { self.defaultScheme = defaultScheme }

  /// A route that can be removed again.
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

  /// Removes a route. Whoever was called already goes on.
  ///
  /// - Returns: whether it was there.
  @discardableResult public func remove(_ registration: Registration) -> Bool {
    // What the handler holds is let go of outside of the lock.
    guard registration.router == ObjectIdentifier(self) else { return false }
    let removed = state.write { $0.tree.remove(registration.id) }
    return removed != nil
  }

  /// Removes all routes of an owner, and the URLs that are refused for its sake.
  public func removeAll(ownedBy owner: ModuleOwner) {
    let removed = state.write { state in
      state.refusals.remove(owner)
      return state.tree.removeAll(ownedBy: owner)
    }
    withExtendedLifetime(removed) {}
  }

  func isRemoved(_ owner: ModuleOwner) -> Bool { state.read { $0.removed.contains(owner) } }

  /// Removes all of an owner, for good: it can register nothing any more.
  func close(_ owner: ModuleOwner) {
    state.write { $0.removed.insert(owner) }
    removeAll(ownedBy: owner)
  }

  /// Refuses what belongs to a module that was refused: neither another module nor anything above serves it. What was refused
  /// for the module before is not any more.
  ///
  /// - Parameters:
  ///   - patterns: as the signed host manifest names them: nobody else serves these.
  ///   - exceptions: what it names for others of them, farther down: that stays theirs.
  ///   - declared: as the last description has them that was accepted, never what a refused archive says of itself. Others serve
  ///     here what they served while the module was loaded: URLs for which a pattern of theirs comes before these.
  ///   - isFailure: whether the module was accepted, and failed: others serve what they have in the same place then, too.
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

  /// All routes in the order in which they came.
  public var routes: [RouteTree<Void>.Entry] {
    state.read { $0.tree.routes.map { $0.withoutValue } }
  }

  /// Adds a route that answers at once.
  ///
  /// - Parameters:
  ///   - pattern: which URLs it serves.
  ///   - owner: whose it is.
  ///   - priority: routes with a higher one come first, whatever their patterns.
  ///   - allowsFallback: whether it also serves what is below its pattern and nobody else's.
  ///   - handler: runs on the thread of whoever opens; its value is the answer.
  /// - Returns: what removes it again.
  /// - Throws: `route.conflict`, `route.priorities`, `module.removed`.
  @discardableResult public func register(
    _ pattern: RoutePattern, owner: ModuleOwner, priority: Int = 0, allowsFallback: Bool = false,
    handler: @escaping @Sendable (RouteRequest) throws -> (any Sendable)?
  ) throws(PluginError) -> Registration {
    try add(pattern, owner, priority, allowsFallback, .value(handler))
  }

  /// Adds a route whose handler takes its time: it runs in a task, which is cancelled when nobody waits any more.
  ///
  /// - Throws: `route.conflict`, `route.priorities`, `module.removed`.
  @discardableResult public func register(
    _ pattern: RoutePattern, owner: ModuleOwner, priority: Int = 0, allowsFallback: Bool = false,
    task: @escaping @Sendable (RouteRequest) async throws -> (any Sendable)?
  ) throws(PluginError) -> Registration {
    try add(pattern, owner, priority, allowsFallback, .task(task))
  }

  /// Adds a route that answers when it likes, on any thread.
  ///
  /// - Throws: `route.conflict`, `route.priorities`, `module.removed`.
  @discardableResult public func register(
    _ pattern: RoutePattern, owner: ModuleOwner, priority: Int = 0, allowsFallback: Bool = false,
    replying: @escaping @Sendable (RouteRequest, RouteReply) -> Void
  ) throws(PluginError) -> Registration {
    try add(pattern, owner, priority, allowsFallback, .reply(replying))
  }

  /// A pattern, with the router's scheme when it has none.
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
