/// The schemes of URLs that belong to modules: those that are loaded, by their declarations, and those that are refused.
final class ReservedSchemes: Sendable {
  private struct State {
    var declared: [ModuleOwner: Set<String>] = [:]
    var refused: [ModuleOwner: Set<String>] = [:]
  }

  private let state = ReadWriteLock(State())

  func contains(_ scheme: String) -> Bool {
    state.read { state in
      state.declared.values.contains { $0.contains(scheme) } || state.refused.values.contains { $0.contains(scheme) }
    }
  }

  /// Reserves the schemes of a module that is admitted.
  func reserve(_ routes: [RoutePattern], for owner: ModuleOwner) {
    let schemes = Self.schemes(of: routes)
    state.write { $0.declared[owner, default: []].formUnion(schemes) }
  }

  /// Reserves the schemes of a module that is refused, instead of those that were refused before.
  func refuse(_ routes: [RoutePattern], of owner: ModuleOwner) {
    let schemes = Self.schemes(of: routes)
    state.write { $0.refused[owner] = schemes.isEmpty ? nil : schemes }
  }

  private static func schemes(of routes: [RoutePattern]) -> Set<String> {
    Set(routes.flatMap { $0.shapes.map(\.scheme) })
  }
}

extension ReservedSchemes: OwnedTable {
  func remove(then next: () -> Removal) -> Removal {
    state.write { state in
      let removal = next()
      state.declared[removal.owner] = nil
      state.refused[removal.owner] = nil
      return removal
    }
  }

  /// Nothing is registered here: a context reserves schemes when it is made.
  func readmit(_ owner: ModuleOwner) {}

  func list(then next: () -> [TableEntry]) -> [TableEntry] { next() }
}
