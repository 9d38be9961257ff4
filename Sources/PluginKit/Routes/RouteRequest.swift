/// What the handler of a route gets: the URL, what the pattern found in it, and what the caller gave along.
///
/// The three kinds of parameters are apart, so that none can stand for another. ``subscript(_:)`` looks into all of them.
public struct RouteRequest: Sendable {
  /// The URL that was opened.
  public let url: PluginURL
  /// The pattern of the route.
  public let pattern: RoutePattern
  /// The parameters of the path, by their names in the pattern.
  public let parameters: [String: String]
  /// The parts of the path that a wildcard took, or that are below the pattern.
  public let tail: [String]
  /// Values that the caller gave along. They come from code, never from a URL.
  public let userInfo: [String: any Sendable]
  /// Whether the URL is below the pattern of a route that allows it, and nobody else serves it.
  public let isFallback: Bool

  /// The parameters behind the `?`.
  public var query: URLQuery { url.query }

  init<Value>(_ match: RouteMatch<Value>, _ userInfo: [String: any Sendable]) {
    url = match.url
    pattern = match.pattern
    parameters = match.parameters
    tail = match.tail
    self.userInfo = userInfo
    isFallback = match.isFallback
  }

  /// A value by its name: of those that the caller gave along; else of the path; else of the query.
  public subscript(name: String) -> (any Sendable)? { userInfo[name] ?? parameters[name] ?? query[name] }

  /// A text by its name, as ``subscript(_:)`` finds it; nil also when it is no text.
  public func text(_ name: String) -> String? { self[name] as? String }
}

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

/// A route that a URL is for, and what the URL has for its pattern.
public struct RouteMatch<Value: Sendable>: Sendable {
  /// The route.
  public let entry: RouteTree<Value>.Entry
  /// The URL.
  public let url: PluginURL
  /// Whether the URL is below the pattern, and nobody else serves it.
  public let isFallback: Bool
  /// The way to read the pattern by which it matched.
  let shape: PatternShape

  init(_ entry: RouteTree<Value>.Entry, _ shape: PatternShape, _ url: PluginURL, isFallback: Bool) {
    self.entry = entry
    self.shape = shape
    self.url = url
    self.isFallback = isFallback
  }

  /// Whose the route is.
  public var owner: ModuleOwner { entry.owner }
  /// The pattern that matched.
  public var pattern: RoutePattern { entry.pattern }
  /// What belongs to the route.
  public var value: Value { entry.value }

  /// The parameters of the path; a tail that has a name is one, its parts joined by slashes. A slash within a part stays `%2F`: it
  /// separates nothing.
  public var parameters: [String: String] {
    var values = shape.values(in: url.parts)
    if let name = shape.tailName { values[name] = tail.map(PatternShape.joinable).joined(separator: "/") }
    return values
  }

  /// The parts that a wildcard took, or those below the pattern of a fallback.
  public var tail: [String] { Array(url.parts.dropFirst(shape.headCount)) }

  /// Whether its pattern comes before another one that matches the same URL, in a tree of both.
  func comesBefore(_ other: PatternShape) -> Bool { !isFallback && shape.comesBefore(other) }

  var withoutValue: RouteMatch<Void> { RouteMatch<Void>(entry.withoutValue, shape, url, isFallback: isFallback) }
}
