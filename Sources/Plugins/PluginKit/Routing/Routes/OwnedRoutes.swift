/// The IDs of each owner's routes. Removing an owner's routes does not search those of others.
struct OwnedRoutes: Sendable {
  private struct List {
    var ids: [Int] = []
    /// How many of these routes were removed.
    var goneCount = 0
  }

  private var lists: [ModuleOwner: List] = [:]

  /// The IDs of an owner's routes, and perhaps of some that were removed.
  subscript(owner: ModuleOwner) -> [Int] { lists[owner]?.ids ?? [] }

  mutating func add(_ id: Int, of owner: ModuleOwner) { lists[owner, default: List()].ids.append(id) }

  /// Removes and returns all of an owner's IDs.
  mutating func removeAll(of owner: ModuleOwner) -> [Int] { lists.removeValue(forKey: owner)?.ids ?? [] }

  /// Counts a removed route. Searching for its ID each time would take as long as the owner has routes. So once half of
  /// them are gone, all of these are filtered out.
  mutating func noteRemoval(of owner: ModuleOwner, isThere: (Int) -> Bool) {
    guard lists[owner] != nil else { return }
    lists[owner, default: List()].goneCount += 1
    guard let list = lists[owner], list.goneCount * 2 > list.ids.count else { return }
    let left = list.ids.filter(isThere)
    lists[owner] = left.isEmpty ? nil : List(ids: left)
  }
}
