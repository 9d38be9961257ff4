/// What the journal of a process that has ended says (docs/format.md, "Crashes").
struct JournalRecord: Sendable {
  /// The greatest number of runs that are read of one journal. Only hosts on a full disk share a journal.
  static let runLimit = 1024

  /// The journal's name in the store.
  let name: String
  /// The runs of hosts in it, the earliest first. On a full disk, a host continues the journal of another.
  let runs: [Run]

  /// A run of a host that is over.
  struct Run: Sendable {
    /// What is known of a release by its last line.
    private enum Standing {
      case loading, loaded, failed
      /// Off trial: it has run well, or it has failed without a crash of the process.
      case well, passed
    }

    /// The journals that could not be counted when the run began. What they report was over by then.
    private(set) var earlier: Set<String> = []
    /// The process of the run. Several hosts in one process have a journal each.
    private(set) var process: String?
    /// The release that was being loaded at the end.
    private(set) var loading: ModuleStore.ReleaseName?
    private var standings: [ModuleStore.ReleaseName: Standing] = [:]
    /// A release whose loading did not return.
    private var stalled: ModuleStore.ReleaseName?
    private var hasEnded = false
    /// The releases that have run well together, at one time after another.
    private var batches: [[ModuleStore.ReleaseName]] = []
    private var isBatchOpen = false

    /// The releases with which the process may have crashed: their code was in it, and was not known to run well.
    ///
    /// A process that has ended in order has not crashed, except with a release whose loading did not return.
    var crashed: [ModuleStore.ReleaseName] {
      guard hasEnded else { return releases(.loading) + releases(.loaded) + releases(.failed) }
      return [stalled].compactMap { $0 == loading ? $0 : nil }
    }
    /// The releases that ran well, and those that were loaded when the process ended in order: what ran well at one
    /// time together.
    var ranWell: [[ModuleStore.ReleaseName]] {
      batches.map { $0.filter { standings[$0] == .well } } + (hasEnded ? [releases(.loaded)] : [])
    }
    /// The releases that failed without a crash of the process.
    var failedInOrder: [ModuleStore.ReleaseName] { releases(.passed) + (hasEnded ? releases(.failed) : []) }

    private func releases(_ standing: Standing) -> [ModuleStore.ReleaseName] {
      standings.filter { $0.value == standing }.map(\.key)
    }

    fileprivate mutating func note(_ line: JournalLine) {
      defer { if case .well = line { isBatchOpen = true } else { isBatchOpen = false } }
      switch line {
      case .start: break
      case .process(let name): process = name
      case .after(let journal): earlier.insert(journal)
      case .loading(let release):
        standings[release] = .loading
        loading = release
      case .stalled(let release): stalled = release
      case .loaded(let release): end(release, .loaded)
      case .failed(let release): end(release, .failed)
      case .well(let release):
        standings[release] = standings[release] == .failed ? .passed : .well
        if !isBatchOpen { batches.append([]) }
        batches[batches.count - 1].append(release)
      case .noted:
        standings = standings.filter { $0.value != .well && $0.value != .passed }
        batches = []
      case .ended: hasEnded = true
      }
    }

    private mutating func end(_ release: ModuleStore.ReleaseName, _ standing: Standing) {
      standings[release] = standing
      if loading == release { loading = nil }
    }
  }

  /// Reads a journal's text. Lines without a meaning are skipped.
  init(_ name: String, _ text: String) {
    self.name = name
    var runs: [Run] = []
    var run: Run?
    for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
      guard let line = JournalLine(line) else { continue }
      if line == .start {
        if let run { runs.append(run) }
        guard runs.count < Self.runLimit else { break }
        run = Run()
      } else {
        run = run ?? Run()
        run?.note(line)
      }
    }
    if let run, runs.count < Self.runLimit { runs.append(run) }
    self.runs = runs
  }
}
