/// The handler of a route: a closure that gets the parameters of a URL and says whether it has handled it.
public struct JLRRouteHandlerBlock: Sendable {
  /// The parameters that a handler gets: those of the query, then those of the path, then those of the caller, then the
  /// four with the keys of JLRoutes. Later ones replace earlier ones.
  public typealias Parameters = [String: any Sendable]

  enum Body: Sendable {
    case anywhere(@Sendable (Parameters) -> Bool)
    case onMain(@MainActor @Sendable ([String: Any]) -> Bool)
  }

  let body: Body
  /// Says whether the target is still there; nil for a handler without a target.
  let isAlive: (@Sendable () -> Bool)?

  /// Makes a handler that runs on the caller's thread.
  ///
  /// - Parameter body: gets the parameters, and returns false to have the next route asked.
  public init(_ body: @escaping @Sendable (Parameters) -> Bool) { self.init(body: .anywhere(body), isAlive: nil) }

  /// Makes a handler that runs on the main actor.
  ///
  /// - Parameter onMain: gets the parameters, and returns false to have the next route asked.
  public init(onMain: @escaping @MainActor @Sendable ([String: Any]) -> Bool) {
    self.init(body: .onMain(onMain), isAlive: nil)
  }

  init(body: Body, isAlive: (@Sendable () -> Bool)?) {
    self.body = body
    self.isAlive = isAlive
  }
}

/// An object that handles routes.
public protocol JLRRouteHandlerTarget: AnyObject, Sendable {
  /// Handles a URL.
  ///
  /// - Parameter parameters: what a handler gets.
  /// - Returns: false to have the next route asked.
  func handleRoute(withParameters parameters: JLRRouteHandlerBlock.Parameters) -> Bool
}

/// A class of which an instance is made for each URL.
public protocol JLRRouteHandlerClass: AnyObject, Sendable {
  /// Makes the instance for a URL.
  ///
  /// - Parameter parameters: what a handler gets.
  init(routeParameters parameters: JLRRouteHandlerBlock.Parameters)
}

/// Makes handlers of objects and classes.
public enum JLRRouteHandler {
  /// The handler that calls an object, which it does not keep alive. Once the object is gone, its route does not match.
  public static func handlerBlock(forWeakTarget target: some JLRRouteHandlerTarget) -> JLRRouteHandlerBlock {
    JLRRouteHandlerBlock(
      body: .anywhere { [weak target] in target?.handleRoute(withParameters: $0) ?? false },
      isAlive: { [weak target] in target != nil })
  }

  /// The handler that makes an instance of a class and hands it over.
  ///
  /// - Parameters:
  ///   - targetClass: the class.
  ///   - completion: gets the instance, which nothing else keeps, and returns false to have the next route asked.
  public static func handlerBlock<Target: JLRRouteHandlerClass>(
    forTargetClass targetClass: Target.Type, completion: @escaping @Sendable (Target) -> Bool
  ) -> JLRRouteHandlerBlock {
    JLRRouteHandlerBlock { completion(Target(routeParameters: $0)) }
  }
}
