/// The URLs of modules that are refused. Several may have named the same: each keeps its own.
struct Refusals: Sendable {
  /// What one module's refusal takes away.
  struct Refusal: Sendable {
    let owner: ModuleOwner
    /// What is the module's by others' word, and what of that is others'.
    let patterns: [RoutePattern]
    let exceptions: [RoutePattern]
    /// What is the module's by its own.
    let declared: [RoutePattern]
    let reason: String
    /// Whether it was accepted, and failed: what another has in the same place is that one's, then.
    let isFailure: Bool
  }

  private var refusals: [Refusal] = []
  private var named = RouteTree<String>()
  private var excepted = RouteTree<String>()
  private var declared = RouteTree<String>()
  private var failed = RouteTree<String>()

  var isEmpty: Bool { refusals.isEmpty }

  mutating func set(_ refusal: Refusal) {
    remove(refusal.owner)
    refusals.append(refusal)
    add(refusal)
  }

  mutating func remove(_ owner: ModuleOwner) {
    guard refusals.contains(where: { $0.owner == owner }) else { return }
    refusals.removeAll { $0.owner == owner }
    // Another may have wanted the same place.
    named = RouteTree()
    excepted = RouteTree()
    declared = RouteTree()
    failed = RouteTree()
    for refusal in refusals { add(refusal) }
  }

  /// Who came first is told; all are refused.
  private mutating func add(_ refusal: Refusal) {
    for pattern in refusal.patterns { named.fill(pattern, owner: refusal.owner, value: refusal.reason) }
    for pattern in refusal.exceptions { excepted.fill(pattern, owner: refusal.owner, value: refusal.reason) }
    for pattern in refusal.declared {
      if refusal.isFailure {
        failed.fill(pattern, owner: refusal.owner, value: refusal.reason)
      } else {
        declared.fill(pattern, owner: refusal.owner, value: refusal.reason)
      }
    }
  }

  /// Why a URL is refused, though it has a route; nil when it is not.
  ///
  /// What a module declared for itself is as far its own as while it was loaded: a route that comes before its pattern goes before it
  /// here, too. Otherwise a module could take everything by declaring it, and failing.
  func match(_ url: PluginURL, before route: RouteMatch<some Any>?) -> RouteMatch<String>? {
    if let refusal = named.match(url), excepted.match(url)?.comesBefore(refusal) != true { return refusal }
    if let refusal = declared.match(url), route?.comesBefore(refusal) != true { return refusal }
    guard let refusal = failed.match(url), route.map({ $0.isFallback || refusal.comesBefore($0) }) != false else {
      return nil
    }
    return refusal
  }
}
