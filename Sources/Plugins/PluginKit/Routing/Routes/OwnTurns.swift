extension RouteCounts {
  /// Matches of one priority in the order in which they are asked. The patterns give each owner its turns, and the own
  /// priorities say which of the owner's routes comes first.
  ///
  /// - Parameters:
  ///   - matches: each route once, in the order of the patterns.
  ///   - hasFragmentPath: whether the URL has a path in its fragment, and a pattern asks for one.
  func inTurn<Value>(_ matches: [RouteMatch<Value>], hasFragmentPath: Bool) -> [RouteMatch<Value>] {
    guard hasOwnPriorities, matches.count > 1 else { return matches }
    var result = matches
    for (owner, turns) in Dictionary(grouping: matches.indices, by: { matches[$0].owner })
    where hasOwnPriorities(owner) {
      let order = turns.sorted {
        matches[$0].ownRank($0, hasFragmentPath: hasFragmentPath)
          < matches[$1].ownRank($1, hasFragmentPath: hasFragmentPath)
      }
      for (turn, chosen) in zip(turns, order) { result[turn] = matches[chosen].inTurn(of: matches[turn]) }
    }
    return result
  }
}

extension RouteMatch {
  /// - Parameter index: the place by the patterns.
  fileprivate func ownRank(_ index: Int, hasFragmentPath: Bool) -> OwnRank {
    OwnRank(
      entry.ownOrder, priority: entry.ownPriority, id: entry.id, index: index,
      lacksFragment: hasFragmentPath && !shape.hasFragment)
  }
}
