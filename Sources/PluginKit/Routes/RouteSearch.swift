/// The routes for one URL, one after the other, until one answers.
///
/// Most URLs are served by the first route. Only when that one declines, or does not match after all, are all others
/// looked up. Routes that are registered after the search has begun are not asked, nor are those that were removed
/// before their turn. No lock is held between two steps, nor while foreign code runs.
struct RouteSearch: Sendable {
  /// A route to ask.
  struct Found: Sendable {
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

  private enum Step {
    case first
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
  private var step = Step.first
  /// How many handlers were found.
  private var count = 0

  /// - Parameters:
  ///   - router: the router.
  ///   - url: the URL.
  ///   - exactly: whether to leave out routes that serve URLs below their patterns.
  ///   - use: what the URL is opened for.
  ///   - userInfo: values for the handler.
  ///   - outer: the call in which foreign code runs.
  /// - Throws: `url.…`.
  init(
    _ router: Router, _ url: some RoutableURL, exactly: Bool = false, for use: RouteUses,
    _ userInfo: [String: any Sendable], within outer: Call.Outer = .current
  ) throws(PluginError) {
    self.router = router
    self.url = try url.pluginURL(defaultScheme: router.defaultScheme, accepting: router.forms)
    self.exactly = exactly
    self.use = use
    self.userInfo = userInfo
    self.outer = outer
  }

  /// The next route to ask; nil if there is none left.
  ///
  /// - Throws: `route.module-refused`, `route.parameters`, `route.too-deep`.
  mutating func next() throws(PluginError) -> Found? {
    while let match = try nextMatch() {
      guard let terms = match.value.terms else {
        count += 1
        return Found(match: match, computed: [:])
      }
      guard let computed = try terms.values(for: match, use, userInfo, outer) else { continue }
      count += 1
      return Found(match: match, computed: computed)
    }
    return nil
  }

  /// - Throws: `route.module-refused`.
  private mutating func nextMatch() throws(PluginError) -> RouteMatch<RouteBody>? {
    // The new step is not stored under the lock: what the old one holds may be released with it.
    let (match, step) = try router.state.read { (state) throws(PluginError) in try next(state) }
    self.step = step
    return match
  }

  private func next(_ state: borrowing Router.State) throws(PluginError) -> (RouteMatch<RouteBody>?, Step) {
    let isTaken = state.tree.globalCount > 0 && state.refusals.hasScheme(url.scheme)
    var step = step
    if case .first = step {
      let match = state.tree.match(url, exactly: exactly, schemeIsTaken: isTaken)
      try checkRefusals(state, before: match, isTaken)
      return (match, match.map { .asked(id: $0.entry.id, end: state.tree.nextID) } ?? .rest([]))
    }
    if case .asked(let id, let end) = step {
      let all = state.tree.matches(url, exactly: exactly, schemeIsTaken: isTaken)
      step = .rest(all[...].filter { $0.entry.id != id && $0.entry.id < end }[...])
    }
    guard case .rest(var rest) = step else { return (nil, step) }
    while let match = rest.popFirst() {
      guard state.tree.entry(match.entry.id) != nil else { continue }
      try checkRefusals(state, before: match, isTaken)
      return (match, .rest(rest))
    }
    try checkRefusals(state, before: nil, isTaken)
    return (nil, .rest([]))
  }

  private func checkRefusals(
    _ state: borrowing Router.State, before match: RouteMatch<RouteBody>?, _ isTaken: Bool
  ) throws(PluginError) {
    guard !state.refusals.isEmpty else { return }
    let reachesGlobal =
      state.refusals.hasGlobal && state.tree.servesGlobally(url, isTaken || state.refusals.hasScheme(url.scheme))
    guard let refusal = state.refusals.match(url, before: match, reachesGlobal: reachesGlobal) else { return }
    throw PluginError(
      .routeModuleRefused, PluginURL.shown(url.text), "belongs to \(refusal.owner), which is refused",
      found: refusal.reason, hint: "ask the module's publisher for a release that is accepted")
  }

  /// The error when no route is left.
  var notFound: PluginError {
    guard count > 0 else { return PluginError(.routeNotFound, PluginURL.shown(url.text), "has no route") }
    return PluginError(
      .routeNotFound, PluginURL.shown(url.text), "was declined by the handler of every route that matches it",
      found: count == 1 ? "1 handler that declined" : "\(count) handlers that declined")
  }

  /// The error when there is no answer in time.
  func timeout(_ limit: Duration) -> PluginError {
    PluginError(
      .routeTimeout, PluginURL.shown(url.text), "was opened, and there was no answer in time",
      expected: "an answer within \(limit)")
  }
}
