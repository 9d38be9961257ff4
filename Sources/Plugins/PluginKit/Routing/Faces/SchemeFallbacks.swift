/// The schemes with routes of their own that fall back to routes for every scheme, with those who let them.
struct SchemeFallbacks: Sendable {
  private var owners: [String: Set<ModuleOwner>] = [:]

  /// Whether anybody lets a scheme fall back. It is written in lower case.
  func contains(_ scheme: String) -> Bool { owners[scheme] != nil }

  /// Says whether an owner lets a scheme fall back. What others allow stays allowed.
  mutating func set(_ fallsBack: Bool, _ scheme: String, by owner: ModuleOwner) {
    let scheme = scheme.lowercased()
    if fallsBack { owners[scheme, default: []].insert(owner) } else { remove(scheme, of: owner) }
  }

  /// Ends what an owner has allowed.
  mutating func removeAll(of owner: ModuleOwner) {
    for scheme in Array(owners.keys) { remove(scheme, of: owner) }
  }

  private mutating func remove(_ scheme: String, of owner: ModuleOwner) {
    owners[scheme]?.remove(owner)
    if owners[scheme]?.isEmpty == true { owners[scheme] = nil }
  }
}
