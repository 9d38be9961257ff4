public import PluginKit

/// Small's calls for a module.
///
/// ```swift
/// let small = SmallModule(context)
/// try small.openUri("detail?from=app.home", fromController: page)
/// ```
///
/// It keeps nothing but the module's context. What it opens, it opens in the module's name.
public struct SmallModule: Sendable {
  let context: ModuleContext

  /// Makes a value for the module of a context.
  public init(_ context: ModuleContext) { self.context = context }

  /// The URI resolved against the host's base URI.
  ///
  /// - Returns: nil if it makes no URI, or the host does not have Small's calls.
  public func absoluteUri(fromUri uri: String) -> String? { try? opener(for: uri).absoluteUri(uri) }

  /// Opens a URI: runs its action, or makes its page and shows it.
  ///
  /// - Parameters:
  ///   - uri: a URI, or what is relative to the host's base URI.
  ///   - view: what an action gets as its sender's object.
  /// - Throws: `route.not-found` if nothing serves it, or the host does not have Small's calls;
  ///   `route.module-refused`, `page.…`, `route.…`, `url.…`, `external.refused`.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func openUri(
    _ uri: String, fromView view: (any Sendable)? = nil
  ) throws(PluginError) -> SMOutcome {
    try opener(for: uri).open(uri, from: view, by: context)
  }

  /// Opens a URI as `openUri(_:fromView:)` does, for tasks.
  @discardableResult public func openUri(
    _ uri: String, fromView view: (any Sendable)? = nil
  ) async throws(PluginError) -> SMOutcome {
    try await opener(for: uri).open(uri, from: view, by: context)
  }

  /// Opens a URI as `openUri(_:fromView:)` does.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func openUri(
    _ uri: String, fromController controller: (any Sendable)?
  ) throws(PluginError) -> SMOutcome {
    try openUri(uri, fromView: controller)
  }

  /// Opens a URI as `openUri(_:fromView:)` does, for tasks.
  @discardableResult public func openUri(
    _ uri: String, fromController controller: (any Sendable)?
  ) async throws(PluginError) -> SMOutcome {
    try await openUri(uri, fromView: controller)
  }

  /// The page of a URI, made anew and not shown.
  ///
  /// - Returns: nil if the URI has no page.
  @available(*, noasync, message: "use the async form")
  public func controller(forUri uri: String) -> Page? { try? opener(for: uri).controller(for: uri, by: context) }

  /// The page of a URI, made anew and not shown, for tasks.
  public func controller(forUri uri: String) async -> Page? {
    await (try? opener(for: uri))?.controller(for: uri, by: context)
  }

  /// Registers an action, which `small://action?k=v` runs. It takes the place of the module's earlier one.
  ///
  /// - Parameters:
  ///   - action: a name whose URI the module's description declares as a route.
  ///   - handler: runs on the thread that opens the URI.
  /// - Throws: `route.undeclared`, `route.conflict` if another owner has the action; `module.removed`, `url.…`.
  public func registerAction(_ action: String, handler: @escaping SMActionHandler) throws(PluginError) {
    try context.register(route: SMAction(action).pattern.text, options: SMAction.options) { request in
      try SMAction.run(handler, request)
      return nil
    }
  }

  private func opener(for uri: String) throws(PluginError) -> any SMOpener {
    guard let opener = context.resolve((any SMOpener).self) else {
      throw PluginError(
        .routeNotFound, PluginURL.shown(uri), "cannot be opened: the host does not have Small's calls",
        hint: "open it by the module's context")
    }
    return opener
  }
}
