/// What a route can be opened for.
public struct RouteUses: OptionSet, Hashable, Sendable {
  /// The bits of the set.
  public let rawValue: Int

  /// Makes a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// `Router.open(_:userInfo:limit:)` and its other forms.
  public static let open = RouteUses(rawValue: 1)
  /// `Router.object(for:userInfo:limit:)` and its other forms.
  public static let object = RouteUses(rawValue: 2)
  /// Both. This is the default.
  public static let all: RouteUses = [.open, .object]
}

/// How a route is registered, besides its pattern, owner and handler.
///
/// ```swift
/// var options = RouteOptions(ownPriority: 20)
/// options.uses = .object
/// ```
public struct RouteOptions: Sendable {
  /// The priority among all routes. Those with a higher one come first, whatever their patterns.
  public var priority: Int
  /// The priority among the owner's routes with the same ``priority``. Those with a higher one come first, whatever
  /// their patterns. Any number is allowed, and none affects routes of other owners.
  public var ownPriority: Int
  /// Whether the route also serves URLs below its pattern that no other route serves.
  public var allowsFallback: Bool
  /// How the owner's routes with the same ``priority`` and ``ownPriority`` are ordered.
  public var ownOrder: OwnRouteOrder = .byPattern
  /// What to do if the owner has a route for the same URLs with the same priority.
  public var equals: EqualRoutes
  /// What the route can be opened for. For anything else it does not match.
  public var uses: RouteUses = .all
  /// The exact parameters that the route takes; nil if it takes any.
  public var parameters: RouteParameters?
  /// Looks at a URL that the pattern has matched. It returns further values for the handler, or nil if the route does
  /// not match after all. Then the next route is asked.
  ///
  /// It can only narrow what the pattern matches. It also runs when somebody asks whether a URL can be opened, so it
  /// should have no effects.
  public var matcher: (@Sendable (RouteRequest) -> [String: any Sendable]?)?
  /// Whether the route also serves URLs with a path in the fragment, if its pattern has none. It ignores that path.
  public var ignoresFragmentPaths = true
  /// What the route is to a face. The router keeps it as long as the route, and does not look at it.
  package var definition: (any AnyObject & Sendable)?
  /// Whether the object to which the route is bound is still there.
  package var isAlive: (@Sendable () -> Bool)?

  /// Makes options; those that are left out have their defaults.
  public init(
    priority: Int = 0, ownPriority: Int = 0, allowsFallback: Bool = false, equals: EqualRoutes = .refused
  ) {
    self.priority = priority
    self.ownPriority = ownPriority
    self.allowsFallback = allowsFallback
    self.equals = equals
  }

  /// Binds the route to an object, which is not kept alive. Once it is gone, the route does not match any URL.
  public mutating func bind(to object: some AnyObject & Sendable) {
    isAlive = { [weak object] in object != nil }
  }

  /// The same options, bound to an object.
  func bound(to object: some AnyObject & Sendable) -> RouteOptions {
    var options = self
    options.bind(to: object)
    return options
  }
}

/// What a router keeps for a route.
struct RouteBody: Sendable {
  let handler: RouteHandler
  /// The bits of what the route can be opened for. One byte takes no memory beside the handler.
  private let uses: UInt8
  /// nil for most routes, which match by their patterns and uses alone.
  let terms: RouteTerms?

  init(_ handler: RouteHandler, _ options: RouteOptions) {
    self.handler = handler
    uses = UInt8(truncatingIfNeeded: options.uses.rawValue)
    terms = RouteTerms(options)
  }

  /// Whether the route can be opened for this.
  func serves(_ use: RouteUses) -> Bool { RouteUses(rawValue: Int(uses)).contains(use) }
}

/// What has to hold beside a route's pattern and its uses.
final class RouteTerms: Sendable {
  private let parameters: RouteParameters?
  private let matcher: (@Sendable (RouteRequest) -> [String: any Sendable]?)?
  private let isAlive: (@Sendable () -> Bool)?
  private let ignoresFragmentPaths: Bool
  /// Whether anything has to hold, whatever the URL is.
  private let areConditions: Bool
  /// What the route is to a face. Here it takes no memory from other routes.
  let definition: (any AnyObject & Sendable)?

  init?(_ options: RouteOptions) {
    areConditions =
      options.parameters != nil || options.matcher != nil || options.isAlive != nil
    definition = options.definition
    guard areConditions || !options.ignoresFragmentPaths || definition != nil else { return nil }
    parameters = options.parameters
    matcher = options.matcher
    isAlive = options.isAlive
    ignoresFragmentPaths = options.ignoresFragmentPaths
  }

  /// Whether anything has to hold for a URL that the route's pattern matches.
  func areConditions(for url: PluginURL) -> Bool { areConditions || !ignoresFragmentPaths && url.fragment != nil }

  /// Values that the route's own matcher found; nil if the route does not match. No lock may be held, because this
  /// calls foreign code.
  ///
  /// - Throws: `route.parameters`, `route.too-deep`.
  func values(
    for match: RouteMatch<RouteBody>, _ userInfo: [String: any Sendable], _ outer: Call.Outer
  ) throws(PluginError) -> [String: any Sendable]? {
    guard isAlive?() != false else { return nil }
    guard ignoresFragmentPaths || match.shape.hasFragment || !match.url.hasFragmentPath else { return nil }
    var values: [String: any Sendable] = [:]
    if let matcher {
      let request = RouteRequest(match, userInfo)
      let found = try Call(.routeTooDeep, match.url.text, within: outer).run { matcher(request) }
      guard let found else { return nil }
      values = found
    }
    if let parameters {
      // The sender of the call is not one of the route's parameters.
      var given = userInfo
      _ = CallSender.take(from: &given)
      try parameters.check(match.url, given)
    }
    return values
  }

  /// The values of parameters that are missing.
  var defaults: [String: any Sendable] { parameters?.defaults ?? [:] }
}
