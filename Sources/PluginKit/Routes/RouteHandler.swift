/// What a route does: in one of three forms.
enum RouteHandler: Sendable {
  /// At once, on the thread of the caller.
  case value(@Sendable (RouteRequest) throws -> (any Sendable)?)
  /// In a task, which is cancelled when nobody waits any more.
  case task(@Sendable (RouteRequest) async throws -> (any Sendable)?)
  /// Whenever it likes.
  case reply(@Sendable (RouteRequest, RouteReply) -> Void)

  func run(_ request: RouteRequest, _ pending: PendingAnswer) {
    let object = PluginURL.shown(request.url.text)
    switch self {
    case .value(let body):
      do { pending.finish(.success(try body(request))) } catch {
        pending.finish(.failure(RouteReply.failure(error, object)))
      }
    case .task(let body):
      let task = Task {
        do { pending.finish(.success(try await body(request))) } catch {
          pending.finish(.failure(RouteReply.failure(error, object)))
        }
      }
      pending.onFinish { task.cancel() }
    case .reply(let body): body(request, RouteReply(pending, object))
    }
  }
}
