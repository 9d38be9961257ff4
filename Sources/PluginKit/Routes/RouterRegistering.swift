extension Router {
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
