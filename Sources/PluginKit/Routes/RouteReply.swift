/// What came of opening a URL: the handler's value, or why there is none.
public typealias RouteAnswer = Result<(any Sendable)?, PluginError>

/// The one answer that somebody waits for: the first counts, whoever gives it.
final class PendingAnswer: Sendable {
  private struct State {
    var completion: (@Sendable (RouteAnswer) -> Void)?
    var cleanUp: [@Sendable () -> Void] = []
  }

  private let state: ReadWriteLock<State>

  init(_ completion: @escaping @Sendable (RouteAnswer) -> Void) {
    state = ReadWriteLock(State(completion: completion))
  }

  /// Answers, unless somebody has.
  ///
  /// - Returns: whether this answer counts.
  @discardableResult func finish(_ answer: RouteAnswer) -> Bool {
    let last = state.write { state in
      defer { state = State() }
      return state
    }
    guard let completion = last.completion else { return false }
    completion(answer)
    for cleanUp in last.cleanUp { cleanUp() }
    return true
  }

  /// Whether there is no answer yet.
  var isPending: Bool { state.read { $0.completion != nil } }

  /// Calls this when the answer is there: at once if it is already.
  func onFinish(_ cleanUp: @escaping @Sendable () -> Void) {
    let isPending = state.write { state in
      guard state.completion != nil else { return false }
      state.cleanUp.append(cleanUp)
      return true
    }
    if !isPending { cleanUp() }
  }
}

/// What a handler answers with, now or later, on any thread.
///
/// The first answer counts, further ones do nothing. Whoever lets go of it without an answer has answered
/// `route.no-answer`, so that nobody waits for what cannot come.
public final class RouteReply: Sendable {
  private let pending: PendingAnswer
  /// What was opened or called.
  private let object: String

  init(_ pending: PendingAnswer, _ object: String) {
    self.pending = pending
    self.object = object
  }

  deinit {
    pending.finish(.failure(PluginError(.routeNoAnswer, object, "was opened, and its handler gave no answer")))
  }

  /// Answers with a value, or that it is done.
  ///
  /// - Returns: false when there was an answer already, or nobody waits any more.
  @discardableResult public func answer(_ value: (any Sendable)? = nil) -> Bool { pending.finish(.success(value)) }

  /// Answers that it cannot be done.
  ///
  /// - Returns: false when there was an answer already, or nobody waits any more.
  @discardableResult public func fail(_ error: any Error) -> Bool {
    pending.finish(.failure(RouteReply.failure(error, object)))
  }

  /// Calls this when the answer is there, or nobody waits for it any more: work for it can stop.
  public func onFinish(_ cleanUp: @escaping @Sendable () -> Void) { pending.onFinish(cleanUp) }

  static func failure(_ error: any Error, _ object: String) -> PluginError {
    error as? PluginError
      ?? PluginError(.routeFailed, object, "was opened, and its handler failed", cause: error)
  }
}
