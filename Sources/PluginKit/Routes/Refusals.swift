/// The URLs of modules that are refused. Several may have named the same: each keeps its own.
struct Refusals: Sendable {
  private struct Refusal: Sendable {
    let owner: ModuleOwner
    let patterns: [RoutePattern]
    let declared: [RoutePattern]
    let reason: String
  }

  private var refusals: [Refusal] = []
  /// What is the modules' by others' word, and by their own.
  private var named = RouteTree<String>()
  private var declared = RouteTree<String>()

  var isEmpty: Bool { refusals.isEmpty }

  mutating func set(
    _ patterns: [RoutePattern], declared: [RoutePattern], _ owner: ModuleOwner, _ reason: String
  ) {
    remove(owner)
    refusals.append(Refusal(owner: owner, patterns: patterns, declared: declared, reason: reason))
    add(refusals[refusals.count - 1])
  }

  mutating func remove(_ owner: ModuleOwner) {
    guard refusals.contains(where: { $0.owner == owner }) else { return }
    refusals.removeAll { $0.owner == owner }
    // Another may have wanted the same place.
    named = RouteTree()
    declared = RouteTree()
    for refusal in refusals { add(refusal) }
  }

  /// Who came first is told; all are refused.
  private mutating func add(_ refusal: Refusal) {
    for pattern in refusal.patterns { named.fill(pattern, owner: refusal.owner, value: refusal.reason) }
    for pattern in refusal.declared { declared.fill(pattern, owner: refusal.owner, value: refusal.reason) }
  }

  /// Why a URL is refused, though it has a route; nil when it is not.
  ///
  /// What a module declared for itself is as far its own as while it was loaded: a route that comes before its pattern goes before it
  /// here, too. Otherwise a module could take everything by declaring it, and failing.
  func match(_ url: PluginURL, before route: RouteMatch<some Any>?) -> RouteMatch<String>? {
    if let refusal = named.match(url) { return refusal }
    guard let refusal = declared.match(url), route?.comesBefore(refusal) != true else { return nil }
    return refusal
  }
}
