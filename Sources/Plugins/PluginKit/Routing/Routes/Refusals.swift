/// The URLs of modules that are refused.
///
/// Several modules may have the same URLs: each keeps its own claim. Refusing a module, even again, takes time for its
/// own patterns only, however many others are refused.
struct Refusals: Sendable {
  /// The refusal of one module.
  struct Refusal: Sendable {
    let owner: ModuleOwner
    /// Patterns that the host's manifest gives to the module, and those below them that it gives to others.
    let patterns: [RoutePattern]
    let exceptions: [RoutePattern]
    /// Patterns that the module declared itself.
    let declared: [RoutePattern]
    let reason: String
    /// Whether the module was accepted and then failed. Then another module keeps what it has in the same place.
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

  /// All places, in no order.
  var places: [RefusedPlaces] { [named, declared, failed] }

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

  /// The refusal of a URL, even if the URL has a route; nil if it is not refused.
  ///
  /// A module's own declarations reach as far as they did while it was loaded: a route that comes before its pattern
  /// comes first here, too. Otherwise a module could take every URL by declaring it and failing.
  ///
  /// - Parameter reachesGlobal: whether routes for every scheme serve the URL.
  func match(_ url: PluginURL, before route: RouteMatch<some Any>?, reachesGlobal: Bool = false) -> Refusal? {
    if let refusal = named.match(url, reachesGlobal: reachesGlobal),
      excepted.match(url, reachesGlobal: reachesGlobal)?.shape.comesBefore(refusal.shape) != true
    {
      return refusals[refusal.claim.owner]?.refusal
    }
    if let refusal = declared.match(url, reachesGlobal: reachesGlobal), route?.comesBefore(refusal.shape) != true {
      return refusals[refusal.claim.owner]?.refusal
    }
    guard let refusal = failed.match(url, reachesGlobal: reachesGlobal),
      route.map({ $0.comesAfter(refusal.shape) }) != false
    else { return nil }
    return refusals[refusal.claim.owner]?.refusal
  }
}

extension Refusals {
  /// Whether a refused module has patterns with this scheme.
  func hasScheme(_ scheme: String) -> Bool {
    named.hasScheme(scheme) || declared.hasScheme(scheme) || failed.hasScheme(scheme)
  }

  /// Whether a refused module has patterns for every scheme.
  var hasGlobal: Bool { named.hasGlobal || declared.hasGlobal || failed.hasGlobal }
}

/// The places of patterns, each with the claims to it.
struct RefusedPlaces: Sendable {
  /// A refused place that contains a URL.
  struct Match: Sendable {
    let claim: Claims.Claim
    let shape: PatternShape
  }

  private var level = RouteLevel(priority: 0)
  private var claims: [Claims] = []
  private var free: [Int32] = []

  mutating func add(_ pattern: RoutePattern, _ claim: Claims.Claim) {
    for shape in pattern.shapes {
      if let slot = level.slot(of: shape) {
        claims[Int(slot.entry)].add(claim)
        continue
      }
      var own = Claims()
      own.add(claim)
      let place: Int32
      if let last = free.popLast() {
        claims[Int(last)] = own
        place = last
      } else {
        place = Int32(truncatingIfNeeded: claims.count)
        claims.append(own)
      }
      level.insert(RouteSlot(shape: shape, entry: place, allowsFallback: false))
    }
  }

  /// Removes a claim that was added with this pattern.
  ///
  /// - Parameter isThere: whether a claim still counts.
  mutating func remove(_ pattern: RoutePattern, _ isThere: (Claims.Claim) -> Bool) {
    for shape in pattern.shapes {
      guard let slot = level.slot(of: shape) else { continue }
      claims[Int(slot.entry)].noteRemoval(isThere)
      guard claims[Int(slot.entry)].isEmpty else { continue }
      claims[Int(slot.entry)] = Claims()
      free.append(slot.entry)
      level.remove(shape)
    }
  }

  /// - Parameter reachesGlobal: whether routes for every scheme serve the URL.
  func match(_ url: PluginURL, reachesGlobal: Bool = false) -> Match? {
    guard !level.isEmpty, let slot = find(url, reachesGlobal), let claim = claims[Int(slot.entry)].first else {
      return nil
    }
    return Match(claim: claim, shape: slot.shape)
  }

  /// The first place, as a tree of routes would find it.
  private func find(_ url: PluginURL, _ reachesGlobal: Bool) -> RouteSlot? {
    let key = RouteKey(of: url)
    let lookup = RouteLookup(
      url, readsFragment: level.hasKey(key.withFragment) || reachesGlobal && level.hasKey(key.global.withFragment))
    return level.first(lookup) ?? (reachesGlobal ? level.first(lookup.global) : nil)
  }

  /// All places that contain a URL and are first for their kind of URL.
  func slots(of url: PluginURL) -> [RouteSlot] {
    let fragmentParts = url.partsWithFragment
    let key = RouteKey(of: url)
    return [key, key.global].flatMap { key in
      [fragmentParts.flatMap { level.find(key.withFragment, $0) }, level.find(key, url.parts)].compactMap { $0 }
    }
  }

  /// Whether there is a place for every scheme.
  var hasGlobal: Bool { hasScheme(RouteKey.anyScheme) }

  /// Whether there is a place with this scheme.
  func hasScheme(_ scheme: String) -> Bool {
    RouteKey.hasAny(of: scheme, where: level.hasKey)
  }
}
