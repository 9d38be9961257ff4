/// Whose routes are asked for a URL.
package enum RouteOwners: Sendable {
  /// Everybody's.
  case all
  /// Those of one owner.
  case one(ModuleOwner)
  /// Those of the module that has the first turn. If the host has it, nobody is asked.
  case firstModule

  /// Whether an owner's routes can have a turn.
  func include(_ owner: ModuleOwner) -> Bool {
    if case .one(let one) = self { one == owner } else { true }
  }

  /// Whose routes are asked once an owner has its turn; nil if it must not have one.
  func after(_ owner: ModuleOwner) -> RouteOwners? {
    switch self {
    case .all: .all
    case .one(let one): one == owner ? self : nil
    case .firstModule: owner == .host ? nil : .one(owner)
    }
  }
}

/// The routes for one URL, one after the other, until one answers.
///
/// Most URLs are served by the first route. Only when that one declines, or does not match after all, are all others
/// looked up. Routes that are registered after the search has begun are not asked, nor are those that were removed
/// before their turn. No lock is held between two steps, nor while foreign code runs.
struct RouteSearch: Sendable {
  /// A route to ask.
  struct Found: Sendable {
    let router: Router
    let match: RouteMatch<RouteBody>
    /// The values that the route's own matcher found.
    fileprivate let computed: [String: any Sendable]

    var handler: RouteHandler { match.value.handler }

    /// The input of the handler.
    func request(_ userInfo: [String: any Sendable], mainInfo: MainActorValue? = nil) -> RouteRequest {
      RouteRequest(
        match, userInfo, computed: computed, defaults: match.value.terms?.defaults ?? [:], mainInfo: mainInfo)
    }
  }

  /// The route that is asked first, as a router finds it.
  struct First: Sendable {
    let match: RouteMatch<RouteBody>?
    /// The ID that later routes have or exceed.
    let end: Int
  }

  private enum Step {
    case first(First)
    /// The route that was asked first, and the ID that later routes have or exceed.
    case asked(id: Int, end: Int)
    case rest(ArraySlice<RouteMatch<RouteBody>>)
  }

  let router: Router
  let url: PluginURL
  let userInfo: [String: any Sendable]
  private let exactly: Bool
  private let use: RouteUses
  private let outer: Call.Outer
  /// Whose routes are asked.
  var owners = RouteOwners.all
  private var step: Step
  /// How many handlers were found.
  private var count = 0

  /// - Parameters:
  ///   - router: the router.
  ///   - url: the URL.
  ///   - first: the route that is asked first.
  ///   - exactly: whether to leave out routes that serve URLs below their patterns.
  ///   - use: what the URL is opened for.
  ///   - userInfo: values for the handler.
  ///   - outer: the call in which foreign code runs.
  init(
    _ router: Router, _ url: PluginURL, from first: First, exactly: Bool = false, for use: RouteUses,
    _ userInfo: [String: any Sendable], within outer: Call.Outer = .current
  ) {
    self.router = router
    self.url = url
    step = .first(first)
    self.exactly = exactly
    self.use = use
    self.userInfo = userInfo
    self.outer = outer
  }

  /// Begins behind the first route, whose handler has declined.
  init(
    _ router: Router, after match: RouteMatch<RouteBody>, _ first: First, for use: RouteUses,
    _ userInfo: [String: any Sendable]
  ) {
    self.init(router, match.url, from: first, for: use, userInfo)
    step = .asked(id: match.entry.id, end: first.end)
    count = 1
  }

  /// The next route to ask; nil if no route is left.
  ///
  /// - Throws: `route.module-refused`, `route.parameters`, `route.too-deep`.
  mutating func next() throws(PluginError) -> Found? {
    while let match = try nextMatch() {
      guard match.value.serves(use), owners.include(match.owner) else { continue }
      var computed: [String: any Sendable] = [:]
      if let terms = match.value.terms, terms.areConditions(for: url) {
        guard let values = try terms.values(for: match, userInfo, outer) else { continue }
        computed = values
      }
      guard let others = owners.after(match.owner) else { break }
      owners = others
      count += 1
      return Found(router: router, match: match, computed: computed)
    }
    return nil
  }

  /// - Throws: `route.module-refused`.
  private mutating func nextMatch() throws(PluginError) -> RouteMatch<RouteBody>? {
    if case .first(let first) = step {
      step = first.match.map { .asked(id: $0.entry.id, end: first.end) } ?? .rest([])
      return first.match
    }
    // The new step is not stored under the lock: what the old one holds may be released with it.
    let (match, step) = try router.state.read { (state) throws(PluginError) in try next(state) }
    self.step = step
    return match
  }

  private func next(_ state: borrowing Router.State) throws(PluginError) -> (RouteMatch<RouteBody>?, Step) {
    let isTaken = state.isTaken(url.scheme)
    var step = step
    if case .asked(let id, let end) = step {
      let all = state.tree.allMatches(url, exactly: exactly, schemeIsTaken: isTaken)
      step = .rest(all[...].filter { $0.entry.id != id && $0.entry.id < end }[...])
    }
    guard case .rest(var rest) = step else { return (nil, step) }
    while let match = rest.popFirst() {
      guard state.tree.entry(match.entry.id) != nil else { continue }
      try state.checkRefusals(url, before: match)
      return (match, .rest(rest))
    }
    try state.checkRefusals(url, before: nil)
    return (nil, .rest([]))
  }

  /// The error when no route is left.
  var notFound: PluginError {
    guard count > 0 else { return Self.notFound(url) }
    return PluginError(
      .routeNotFound, PluginURL.shown(url.text), "was declined by the handler of every route that matches it",
      found: count == 1 ? "1 handler that declined" : "\(count) handlers that declined")
  }

  static func notFound(_ url: PluginURL) -> PluginError {
    PluginError(.routeNotFound, PluginURL.shown(url.text), "has no route")
  }

  /// The error when there is no answer in time.
  func timeout(_ limit: Duration) -> PluginError {
    PluginError(
      .routeTimeout, PluginURL.shown(url.text), "was opened, and there was no answer in time",
      expected: "an answer within \(limit)")
  }
}

extension Router {
  /// The route that is asked first.
  ///
  /// - Throws: `route.module-refused`.
  func first(_ url: PluginURL, exactly: Bool = false) throws(PluginError) -> RouteSearch.First {
    try state.read { (state) throws(PluginError) in
      let match = state.tree.firstMatch(url, exactly: exactly, schemeIsTaken: state.isTaken(url.scheme))
      if !state.refusals.isEmpty { try state.checkRefusals(url, before: match) }
      return RouteSearch.First(match: match, end: state.tree.nextID)
    }
  }

  /// The search for the routes of a URL.
  ///
  /// - Throws: `url.…`, `route.module-refused`.
  func search(
    _ url: some RoutableURL, exactly: Bool = false, for use: RouteUses, _ userInfo: [String: any Sendable],
    within outer: Call.Outer = .current
  ) throws(PluginError) -> RouteSearch {
    let url = try parse(url)
    return RouteSearch(
      self, url, from: try first(url, exactly: exactly), exactly: exactly, for: use, userInfo, within: outer)
  }
}

extension Router.State {
  /// The refusal to which a URL belongs before it belongs to a route.
  borrowing func refusal(of url: PluginURL, before match: RouteMatch<RouteBody>?) -> Refusals.Refusal? {
    let reachesGlobal = refusals.hasGlobal && tree.servesGlobally(url, refusals.hasScheme(url.scheme))
    return refusals.match(url, before: match, reachesGlobal: reachesGlobal)
  }

  /// Whether a scheme belongs to a refused module. Only routes for every scheme ask for that.
  borrowing func isTaken(_ scheme: String) -> Bool { tree.globalCount > 0 && refusals.hasScheme(scheme) }

  /// - Throws: `route.module-refused` if the URL belongs to a refused module before it belongs to a route.
  fileprivate borrowing func checkRefusals(
    _ url: PluginURL, before match: RouteMatch<RouteBody>?
  ) throws(PluginError) {
    guard !refusals.isEmpty, let refusal = refusal(of: url, before: match) ?? otherRefusal(of: url) else { return }
    throw PluginError(
      .routeModuleRefused, PluginURL.shown(url.text), "belongs to \(refusal.owner), which is refused",
      found: refusal.reason, hint: "ask the module's publisher for a release that is accepted")
  }
}
