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
  /// Further slots in the places of others, in the order in which they were added. Most trees have none.
  private var followers: [Int32: [RouteSlot]] = [:]

  init(priority: Int) { self.priority = priority }

  var isEmpty: Bool { nodes[0].isEmpty }

  /// The number of nodes below the first.
  var nodeCount: Int { nodes.count - freeNodes.count - 1 }

  /// Whether a shape has this key.
  func hasKey(_ key: RouteKey) -> Bool { nodes[0].literals[key.text] != nil }

  /// The first slot in the place of a shape, or nil.
  func slot(of shape: PatternShape) -> RouteSlot? { place(of: shape).flatMap { slots[Int($0)] } }

  /// All slots in the place of a shape, in the order in which they were added.
  func slots(of shape: PatternShape) -> [RouteSlot] {
    guard let place = place(of: shape), let first = slots[Int(place)] else { return [] }
    return [first] + (followers[place] ?? [])
  }

  private func place(of shape: PatternShape) -> Int32? {
    var index = 0
    for step in 0...shape.headCount {
      switch nodes[index][shape.steps[step]] {
      case nil: return nil
      case .slot(let place):
        return slots[Int(place)]?.shape.hasPlace(of: shape, from: step + 1) == true ? place : nil
      case .node(let next): index = Int(next)
      }
    }
    return nodes[index][endOf: shape]
  }

  /// Adds a slot, behind those that are in its place.
  mutating func insert(_ slot: RouteSlot) {
    if let place = place(of: slot.shape) {
      followers[place, default: []].append(slot)
      return
    }
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
    } else {
      nodes[index][endOf: shape] = place
    }
  }

  private mutating func newNode() -> Int32 {
    if let place = freeNodes.popLast() { return place }
    nodes.append(RouteNode())
    return Int32(truncatingIfNeeded: nodes.count - 1)
  }

  /// Removes the slot in the place of a shape, if it is the only one there.
  mutating func remove(_ shape: PatternShape) {
    guard let slot = slot(of: shape) else { return }
    remove(shape, entry: slot.entry)
  }

  /// Removes the slot of an entry in the place of a shape.
  mutating func remove(_ shape: PatternShape, entry: Int32) {
    guard let place = place(of: shape) else { return }
    guard var others = followers[place] else { return removeOnly(shape) }
    if slots[Int(place)]?.entry == entry {
      slots[Int(place)] = others.removeFirst()
    } else {
      others.removeAll { $0.entry == entry }
    }
    followers[place] = others.isEmpty ? nil : others
  }

  private mutating func removeOnly(_ shape: PatternShape) {
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
    if found == nil, let last = path.last { found = nodes[last][endOf: shape].take() }
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

  /// The first slot for a URL: one for its fragment comes before all others.
  func first(_ lookup: RouteLookup) -> RouteSlot? {
    if let parts = lookup.fragmentParts {
      let key = lookup.key.withFragment
      if let slot = lookup.isFallback ? nearest(key, parts) : find(key, parts) { return slot }
    }
    return lookup.isFallback ? nearest(lookup.key, lookup.parts) : find(lookup.key, lookup.parts)
  }

  /// All slots for a URL, in the order in which ``first(_:)`` looks for them.
  func all(_ lookup: RouteLookup) -> [RouteSlot] {
    var slots: [RouteSlot] = []
    if let parts = lookup.fragmentParts {
      let key = lookup.key.withFragment
      slots = lookup.isFallback ? allAbove(key, parts) : findAll(key, parts)
    }
    return slots + (lookup.isFallback ? allAbove(lookup.key, lookup.parts) : findAll(lookup.key, lookup.parts))
  }

  // MARK: Slots that match

  /// The first slot that matches all parts. Each node can be reached by one path only, so none is visited twice.
  func find(_ key: RouteKey, _ parts: [String]) -> RouteSlot? {
    guard let branch = nodes[0].literals[key.text], let place = place(below: branch, of: parts, from: 0) else {
      return nil
    }
    return slots[Int(place)]
  }

  /// Passes indices and not slots: copying a slot would count its references.
  private func place(below branch: RouteBranch, of parts: [String], from depth: Int) -> Int32? {
    let index: Int
    switch branch {
    case .slot(let place): return slots[Int(place)]?.shape.takes(parts, from: depth) == true ? place : nil
    case .node(let node): index = Int(node)
    }
    if depth == parts.count {
      if let end = nodes[index].end { return end }
    } else {
      let part = parts[depth]
      if let child = nodes[index].literals[part], let slot = place(below: child, of: parts, from: depth + 1) {
        return slot
      }
      for (suffix, child) in nodes[index].parameters where suffix.takes(part) {
        if let slot = place(below: child, of: parts, from: depth + 1) { return slot }
      }
      if let place = nodes[index].fullWildcard { return place }
    }
    return nodes[index].wildcard
  }

  /// All slots that match all parts, in the order in which ``find(_:_:)`` looks for them.
  private func findAll(_ key: RouteKey, _ parts: [String]) -> [RouteSlot] {
    var places: [Int32] = []
    if let branch = nodes[0].literals[key.text] { addPlaces(below: branch, of: parts, from: 0, to: &places) }
    return withFollowers(places)
  }

  private func addPlaces(
    below branch: RouteBranch, of parts: [String], from depth: Int, to found: inout [Int32]
  ) {
    let index: Int
    switch branch {
    case .slot(let place):
      if slots[Int(place)]?.shape.takes(parts, from: depth) == true { found.append(place) }
      return
    case .node(let node): index = Int(node)
    }
    if depth == parts.count {
      if let end = nodes[index].end { found.append(end) }
    } else {
      let part = parts[depth]
      if let child = nodes[index].literals[part] {
        addPlaces(below: child, of: parts, from: depth + 1, to: &found)
      }
      for (suffix, child) in nodes[index].parameters where suffix.takes(part) {
        addPlaces(below: child, of: parts, from: depth + 1, to: &found)
      }
      if let place = nodes[index].fullWildcard { found.append(place) }
    }
    if let place = nodes[index].wildcard { found.append(place) }
  }

  private func withFollowers(_ places: [Int32]) -> [RouteSlot] {
    places.flatMap { place in (slots[Int(place)].map { [$0] } ?? []) + (followers[place] ?? []) }
  }

  // MARK: Slots above

  /// The nearest slot above the parts, among those that allow fallback. Of two that are equally near, the one that
  /// comes first part by part wins, as in ``find(_:_:)``.
  private func nearest(_ key: RouteKey, _ parts: [String]) -> RouteSlot? {
    var best: RouteSlot?
    eachAbove(key, parts) { slot in
      if best.map({ $0.shape.headCount < slot.shape.headCount }) != false { best = slot }
    }
    return best
  }

  /// All slots above the parts that allow fallback, the nearest first.
  private func allAbove(_ key: RouteKey, _ parts: [String]) -> [RouteSlot] {
    var found: [(number: Int, slot: RouteSlot)] = []
    eachAbove(key, parts) { found.append((found.count, $0)) }
    found.sort { one, other in
      let (depth, otherDepth) = (one.slot.shape.headCount, other.slot.shape.headCount)
      return depth != otherDepth ? depth > otherDepth : one.number < other.number
    }
    return found.map(\.slot)
  }

  private func eachAbove(_ key: RouteKey, _ parts: [String], _ body: (RouteSlot) -> Void) {
    if let branch = nodes[0].literals[key.text] { eachSlot(below: branch, above: parts, from: 0, body) }
  }

  private func eachSlot(
    below branch: RouteBranch, above parts: [String], from depth: Int, _ body: (RouteSlot) -> Void
  ) {
    let index: Int
    switch branch {
    case .slot(let place): return eachSlot(at: place, above: parts, from: depth, body)
    case .node(let node): index = Int(node)
    }
    guard depth < parts.count else { return }
    if let end = nodes[index].end { eachSlot(at: end, above: parts, from: depth, body) }
    let part = parts[depth]
    if let child = nodes[index].literals[part] {
      eachSlot(below: child, above: parts, from: depth + 1, body)
    }
    for (suffix, child) in nodes[index].parameters where suffix.takes(part) {
      eachSlot(below: child, above: parts, from: depth + 1, body)
    }
  }

  /// Passes the slots of a place on that allow fallback, if they are above the parts.
  private func eachSlot(
    at place: Int32, above parts: [String], from depth: Int, _ body: (RouteSlot) -> Void
  ) {
    guard let slot = slots[Int(place)], !slot.shape.hasTail, slot.shape.headCount < parts.count,
      slot.shape.takesHead(parts, from: depth)
    else { return }
    if slot.allowsFallback { body(slot) }
    if let others = followers[place] { for other in others where other.allowsFallback { body(other) } }
  }
}
