/// Signet and something else, run in turn.
struct Comparison {
  /// What both do.
  let title: String
  /// Signet's side.
  let subject: Contender
  /// The other side.
  let other: Contender
  /// How many times the other's time Signet's may be; nil where there is no budget.
  let budget: Double?
  /// What Signet's peak memory has to stay under, in bytes; nil where there is no budget.
  let memoryBudget: Int?
  /// What the report says about the other side.
  let note: String?
  /// The runs, in their order.
  private(set) var pairs: [Pair] = []
  /// How many cores other processes kept busy, on average, in each round that counts; none where it is not known.
  private(set) var loads: [Double] = []
  /// How many rounds do not count, because other processes kept the machine too busy.
  private(set) var discarded = 0

  typealias Pair = (subject: Sample, other: Sample)

  /// A round does not count when other processes kept more cores than this busy.
  private static let loadLimit = 0.2
  /// After so many times the rounds that were asked for every round counts: the machine does not get quiet.
  private static let patience = 4

  init(
    _ title: String, _ subject: Contender, against other: Contender, budget: Double?, memoryBudget: Int? = nil,
    note: String? = nil
  ) {
    self.title = title
    self.subject = subject
    self.other = other
    self.budget = budget
    self.memoryBudget = memoryBudget
    self.note = note
  }

  /// Runs both to warm up, then in turn, some rounds of some pairs. What disturbs the machine for longer than a run
  /// disturbs both, so the ratio of each pair says more than the times do.
  func run(rounds: Int, of count: Int) throws -> Comparison {
    var result = self
    StandardStream.error.write("\(title): \(subject.name), \(other.name)\n")
    _ = try pairs(count)
    for attempt in 0..<rounds * Self.patience where result.pairs.count < rounds * count {
      let bystanders = Bystanders()
      let pairs = try pairs(count)
      let load = bystanders.load
      let mustCount = rounds * Self.patience - attempt <= rounds - result.pairs.count / count
      if let load, load > Self.loadLimit, !mustCount {
        result.discarded += 1
        continue
      }
      result.pairs += pairs
      if let load { result.loads.append(load) }
    }
    return result
  }

  private func pairs(_ count: Int) throws -> [Pair] {
    try (0..<count).map { _ in (try subject.measure(), try other.measure()) }
  }

  /// Signet's time over the other's, pair by pair.
  var ratio: Spread { Spread(pairs.map { $0.subject.wall / $0.other.wall }) }
  /// Signet's processor time over the other's, pair by pair.
  var cpuRatio: Spread { Spread(pairs.map { $0.subject.cpu / $0.other.cpu }) }
  /// Whether the budget is met; nil where there is none.
  var isMet: Bool? { budget.map { ratio.median <= $0 } }
  /// Whether Signet's memory stays under its budget; nil where there is none.
  var isMemoryMet: Bool? {
    guard let memoryBudget, let subjectPeak else { return nil }
    return subjectPeak < memoryBudget
  }

  /// The largest of Signet's runs, in bytes.
  var subjectPeak: Int? { pairs.compactMap(\.subject.peak).max() }
  /// The largest of the other's runs, in bytes.
  var otherPeak: Int? { pairs.compactMap(\.other.peak).max() }
}
