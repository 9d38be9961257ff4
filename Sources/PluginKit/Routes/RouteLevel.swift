/// The end of a pattern's reading in a tree.
struct RouteSlot: Sendable {
  let shape: PatternShape
  /// The index of what belongs to it, as the owner of the tree counts.
  let entry: Int32
  let allowsFallback: Bool
}

/// The tree of all routes with one priority.
///
/// The nodes are in one array and refer to each other by index, so that a lookup touches no reference counts of
/// children. The first step is the scheme, and each further one is a part. There is a node only where patterns branch.
/// The rest of a pattern is not looked up, but compared.
struct RouteLevel: Sendable {
  let priority: Int
  private var nodes: [RouteNode] = [RouteNode()]
  private var freeNodes: [Int32] = []
  private var slots: [RouteSlot?] = []
  private var freeSlots: [Int32] = []

  init(priority: Int) { self.priority = priority }

  var isEmpty: Bool { nodes[0].isEmpty }

  /// The number of nodes below the first.
  var nodeCount: Int { nodes.count - freeNodes.count - 1 }

  /// The slot in the place of a shape; nil if there is none.
  func slot(of shape: PatternShape) -> RouteSlot? {
    var index = 0
    for step in 0...shape.headCount {
      switch nodes[index][shape.steps[step]] {
      case nil: return nil
      case .slot(let place):
        let slot = slots[Int(place)]
        return slot?.shape.hasPlace(of: shape, from: step + 1) == true ? slot : nil
      case .node(let next): index = Int(next)
      }
    }
    return (shape.hasTail ? nodes[index].wildcard : nodes[index].end).flatMap { slots[Int($0)] }
  }

  /// Adds a slot whose place is free.
  mutating func insert(_ slot: RouteSlot) {
    let place: Int32
    if let free = freeSlots.popLast() {
      slots[Int(free)] = slot
      place = free
    } else {
      place = Int32(truncatingIfNeeded: slots.count)
      slots.append(slot)
    }
    var index = 0
    for (step, part) in slot.shape.steps.prefix(slot.shape.headCount + 1).enumerated() {
      switch nodes[index][part] {
      case nil:
        nodes[index][part] = .slot(place)
        return
      case .node(let next): index = Int(next)
      case .slot(let other):
        // From here on, each of the two patterns needs a branch of its own.
        let next = newNode()
        nodes[index][part] = .node(next)
        index = Int(next)
        hang(other, below: index, step + 1)
      }
    }
    hang(place, below: index, slot.shape.headCount + 1)
  }

  /// Puts a slot directly below a node, or at it.
  private mutating func hang(_ place: Int32, below index: Int, _ step: Int) {
    guard let shape = slots[Int(place)]?.shape else { return }
    if step <= shape.headCount {
      nodes[index][shape.steps[step]] = .slot(place)
    } else if shape.hasTail {
      nodes[index].wildcard = place
    } else {
      nodes[index].end = place
    }
  }

  private mutating func newNode() -> Int32 {
    if let place = freeNodes.popLast() { return place }
    nodes.append(RouteNode())
    return Int32(truncatingIfNeeded: nodes.count - 1)
  }

  /// Removes the slot in the place of a shape.
  mutating func remove(_ shape: PatternShape) {
    var path = [0]
    var found: Int32?
    steps: for (step, part) in shape.steps.prefix(shape.headCount + 1).enumerated() {
      guard let index = path.last else { return }
      switch nodes[index][part] {
      case nil: return
      case .node(let next): path.append(Int(next))
      case .slot(let place):
        guard slots[Int(place)]?.shape.hasPlace(of: shape, from: step + 1) == true else { return }
        nodes[index][part] = nil
        found = place
        break steps
      }
    }
    if found == nil, let last = path.last {
      if shape.hasTail {
        found = nodes[last].wildcard.take()
      } else {
        found = nodes[last].end.take()
      }
    }
    guard let found else { return }
    slots[Int(found)] = nil
    freeSlots.append(found)
    tidy(path, shape)
  }

  /// Removes nodes that patterns no longer share, so that a module that comes and goes leaves nothing behind.
  private mutating func tidy(_ path: [Int], _ shape: PatternShape) {
    for (step, index) in path.enumerated().dropFirst().reversed() {
      let branch: RouteBranch?
      if nodes[index].isEmpty {
        branch = nil
      } else if let slot = nodes[index].onlySlot {
        branch = .slot(slot)
      } else {
        return
      }
      nodes[path[step - 1]][shape.steps[step - 1]] = branch
      nodes[index] = RouteNode()
      freeNodes.append(Int32(truncatingIfNeeded: index))
    }
  }

  /// The slot that matches all parts. Each node can be reached by one path only, so none is visited twice.
  func find(_ scheme: String, _ parts: [String]) -> RouteSlot? {
    guard let branch = nodes[0].literals[scheme], let place = find(branch, parts, 0) else { return nil }
    return slots[Int(place)]
  }

  /// Passes indices and not slots: copying a slot would count its references.
  private func find(_ branch: RouteBranch, _ parts: [String], _ depth: Int) -> Int32? {
    let index: Int
    switch branch {
    case .slot(let place): return slots[Int(place)]?.shape.takes(parts, from: depth) == true ? place : nil
    case .node(let node): index = Int(node)
    }
    if depth == parts.count {
      if let end = nodes[index].end { return end }
    } else {
      let part = parts[depth]
      if let child = nodes[index].literals[part], let slot = find(child, parts, depth + 1) { return slot }
      for (suffix, child) in nodes[index].parameters where suffix.takes(part) {
        if let slot = find(child, parts, depth + 1) { return slot }
      }
    }
    return nodes[index].wildcard
  }

  /// The nearest slot above the parts, among those that allow fallback. Of two that are equally near, the one that
  /// comes first part by part wins, as in ``find(_:_:)``.
  func findFallback(_ scheme: String, _ parts: [String]) -> RouteSlot? {
    var best: RouteSlot?
    if let branch = nodes[0].literals[scheme] { findFallback(branch, parts, 0, &best) }
    return best
  }

  private func findFallback(_ branch: RouteBranch, _ parts: [String], _ depth: Int, _ best: inout RouteSlot?) {
    let index: Int
    switch branch {
    case .slot(let place): return consider(slots[Int(place)], parts, depth, &best)
    case .node(let node): index = Int(node)
    }
    guard depth < parts.count else { return }
    if let end = nodes[index].end { consider(slots[Int(end)], parts, depth, &best) }
    let part = parts[depth]
    if let child = nodes[index].literals[part] { findFallback(child, parts, depth + 1, &best) }
    for (suffix, child) in nodes[index].parameters where suffix.takes(part) {
      findFallback(child, parts, depth + 1, &best)
    }
  }

  /// Makes a slot the best one, if it is nearer.
  private func consider(_ slot: RouteSlot?, _ parts: [String], _ depth: Int, _ best: inout RouteSlot?) {
    guard let slot, slot.allowsFallback, !slot.shape.hasTail, slot.shape.headCount < parts.count,
      slot.shape.takesHead(parts, from: depth), best.map({ $0.shape.headCount < slot.shape.headCount }) != false
    else { return }
    best = slot
  }
}
