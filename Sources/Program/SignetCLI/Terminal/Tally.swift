/// How many files had which result, reported if there is more than one.
struct Tally {
  private var counts: [(name: String, plural: String, verb: String?, count: Int)] = []

  /// Counts a file whose result one word describes: `signed`.
  mutating func count(_ end: String) { count(end, end, nil) }

  /// Counts a file of a kind, and what was done with it: `signature file`, `signature files`, `skipped`.
  mutating func count(_ name: String, _ plural: String, _ verb: String?) {
    if let index = counts.firstIndex(where: { $0.name == name }) {
      counts[index].count += 1
    } else {
      counts.append((name, plural, verb, 1))
    }
  }

  /// The counts in one line, in the order in which they came.
  var line: String {
    counts.map { each in each.count.of(each.name, each.plural) + (each.verb.map { " " + $0 } ?? "") }
      .joined(separator: ", ")
  }
}

extension Int {
  /// A number of things: `1 file`, `2 files`.
  package func of(_ one: String, _ several: String) -> String { "\(self) \(self == 1 ? one : several)" }
}
