/// The claims of refused modules to one place. Errors name the first module, and the next once that one is accepted.
struct Claims: Sendable {
  /// One module's claim to a place.
  struct Claim: Sendable {
    let owner: ModuleOwner
    /// The number of the refusal. A refusal that was lifted does not count, even if the module is refused again.
    let number: Int
  }

  private var claims: [Claim] = []
  /// Claims before this index are gone.
  private var head = 0
  private var count = 0

  /// The claim that errors name.
  var first: Claim? { head < claims.count ? claims[head] : nil }

  var isEmpty: Bool { count == 0 }

  mutating func add(_ claim: Claim) {
    claims.append(claim)
    count += 1
  }

  /// Counts a removed claim. Only the beginning is searched; once most claims are gone, the rest is filtered. So the
  /// cost of a change does not depend on how many modules claim the place.
  mutating func noteRemoval(_ isThere: (Claim) -> Bool) {
    count -= 1
    while head < claims.count, !isThere(claims[head]) { head += 1 }
    guard claims.count > 2 * count + 8 else { return }
    claims = claims[head...].filter(isThere)
    head = 0
  }
}
