/// The routes of a module, and those of others as far as a module may know them.
extension ModuleContext {
  /// The routes that the module has now, in the order of registration.
  public var routes: [RouteTree<Void>.Entry] { switchboard.router.routes(ownedBy: owner) }

  /// The route of a URL, of any owner.
  ///
  /// - Parameters: as those of ``Router/match(_:exactly:for:userInfo:)``.
  /// - Throws: `route.not-found`, `route.module-refused`, `route.parameters`, `url.…`.
  public func match(
    _ url: some RoutableURL, exactly: Bool = false, for use: RouteUses = .open,
    userInfo: [String: any Sendable] = [:]
  ) throws(PluginError) -> RouteMatch<Void> {
    try switchboard.router.match(url, exactly: exactly, for: use, userInfo: sent(userInfo))
  }

  /// Whether opening a URL would run a handler. The handler may still decline.
  ///
  /// - Parameters: as those of ``match(_:exactly:for:userInfo:)``, which says why not.
  public func canOpen(
    _ url: some RoutableURL, exactly: Bool = false, for use: RouteUses = .open,
    userInfo: [String: any Sendable] = [:]
  ) -> Bool {
    switchboard.router.canOpen(url, exactly: exactly, for: use, userInfo: sent(userInfo))
  }

  /// Opens a URL on the main actor, as ``Router`` does.
  ///
  /// - Throws: `route.…`, `url.…`, and what the handler answers with.
  @available(*, noasync, message: "use the async form")
  @MainActor @discardableResult public func openOnMain(
    _ url: some RoutableURL, userInfo: [String: any Sendable] = [:], mainInfo: [String: Any] = [:],
    for use: RouteUses = .open, limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> Any? {
    try switchboard.router.openOnMain(url, userInfo: sent(userInfo), mainInfo: mainInfo, for: use, limit: limit)
  }

  /// Opens a URL on the main actor without keeping the main thread, as ``Router`` does.
  ///
  /// - Throws: `route.…`, `url.…`, and what the handler answers with.
  @MainActor @discardableResult public func openOnMain(
    _ url: some RoutableURL, userInfo: [String: any Sendable] = [:], mainInfo: [String: Any] = [:],
    for use: RouteUses = .open, limit: Duration = Router.defaultLimit
  ) async throws(PluginError) -> Any? {
    try await switchboard.router.openOnMain(url, userInfo: sent(userInfo), mainInfo: mainInfo, for: use, limit: limit)
  }

  /// Adds a route with options. It answers at once.
  ///
  /// - Parameters:
  ///   - route: a pattern that the module's description declares.
  ///   - options: the priorities of the route, and what else it asks for.
  ///   - handler: runs on the caller's thread; its value is the answer.
  /// - Returns: a registration, by which the route can be removed before its module.
  /// - Throws: `route.undeclared`, `route.conflict`, `route.priorities`, `module.removed`, `pattern.…`.
  @discardableResult public func register(
    route: String, options: RouteOptions, handler: @escaping @Sendable (RouteRequest) throws -> (any Sendable)?
  ) throws(PluginError) -> Router.Registration {
    try add(route, options, .value(handler))
  }

  /// Adds a route whose handler works with an object that the route does not keep alive. Once the object is gone, the
  /// route does not match any URL.
  ///
  /// - Throws: `route.undeclared`, `route.conflict`, `route.priorities`, `module.removed`, `pattern.…`.
  @discardableResult public func register<Target: AnyObject & Sendable>(
    route: String, options: RouteOptions = RouteOptions(), target: Target,
    handler: @escaping @Sendable (Target, RouteRequest) throws -> (any Sendable)?
  ) throws(PluginError) -> Router.Registration {
    try add(route, options.bound(to: target), .bound(to: target, handler))
  }

  /// Adds a route with options. Its handler runs in a task, which is cancelled when nothing waits for it any longer.
  ///
  /// - Throws: `route.undeclared`, `route.conflict`, `route.priorities`, `module.removed`, `pattern.…`.
  @discardableResult public func register(
    route: String, options: RouteOptions,
    task: @escaping @Sendable (RouteRequest) async throws -> (any Sendable)?
  ) throws(PluginError) -> Router.Registration {
    try add(route, options, .task(task))
  }

  /// Adds a route with options. Its handler answers at any time, on any thread.
  ///
  /// - Throws: `route.undeclared`, `route.conflict`, `route.priorities`, `module.removed`, `pattern.…`.
  @discardableResult public func register(
    route: String, options: RouteOptions, replying: @escaping @Sendable (RouteRequest, RouteReply) -> Void
  ) throws(PluginError) -> Router.Registration {
    try add(route, options, .reply(replying))
  }

  /// Adds a route whose handler runs on the main actor, as ``Router`` does.
  ///
  /// - Throws: `route.undeclared`, `route.conflict`, `route.priorities`, `module.removed`, `pattern.…`.
  @discardableResult public func register(
    route: String, options: RouteOptions = RouteOptions(),
    onMain: @escaping @MainActor @Sendable (RouteRequest) throws -> Any?
  ) throws(PluginError) -> Router.Registration {
    try add(route, options, .main(onMain))
  }

  /// Adds a route that the description declares.
  func add(
    _ route: String, _ options: RouteOptions, _ handler: RouteHandler
  ) throws(PluginError) -> Router.Registration {
    let pattern = try declared(route, allowsFallback: options.allowsFallback)
    try declaration.checkPriority(options.priority, of: pattern)
    return try switchboard.router.add(pattern, of: owner, options, handler)
  }

  /// The routes of the module that a face has registered, each with what it is to the face.
  package var definitions: [(registration: Router.Registration, definition: any AnyObject & Sendable)] {
    switchboard.router.definitions(ownedBy: owner)
  }

  /// Removes the routes of the module whose patterns match what this pattern matches, as ``Router`` does.
  ///
  /// - Returns: how many routes were removed; none once the module itself was removed.
  /// - Throws: `pattern.…`.
  @discardableResult public func remove(route: String) throws(PluginError) -> Int {
    try switchboard.router.remove(switchboard.router.pattern(route), ownedBy: owner)
  }
}

extension ModuleDeclaration {
  /// - Throws: `route.priorities` if a priority above 0 would take precedence over other modules at URLs that are theirs.
  func checkPriority(_ priority: Int, of pattern: RoutePattern) throws(PluginError) {
    guard priority > 0, let other = urlsOfOthers.first(where: pattern.comesUpon) else { return }
    throw PluginError(
      .routePriorities, PluginURL.shown(pattern.text), "would take precedence at a URL of another module",
      expected: "priority 0, or a pattern that does not match \(PluginURL.shown(other.text))",
      found: "priority \(priority)")
  }
}

extension RoutePattern {
  /// Whether a reading matches a URL, or one below it, by more than its texts. What texts alone match is declared by
  /// whom it belongs to.
  fileprivate func comesUpon(_ url: PluginURL) -> Bool {
    shapes.contains { shape in
      let parts = shape.parts.prefix(shape.headCount)
      return (shape.isGlobal || shape.scheme == url.scheme) && shape.isOpaque == (url.form == .opaque)
        && (shape.hasTail || parts.count >= url.parts.count)
        && zip(parts, url.parts).allSatisfy { $0.takes($1) }
        && !RoutePattern(shape).lies(below: url)
    }
  }
}
