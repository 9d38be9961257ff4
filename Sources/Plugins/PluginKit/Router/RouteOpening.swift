/// One opening of a URL whose answer a closure receives: it asks the routes one after the other.
///
/// The first handlers run on the caller's thread if they answer at once. After a handler has declined on another
/// thread, the caller's thread is no longer available. Then the next handlers run on threads of their owners, and never
/// within the handler that declined.
final class RouteOpening: Sendable {
  private let pending: PendingAnswer
  /// The call in which the URL was opened.
  private let outer: Call.Outer

  private init(_ pending: PendingAnswer, _ outer: Call.Outer) {
    self.pending = pending
    self.outer = outer
  }

  /// Opens a URL.
  ///
  /// - Parameters:
  ///   - makeSearch: makes the search within a call.
  ///   - limit: the longest time to wait.
  ///   - completion: receives the answer once.
  static func begin(
    _ makeSearch: (Call.Outer) throws(PluginError) -> RouteSearch, _ limit: Duration,
    _ completion: @escaping @Sendable (RouteAnswer) -> Void
  ) {
    let outer = Call.Outer.call(Call.Outer.current.call)
    let search: RouteSearch
    do { search = try makeSearch(outer) } catch { return completion(.failure(error)) }
    RouteOpening(PendingAnswer(completion), outer).ask(search, limit: limit, isCallersThread: true)
  }

  /// Asks the next route, and those after it while they decline at once.
  ///
  /// - Parameter limit: the longest time to wait, if no timer runs yet.
  private func ask(_ search: RouteSearch, limit: Duration?, isCallersThread: Bool) {
    var search = search
    var limit = limit
    do throws(PluginError) {
      while pending.isPending {
        guard let found = try search.next() else { throw search.notFound }
        if isCallersThread, let answer = try found.answerHere(search.userInfo, outer) {
          guard case .answered(let value) = answer else { continue }
          pending.finish(.success(value))
          return
        }
        // Only now is a timer needed.
        let current = search
        if let limit = limit.take() { pending.end(after: limit, with: current.timeout(limit)) }
        return try run(found, current)
      }
    } catch { pending.finish(.failure(error)) }
  }

  private func run(_ found: RouteSearch.Found, _ search: RouteSearch) throws(PluginError) {
    let answer = PendingAnswer(within: pending) { [self] in
      // Not within the handler that declined: it may hold locks, and is not the owner of the next one.
      let threads = HandlerThreads.of(.host)
      guard threads.hasRoom else {
        pending.finish(.failure(.busy(PluginURL.shown(search.url.text))))
        return
      }
      Task(executorPreference: threads) { self.ask(search, limit: nil, isCallersThread: false) }
    }
    let call = try Call(.routeTooDeep, search.url.text, until: answer, within: outer)
    found.run(found.request(search.userInfo), answer, call)
  }
}

extension RouteSearch.Found {
  /// Runs the handler here, if it answers at once and belongs here; nil otherwise.
  ///
  /// - Throws: `route.too-deep`, `route.failed`, and what the handler answers with.
  func answerHere(
    _ userInfo: [String: any Sendable], _ outer: Call.Outer = .current
  ) throws(PluginError) -> RouteOutcome<(any Sendable)?>? {
    switch handler {
    case .value(let body): try outcome(outer) { try body(request(userInfo)) }
    case .main(let body) where MainThread.isMainActor:
      try outcome(outer) {
        let request = request(userInfo)
        return try MainActor.assumeIsolated { MainActorValue.sendable(try body(request)) }
      }
    case .main, .task, .reply: nil
    }
  }

  /// Runs a body as a call.
  func outcome<Value>(
    _ outer: Call.Outer = .current, _ body: () throws -> Value
  ) throws(PluginError) -> RouteOutcome<Value> {
    try Call(.routeTooDeep, match.url.text, within: outer).outcome(match.url, body)
  }
}

extension Call {
  /// Runs the body of a handler that answers at once.
  ///
  /// - Throws: `route.failed`, and what the handler answers with.
  func outcome<Value>(_ url: PluginURL, _ body: () throws -> Value) throws(PluginError) -> RouteOutcome<Value> {
    try run { () throws(PluginError) in
      do { return .answered(try body()) } catch {
        guard !(error is RouteDeclined) else { return .declined }
        throw RouteReply.failure(error, PluginURL.shown(url.text))
      }
    }
  }
}

extension RouteSearch.Found {
  /// Runs the handler where it belongs: on the main actor, or on a thread of its owner, so that the caller's limit
  /// holds. The answer arrives later. If the owner is removed before the handler can begin, it declines.
  func run(_ request: RouteRequest, _ pending: PendingAnswer, _ call: Call) {
    let owner = match.owner
    let object = PluginURL.shown(request.url.text)
    switch handler {
    case .value(let body):
      pending.run(object, of: owner, call) {
        pending.finish(object) {
          try router.checkPresent(owner)
          return try body(request)
        }
      }
    case .main(let body):
      Task { @MainActor in
        call.run {
          guard pending.isPending else { return }
          pending.finish(object) {
            try router.checkPresent(owner)
            return try MainActorValue.sendable(body(request))
          }
        }
      }
    case .task(let body):
      let threads = HandlerThreads.of(owner)
      guard threads.hasRoom else { return call.run { pending.finish(.failure(.busy(object))) } }
      call.run {
        let task = Task(executorPreference: threads) {
          // By the time that there is a thread, the caller may no longer wait.
          guard pending.isPending else { return }
          do {
            try router.checkPresent(owner)
            pending.finish(.success(try await body(request)))
          } catch { pending.fail(error, object) }
        }
        pending.onFinish { task.cancel() }
      }
    case .reply(let body):
      pending.run(object, of: owner, call) {
        do { try router.checkPresent(owner) } catch { return pending.fail(error, object) }
        body(request, RouteReply(pending, object))
      }
    }
  }
}

extension Router {
  /// - Throws: ``RouteDeclined`` if the owner was removed: its routes are not asked any more.
  fileprivate func checkPresent(_ owner: ModuleOwner) throws(RouteDeclined) {
    if state.read({ $0.removed.contains(owner) }) { throw RouteDeclined() }
  }
}
