public import PluginKit

/// PTRouter's calls: URLs that are opened, and say only whether that worked.
///
/// ```swift
/// let router = PTRouter(context)
/// try router.registerURL("InnerJump://setting/browse") { url, callback in
///   callback(url.params["userID"] != nil)
/// }
/// let opened = await router.openURL("InnerJump://setting/browse?userID=007")
/// ```
///
/// It keeps nothing: the routes are those of the host's router. A module registers only URLs that its signed description
/// declares as routes, and what it registered disappears with it.
public struct PTRouter: Sendable {
  /// A handler. It calls the closure that it gets once, at any time, on any thread; further calls do nothing.
  public typealias Handler = @Sendable (_ url: PTRouterURL, _ callback: @escaping @Sendable (Bool) -> Void) -> Void

  private let user: PTUser

  /// Makes the router of a module.
  public init(_ context: ModuleContext) { user = .module(context) }

  /// Makes the router of a host.
  public init(_ switchboard: Switchboard) { user = .host(switchboard) }

  // MARK: Registering

  /// Registers a handler for a URL. The query does not count. A later registration of the same owner takes the place of
  /// the one before, in one step.
  ///
  /// A scheme alone, `wx1234567://`, gets each URL of this scheme that nothing else is registered for. A module declares
  /// it as the route `wx1234567://*`.
  ///
  /// - Parameters:
  ///   - url: the URL. None of its characters has a meaning of its own.
  ///   - handler: runs on a thread of its owner. If it lets go of its closure without a call, the URL is not opened.
  /// - Throws: `url.…` if it is not a URL; `route.undeclared`, `route.conflict`, `module.removed`.
  public func registerURL(_ url: String, handler: @escaping Handler) throws(PluginError) {
    try user.add(PTRouterURL(url).pattern, RouteOptions(equals: .replaced)) { request, reply in
      handler(PTRouterURL(request)) { reply.answer($0) }
    }
  }

  /// Registers a handler on the main actor for a URL, as ``registerURL(_:handler:)`` does.
  ///
  /// - Parameters:
  ///   - url: the URL.
  ///   - onMain: says whether the URL was opened. An error means that it was not.
  /// - Throws: `url.…` if it is not a URL; `route.undeclared`, `route.conflict`, `module.removed`.
  public func registerURL(
    _ url: String, onMain: @escaping @MainActor @Sendable (PTRouterURL) throws -> Bool
  ) throws(PluginError) {
    try user.add(PTRouterURL(url).pattern, RouteOptions(equals: .replaced)) { request in
      try onMain(PTRouterURL(request))
    }
  }

  /// Removes the handler of a URL.
  ///
  /// - Returns: whether this owner had registered one.
  /// - Throws: `url.…` if it is not a URL.
  @discardableResult public func unRegisterURL(_ url: String) throws(PluginError) -> Bool {
    try user.remove(PTRouterURL(url).pattern) > 0
  }

  // MARK: Opening

  /// Opens a URL and waits for the answer. This blocks the thread; in tasks, use the async form.
  ///
  /// While the main thread waits, it serves the main queue, so that a handler that needs it makes progress.
  ///
  /// - Parameters:
  ///   - url: the URL, or its text.
  ///   - param: parameters of any type. They count before those of the URL.
  ///   - limit: the longest time to wait.
  /// - Returns: what the handler says; false if nobody serves the URL, or there is no answer in time. `open` says why.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func openURL(
    _ url: some RoutableURL, param: [String: any Sendable]? = nil, limit: Duration = Router.defaultLimit
  ) -> Bool {
    (try? open(url, param: param, limit: limit)) ?? false
  }

  /// Opens a URL and waits for the answer without keeping a thread.
  ///
  /// - Parameters: as those of the form that blocks.
  /// - Returns: what the handler says; false if nobody serves the URL, or there is no answer in time.
  @discardableResult public func openURL(
    _ url: some RoutableURL & Sendable, param: [String: any Sendable]? = nil, limit: Duration = Router.defaultLimit
  ) async -> Bool {
    (try? await open(url, param: param, limit: limit)) ?? false
  }

  /// Opens a URL. This does not wait.
  ///
  /// - Parameters:
  ///   - url: the URL, or its text.
  ///   - param: parameters of any type. They count before those of the URL.
  ///   - limit: the longest time until the callback is called.
  ///   - callback: receives once, on any thread, what the handler says; false if nobody serves the URL, or there is no
  ///     answer in time. nil if nobody wants to know.
  public func openURL(
    _ url: some RoutableURL, param: [String: any Sendable]? = nil, limit: Duration = Router.defaultLimit,
    callback: (@Sendable (Bool) -> Void)?
  ) {
    user.open(url, param ?? [:], limit) { answer in callback?((try? answer.get()).map(Self.isOpened) ?? false) }
  }

  /// Opens a URL on the main actor, with parameters that need not be `Sendable`, and waits for the answer.
  ///
  /// - Parameters:
  ///   - url: the URL, or its text.
  ///   - param: the parameters. Only handlers on the main actor see them, in ``PTRouterURL/mainParams``.
  ///   - limit: the longest time to wait for a handler elsewhere.
  /// - Returns: what the handler says; false if nobody serves the URL, or there is no answer in time.
  @available(*, noasync, message: "use the async form")
  @MainActor @discardableResult public func openURLOnMain(
    _ url: some RoutableURL, param: [String: Any] = [:], limit: Duration = Router.defaultLimit
  ) -> Bool {
    guard let value = try? user.openOnMain(url, param, limit) else { return false }
    return value as? Bool ?? true
  }

  /// Opens a URL as `openURL` does, and says why it was not opened.
  ///
  /// - Parameters:
  ///   - url: the URL, or its text.
  ///   - param: parameters of any type. They count before those of the URL.
  ///   - limit: the longest time to wait.
  /// - Returns: what the handler says. If the handler is one of another system and answers with another value, the URL
  ///   was opened.
  /// - Throws: `route.not-found`, `route.module-refused`, `route.parameters`, `route.timeout`, `route.no-answer`,
  ///   `route.failed`, `route.too-deep`, `route.busy`, what the handler answers with, and `url.…`.
  @available(*, noasync, message: "use the async form")
  public func open(
    _ url: some RoutableURL, param: [String: any Sendable]? = nil, limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> Bool {
    Self.isOpened(try user.open(url, param ?? [:], limit))
  }

  /// Opens a URL without keeping a thread, and says why it was not opened.
  ///
  /// - Parameters: as those of the form that blocks.
  /// - Returns: what the handler says.
  /// - Throws: as the form that blocks, and `route.cancelled`.
  public func open(
    _ url: some RoutableURL & Sendable, param: [String: any Sendable]? = nil, limit: Duration = Router.defaultLimit
  ) async throws(PluginError) -> Bool {
    Self.isOpened(try await user.open(url, param ?? [:], limit))
  }

  /// Whether an answer means that the URL was opened. Handlers of other systems answer with other values.
  private static func isOpened(_ value: (any Sendable)?) -> Bool { value as? Bool ?? true }
}
