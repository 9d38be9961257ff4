internal import SignetBase

/// How much work may be done to compare patterns with files. It is counted, so that it ends at the same point everywhere.
package struct MatchBudget {
  /// The most steps for a spec: some seconds. A spec with 40 patterns and a folder of 20,000 files takes a hundredth.
  package static let usual = 100_000_000

  private let limit: Int
  private(set) var taken = 0

  init(_ limit: Int) { self.limit = limit }

  mutating func take(_ steps: Int) throws(SignetError) {
    taken += steps
    guard taken <= limit else {
      throw SignetError(
        .specTooHard, "the spec", "has patterns that take too much work to compare with the files",
        expected: "at most \(limit) steps", hint: "use fewer stars and braces, or fewer patterns")
    }
  }
}

/// A name with `*` and `?`.
struct NamePattern: Sendable {
  /// What stands for one scalar: nil for any, or itself.
  private let pattern: StarPattern<Unicode.Scalar?>

  init(_ scalars: [Unicode.Scalar]) {
    pattern = StarPattern(scalars.map { $0 == "*" ? nil : .some($0 == "?" ? nil : $0) })
  }

  /// Whether the pattern is for a name.
  func covers(_ name: [Unicode.Scalar], _ budget: inout MatchBudget) throws(SignetError) -> Bool {
    var steps = 0
    let isCovered = pattern.covers(name, steps: &steps) { $0 == nil || $0 == $1 }
    try budget.take(steps)
    return isCovered
  }
}

/// The files of a folder. Files in one folder share its name, so that it is compared once with each pattern.
struct FileTree {
  private struct Node {
    let name: [Unicode.Scalar]
    var children: [Int] = []
    /// The file of this path.
    var file: Int?
  }

  private var nodes = [Node(name: [])]

  /// - Parameter paths: the names in the path of each file.
  init(_ paths: [[[Unicode.Scalar]]]) {
    var known: [Int: [[Unicode.Scalar]: Int]] = [:]
    for (file, names) in paths.enumerated() {
      var node = 0
      for name in names {
        if let child = known[node]?[name] {
          node = child
          continue
        }
        known[node, default: [:]][name] = nodes.count
        nodes[node].children.append(nodes.count)
        node = nodes.count
        nodes.append(Node(name: name))
      }
      nodes[node].file = file
    }
  }

  /// Notes the files that a pattern is for.
  ///
  /// - Throws: `spec.too-hard`.
  func match(
    _ pattern: SourcePattern, _ isCovered: inout [Bool], _ budget: inout MatchBudget
  ) throws(SignetError) {
    for parts in pattern.alternatives {
      var open = [(node: 0, reached: Self.closed([], 0, parts))]
      while let (node, reached) = open.popLast() {
        for child in nodes[node].children {
          let next = try Self.step(reached, by: nodes[child].name, in: parts, &budget)
          guard !next.isEmpty else { continue }
          if next.last == parts.count, let file = nodes[child].file { isCovered[file] = true }
          if !nodes[child].children.isEmpty { open.append((child, next)) }
        }
      }
    }
  }

  /// The numbers of parts that the beginning of a path can stand for, when one more name has come.
  private static func step(
    _ reached: [Int], by name: [Unicode.Scalar], in parts: [SourcePattern.Part], _ budget: inout MatchBudget
  ) throws(SignetError) -> [Int] {
    try budget.take(1 + reached.count)
    var next: [Int] = []
    for place in reached where place < parts.count {
      switch parts[place] {
      case .anyNames: next = closed(next, place, parts)
      case .name(let pattern):
        if try pattern.covers(name, &budget) { next = closed(next, place + 1, parts) }
      }
    }
    return next
  }

  /// Adds a place, and those after it that are reached without a name. Places come in rising order.
  private static func closed(_ reached: [Int], _ place: Int, _ parts: [SourcePattern.Part]) -> [Int] {
    var reached = reached
    var place = place
    while true {
      if reached.last.map({ $0 < place }) ?? true { reached.append(place) }
      guard place < parts.count, case .anyNames = parts[place] else { return reached }
      place += 1
    }
  }
}
