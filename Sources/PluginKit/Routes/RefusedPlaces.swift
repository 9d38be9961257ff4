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
