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
}
