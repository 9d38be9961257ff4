/// The end of a pattern in a tree.
struct RouteSlot: Sendable {
  let entry: Int
  let shape: PatternShape
  let allowsFallback: Bool
}

/// The tree of all routes with one priority.
///
/// The nodes lie in one array and refer to each other by their places in it, so that looking something up touches no
/// reference counts of children. The first step is the scheme, each further one a part.
struct RouteLevel: Sendable {
  let priority: Int
  private var nodes: [RouteNode] = [RouteNode(parent: 0, edge: nil)]
  private var free: [Int] = []

  init(priority: Int) { self.priority = priority }

  var isEmpty: Bool { nodes[0].isEmpty }

  /// What is where a shape would be.
  func slot(of shape: PatternShape) -> RouteSlot? {
    guard let index = node(of: shape) else { return nil }
    return shape.headCount < shape.parts.count ? nodes[index].wildcard : nodes[index].end
  }

  private func node(of shape: PatternShape) -> Int? {
    var index = nodes[0].literals[shape.scheme]
    for part in shape.parts.prefix(shape.headCount) {
      guard let at = index else { return nil }
      index = nodes[at].child(along: part)
    }
    return index
  }

  mutating func insert(_ slot: RouteSlot) {
    var index = child(of: 0, along: .literal(slot.shape.scheme))
    for part in slot.shape.parts.prefix(slot.shape.headCount) { index = child(of: index, along: part) }
    if slot.shape.headCount < slot.shape.parts.count {
      nodes[index].wildcard = slot
    } else {
      nodes[index].end = slot
    }
  }

  private mutating func child(of parent: Int, along part: PatternPart) -> Int {
    if let index = nodes[parent].child(along: part) { return index }
    let node = RouteNode(parent: parent, edge: part)
    let index: Int
    if let place = free.popLast() {
      nodes[place] = node
      index = place
    } else {
      index = nodes.count
      nodes.append(node)
    }
    nodes[parent].add(index, along: part)
    return index
  }

  mutating func remove(_ shape: PatternShape) {
    guard var index = node(of: shape) else { return }
    if shape.headCount < shape.parts.count { nodes[index].wildcard = nil } else { nodes[index].end = nil }
    // Branches without a leaf go, so that a module that comes and goes leaves nothing behind.
    while index != 0, nodes[index].isEmpty, let edge = nodes[index].edge {
      let parent = nodes[index].parent
      nodes[parent].removeChild(along: edge)
      free.append(index)
      index = parent
    }
  }

  /// The slot that matches all parts. Each node can be reached in one way only, so none is visited twice.
  func find(_ scheme: String, _ parts: [String]) -> RouteSlot? {
    guard let root = nodes[0].literals[scheme] else { return nil }
    return find(root, parts, 0)
  }

  private func find(_ index: Int, _ parts: [String], _ depth: Int) -> RouteSlot? {
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

  /// The slot above the parts that is nearest to them, of those that allow it. Of two that are equally near it is the one
  /// that comes first part by part, as in ``find(_:_:)``.
  func findFallback(_ scheme: String, _ parts: [String]) -> RouteSlot? {
    guard let root = nodes[0].literals[scheme] else { return nil }
    var best: (depth: Int, slot: RouteSlot)?
    findFallback(root, parts, 0, &best)
    return best?.slot
  }

  private func findFallback(
    _ index: Int, _ parts: [String], _ depth: Int, _ best: inout (depth: Int, slot: RouteSlot)?
  ) {
    guard depth < parts.count else { return }
    if let end = nodes[index].end, end.allowsFallback, best.map({ $0.depth < depth }) != false { best = (depth, end) }
    let part = parts[depth]
    if let child = nodes[index].literals[part] { findFallback(child, parts, depth + 1, &best) }
    for (suffix, child) in nodes[index].parameters where suffix.takes(part) {
      findFallback(child, parts, depth + 1, &best)
    }
  }
}
