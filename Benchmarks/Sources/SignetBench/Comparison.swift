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
  /// How many seconds Signet's time may be, whatever the other's is; nil where there is no such budget.
  let timeBudget: Double?
  /// What Signet's peak memory has to stay under, in bytes; nil where there is no budget.
  let memoryBudget: Int?
  /// What the report says about the other side.
  let note: String?
  /// The rounds that count.
  private var rounds: [Round] = []
  /// How many rounds do not count, because there were others in which the machine was less busy.
  private(set) var discarded = 0

  typealias Pair = (subject: Sample, other: Sample)

  /// Some pairs of runs, and how many cores other processes kept busy meanwhile; nil where the system does not tell.
  private struct Round {
    let pairs: [Pair]
    let load: Double?

    /// A round is disturbed when other processes kept more cores than this busy.
    private static let limit = 0.2
    var isDisturbed: Bool { load.map { $0 > Self.limit } ?? false }
  }

  init(
    _ title: String, _ subject: Contender, against other: Contender, budget: Double?, timeBudget: Double? = nil,
    memoryBudget: Int? = nil, note: String? = nil
  ) {
    self.title = title
    self.subject = subject
    self.other = other
    self.budget = budget
    self.timeBudget = timeBudget
    self.memoryBudget = memoryBudget
    self.note = note
  }

  /// Runs both to warm up, then in turn, some rounds of some pairs. What disturbs the machine for longer than a run
  /// disturbs both, so the ratio of each pair says more than the times do.
  ///
  /// - Parameters:
  ///   - count: how many rounds there have to be.
  ///   - size: pairs in a round.
  ///   - patience: seconds for which rounds are added in place of disturbed ones. The least disturbed count.
  func run(rounds count: Int, of size: Int, patience: Int) throws -> Comparison {
    StandardStream.error.write("\(title): \(subject.name), \(other.name)\n")
    _ = try pairs(size)
    let start = Clock.now().wall
    var rounds: [Round] = []
    while rounds.count(where: { !$0.isDisturbed }) < count {
      if rounds.count >= count, Clock.now().wall - start > Double(patience) { break }
      let bystanders = Bystanders()
      let round = Round(pairs: try pairs(size), load: bystanders.load)
      rounds.append(round)
      if round.isDisturbed { Clock.wait() }
    }
    var result = self
    result.rounds = Array(rounds.sorted { ($0.load ?? 0) < ($1.load ?? 0) }.prefix(count))
    result.discarded = rounds.count - count
    return result
  }

  private func pairs(_ count: Int) throws -> [Pair] {
    try (0..<count).map { _ in (try subject.measure(), try other.measure()) }
  }

  /// The runs that count.
  var pairs: [Pair] { rounds.flatMap(\.pairs) }
  /// Signet's time over the other's, pair by pair.
  var ratio: Spread { Spread(pairs.map { $0.subject.wall / $0.other.wall }) }
  /// Signet's processor time over the other's, pair by pair.
  var cpuRatio: Spread { Spread(pairs.map { $0.subject.cpu / $0.other.cpu }) }
  /// Signet's time, in seconds.
  var time: Spread { Spread(pairs.map(\.subject.wall)) }
  /// Whether the budget is met; nil where there is none.
  var isMet: Bool? { budget.map { ratio.median <= $0 } }
  /// Whether Signet's time stays under its own budget; nil where the comparison has no such budget.
  var isTimeMet: Bool? { timeBudget.map { time.median < $0 } }
  /// Whether Signet's memory stays under its budget; nil where there is none.
  var isMemoryMet: Bool? {
    guard let memoryBudget, let subjectPeak else { return nil }
    return subjectPeak < memoryBudget
  }

  /// How many cores other processes kept busy, on average of the rounds that count; nil where it is not known.
  var load: Double? {
    let loads = rounds.compactMap(\.load)
    return loads.isEmpty ? nil : loads.reduce(0, +) / Double(loads.count)
  }
  /// Whether disturbed rounds had to count: then the ratio of times says little.
  var isDisturbed: Bool { rounds.contains { $0.isDisturbed } }

  /// The largest of Signet's runs, in bytes.
  var subjectPeak: Int? { pairs.compactMap(\.subject.peak).max() }
  /// The largest of the other's runs, in bytes.
  var otherPeak: Int? { pairs.compactMap(\.other.peak).max() }
}
