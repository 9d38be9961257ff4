internal import Signet

// The releases to which a crash of a host's process is attributed (docs/format.md, "Crashes").
extension StoreState {
  /// A process that has ended with code on trial.
  private struct Crash {
    /// The journals that report it.
    var journals: Set<String>
    let process: String?
    /// The releases that may have caused it.
    var releases: Set<ModuleStore.ReleaseName>
    /// The releases that were being loaded.
    var loading: Set<ModuleStore.ReleaseName>

    /// Whether a run reports the same crash. It is of the same process, or of another one that ran at the same time and
    /// may have been killed with it.
    func isSame(as run: JournalRecord.Run, in journal: String) -> Bool {
      guard !journals.contains(journal) else { return false }
      if let process, process == run.process { return true }
      return journals.isDisjoint(with: run.earlier) && !releases.isDisjoint(with: run.crashed)
    }
  }

  /// Counts what journals say of runs that are over, the earliest first.
  ///
  /// A release is set aside only for crashes that it alone can have caused. If several were on trial, each is
  /// suspected. Hosts then load suspects alone, one after another, so that the next crash has one cause. If each of
  /// them runs well alone, and they crash the process together again, they are loaded in different lanes.
  ///
  /// - Parameter facts: what is known of the releases that verify.
  mutating func count(_ journals: [JournalRecord], _ facts: [ModuleStore.ReleaseName: CrashRecord.Facts]) {
    let runs = journals.flatMap { journal in
      journal.runs.dropFirst(countedRuns[journal.name] ?? 0).map { (journal: journal.name, run: $0) }
    }
    var crashes: [Crash] = []
    // The crash that is counted with each run: with the first of the runs that report it.
    var counted: [Int: Int] = [:]
    for (index, (journal, run)) in runs.enumerated() where !run.crashed.isEmpty {
      let loading = Set([run.loading].compactMap(\.self))
      if let known = crashes.firstIndex(where: { $0.isSame(as: run, in: journal) }) {
        crashes[known].journals.insert(journal)
        crashes[known].releases.formUnion(run.crashed)
        crashes[known].loading.formUnion(loading)
      } else {
        counted[index] = crashes.count
        crashes.append(
          Crash(journals: [journal], process: run.process, releases: Set(run.crashed), loading: loading))
      }
    }
    for (index, (_, run)) in runs.enumerated() {
      for releases in run.ranWell { noteWell(releases) }
      noteWell([], failed: run.failedInOrder)
      if let crash = counted[index] { count(crashes[crash], facts) }
    }
    for journal in journals { noteCounted(journal.name, runs: journal.runs.count) }
  }

  private mutating func count(_ crash: Crash, _ facts: [ModuleStore.ReleaseName: CrashRecord.Facts]) {
    if let release = crash.releases.first, crash.releases.count == 1 {
      let explained = modules[release.identifier]?.crash(release.sequence)?.doubt
      modules[release.identifier]?.noteCrash(release.sequence, facts[release])
      // This release has also caused the earlier crash of which others are suspected.
      guard let explained else { return }
      for module in Array(modules.keys) { modules[module]?.clearSuspicions(of: explained) }
    } else {
      let divided = divide(crash.releases)
      let latest = modules.values.flatMap(\.crashes).compactMap(\.suspicion?.crash).max() ?? 0
      for release in crash.releases {
        modules[release.identifier]?.suspect(
          release.sequence, crash: min(latest, 1 << 52) + 1, wasLoading: crash.loading.contains(release),
          isDivided: divided.contains(release), facts[release])
      }
    }
  }

  /// Divides releases that have crashed the process together before, and each of which has run well alone since. So
  /// they crash it only together.
  ///
  /// Half of them get a lane of their own. If they crash in it again, it is divided again, until no two that do not get
  /// on with each other are in one lane.
  ///
  /// - Returns: those that crash the process only together.
  private mutating func divide(_ releases: Set<ModuleStore.ReleaseName>) -> Set<ModuleStore.ReleaseName> {
    var together: [Int: [ModuleStore.ReleaseName]] = [:]
    for release in releases {
      guard let suspicion = modules[release.identifier]?.crash(release.sequence)?.suspicion,
        suspicion.grade == .passed
      else { continue }
      together[suspicion.crash, default: []].append(release)
    }
    var last = modules.values.flatMap(\.crashes).compactMap(\.lane).max() ?? 0
    var divided: Set<ModuleStore.ReleaseName> = []
    for (_, group) in together.sorted(by: { $0.key < $1.key }) where group.count > 1 && last < Self.laneLimit {
      last += 1
      // What has come first stays where it is.
      let sorted = group.sorted { "\($0)".precedesInBytes("\($1)") }
      for release in sorted.dropFirst((group.count + 1) / 2) {
        modules[release.identifier]?.move(release.sequence, to: last)
      }
      divided.formUnion(group)
    }
    return divided
  }

  /// The greatest number of a lane: as many as a store has modules, and some that are empty by now.
  static let laneLimit = 1 << 20

  /// Remembers that releases have run well, those given together at one time, or have failed in order.
  ///
  /// A release that may have crashed the process is cleared of that when it has run well together with all others that
  /// may have done so. Until then it is only no longer loaded alone.
  mutating func noteWell(_ releases: [ModuleStore.ReleaseName], failed: [ModuleStore.ReleaseName] = []) {
    let well = Set(releases)
    var doubtful: Set<Int> = []
    for (identifier, module) in modules {
      guard let record = module.nextCrash, let crash = record.suspicion?.crash,
        !well.contains(ModuleStore.ReleaseName(identifier: identifier, sequence: record.sequence))
      else { continue }
      doubtful.insert(crash)
    }
    for release in well {
      let crash = modules[release.identifier]?.crash(release.sequence)?.suspicion?.crash
      modules[release.identifier]?.noteWell(
        release.sequence, isCleared: crash.map { !doubtful.contains($0) } ?? true)
    }
    for release in failed { modules[release.identifier]?.noteWell(release.sequence, hasRun: false) }
  }

  /// The greatest number of suspects that are loaded singly, for each crash: about as many trials as a user waits for.
  private static let singleLimit = 12

  /// Those of some modules that a host loads alone, in batches that it loads one after another.
  ///
  /// Modules that were being loaded, or for which a crash is counted, come first, one in a batch. Then come the
  /// suspects of the latest crash, then those of the one before, and so on. If very many share a crash, several are in
  /// a batch. If such a batch crashes, its crash is the latest, and has few suspects. The lanes come last, each as a
  /// batch.
  func heldBack(among identifiers: [ModuleIdentifier]) -> [[ModuleIdentifier]] {
    var first: [ModuleIdentifier] = []
    var others: [Int: [ModuleIdentifier]] = [:]
    var lanes: [Int: [ModuleIdentifier]] = [:]
    for identifier in identifiers {
      guard let record = modules[identifier]?.nextCrash, record.isHeldBack else { continue }
      if !record.isSuspect, let lane = record.lane {
        lanes[lane, default: []].append(identifier)
      } else if let suspicion = record.suspicion, suspicion.grade != .loading, record.count == 0 {
        others[suspicion.crash, default: []].append(identifier)
      } else {
        first.append(identifier)
      }
    }
    let batches = others.sorted { $0.key > $1.key }.flatMap { _, suspects in
      let width = max(1, (suspects.count + Self.singleLimit - 1) / Self.singleLimit)
      return stride(from: 0, to: suspects.count, by: width).map {
        Array(suspects[$0..<min($0 + width, suspects.count)])
      }
    }
    return first.map { [$0] } + batches + lanes.sorted { $0.key < $1.key }.map(\.value)
  }
}
