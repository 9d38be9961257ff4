/// The routes of a host and its modules.
///
/// A router can be used from any thread, and lookups never wait for each other. Handlers run without any lock: those
/// that answer at once on the caller's thread, others on threads of their owner. They may open URLs, and register and
/// remove routes.
public final class Router: Sendable {
  struct State: OwnedState {
    var tree = RouteTree<RouteBody>()
    /// The URLs of modules that are refused.
    var refusals = Refusals()
    var removed = RemovedOwners()

    /// Removes all routes of an owner, the fallbacks that it allowed, and the refusal of its URLs.
    ///
    /// - Returns: the removed routes, which the caller releases outside of the lock.
    mutating func remove(_ owner: ModuleOwner) -> [RouteTree<RouteBody>.Entry] {
      refusals.remove(owner)
      tree.schemeFallbacks.removeAll(of: owner)
      return tree.removeAll(ownedBy: owner)
    }
  }

  /// The scheme of patterns and URLs that have none.
  public let defaultScheme: String?
  /// Which texts without `://` are accepted as URLs.
  public let forms: PluginURL.Forms
  let state = ReadWriteLock(State())

  /// Makes a router without routes.
  ///
  /// - Parameters:
  ///   - defaultScheme: the scheme of patterns and URLs that have none, such as `ui`; nil if they are errors. An
  ///     invalid scheme makes them errors, too.
  ///   - forms: which texts without `://` are accepted as URLs, such as `tel:1`. By default none
  ///     is accepted. A ``PluginURL`` is accepted in every form, because the code that parsed it chose the form.
  public init(defaultScheme: String? = nil, accepting forms: PluginURL.Forms = []) {
    self.defaultScheme = defaultScheme
    self.forms = forms
  }

  /// A registered route, which can be removed by this value.
  public struct Registration: Hashable, Sendable {
    let router: ObjectIdentifier
    let id: Int
  }

  /// Adds a route.
  func add(
    _ pattern: RoutePattern, of owner: ModuleOwner, _ options: RouteOptions, _ handler: RouteHandler
  ) throws(PluginError) -> Registration {
    // What is replaced is released outside of the lock.
    var replaced: [RouteTree<RouteBody>.Entry] = []
    let body = RouteBody(handler, options)
    return try state.write { (state) throws(PluginError) in
      try state.removed.checkPresent(owner)
      if owner != .host { try ModulePrecedence(owner, options.priority).check(pattern, in: state.tree) }
      return Registration(
        router: ObjectIdentifier(self),
        id: try state.tree.insert(
          pattern, owner: owner, priority: options.priority, ownPriority: options.ownPriority,
          ownOrder: options.ownOrder, allowsFallback: options.allowsFallback, equals: options.equals, value: body,
          replaced: &replaced))
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

  /// Removes the routes of an owner whose patterns match what this pattern matches, whatever their priorities and the
  /// names of their parameters.
  ///
  /// A pattern with optional parts also removes routes for its single readings. A route that has further readings
  /// stays.
  ///
  /// - Returns: how many routes were removed.
  @discardableResult public func remove(_ pattern: RoutePattern, ownedBy owner: ModuleOwner) -> Int {
    // What the handlers hold is released outside of the lock.
    let removed = state.write { state -> [RouteTree<RouteBody>.Entry] in
      // A context from before the owner's removal takes nothing of the next one away.
      guard !state.removed.contains(owner) else { return [] }
      return state.tree.routes(of: owner, within: pattern).compactMap { state.tree.remove($0) }
    }
    return removed.count
  }

  /// Removes all routes of an owner, the fallbacks that it allowed, and the refusal of its URLs.
  public func removeAll(ownedBy owner: ModuleOwner) {
    let removed = state.write { $0.remove(owner) }
    withExtendedLifetime(removed) {}
  }

  /// Refuses the URLs of a module that is refused: neither another module nor a route above serves them.
  ///
  /// This replaces an earlier refusal of the module.
  ///
  /// - Parameters:
  ///   - patterns: what the signed host manifest gives to the module: nothing else serves these URLs. A pattern for
  ///     every scheme is about the URLs that routes for every scheme serve.
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

  /// The routes of an owner, in the order of registration.
  public func routes(ownedBy owner: ModuleOwner) -> [RouteTree<Void>.Entry] {
    state.read { $0.tree.routes(ownedBy: owner).map { $0.withoutValue } }
  }

  /// The routes of an owner that a face has registered, in the order of registration, each with what it is to the face.
  ///
  /// An owner that was removed has none, even if it was admitted again since.
  package func definitions(
    ownedBy owner: ModuleOwner
  ) -> [(registration: Registration, definition: any AnyObject & Sendable)] {
    state.read { state in
      guard !state.removed.contains(owner) else { return [] }
      return state.tree.routes(ownedBy: owner).compactMap { entry in
        entry.value.terms?.definition.map { (Registration(router: ObjectIdentifier(self), id: entry.id), $0) }
      }
    }
  }

  /// Adds a route that answers at once.
  ///
  /// - Parameters:
  ///   - pattern: the URLs that it serves.
  ///   - owner: the owner of the route.
  ///   - priority: routes with a higher priority come first, whatever their patterns.
  ///   - allowsFallback: whether it also serves URLs below its pattern that no other route serves.
  ///   - handler: runs on the caller's thread; its value is the answer. ``RouteDeclined`` asks the next route.
  /// - Returns: a registration, by which the route can be removed.
  /// - Throws: `route.conflict`, `route.priorities`, `module.removed`.
  @discardableResult public func register(
    _ pattern: RoutePattern, owner: ModuleOwner, priority: Int = 0, allowsFallback: Bool = false,
    handler: @escaping @Sendable (RouteRequest) throws -> (any Sendable)?
  ) throws(PluginError) -> Registration {
    try add(pattern, of: owner, RouteOptions(priority: priority, allowsFallback: allowsFallback), .value(handler))
  }

  /// Adds a route that answers at once.
  ///
  /// - Parameters:
  ///   - pattern: the URLs that it serves.
  ///   - owner: the owner of the route.
  ///   - options: the priorities of the route, and what else it asks for.
  ///   - handler: runs on the caller's thread; its value is the answer.
  /// - Throws: `route.conflict`, `route.priorities`, `module.removed`.
  @discardableResult public func register(
    _ pattern: RoutePattern, owner: ModuleOwner, options: RouteOptions,
    handler: @escaping @Sendable (RouteRequest) throws -> (any Sendable)?
  ) throws(PluginError) -> Registration {
    try add(pattern, of: owner, options, .value(handler))
  }

  /// Adds a route whose handler works with an object that the route does not keep alive. Once the object is gone, the
  /// route does not match any URL.
  ///
  /// - Parameters:
  ///   - pattern: the URLs that it serves.
  ///   - owner: the owner of the route.
  ///   - options: the priorities of the route, and what else it asks for.
  ///   - target: the object.
  ///   - handler: runs on the caller's thread; its value is the answer.
  /// - Throws: `route.conflict`, `route.priorities`, `module.removed`.
  @discardableResult public func register<Target: AnyObject & Sendable>(
    _ pattern: RoutePattern, owner: ModuleOwner, options: RouteOptions = RouteOptions(), target: Target,
    handler: @escaping @Sendable (Target, RouteRequest) throws -> (any Sendable)?
  ) throws(PluginError) -> Registration {
    try add(pattern, of: owner, options.bound(to: target), .bound(to: target, handler))
  }

  /// Adds a route whose handler may take long. It runs in a task, which is cancelled when nothing waits for it any
  /// longer.
  ///
  /// - Parameters:
  ///   - pattern: the URLs that it serves.
  ///   - owner: the owner of the route.
  ///   - priority: routes with a higher priority come first, whatever their patterns.
  ///   - allowsFallback: whether it also serves URLs below its pattern that no other route serves.
  ///   - task: its value is the answer. ``RouteDeclined`` asks the next route.
  /// - Throws: `route.conflict`, `route.priorities`, `module.removed`.
  @discardableResult public func register(
    _ pattern: RoutePattern, owner: ModuleOwner, priority: Int = 0, allowsFallback: Bool = false,
    task: @escaping @Sendable (RouteRequest) async throws -> (any Sendable)?
  ) throws(PluginError) -> Registration {
    try add(pattern, of: owner, RouteOptions(priority: priority, allowsFallback: allowsFallback), .task(task))
  }

  /// Adds a route whose handler may take long. It runs in a task, which is cancelled when nothing waits for it any
  /// longer.
  ///
  /// - Parameters:
  ///   - pattern: the URLs that it serves.
  ///   - owner: the owner of the route.
  ///   - options: the priorities of the route, and what else it asks for.
  ///   - task: its value is the answer.
  /// - Throws: `route.conflict`, `route.priorities`, `module.removed`.
  @discardableResult public func register(
    _ pattern: RoutePattern, owner: ModuleOwner, options: RouteOptions,
    task: @escaping @Sendable (RouteRequest) async throws -> (any Sendable)?
  ) throws(PluginError) -> Registration {
    try add(pattern, of: owner, options, .task(task))
  }

  /// Adds a route whose handler answers at any time, on any thread.
  ///
  /// - Parameters:
  ///   - pattern: the URLs that it serves.
  ///   - owner: the owner of the route.
  ///   - priority: routes with a higher priority come first, whatever their patterns.
  ///   - allowsFallback: whether it also serves URLs below its pattern that no other route serves.
  ///   - replying: receives the request and the reply to answer with. ``RouteReply/decline()`` asks the next route.
  /// - Throws: `route.conflict`, `route.priorities`, `module.removed`.
  @discardableResult public func register(
    _ pattern: RoutePattern, owner: ModuleOwner, priority: Int = 0, allowsFallback: Bool = false,
    replying: @escaping @Sendable (RouteRequest, RouteReply) -> Void
  ) throws(PluginError) -> Registration {
    try add(pattern, of: owner, RouteOptions(priority: priority, allowsFallback: allowsFallback), .reply(replying))
  }

  /// Adds a route whose handler answers at any time, on any thread.
  ///
  /// - Parameters:
  ///   - pattern: the URLs that it serves.
  ///   - owner: the owner of the route.
  ///   - options: the priorities of the route, and what else it asks for.
  ///   - replying: receives the request and the reply to answer with.
  /// - Throws: `route.conflict`, `route.priorities`, `module.removed`.
  @discardableResult public func register(
    _ pattern: RoutePattern, owner: ModuleOwner, options: RouteOptions,
    replying: @escaping @Sendable (RouteRequest, RouteReply) -> Void
  ) throws(PluginError) -> Registration {
    try add(pattern, of: owner, options, .reply(replying))
  }

  /// Adds a route whose handler runs on the main actor.
  ///
  /// `openOnMain(_:userInfo:mainInfo:for:limit:)` returns its value as it is, even if it is not `Sendable`. The other
  /// forms wait for the main actor. To them, a value is in a ``MainActorValue``, unless it is a text, a number, a
  /// Boolean or bytes.
  ///
  /// - Parameters:
  ///   - pattern: the URLs that it serves.
  ///   - owner: the owner of the route.
  ///   - options: the priorities of the route, and what else it asks for.
  ///   - onMain: its value is the answer. ``RouteDeclined`` asks the next route.
  /// - Throws: `route.conflict`, `route.priorities`, `module.removed`.
  @discardableResult public func register(
    _ pattern: RoutePattern, owner: ModuleOwner, options: RouteOptions = RouteOptions(),
    onMain: @escaping @MainActor @Sendable (RouteRequest) throws -> Any?
  ) throws(PluginError) -> Registration {
    try add(pattern, of: owner, options, .main(onMain))
  }

  /// Parses a pattern, with the router's scheme if it has none.
  ///
  /// - Throws: `pattern.malformed`, `pattern.too-long`, `pattern.duplicate-name`.
  public func pattern(_ text: String) throws(PluginError) -> RoutePattern {
    try RoutePattern(text, defaultScheme: defaultScheme)
  }
}

extension Router: RegistrationTable {
  func list(then next: () -> [TableEntry]) -> [TableEntry] {
    state.read { state in
      state.tree.routes.map {
        TableEntry(kind: .route, owner: "\($0.owner)", pattern: $0.pattern.text, priority: $0.priority)
      } + next()
    }
  }
}
