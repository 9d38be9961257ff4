/// What a route does: in one of three forms.
enum RouteHandler: Sendable {
  /// At once, on the thread of the caller.
  case value(@Sendable (RouteRequest) throws -> (any Sendable)?)
  /// In a task, which is cancelled when nobody waits any more.
  case task(@Sendable (RouteRequest) async throws -> (any Sendable)?)
  /// Whenever it likes.
  case reply(@Sendable (RouteRequest, RouteReply) -> Void)

  /// Runs the handler: one that answers at once on this thread, any other on a thread of its owner, so that the caller waits no
  /// longer than it wants to.
  func run(_ request: RouteRequest, of owner: ModuleOwner, _ pending: PendingAnswer, _ call: Call) {
    let object = PluginURL.shown(request.url.text)
    switch self {
    case .value(let body):
      call.run {
        do { pending.finish(.success(try body(request))) } catch {
          pending.finish(.failure(RouteReply.failure(error, object)))
        }
      }
    case .task(let body):
      let threads = HandlerThreads.of(owner)
      guard threads.hasRoom else { return call.run { pending.finish(.failure(.busy(object))) } }
      call.run {
        let task = Task(executorPreference: threads) {
          // Nobody waits any more by the time that there is a thread.
          guard pending.isPending else { return }
          do { pending.finish(.success(try await body(request))) } catch {
            pending.finish(.failure(RouteReply.failure(error, object)))
          }
        }
        pending.onFinish { task.cancel() }
      }
    case .reply(let body):
      pending.run(object, of: owner, call) { body(request, $0) }
    }
  }
}

extension PendingAnswer {
  /// Lets somebody answer, on a thread of the owner. When nobody waits any more by the time that there is one, nothing runs.
  func run(_ object: String, of owner: ModuleOwner, _ call: Call, _ body: @escaping @Sendable (RouteReply) -> Void) {
    let threads = HandlerThreads.of(owner)
    guard threads.hasRoom else { return call.run { finish(.failure(.busy(object))) } }
    Task(executorPreference: threads) {
      call.run { if self.isPending { body(RouteReply(self, object)) } }
    }
  }
}
