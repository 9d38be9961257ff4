extension Router {
  /// How long opening waits for an answer if the caller sets no limit.
  public static var defaultLimit: Duration { .seconds(10) }

  /// The route of a URL.
  ///
  /// - Parameters:
  ///   - url: the URL, or its text.
  ///   - exactly: whether to leave out routes that serve URLs below their patterns.
  /// - Throws: `route.not-found`, `route.module-refused`, `url.…`.
  public func match(_ url: some RoutableURL, exactly: Bool = false) throws(PluginError) -> RouteMatch<Void> {
    let match = try find(url, exactly: exactly)
    return match.withoutValue
  }

  /// Whether opening a URL would run a handler.
  ///
  /// - Parameters:
  ///   - url: the URL, or its text.
  ///   - exactly: whether to leave out routes that serve URLs below their patterns.
  public func canOpen(_ url: some RoutableURL, exactly: Bool = false) -> Bool {
    (try? find(url, exactly: exactly)) != nil
  }

  /// Opens a URL and waits for the answer.
  ///
  /// This blocks the thread. On the main thread, use another form; in tasks, use the async form.
  ///
  /// - Parameters:
  ///   - url: the URL, or its text.
  ///   - userInfo: values for the handler.
  ///   - limit: the longest time to wait. A handler that answers at once has no limit, because it runs on this thread.
  /// - Returns: the handler's value.
  /// - Throws: `route.not-found`, `route.module-refused`, `route.timeout`, `route.no-answer`, `route.failed`,
  ///   `route.too-deep`, `route.busy`, what the handler answers with, and `url.…`.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func open(
    _ url: some RoutableURL, userInfo: [String: any Sendable] = [:], limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> (any Sendable)? {
    let found = try find(url)
    // The handler answers at once, so there is nothing to wait for.
    if case .value(let body) = found.value {
      return try Call(.routeTooDeep, found.url.text).run { () throws(PluginError) in
        do { return try body(RouteRequest(found, userInfo)) } catch {
          throw RouteReply.failure(error, PluginURL.shown(found.url.text))
        }
      }
    }
    return try PendingAnswer.wait(limit, Self.timeout(found.url, limit)) { (pending) throws(PluginError) in
      let call = try Call(.routeTooDeep, found.url.text, until: pending)
      found.value.run(RouteRequest(found, userInfo), of: found.owner, pending, call)
    }
  }

  /// Opens a URL. The completion receives the answer once, on any thread.
  ///
  /// - Parameters:
  ///   - url: the URL, or its text.
  ///   - userInfo: values for the handler.
  ///   - limit: the longest time to wait, as in the blocking form.
  ///   - completion: receives the handler's value, or why there is none.
  public func open(
    _ url: some RoutableURL, userInfo: [String: any Sendable] = [:], limit: Duration = Router.defaultLimit,
    completion: @escaping @Sendable (RouteAnswer) -> Void
  ) {
    start(url, userInfo, limit, PendingAnswer(completion))
  }

  /// Opens a URL and waits for the answer without keeping a thread.
  ///
  /// Cancelling the task ends the wait, and cancels a handler that is a task.
  ///
  /// - Parameters:
  ///   - url: the URL, or its text.
  ///   - userInfo: values for the handler.
  ///   - limit: the longest time to wait, as in the blocking form.
  /// - Returns: the handler's value.
  /// - Throws: `route.not-found`, `route.module-refused`, `route.timeout`, `route.no-answer`, `route.failed`,
  ///   `route.too-deep`, `route.busy`, `route.cancelled`, what the handler answers with, and `url.…`.
  @discardableResult public func open(
    _ url: some RoutableURL & Sendable, userInfo: [String: any Sendable] = [:],
    limit: Duration = Router.defaultLimit
  ) async throws(PluginError) -> (any Sendable)? {
    try await PendingAnswer.answer(
      cancelled: PluginError(.routeCancelled, PluginURL.shown("\(url)"), "is no longer waited for")
    ) { start(url, userInfo, limit, $0) }
  }

  /// The object that a URL stands for: the handler's value.
  ///
  /// - Parameters:
  ///   - url: the URL, or its text.
  ///   - userInfo: values for the handler.
  ///   - limit: the longest time that this thread waits, as in the blocking form.
  /// - Returns: nil if there is no route, or it gives no value within the limit.
  @available(*, noasync, message: "use the async form")
  public func object(
    for url: some RoutableURL, userInfo: [String: any Sendable] = [:], limit: Duration = Router.defaultLimit
  ) -> (any Sendable)? {
    (try? open(url, userInfo: userInfo, limit: limit)).flatMap { $0 }
  }

  /// The object that a URL stands for: the handler's value. The task keeps no thread while it waits.
  ///
  /// - Returns: nil if there is no route, or it gives no value within the limit.
  public func object(
    for url: some RoutableURL & Sendable, userInfo: [String: any Sendable] = [:],
    limit: Duration = Router.defaultLimit
  ) async -> (any Sendable)? {
    (try? await open(url, userInfo: userInfo, limit: limit)).flatMap { $0 }
  }

  private func start(
    _ url: some RoutableURL, _ userInfo: [String: any Sendable], _ limit: Duration, _ pending: PendingAnswer
  ) {
    let found: RouteMatch<RouteHandler>
    do { found = try find(url) } catch {
      pending.finish(.failure(error))
      return
    }
    // A handler that answers at once needs no timer.
    if case .value = found.value {} else { pending.end(after: limit, with: Self.timeout(found.url, limit)) }
    let call: Call
    do { call = try Call(.routeTooDeep, found.url.text, until: pending) } catch {
      pending.finish(.failure(error))
      return
    }
    found.value.run(RouteRequest(found, userInfo), of: found.owner, pending, call)
  }

  func find(_ url: some RoutableURL, exactly: Bool = false) throws(PluginError) -> RouteMatch<RouteHandler> {
    let url = try url.pluginURL(defaultScheme: defaultScheme)
    let result = state.read { state -> Result<RouteMatch<RouteHandler>?, PluginError> in
      let match = state.tree.match(url, exactly: exactly)
      if !state.refusals.isEmpty, let refusal = state.refusals.match(url, before: match) {
        return .failure(Self.refused(url, refusal))
      }
      return .success(match)
    }
    guard let match = try result.get() else {
      throw PluginError(.routeNotFound, PluginURL.shown(url.text), "has no route")
    }
    return match
  }

  private static func refused(_ url: PluginURL, _ refusal: Refusals.Refusal) -> PluginError {
    PluginError(
      .routeModuleRefused, PluginURL.shown(url.text), "belongs to \(refusal.owner), which is refused",
      found: refusal.reason, hint: "ask the module's publisher for a release that is accepted")
  }

  private static func timeout(_ url: PluginURL, _ limit: Duration) -> PluginError {
    PluginError(
      .routeTimeout, PluginURL.shown(url.text), "was opened, and there was no answer in time",
      expected: "an answer within \(limit)")
  }
}
