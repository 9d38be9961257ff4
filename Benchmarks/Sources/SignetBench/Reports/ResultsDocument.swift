internal import SignetBase
internal import SignetCrypto

/// The report of a whole run.
struct ResultsDocument {
  let machine: Machine
  let versions: Versions
  /// The least peak memory that can be told of a program, in bytes.
  let floor: Int
  let comparisons: [Comparison]
  /// A large registry with hash bins, and without.
  let scales: [RegistryScale]

  private var tables: ComparisonTables { ComparisonTables(comparisons: comparisons, floor: floor) }

  /// The tables alone, for the terminal.
  var summary: String { tables.times + "\n" + tables.memory + "\n" + RegistryTable(scales: scales).markdown }

  /// The whole report.
  ///
  /// - Parameter remarks: what a person has to say about it, in Markdown.
  func markdown(remarks: String?) -> String {
    """
    # Results

    Written by `signet-bench` at \(UnixTime(seconds: Clock.sinceEpoch)); README.md tells how to read it.

    \(surroundings)
    ## Time

    \(tables.times)
    Median, and in brackets the least and the greatest. A ratio is Signet's time over the other's in one pair of runs;
    a budget is met when the median of the ratios is not above it, and one in milliseconds when the median of Signet's
    times is under it. Processor time is that of user and system, over all threads. The others' load is how many cores
    other processes kept busy meanwhile.

    ## Memory

    \(tables.memory)
    The most that was resident at once in any of the runs. Less than \(Text.mebibytes(floor)) cannot be seen: the
    system counts from before a program is loaded, and shows as much of `true`.

    ## Registries

    \(RegistryTable(scales: scales).markdown)
    ## Commands

    \(commands)
    They ran with no environment but `PATH`, `HOME` and `LC_ALL=C`, in a temporary folder.

    ## Missed budgets

    \(tables.missed)
    """ + (remarks.map { "\n\($0)" } ?? "")
  }

  private var surroundings: String {
    var table = Table("what", "which")
    table.add("processor", machine.processor)
    table.add("cores", "\(machine.cores)")
    if let hashes = machine.hashesInHardware { table.add("SHA-256 instructions", hashes ? "yes" : "no") }
    table.add("kernel", machine.kernel)
    table.add("system", machine.system)
    table.add("load before the first run", Text.fixed(machine.load, 2))
    for (name, version) in versions.lines { table.add(name, version) }
    return table.markdown
  }

  /// Every command line once, in the order they were first run.
  private var commands: String {
    var lines: [String] = []
    for line in comparisons.flatMap({ [$0.subject.commandLine, $0.other.commandLine] }) {
      if let line, !lines.contains(line) { lines.append(line) }
    }
    return "```\n" + lines.map { "\($0)\n" }.joined() + "```\n"
  }
}
