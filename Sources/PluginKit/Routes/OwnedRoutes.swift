/// The numbers of each owner's routes: whoever goes takes its own along, and nobody looks through those of others.
struct OwnedRoutes: Sendable {
  private struct List {
    var ids: [Int] = []
    /// How many of them are gone.
    var goneCount = 0
  }

  private var lists: [ModuleOwner: List] = [:]

  /// The numbers of an owner's routes, and perhaps of some that are gone.
  subscript(owner: ModuleOwner) -> [Int] { lists[owner]?.ids ?? [] }

  mutating func add(_ id: Int, of owner: ModuleOwner) { lists[owner, default: List()].ids.append(id) }

  /// Takes all of an owner's numbers away.
  mutating func removeAll(of owner: ModuleOwner) -> [Int] { lists.removeValue(forKey: owner)?.ids ?? [] }

  /// Notes that one is gone. Looking for it each time would take as long as there are others: once half are gone, all of
  /// these are taken out.
  mutating func noteRemoval(of owner: ModuleOwner, isThere: (Int) -> Bool) {
    guard lists[owner] != nil else { return }
    lists[owner, default: List()].goneCount += 1
    guard let list = lists[owner], list.goneCount * 2 > list.ids.count else { return }
    let left = list.ids.filter(isThere)
    lists[owner] = left.isEmpty ? nil : List(ids: left)
  }
}
