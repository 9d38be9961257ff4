/// Where a part leads in a tree: to a node, or to the only pattern there, with all of its remaining parts.
enum RouteBranch: Sendable {
  case node(Int32)
  case slot(Int32)
}

/// A node in a tree of routes, which several patterns share, or where one pattern ends and others go on.
///
/// A hundred thousand routes have to fit into a phone's memory. So indices are 32 bits wide, and what most nodes lack
/// takes no memory.
struct RouteNode: Sendable {
  var literals = LiteralBranches()
  /// Longest suffixes first, the parameter without a suffix last.
  private(set) var parameters: [(suffix: ParameterSuffix, branch: RouteBranch)] = []
  /// The slot of the pattern that ends here, and those of the patterns with a wildcard here: one that may be empty, and
  /// one that needs a part.
  var end: Int32?
  var wildcard: Int32?
  var fullWildcard: Int32?

  var isEmpty: Bool {
    literals.count == 0 && parameters.isEmpty && end == nil && wildcard == nil && fullWildcard == nil
  }

  /// The slot of the only pattern below; nil if there are several, or a node.
  var onlySlot: Int32? {
    let slots = [end, wildcard, fullWildcard].compactMap { $0 }
    guard literals.count + parameters.count + slots.count == 1 else { return nil }
    if let slot = slots.first { return slot }
    guard case .slot(let slot)? = parameters.first?.branch ?? literals.first else { return nil }
    return slot
  }

  /// Where a part leads; nil if it leads nowhere, or is a wildcard.
  subscript(part: PatternPart) -> RouteBranch? {
    get {
      switch part {
      case .literal(let text): literals[text]
      case .parameter: branch("")
      case .suffixed(_, let suffix): branch(suffix)
      case .wildcard: nil
      }
    }
    set {
      switch part {
      case .literal(let text): literals[text] = newValue
      case .parameter: set("", newValue)
      case .suffixed(_, let suffix): set(suffix, newValue)
      case .wildcard: break
      }
    }
  }

  /// The slot of the pattern that has nothing more to compare: it ends here, or has its wildcard here.
  subscript(endOf shape: PatternShape) -> Int32? {
    get { !shape.hasTail ? end : shape.needsPart ? fullWildcard : wildcard }
    set {
      if !shape.hasTail {
        end = newValue
      } else if shape.needsPart {
        fullWildcard = newValue
      } else {
        wildcard = newValue
      }
    }
  }

  private func branch(_ suffix: String) -> RouteBranch? {
    parameters.first { $0.suffix.text.isSame(as: suffix) }?.branch
  }

  private mutating func set(_ text: String, _ branch: RouteBranch?) {
    parameters.removeAll { $0.suffix.text.isSame(as: text) }
    guard let branch else { return }
    let suffix = ParameterSuffix(text)
    let place = parameters.firstIndex { $0.suffix < suffix } ?? parameters.endIndex
    parameters.insert((suffix, branch), at: place)
  }
}

/// The branches of literals: a list while there are few, then a table.
struct LiteralBranches: Sendable {
  /// Up to this number, comparing all of them is faster than hashing one.
  private static let listLimit = 8

  private var list: [(text: String, branch: RouteBranch)] = []
  private var table: [ExactText: RouteBranch] = [:]

  var count: Int { list.count + table.count }

  /// Any one of the branches.
  var first: RouteBranch? { list.first?.branch ?? table.first?.value }

  subscript(text: String) -> RouteBranch? {
    get {
      guard table.isEmpty else { return table[ExactText(text)] }
      for (known, branch) in list where known.isSame(as: text) { return branch }
      return nil
    }
    set {
      if !table.isEmpty {
        table[ExactText(text)] = newValue
        return
      }
      list.removeAll { $0.text.isSame(as: text) }
      guard let newValue else { return }
      list.append((text, newValue))
      guard list.count > Self.listLimit else { return }
      table = Dictionary(list.map { (ExactText($0.text), $0.branch) }) { first, _ in first }
      list = []
    }
  }
}
