internal import PluginKit

/// Who uses the names of PTRouter: the host, or a module by its context.
///
/// Everything is a call of PluginKit, where a module reaches no more than its context lets it.
enum PTUser: Sendable {
  case host(Switchboard)
  case module(ModuleContext)

  /// Whose code uses the face.
  var owner: ModuleOwner {
    switch self {
    case .host: .host
    case .module(let context): context.owner
    }
  }

  // MARK: Routes

  func add(
    _ pattern: String, _ options: RouteOptions, replying: @escaping @Sendable (RouteRequest, RouteReply) -> Void
  ) throws(PluginError) {
    switch self {
    case .host(let board):
      try board.router.register(RoutePattern(pattern), owner: .host, options: options, replying: replying)
    case .module(let context): try context.register(route: pattern, options: options, replying: replying)
    }
  }

  func add(
    _ pattern: String, _ options: RouteOptions, onMain: @escaping @MainActor @Sendable (RouteRequest) throws -> Any?
  ) throws(PluginError) {
    switch self {
    case .host(let board):
      try board.router.register(RoutePattern(pattern), owner: .host, options: options, onMain: onMain)
    case .module(let context): try context.register(route: pattern, options: options, onMain: onMain)
    }
  }

  func remove(_ pattern: String) throws(PluginError) -> Int {
    switch self {
    case .host(let board): board.router.remove(try RoutePattern(pattern), ownedBy: .host)
    case .module(let context): try context.remove(route: pattern)
    }
  }

  @available(*, noasync, message: "use the async form")
  func open(
    _ url: some RoutableURL, _ values: [String: any Sendable], _ limit: Duration
  ) throws(PluginError) -> (any Sendable)? {
    switch self {
    case .host(let board): try board.router.open(url, userInfo: values, limit: limit)
    case .module(let context): try context.open(url, userInfo: values, limit: limit)
    }
  }

  func open(
    _ url: some RoutableURL & Sendable, _ values: [String: any Sendable], _ limit: Duration
  ) async throws(PluginError) -> (any Sendable)? {
    switch self {
    case .host(let board): try await board.router.open(url, userInfo: values, limit: limit)
    case .module(let context): try await context.open(url, userInfo: values, limit: limit)
    }
  }

  func open(
    _ url: some RoutableURL, _ values: [String: any Sendable], _ limit: Duration,
    completion: @escaping @Sendable (RouteAnswer) -> Void
  ) {
    switch self {
    case .host(let board): board.router.open(url, userInfo: values, limit: limit, completion: completion)
    case .module(let context): context.open(url, userInfo: values, limit: limit, completion: completion)
    }
  }

  @available(*, noasync, message: "use the async form")
  @MainActor func openOnMain(
    _ url: some RoutableURL, _ values: [String: Any], _ limit: Duration
  ) throws(PluginError) -> Any? {
    switch self {
    case .host(let board): try board.router.openOnMain(url, mainInfo: values, limit: limit)
    case .module(let context): try context.openOnMain(url, mainInfo: values, limit: limit)
    }
  }

  // MARK: Targets

  func add<Object: Sendable>(
    target: String, make: @escaping @Sendable () throws -> Object, actions: (inout TargetActions<Object>) -> Void
  ) throws(PluginError) {
    switch self {
    case .host(let board): try board.targets.register(target, owner: .host, make: make, actions: actions)
    case .module(let context): try context.register(target: target, make: make, actions: actions)
    }
  }

  func add<Object: Sendable>(
    target: String, makeOnMain make: @escaping @MainActor @Sendable () throws -> Object,
    actions: (inout TargetActions<Object>) -> Void
  ) throws(PluginError) {
    switch self {
    case .host(let board): try board.targets.register(target, owner: .host, makeOnMain: make, actions: actions)
    case .module(let context): try context.register(target: target, makeOnMain: make, actions: actions)
    }
  }

  @available(*, noasync, message: "use the async form")
  func perform(
    _ action: String, on target: String, _ values: [String: any Sendable], _ limit: Duration
  ) throws(PluginError) -> (any Sendable)? {
    switch self {
    case .host(let board): try board.targets.perform(action, on: target, with: ActionInput(values), limit: limit)
    case .module(let context): try context.perform(action, on: target, with: ActionInput(values), limit: limit)
    }
  }

  func perform(
    _ action: String, on target: String, _ values: [String: any Sendable], _ limit: Duration
  ) async throws(PluginError) -> (any Sendable)? {
    switch self {
    case .host(let board):
      try await board.targets.perform(action, on: target, with: ActionInput(values), limit: limit)
    case .module(let context): try await context.perform(action, on: target, with: ActionInput(values), limit: limit)
    }
  }

  func hasTarget(_ target: String) -> Bool {
    switch self {
    case .host(let board): board.targets.hasTarget(target)
    case .module(let context): context.hasTarget(target)
    }
  }

  func hasAction(_ action: String, on target: String) -> Bool {
    switch self {
    case .host(let board): board.targets.hasAction(action, on: target)
    case .module(let context): context.hasAction(action, on: target)
    }
  }
}
