/// The URLs of modules that are refused. Several may have named the same: each keeps its own.
struct Refusals: Sendable {
  private struct Refusal: Sendable {
    let owner: ModuleOwner
    let patterns: [RoutePattern]
    let reason: String
  }

  private var refusals: [Refusal] = []
  private var tree = RouteTree<String>()

  var isEmpty: Bool { refusals.isEmpty }

  mutating func set(_ patterns: [RoutePattern], _ owner: ModuleOwner, _ reason: String) {
    remove(owner)
    refusals.append(Refusal(owner: owner, patterns: patterns, reason: reason))
    add(refusals[refusals.count - 1])
  }

  mutating func remove(_ owner: ModuleOwner) {
    guard refusals.contains(where: { $0.owner == owner }) else { return }
    refusals.removeAll { $0.owner == owner }
    // Another may have wanted the same place.
    tree = RouteTree()
    for refusal in refusals { add(refusal) }
  }

  /// Who came first is told; all are refused.
  private mutating func add(_ refusal: Refusal) {
    for pattern in refusal.patterns { tree.fill(pattern, owner: refusal.owner, value: refusal.reason) }
  }

  func match(_ url: PluginURL) -> RouteMatch<String>? { tree.match(url) }
}
