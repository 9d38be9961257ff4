internal import PluginHost
public import PluginKit
internal import SignetSystem

/// Opening URIs.
///
/// All calls go one way: the router opens the URL, whether it belongs to a bundle, is an action, or is any other route.
/// A URL that nothing serves is shown on the web or opened by another program if the host allows that
/// (`Switchboard.externalOpening`), and never if it belongs to a refused module.
extension Small {
  /// Opens a URI: runs its action, or makes its page and shows it.
  ///
  /// - Parameters:
  ///   - uri: a URI, or what is relative to the base URI.
  ///   - view: what an action gets as its sender's object.
  /// - Throws: `route.not-found` if nothing serves it, `route.module-refused` if its module is refused;
  ///   `page.not-found` if the module does not export the target, or no launcher takes the bundle; `page.…`, `route.…`,
  ///   `url.…`, `external.refused`.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func openUri(
    _ uri: String, fromView view: (any Sendable)? = nil
  ) throws(PluginError) -> SMOutcome {
    try SMOpening(uri, of: self, view, nil).open()
  }

  /// Opens a URI as `openUri(_:fromView:)` does, for tasks.
  @discardableResult public func openUri(
    _ uri: String, fromView view: (any Sendable)? = nil
  ) async throws(PluginError) -> SMOutcome {
    try await SMOpening(uri, of: self, view, nil).open()
  }

  /// Opens a URI as `openUri(_:fromView:)` does. Actions run here, too.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func openUri(
    _ uri: String, fromController controller: (any Sendable)?
  ) throws(PluginError) -> SMOutcome {
    try openUri(uri, fromView: controller)
  }

  /// Opens a URI as `openUri(_:fromView:)` does, for tasks. Actions run here, too.
  @discardableResult public func openUri(
    _ uri: String, fromController controller: (any Sendable)?
  ) async throws(PluginError) -> SMOutcome {
    try await openUri(uri, fromView: controller)
  }

  /// The page of a URI, made anew and not shown.
  ///
  /// - Returns: nil if the URI has no page: an action has none, and neither has what another program opens.
  @available(*, noasync, message: "use the async form")
  public func controller(forUri uri: String) -> Page? { try? SMOpening(uri, of: self, nil, nil).controller() }

  /// The page of a URI, made anew and not shown, for tasks.
  public func controller(forUri uri: String) async -> Page? {
    try? await SMOpening(uri, of: self, nil, nil).controller()
  }

  /// The page for a request that the router has found.
  func page(_ request: RouteRequest) throws -> Page {
    guard let match = request.computed[Self.matchKey] as? SMMatch else { throw RouteDeclined() }
    guard let launcher = launcher(of: match.bundle) else {
      throw PluginError(
        .pageNotFound, PluginURL.shown(request.url.text), "belongs to a bundle that no launcher takes",
        hint: "register a launcher for bundles of this kind")
    }
    return try launcher.controller(for: SMPageRequest(match, SMAction.sender(of: request), request))
  }

  // MARK: Actions

  /// Registers an action, which `small://action?k=v` runs. It takes the place of an earlier one.
  ///
  /// - Parameters:
  ///   - action: the name.
  ///   - handler: runs on the thread that opens the URI.
  /// - Throws: `route.conflict` if a module has the action; `url.…` if it is not a name.
  public func registerAction(_ action: String, handler: @escaping SMActionHandler) throws(PluginError) {
    try host.switchboard.router.register(
      SMAction(action).pattern, owner: .host, options: SMAction.options, target: self
    ) { _, request in
      try SMAction.run(handler, request)
      return nil
    }
  }

  /// Registers an action that runs on the main actor. It takes the place of an earlier one.
  ///
  /// - Throws: `route.conflict` if a module has the action; `url.…` if it is not a name.
  public func registerAction(
    _ action: String,
    onMain handler: @escaping @MainActor @Sendable (SMSender, [String: String]?) throws -> Void
  ) throws(PluginError) {
    var options = SMAction.options
    options.bind(to: self)
    try host.switchboard.router.register(
      SMAction(action).pattern, owner: .host, options: options,
      onMain: { request in
        try handler(SMAction.sender(of: request), SMAction.parameters(of: request))
        return nil
      })
  }

  /// A closure that runs an action of the host or of a module; nil if there is no such action.
  ///
  /// It runs the action that is registered when it is called, and throws `route.not-found` if that action is gone.
  public func handler(
    forAction action: String
  ) -> (@Sendable (_ view: (any Sendable)?, _ parameters: [String: String]?) async throws(PluginError) -> Void)? {
    let router = host.switchboard.router
    guard let action = try? SMAction(action), router.canOpen(action.pattern.text) else { return nil }
    return { (view, parameters) async throws(PluginError) in
      try await router.open(action.pattern.text, userInfo: SMAction.userInfo(view, parameters: parameters))
    }
  }
}

extension Small: SMOpener {
  package func absoluteUri(_ uri: String) -> String? { absoluteUri(fromUri: uri) }

  @available(*, noasync, message: "use the async form")
  package func open(
    _ uri: String, from object: (any Sendable)?, by context: ModuleContext
  ) throws(PluginError) -> SMOutcome {
    try SMOpening(uri, of: self, object, context).open()
  }

  package func open(
    _ uri: String, from object: (any Sendable)?, by context: ModuleContext
  ) async throws(PluginError) -> SMOutcome {
    try await SMOpening(uri, of: self, object, context).open()
  }

  @available(*, noasync, message: "use the async form")
  package func controller(for uri: String, by context: ModuleContext) -> Page? {
    try? SMOpening(uri, of: self, nil, context).controller()
  }

  package func controller(for uri: String, by context: ModuleContext) async -> Page? {
    try? await SMOpening(uri, of: self, nil, context).controller()
  }
}
