/// Which modules require which others.
struct RequirementGraph {
  /// For each module the places of those that it requires.
  var edges: [[Int]]

  init(count: Int) { edges = [[Int]](repeating: [], count: count) }

  /// The first circle of requirements that some modules lead to, or nil. Its modules are in the order of the requirements.
  ///
  /// It needs no stack of the thread, which a long chain would exhaust.
  func circle(from starts: [Int]) -> [Int]? {
    enum Mark { case new, onPath, done }
    var marks = [Mark](repeating: .new, count: edges.count)
    for start in starts where marks[start] == .new {
      var path = [(module: start, next: 0)]
      marks[start] = .onPath
      while let last = path.last {
        guard last.next < edges[last.module].count else {
          marks[last.module] = .done
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let next = edges[last.module][last.next]
        switch marks[next] {
        case .done: continue
        case .onPath: return path.map(\.module).drop { $0 != next }.map(\.self)
        case .new:
          marks[next] = .onPath
          path.append((next, 0))
        }
      }
    }
    return nil
  }

  /// The shortest chain of requirements from one module to another, or nil. It includes both modules.
  func path(from start: Int, to end: Int) -> [Int]? {
    var previous = [Int?](repeating: nil, count: edges.count)
    var queue = [start]
    var index = 0
    while index < queue.count {
      let module = queue[index]
      index += 1
      if module == end {
        var path = [end]
        while let last = path.last, last != start, let step = previous[last] { path.append(step) }
        return path.reversed()
      }
      for next in edges[module] where next != start && previous[next] == nil {
        previous[next] = module
        queue.append(next)
      }
    }
    return nil
  }
}
