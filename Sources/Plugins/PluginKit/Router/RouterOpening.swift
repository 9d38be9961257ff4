extension Router {
  /// How long opening waits for an answer if the caller sets no limit.
  public static var defaultLimit: Duration { .seconds(10) }

  /// The route of a URL.
  ///
  /// This runs the matchers of routes, but no handlers.
  ///
  /// - Parameters:
  ///   - url: the URL, or its text.
  ///   - exactly: whether to leave out routes that serve URLs below their patterns.
  ///   - use: what the URL would be opened for.
  ///   - userInfo: the values that the handler would get. Some routes take certain parameters only.
  /// - Throws: `route.not-found`, `route.module-refused`, `route.parameters`, `url.…`.
  public func match(
    _ url: some RoutableURL, exactly: Bool = false, for use: RouteUses = .open,
    userInfo: [String: any Sendable] = [:]
  ) throws(PluginError) -> RouteMatch<Void> {
    let url = try parse(url)
    let first = try first(url, exactly: exactly)
    // Most routes match by their patterns alone.
    if let match = first.match, match.value.terms?.areConditions(for: url) != true, match.value.serves(use) {
      return match.withoutValue
    }
    var search = RouteSearch(self, url, from: first, exactly: exactly, for: use, userInfo)
    guard let found = try search.next() else { throw search.notFound }
    return found.match.withoutValue
  }

  /// All routes of a URL, in the order in which they are asked while handlers decline.
  ///
  /// This runs the matchers of routes, but no handlers. The list ends before a route that comes after a refused module,
  /// or whose parameters the URL does not have, because opening ends there.
  ///
  /// - Parameters: as those of ``match(_:exactly:for:userInfo:)``.
  /// - Throws: `route.not-found` if the list is empty, `route.module-refused` if the URL belongs to a refused module
  ///   before any route, `route.parameters`, `url.…`.
  public func matches(
    _ url: some RoutableURL, exactly: Bool = false, for use: RouteUses = .open,
    userInfo: [String: any Sendable] = [:]
  ) throws(PluginError) -> [RouteMatch<Void>] {
    var search = try search(url, exactly: exactly, for: use, userInfo)
    var found: [RouteMatch<Void>] = []
    do throws(PluginError) {
      while let next = try search.next() { found.append(next.match.withoutValue) }
    } catch {
      // Handlers before this one may answer; only if all of them decline is this the answer.
      guard !found.isEmpty else { throw error }
    }
    guard !found.isEmpty else { throw search.notFound }
    return found
  }

  /// Whether opening a URL would run a handler. The handler may still decline.
  ///
  /// - Parameters: as those of ``match(_:exactly:for:userInfo:)``, which says why not.
  public func canOpen(
    _ url: some RoutableURL, exactly: Bool = false, for use: RouteUses = .open,
    userInfo: [String: any Sendable] = [:]
  ) -> Bool {
    (try? match(url, exactly: exactly, for: use, userInfo: userInfo)) != nil
  }

  /// Opens a URL and waits for the answer.
  ///
  /// This blocks the thread; in tasks, use the async form. While the main thread waits, it serves the main queue, so
  /// that handlers that need it make progress. It cannot do that if code of the main queue opens the URL.
  ///
  /// - Parameters:
  ///   - url: the URL, or its text.
  ///   - userInfo: values for the handler.
  ///   - limit: the longest time to wait. A handler that answers at once has no limit, because it runs on this thread.
  /// - Returns: the handler's value.
  /// - Throws: `route.not-found`, `route.module-refused`, `route.parameters`, `route.timeout`, `route.no-answer`,
  ///   `route.failed`, `route.too-deep`, `route.busy`, what the handler answers with, and `url.…`.
  @available(*, noasync, message: "use the async form")
  @discardableResult public func open(
    _ url: some RoutableURL, userInfo: [String: any Sendable] = [:], limit: Duration = Router.defaultLimit
  ) throws(PluginError) -> (any Sendable)? {
    try answer(url, for: .open, userInfo, limit: limit)
  }

  /// Opens a URL. The completion receives the answer once, on any thread.
  ///
  /// - Parameters:
  ///   - url: the URL, or its text.
  ///   - userInfo: values for the handler.
  ///   - limit: the longest time to wait, as in the blocking form.
  ///   - completion: receives the handler's value, or an error.
  public func open(
    _ url: some RoutableURL, userInfo: [String: any Sendable] = [:], limit: Duration = Router.defaultLimit,
    completion: @escaping @Sendable (RouteAnswer) -> Void
  ) {
    RouteOpening.begin(
      { (outer) throws(PluginError) in try self.search(url, for: .open, userInfo, within: outer) }, limit,
      completion)
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
  /// - Throws: `route.not-found`, `route.module-refused`, `route.parameters`, `route.timeout`, `route.no-answer`,
  ///   `route.failed`, `route.too-deep`, `route.busy`, `route.cancelled`, what the handler answers with, and `url.…`.
  @discardableResult public func open(
    _ url: some RoutableURL & Sendable, userInfo: [String: any Sendable] = [:],
    limit: Duration = Router.defaultLimit
  ) async throws(PluginError) -> (any Sendable)? {
    try await answer(url, for: .open, userInfo, limit: limit)
  }

  /// Opens a URL by the routes of some owners alone. If their handlers decline, nobody else is asked.
  ///
  /// - Throws: as the other forms that wait.
  @available(*, noasync, message: "use the async form")
  package func open(
    _ url: some RoutableURL, onlyBy owners: RouteOwners
  ) throws(PluginError) -> (any Sendable)? {
    try answer(url, for: .open, [:], limit: Self.defaultLimit, by: owners)
  }

  /// Opens a URL by the routes of some owners alone, for tasks.
  package func open(
    _ url: some RoutableURL & Sendable, onlyBy owners: RouteOwners
  ) async throws(PluginError) -> (any Sendable)? {
    try await answer(url, for: .open, [:], limit: Self.defaultLimit, by: owners)
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
    (try? answer(url, for: .object, userInfo, limit: limit)).flatMap { $0 }
  }

  /// The object that a URL stands for: the handler's value. The task keeps no thread while it waits.
  ///
  /// - Returns: nil if there is no route, or it gives no value within the limit.
  public func object(
    for url: some RoutableURL & Sendable, userInfo: [String: any Sendable] = [:],
    limit: Duration = Router.defaultLimit
  ) async -> (any Sendable)? {
    (try? await answer(url, for: .object, userInfo, limit: limit)).flatMap { $0 }
  }

  /// Asks one route after the other on this thread, until one answers.
  private func answer(
    _ url: some RoutableURL, for use: RouteUses, _ userInfo: [String: any Sendable], limit: Duration,
    by owners: RouteOwners = .all
  ) throws(PluginError) -> (any Sendable)? {
    let url = try parse(url)
    let first = try first(url)
    var search: RouteSearch
    // Most handlers answer at once and do not decline. No search is needed for these.
    if let match = first.match, match.value.terms?.areConditions(for: url) != true, match.value.serves(use),
      case .value(let body) = match.value.handler, let others = owners.after(match.owner)
    {
      let outcome = try Call(.routeTooDeep, url.text).outcome(url) { try body(RouteRequest(match, userInfo)) }
      if case .answered(let value) = outcome { return value }
      search = RouteSearch(self, after: match, first, for: use, userInfo)
      search.owners = others
    } else {
      search = RouteSearch(self, url, from: first, for: use, userInfo)
      search.owners = owners
    }
    return try answer(search, limit)
  }

  private func answer(_ search: RouteSearch, _ limit: Duration) throws(PluginError) -> (any Sendable)? {
    var search = search
    var time = RemainingTime(limit)
    while let found = try search.next() {
      var outcome = try found.answerHere(search.userInfo)
      if outcome == nil {
        outcome = try found.wait(search.userInfo, limit: time.left, timeout: search.timeout(limit))
      }
      if case .answered(let value)? = outcome { return value }
    }
    throw search.notFound
  }

  /// Asks one route after the other, until one answers. The task keeps no thread meanwhile.
  private func answer(
    _ url: some RoutableURL & Sendable, for use: RouteUses, _ userInfo: [String: any Sendable], limit: Duration,
    by owners: RouteOwners = .all
  ) async throws(PluginError) -> (any Sendable)? {
    let cancelled = PluginError(.routeCancelled, PluginURL.shown("\(url)"), "is no longer waited for")
    guard !Task.isCancelled else { throw cancelled }
    var search = try search(url, for: use, userInfo)
    search.owners = owners
    return try await answer(search, limit, cancelled)
  }

  private func answer(
    _ search: RouteSearch, _ limit: Duration, _ cancelled: PluginError
  ) async throws(PluginError) -> (any Sendable)? {
    var search = search
    let userInfo = search.userInfo
    var time = RemainingTime(limit)
    while let found = try search.next() {
      guard !Task.isCancelled else { throw cancelled }
      var outcome = try found.answerHere(userInfo)
      if outcome == nil {
        let current = search
        outcome = try await found.wait(
          userInfo, limit: time.left, timeout: current.timeout(limit), cancelled: cancelled)
      }
      if case .answered(let value)? = outcome { return value }
    }
    throw search.notFound
  }
}

extension Router {
  /// Runs what a face calls when a URL was not opened, as a call within those that are under way. It may open the URL
  /// again, or another one that is not opened either.
  ///
  /// - Parameters:
  ///   - url: the URL.
  ///   - room: how many calls there has to be room for within this one.
  ///   - body: the call.
  /// - Throws: `route.too-deep`.
  package static func nest(_ url: String, leaving room: Int = 0, _ body: () -> Void) throws(PluginError) {
    try Call(.routeTooDeep, url, leaving: room).run(body)
  }
}

/// How much is left of the time for an answer. It begins to count when somebody first waits.
struct RemainingTime {
  private let limit: Duration
  private var start: ContinuousClock.Instant?

  init(_ limit: Duration) { self.limit = limit }

  /// What is left.
  var left: Duration {
    mutating get {
      guard let start else {
        start = ContinuousClock.now
        return limit
      }
      return limit - (ContinuousClock.now - start)
    }
  }
}

extension RouteSearch.Found {
  /// Runs the handler elsewhere, and blocks the thread until it answers or declines.
  func wait(
    _ userInfo: [String: any Sendable], mainInfo: MainActorValue? = nil, limit: Duration,
    timeout: @autoclosure () -> PluginError
  ) throws(PluginError) -> RouteOutcome<(any Sendable)?> {
    try PendingAnswer.outcome(limit, timeout()) { (pending) throws(PluginError) in
      try start(userInfo, mainInfo, pending)
    }
  }

  /// Runs the handler elsewhere, and waits until it answers or declines.
  func wait(
    _ userInfo: [String: any Sendable], mainInfo: MainActorValue? = nil, limit: Duration,
    timeout: @autoclosure @escaping @Sendable () -> PluginError, cancelled: PluginError,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(PluginError) -> RouteOutcome<(any Sendable)?> {
    try await PendingAnswer.outcome(isolation: isolation, cancelled: cancelled) { (pending) throws(PluginError) in
      pending.end(after: limit, with: timeout())
      try start(userInfo, mainInfo, pending)
    }
  }

  private func start(
    _ userInfo: [String: any Sendable], _ mainInfo: MainActorValue?, _ pending: PendingAnswer
  ) throws(PluginError) {
    let call = try Call(.routeTooDeep, match.url.text, until: pending)
    run(request(userInfo, mainInfo: mainInfo), pending, call)
  }
}
