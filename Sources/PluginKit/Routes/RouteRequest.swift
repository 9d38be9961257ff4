/// The input of a route's handler: the URL, its parameters, and the caller's values.
///
/// The three kinds of parameters are kept apart, so that none can pass for another. ``subscript(_:)`` looks into all of
/// them.
public struct RouteRequest: Sendable {
  /// The URL that was opened.
  public let url: PluginURL
  /// The pattern of the route.
  public let pattern: RoutePattern
  /// The parameters of the path, by their names in the pattern.
  public let parameters: [String: String]
  /// The parts of the path that a wildcard matched, or that are below the pattern.
  public let tail: [String]
  /// The caller's values. They come from code, never from a URL.
  public let userInfo: [String: any Sendable]
  /// Whether the route serves the URL as a fallback: the URL is below its pattern, and no other route serves it.
  public let isFallback: Bool
  /// The owner of the code that opened the URL: the host, or a module.
  ///
  /// A module opens URLs through its own ``ModuleContext``, which says whose it is. So no module can pass for another
  /// one, or for the host.
  public let sender: ModuleOwner

  /// The parameters after the `?`.
  public var query: URLQuery { url.query }

  init<Value>(_ match: RouteMatch<Value>, _ userInfo: [String: any Sendable]) {
    url = match.url
    pattern = match.pattern
    parameters = match.parameters
    tail = match.tail
    var userInfo = userInfo
    sender = CallSender.take(from: &userInfo)
    self.userInfo = userInfo
    isFallback = match.isFallback
  }

  /// A value by its name: of the caller's values, else of the path, else of the query.
  public subscript(name: String) -> (any Sendable)? { userInfo[name] ?? parameters[name] ?? query[name] }

  /// A text by its name, as ``subscript(_:)`` finds it; nil also if the value is not a text.
  public func text(_ name: String) -> String? { self[name] as? String }
}

/// The handler of a route, in one of three forms.
enum RouteHandler: Sendable {
  /// Answers at once, on the thread of the caller.
  case value(@Sendable (RouteRequest) throws -> (any Sendable)?)
  /// Runs in a task, which is cancelled when nothing waits for it any longer.
  case task(@Sendable (RouteRequest) async throws -> (any Sendable)?)
  /// Answers at any time.
  case reply(@Sendable (RouteRequest, RouteReply) -> Void)

  /// Runs the handler. One that answers at once runs on this thread. Any other runs on a thread of its owner, so that
  /// the caller's limit holds.
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
          // By the time that there is a thread, the caller may no longer wait.
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
  /// Runs a body that answers, on a thread of the owner. It does not run if the caller no longer waits by then.
  func run(_ object: String, of owner: ModuleOwner, _ call: Call, _ body: @escaping @Sendable (RouteReply) -> Void) {
    let threads = HandlerThreads.of(owner)
    guard threads.hasRoom else { return call.run { finish(.failure(.busy(object))) } }
    Task(executorPreference: threads) {
      call.run { if self.isPending { body(RouteReply(self, object)) } }
    }
  }
}

/// The route for a URL, with what the URL has for its pattern.
public struct RouteMatch<Value: Sendable>: Sendable {
  /// The route that serves the URL.
  public let entry: RouteTree<Value>.Entry
  /// The URL that was looked up.
  public let url: PluginURL
  /// Whether the URL is below the pattern, and no other route serves it.
  public let isFallback: Bool
  /// The reading of the pattern that matched.
  let shape: PatternShape

  init(_ entry: RouteTree<Value>.Entry, _ shape: PatternShape, _ url: PluginURL, isFallback: Bool) {
    self.entry = entry
    self.shape = shape
    self.url = url
    self.isFallback = isFallback
  }

  /// The owner of the route.
  public var owner: ModuleOwner { entry.owner }
  /// The pattern that matched.
  public var pattern: RoutePattern { entry.pattern }
  /// The value that belongs to the route.
  public var value: Value { entry.value }

  /// The parameters of the path. A named tail is one of them: its parts joined by slashes. A slash within a part stays
  /// `%2F`, because it does not separate parts.
  public var parameters: [String: String] {
    var values = shape.values(in: url.parts)
    if let name = shape.tailName { values[name] = tail.map(PatternShape.joinable).joined(separator: "/") }
    return values
  }

  /// The parts that a wildcard matched, or those below the pattern of a fallback.
  public var tail: [String] { Array(url.parts.dropFirst(shape.headCount)) }

  /// Whether the pattern comes before another one that matches the same URL, in a tree of both.
  func comesBefore(_ other: PatternShape) -> Bool { !isFallback && shape.comesBefore(other) }

  var withoutValue: RouteMatch<Void> { RouteMatch<Void>(entry.withoutValue, shape, url, isFallback: isFallback) }
}
