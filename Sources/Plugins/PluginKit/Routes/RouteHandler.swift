/// The handler of a route, in one of four forms.
enum RouteHandler: Sendable {
  /// Answers at once, on the thread of the caller.
  case value(@Sendable (RouteRequest) throws -> (any Sendable)?)
  /// Answers at once, on the main actor.
  case main(@MainActor @Sendable (RouteRequest) throws -> Any?)
  /// Runs in a task, which is cancelled when nothing waits for it any longer.
  case task(@Sendable (RouteRequest) async throws -> (any Sendable)?)
  /// Answers at any time.
  case reply(@Sendable (RouteRequest, RouteReply) -> Void)

  /// A handler that works with an object, which it does not keep alive. It declines once the object is gone.
  static func bound<Target: AnyObject & Sendable>(
    to target: Target, _ handler: @escaping @Sendable (Target, RouteRequest) throws -> (any Sendable)?
  ) -> RouteHandler {
    .value { [weak target] request in
      guard let target else { throw RouteDeclined() }
      return try handler(target, request)
    }
  }

  /// Runs the handler where it belongs: on the main actor, or on a thread of its owner, so that the caller's limit
  /// holds. The answer arrives later. If the owner is removed before the handler can begin, it declines.
  func run(
    _ request: RouteRequest, of owner: ModuleOwner, in router: Router, _ pending: PendingAnswer, _ call: Call
  ) {
    let object = PluginURL.shown(request.url.text)
    switch self {
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
