/// What was measured, in tables.
struct ComparisonTables {
  let comparisons: [Comparison]
  /// The least peak memory that can be told of a program, in bytes.
  let floor: Int

  /// Time against the budgets.
  var times: String {
    var table = Table(
      "case", "signet", "against", "pairs", "others' load", "signet's time", "other's time", "ratio",
      "processor time ratio", "budget", "met")
    for comparison in comparisons {
      let other = comparison.note.map { "\(comparison.other.name) (\($0))" } ?? comparison.other.name
      table.add(
        comparison.title, comparison.subject.name, other, "\(comparison.pairs.count)", Self.load(comparison),
        Text.durations(comparison.time),
        Text.durations(Spread(comparison.pairs.map(\.other.wall))), Text.ratios(comparison.ratio),
        Text.ratios(comparison.cpuRatio), Self.budgets(comparison), Self.answers(comparison))
    }
    return table.markdown
  }

  /// Peak memory of the programs.
  var memory: String {
    var table = Table("case", "signet", "peak", "against", "peak", "budget", "met")
    for comparison in comparisons {
      guard let subject = comparison.subjectPeak, let other = comparison.otherPeak else { continue }
      table.add(
        comparison.title, comparison.subject.name, peak(subject), comparison.other.name, peak(other),
        comparison.memoryBudget.map { "under \(Text.size($0))" } ?? "none", Self.answer(comparison.isMemoryMet))
    }
    return table.markdown
  }

  /// A line for each budget that is missed.
  var missed: String {
    var lines: [String] = []
    for comparison in comparisons {
      if let budget = comparison.budget, comparison.isMet == false { lines.append(Self.reading(comparison, budget)) }
      if let budget = comparison.timeBudget, comparison.isTimeMet == false {
        lines.append(
          "- \(comparison.title): \(Text.duration(comparison.time.median)) instead of under "
            + "\(Text.duration(budget)).\(Self.doubt(comparison))\n")
      }
      if let peak = comparison.subjectPeak, comparison.isMemoryMet == false {
        lines.append("- \(comparison.title): \(Text.mebibytes(peak)) resident at once.\n")
      }
    }
    return lines.isEmpty ? "None.\n" : lines.joined()
  }

  private static func reading(_ comparison: Comparison, _ budget: Double) -> String {
    let times = comparison.pairs.map { $0.subject.wall - budget * $0.other.wall }
    return "- \(comparison.title), against \(comparison.other.name): \(Text.fixed(comparison.ratio.median, 2)) times "
      + "instead of \(Text.fixed(budget, 2)); \(Text.duration(max(0, Spread(times).median))) too many. The ratio of "
      + "processor times is \(Text.fixed(comparison.cpuRatio.median, 2)).\(doubt(comparison))\n"
  }

  private static func doubt(_ comparison: Comparison) -> String {
    comparison.isDisturbed ? " The machine was not quiet, so this says little." : ""
  }

  /// The budgets of time: as a ratio, and of Signet's own.
  private static func budgets(_ comparison: Comparison) -> String {
    let budgets = [
      comparison.budget.map { Text.fixed($0, 2) }, comparison.timeBudget.map { "under \(Text.duration($0))" },
    ]
    let all = budgets.compactMap(\.self)
    return all.isEmpty ? "none" : all.joined(separator: "; ")
  }

  /// What became of them, in the same order.
  private static func answers(_ comparison: Comparison) -> String {
    [comparison.isMet, comparison.isTimeMet].compactMap(\.self).map(answer).joined(separator: "; ")
  }

  /// Near the floor only a bound is known.
  private func peak(_ bytes: Int) -> String {
    (bytes > floor + floor / 16 ? "" : "at most ") + Text.mebibytes(bytes)
  }

  /// How quiet the machine was.
  private static func load(_ comparison: Comparison) -> String {
    guard let load = comparison.load else { return "unknown" }
    return Text.fixed(load, 2) + (comparison.discarded > 0 ? ", \(comparison.discarded) rounds left out" : "")
  }

  private static func answer(_ isMet: Bool?) -> String { isMet.map { $0 ? "yes" : "**no**" } ?? "" }
}
