extension MainThread {
  /// Runs a body on the main actor, and waits for it: here if this code may, else there.
  ///
  /// - Parameters:
  ///   - limit: the longest time to wait for another thread.
  ///   - timeout: the error when the limit has passed.
  static func run(
    _ limit: Duration, _ timeout: @autoclosure () -> PluginError,
    _ body: @escaping @MainActor @Sendable () throws(PluginError) -> (any Sendable)?
  ) throws(PluginError) -> (any Sendable)? {
    if isMainActor {
      return try MainActor.assumeIsolated { Result { () throws(PluginError) in try body() } }.get()
    }
    return try PendingAnswer.wait(limit, timeout()) { start(answering: $0, body) }
  }

  /// Runs a body on the main actor soon, unless nothing waits for its answer by then.
  static func start(
    answering pending: PendingAnswer, _ body: @escaping @MainActor @Sendable () throws(PluginError) -> (any Sendable)?
  ) {
    Task { @MainActor in
      guard pending.isPending else { return }
      pending.finish(Result { () throws(PluginError) in try body() })
    }
  }
}
