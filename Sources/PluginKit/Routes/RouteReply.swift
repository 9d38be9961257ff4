/// The result of opening a URL: the handler's value, or why there is none.
public typealias RouteAnswer = Result<(any Sendable)?, PluginError>

/// An answer that a caller waits for. Only the first answer counts, wherever it comes from.
final class PendingAnswer: Sendable {
  private struct State {
    var completion: (@Sendable (RouteAnswer) -> Void)?
    var cleanUp: [@Sendable () -> Void] = []
  }

  private let state: ReadWriteLock<State>

  init(_ completion: @escaping @Sendable (RouteAnswer) -> Void) {
    state = ReadWriteLock(State(completion: completion))
  }

  /// Answers, unless there is an answer already.
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
  /// - Returns: false if there was an answer already, or nothing waits for it any longer.
  @discardableResult public func fail(_ error: any Error) -> Bool {
    pending.finish(.failure(RouteReply.failure(error, object)))
  }

  /// Calls a closure when there is an answer, or nothing waits for one any longer. Work on the answer can stop then.
  public func onFinish(_ cleanUp: @escaping @Sendable () -> Void) { pending.onFinish(cleanUp) }

  static func failure(_ error: any Error, _ object: String) -> PluginError {
    error as? PluginError
      ?? PluginError(.routeFailed, object, "was called, and its handler failed", cause: error)
  }
}
