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

/// An error by which a handler declines a URL, so that the next route that matches is asked.
///
/// ```swift
/// try router.register(RoutePattern("ui://shop/:id"), owner: .host) { request in
///   guard let article = Article(request.text("id")) else { throw RouteDeclined() }
///   return article
/// }
/// ```
///
/// A handler with a reply calls ``RouteReply/decline()``. If every handler declines, opening fails with
/// `route.not-found`.
public struct RouteDeclined: Error, Hashable, Sendable {
  /// Makes the error.
  public init() {}
}

extension PendingAnswer {
  /// Runs a body on a thread of the owner. It does not run if the caller no longer waits by then.
  func run(_ object: String, of owner: ModuleOwner, _ call: Call, _ body: @escaping @Sendable () -> Void) {
    let threads = HandlerThreads.of(owner)
    guard threads.hasRoom else { return call.run { finish(.failure(.busy(object))) } }
    Task(executorPreference: threads) {
      call.run { if self.isPending { body() } }
    }
  }

  /// Runs a body that answers, on a thread of the owner. It does not run if the caller no longer waits by then.
  func run(_ object: String, of owner: ModuleOwner, _ call: Call, _ body: @escaping @Sendable (RouteReply) -> Void) {
    run(object, of: owner, call) { body(RouteReply(self, object)) }
  }

  /// Answers with the value of a handler's body, or as it fails.
  func finish(_ object: String, _ body: () throws -> (any Sendable)?) {
    do { finish(.success(try body())) } catch { fail(error, object) }
  }

  /// Answers with an error that a handler threw.
  func fail(_ error: any Error, _ object: String) {
    if error is RouteDeclined {
      decline(object)
    } else {
      finish(.failure(RouteReply.failure(error, object)))
    }
  }
}
