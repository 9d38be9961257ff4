/// The names of targets that belong to refused modules.
///
/// Several modules may claim a name: each keeps its claim until it is accepted.
struct RefusedNames: Sendable {
  private var refusals: [ModuleOwner: (number: Int, names: [String], reason: String)] = [:]
  private var claims: [String: Claims] = [:]
  private var nextNumber = 0

  /// The module that errors name for a refused target, and why it is refused; nil if the name is not refused.
  subscript(name: String) -> (owner: ModuleOwner, reason: String)? {
    guard let owner = claims[name]?.first?.owner, let refusal = refusals[owner] else { return nil }
    return (owner, refusal.reason)
  }

  /// The owner that a name belongs to, if it is another one.
  func other(than owner: ModuleOwner, for name: String) -> ModuleOwner? {
    guard let first = claims[name]?.first?.owner, first != owner else { return nil }
    return first
  }

  /// Refuses an owner's names. They replace those that were refused for it before.
  mutating func set(_ names: [String], of owner: ModuleOwner, because reason: String) {
    if let old = refusals.removeValue(forKey: owner) {
      for name in old.names {
        claims[name]?.noteRemoval { [refusals] in refusals[$0.owner]?.number == $0.number }
        if claims[name]?.isEmpty == true { claims[name] = nil }
      }
    }
    guard !names.isEmpty else { return }
    refusals[owner] = (nextNumber, names, reason)
    for name in names { claims[name, default: Claims()].add(Claims.Claim(owner: owner, number: nextNumber)) }
    nextNumber += 1
  }
}
