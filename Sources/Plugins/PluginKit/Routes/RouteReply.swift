/// The result of opening a URL: the handler's value, or an error.
public typealias RouteAnswer = Result<(any Sendable)?, PluginError>

/// An answer that a caller waits for. Only the first answer counts, wherever it comes from.
final class PendingAnswer: Sendable {
  private struct State {
    var completion: (@Sendable (RouteAnswer) -> Bool)?
    /// Asks somebody else; nil if there is nobody else.
    var declined: (@Sendable () -> Void)?
    var cleanUp: [@Sendable () -> Void] = []
  }

  private let state: ReadWriteLock<State>
  /// The answer that the caller waits for, if this is that of one of several handlers.
  private let outer: PendingAnswer?

  /// - Parameters:
  ///   - declined: called instead of the completion if the handler declines.
  ///   - completion: receives the answer.
  init(declined: (@Sendable () -> Void)? = nil, _ completion: @escaping @Sendable (RouteAnswer) -> Void) {
    state = ReadWriteLock(
      State(
        completion: { answer in
          completion(answer)
          return true
        }, declined: declined))
    outer = nil
  }

  /// Makes the answer of one of several handlers that are asked one after the other.
  ///
  /// - Parameters:
  ///   - outer: the answer that the caller waits for.
  ///   - declined: called if the handler declines.
  init(within outer: PendingAnswer, declined: @escaping @Sendable () -> Void) {
    state = ReadWriteLock(State(completion: { outer.finish($0) }, declined: declined))
    self.outer = outer
    // When the caller no longer waits, nobody waits for this handler.
    outer.onFinish { [weak self] in self?.end() }
  }

  /// Answers, unless there is an answer already.
  ///
  /// - Returns: whether this answer counts.
  @discardableResult func finish(_ answer: RouteAnswer) -> Bool {
    let last = take()
    guard let completion = last.completion else { return false }
    let counts = completion(answer)
    for cleanUp in last.cleanUp { cleanUp() }
    return counts
  }

  /// Declines, unless there is an answer already: somebody else is asked.
  ///
  /// - Returns: whether this counts.
  @discardableResult func decline(_ object: String) -> Bool {
    guard outer?.isPending != false else { return false }
    let last = take()
    guard let completion = last.completion else { return false }
    guard let declined = last.declined else {
      let counts = completion(
        .failure(PluginError(.routeNoAnswer, object, "was called, and its handler declined, with no other to ask")))
      for cleanUp in last.cleanUp { cleanUp() }
      return counts
    }
    // This handler is done before the next one is asked.
    for cleanUp in last.cleanUp { cleanUp() }
    declined()
    return true
  }

  private func end() { for cleanUp in take().cleanUp { cleanUp() } }

  private func take() -> State {
    state.write { state in
      defer { state = State() }
      return state
    }
  }

  /// Whether there is no answer yet.
  var isPending: Bool { state.read { $0.completion != nil } && outer?.isPending != false }

  /// Calls a closure when there is an answer, or at once if there is one already.
  func onFinish(_ cleanUp: @escaping @Sendable () -> Void) {
    let isPending = state.write { state in
      guard state.completion != nil else { return false }
      state.cleanUp.append(cleanUp)
      return true
    }
    if !isPending { cleanUp() }
  }
}

/// A reply that a handler gives now or later, on any thread.
///
/// The first answer counts; further ones do nothing. Releasing the reply without an answer answers `route.no-answer`,
/// so that no caller waits in vain.
public final class RouteReply: Sendable {
  private let pending: PendingAnswer
  /// What was opened or called.
  private let object: String

  init(_ pending: PendingAnswer, _ object: String) {
    self.pending = pending
    self.object = object
  }

  deinit {
    pending.finish(.failure(PluginError(.routeNoAnswer, object, "was called, and its handler gave no answer")))
  }

  /// Answers with a value, or with nil when the work is done.
  ///
  /// - Returns: false if there was an answer already, or nothing waits for it any longer.
  @discardableResult public func answer(_ value: (any Sendable)? = nil) -> Bool { pending.finish(.success(value)) }

  /// Answers with an error.
  ///
  /// ``RouteDeclined`` declines.
  ///
  /// - Returns: false if there was an answer already, or nothing waits for it any longer.
  @discardableResult public func fail(_ error: any Error) -> Bool {
    error is RouteDeclined ? decline() : pending.finish(.failure(RouteReply.failure(error, object)))
  }

  /// Declines: the next route that matches the URL is asked. An action that declines has given no answer.
  ///
  /// - Returns: false if there was an answer already, or nothing waits for it any longer.
  @discardableResult public func decline() -> Bool { pending.decline(object) }

  /// Calls a closure when there is an answer, or nothing waits for one any longer. Work on the answer can stop then.
  public func onFinish(_ cleanUp: @escaping @Sendable () -> Void) { pending.onFinish(cleanUp) }

  static func failure(_ error: any Error, _ object: String) -> PluginError {
    error as? PluginError
      ?? PluginError(.routeFailed, object, "was called, and its handler failed", cause: error)
  }
}
