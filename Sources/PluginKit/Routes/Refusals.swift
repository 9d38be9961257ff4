/// The URLs of modules that are refused. Several may have named the same: each keeps its own.
///
/// Refusing a module, again too, takes as long as it has patterns, however many others are refused.
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

    var isEmpty: Bool { patterns.isEmpty && exceptions.isEmpty && declared.isEmpty }
  }

  private var refusals: [ModuleOwner: (number: Int, refusal: Refusal)] = [:]
  private var nextNumber = 0
  private var named = RefusedPlaces()
  private var excepted = RefusedPlaces()
  private var declared = RefusedPlaces()
  private var failed = RefusedPlaces()

  var isEmpty: Bool { refusals.isEmpty }

  mutating func set(_ refusal: Refusal) {
    remove(refusal.owner)
    guard !refusal.isEmpty else { return }
    let claim = Claims.Claim(owner: refusal.owner, number: nextNumber)
    nextNumber += 1
    refusals[refusal.owner] = (claim.number, refusal)
    for pattern in refusal.patterns { named.add(pattern, claim) }
    for pattern in refusal.exceptions { excepted.add(pattern, claim) }
    for pattern in refusal.declared {
      if refusal.isFailure { failed.add(pattern, claim) } else { declared.add(pattern, claim) }
    }
  }

  mutating func remove(_ owner: ModuleOwner) {
    guard let refusal = refusals.removeValue(forKey: owner)?.refusal else { return }
    let isThere = { [refusals] (claim: Claims.Claim) in refusals[claim.owner]?.number == claim.number }
    for pattern in refusal.patterns { named.remove(pattern, isThere) }
    for pattern in refusal.exceptions { excepted.remove(pattern, isThere) }
    for pattern in refusal.declared {
      if refusal.isFailure { failed.remove(pattern, isThere) } else { declared.remove(pattern, isThere) }
    }
  }

  /// Why a URL is refused, though it has a route; nil when it is not.
  ///
  /// What a module declared for itself is as far its own as while it was loaded: a route that comes before its pattern goes before it
  /// here, too. Otherwise a module could take everything by declaring it, and failing.
  func match(_ url: PluginURL, before route: RouteMatch<some Any>?) -> Refusal? {
    if let refusal = named.match(url), excepted.match(url)?.shape.comesBefore(refusal.shape) != true {
      return refusals[refusal.claim.owner]?.refusal
    }
    if let refusal = declared.match(url), route?.comesBefore(refusal.shape) != true {
      return refusals[refusal.claim.owner]?.refusal
    }
    guard let refusal = failed.match(url),
      route.map({ $0.isFallback || refusal.shape.comesBefore($0.shape) }) != false
    else { return nil }
    return refusals[refusal.claim.owner]?.refusal
  }
}
