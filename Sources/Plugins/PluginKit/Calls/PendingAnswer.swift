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

/// What a handler did that answers at once.
enum RouteOutcome<Value> {
  case answered(Value)
  case declined
}

extension RouteOutcome: Sendable where Value: Sendable {}
