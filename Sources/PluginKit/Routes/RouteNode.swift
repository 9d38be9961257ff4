/// A place in a tree of routes.
struct RouteNode: Sendable {
  /// The node above, and the part that leads here from it.
  let parent: Int
  let edge: PatternPart?
  var literals = LiteralChildren()
  /// Longest suffixes first, the parameter without a suffix last.
  private(set) var parameters: [(suffix: ParameterSuffix, child: Int)] = []
  var end: RouteSlot?
  var wildcard: RouteSlot?

  init(parent: Int, edge: PatternPart?) {
    self.parent = parent
    self.edge = edge
  }

  var isEmpty: Bool { literals.isEmpty && parameters.isEmpty && end == nil && wildcard == nil }

  func child(along part: PatternPart) -> Int? {
    switch part {
    case .literal(let text): literals[text]
    case .parameter(_, let suffix): parameters.first { $0.suffix.text.isSame(as: suffix) }?.child
    case .wildcard: nil
    }
  }

  mutating func add(_ child: Int, along part: PatternPart) {
    switch part {
    case .literal(let text): literals[text] = child
    case .parameter(_, let suffix):
      let suffix = ParameterSuffix(suffix)
      let place = parameters.firstIndex { $0.suffix < suffix } ?? parameters.endIndex
      parameters.insert((suffix, child), at: place)
    case .wildcard: break
    }
  }

  mutating func removeChild(along part: PatternPart) {
    switch part {
    case .literal(let text): literals[text] = nil
    case .parameter(_, let suffix): parameters.removeAll { $0.suffix.text.isSame(as: suffix) }
    case .wildcard: break
    }
  }
}

/// What the part of a parameter has to end in.
struct ParameterSuffix: Comparable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  /// Whether a part has the suffix and something in front of it. Bytes are compared: the value is what is left of them.
  func takes(_ part: String) -> Bool {
    guard !text.isEmpty else { return !part.isEmpty }
    let (count, size) = (part.utf8.count, text.utf8.count)
    return count > size && part.utf8.suffix(size).elementsEqual(text.utf8)
  }

  /// Whether it comes behind the other: shorter ones do, and of equally long ones those that are later by bytes.
  static func < (one: ParameterSuffix, other: ParameterSuffix) -> Bool {
    let (size, otherSize) = (one.text.utf8.count, other.text.utf8.count)
    return size != otherSize ? size < otherSize : other.text.utf8.lexicographicallyPrecedes(one.text.utf8)
  }
}

/// The nodes below a node by their literals: a list while there are few, then a table.
struct LiteralChildren: Sendable {
  /// Up to here comparing all of them is faster than hashing one.
  private static let listLimit = 8

  private var list: [(text: String, child: Int)] = []
  private var table: [ExactText: Int] = [:]

  var isEmpty: Bool { list.isEmpty && table.isEmpty }

  subscript(text: String) -> Int? {
    get {
      guard table.isEmpty else { return table[ExactText(text)] }
      for (known, child) in list where known.isSame(as: text) { return child }
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
      table = Dictionary(list.map { (ExactText($0.text), $0.child) }) { first, _ in first }
      list = []
    }
  }
}
