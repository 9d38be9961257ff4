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

/// What is refused in one place: for several modules, perhaps. Who came first is told, and the next when that one is accepted.
struct Claims: Sendable {
  /// One module's claim to a place.
  struct Claim: Sendable {
    let owner: ModuleOwner
    /// Which of its refusals: one that was lifted does not count, even if the module is refused again.
    let number: Int
  }

  private var claims: [Claim] = []
  /// Those before it are gone.
  private var head = 0
  private var count = 0

  /// Who is told.
  var first: Claim? { head < claims.count ? claims[head] : nil }

  var isEmpty: Bool { count == 0 }

  mutating func add(_ claim: Claim) {
    claims.append(claim)
    count += 1
  }

  /// Notes that one is gone. It is looked for only at the beginning; once most are gone, those are taken out. So a change costs
  /// what changes, however many want the place.
  mutating func noteRemoval(_ isThere: (Claim) -> Bool) {
    count -= 1
    while head < claims.count, !isThere(claims[head]) { head += 1 }
    guard claims.count > 2 * count + 8 else { return }
    claims = claims[head...].filter(isThere)
    head = 0
  }
}

/// The places of patterns, each with those for whose sake it is refused.
struct RefusedPlaces: Sendable {
  /// A place that a URL is in.
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

  /// Takes a claim away that was added with this pattern.
  ///
  /// - Parameter isThere: whether another claim still counts.
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

  func match(_ url: PluginURL) -> Match? {
    guard let slot = level.find(url.scheme, url.parts), let claim = claims[Int(slot.entry)].first else { return nil }
    return Match(claim: claim, shape: slot.shape)
  }
}
