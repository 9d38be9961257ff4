/// Opening URLs on the main actor.
extension Router {
  /// Opens a URL on the main actor and waits for the answer.
  ///
  /// Handlers on the main actor run at once, and their values need not be `Sendable`. While other handlers run, the
  /// main thread waits and serves the main queue.
  ///
  /// - Parameters:
  ///   - url: the URL, or its text.
  ///   - userInfo: values for the handler.
  ///   - mainInfo: values that need not be `Sendable`. Handlers see them by ``RouteRequest/mainValues``, which only the
  ///     main actor can read.
  ///   - use: what the URL is opened for.
  ///   - limit: the longest time to wait for a handler that does not answer at once.
  /// - Returns: the handler's value. That of a handler on the main actor is as it is.
  /// - Throws: as `open(_:userInfo:limit:)`.
  @available(*, noasync, message: "use the async form")
  @MainActor @discardableResult public func openOnMain(
    _ url: some RoutableURL, userInfo: [String: any Sendable] = [:], mainInfo: [String: Any] = [:],
    for use: RouteUses = .open, limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> Any? {
    var search = try search(url, for: use, userInfo)
    var time = RemainingTime(limit)
    let mainInfo = mainInfo.isEmpty ? nil : MainActorValue(mainInfo)
    while let found = try search.next() {
      switch try found.answerOnMain(userInfo, mainInfo) {
      case .answered(let value)?: return value
      case .declined?: continue
      case nil:
        let outcome = try found.wait(userInfo, mainInfo: mainInfo, limit: time.left, timeout: search.timeout(limit))
        if case .answered(let value) = outcome { return value }
      }
    }
    throw search.notFound
  }

  /// Opens a URL on the main actor and waits for the answer without keeping the main thread.
  ///
  /// - Parameters: as those of the form that blocks.
  /// - Returns: the handler's value. That of a handler on the main actor is as it is.
  /// - Throws: as `open(_:userInfo:limit:)`, and `route.cancelled`.
  @MainActor @discardableResult public func openOnMain(
    _ url: some RoutableURL, userInfo: [String: any Sendable] = [:], mainInfo: [String: Any] = [:],
    for use: RouteUses = .open, limit: Duration = Router.defaultLimit
  ) async throws(PluginError) -> Any? {
    var search = try search(url, for: use, userInfo)
    let cancelled = PluginError(.routeCancelled, PluginURL.shown(search.url.text), "is no longer waited for")
    var time = RemainingTime(limit)
    let mainInfo = mainInfo.isEmpty ? nil : MainActorValue(mainInfo)
    while true {
      guard !Task.isCancelled else { throw cancelled }
      guard let found = try search.next() else { throw search.notFound }
      switch try found.answerOnMain(userInfo, mainInfo) {
      case .answered(let value)?: return value
      case .declined?: continue
      case nil:
        let current = search
        let outcome = try await found.wait(
          userInfo, mainInfo: mainInfo, limit: time.left, timeout: current.timeout(limit), cancelled: cancelled)
        if case .answered(let value) = outcome { return value }
      }
    }
  }
}

extension RouteSearch.Found {
  /// Runs the handler at once, if it answers at once; nil otherwise.
  @MainActor fileprivate func answerOnMain(
    _ userInfo: [String: any Sendable], _ mainInfo: MainActorValue?
  ) throws(PluginError) -> RouteOutcome<Any?>? {
    switch handler {
    case .main(let body): try outcome { try body(request(userInfo, mainInfo: mainInfo)) }
    case .value(let body): try outcome { try body(request(userInfo, mainInfo: mainInfo)) }
    case .task, .reply: nil
    }
  }
}
