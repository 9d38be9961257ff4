internal import Signet

/// What a store remembers of a module: its releases, how far they got, and which have crashed.
///
/// Everything that decides which release runs stands here or is an argument of ``choice(embedded:policy:isAccepted:)``, which is a
/// pure function. What happens changes the record by the functions below, one an event. Floors and crashes outlive releases.
struct ModuleRecord: Hashable, Sendable {
  /// Releases of one module at most: what ``add(_:)`` keeps, and room.
  static let releaseLimit = 32
  /// Crash records of one module at most: a publisher who releases that many that crash has other worries.
  static let crashLimit = 16

  /// What is installed, sorted by sequence; each sequence once.
  var releases: [StoreState.Release] = []
  /// The floor: the highest release that has been loaded.
  var floor: Floor?
  /// The releases that have crashed and did not run well since, sorted by sequence; each once.
  var crashes: [CrashRecord] = []

  /// Whether there is nothing to remember.
  var isEmpty: Bool { releases.isEmpty && floor == nil && crashes.isEmpty }

  /// The installed release of a sequence.
  func release(_ sequence: Int) -> StoreState.Release? { releases.first { $0.sequence == sequence } }

  /// The crashes of a release.
  func crash(_ sequence: Int) -> CrashRecord? { crashes.first { $0.sequence == sequence } }

  /// The crashes of the newest release that was not set aside: of the one that runs, if it is accepted.
  var nextCrash: CrashRecord? {
    releases.last { !isSetAside($0.sequence) }.flatMap { crash($0.sequence) }
  }

  /// Whether a release has crashed too often to be run.
  func isSetAside(_ sequence: Int) -> Bool { crash(sequence)?.isSetAside ?? false }

  /// The least sequence that may be installed or run.
  ///
  /// That is the store's floor, unless the release that raised it was set aside: then the least that the statements of the
  /// releases which were set aside allow instead of them. Nothing below a release that ships with the host runs. The policy's own floor is
  /// part of what is accepted.
  func leastSequence(embedded: Int?, policy: TrustPolicy) -> Int {
    let holding = floor.flatMap { floor in
      floor.isDropped(by: policy) || crash(floor.sequence)?.wasSetAside == true ? nil : floor.sequence
    }
    // Of those above the floor, too: what they say holds for every release that runs instead of them.
    let allowed = crashes.filter { $0.wasSetAside && !$0.isDropped(by: policy) }.map {
      min($0.release?.minimumSequence ?? 1, $0.sequence)
    }
    return max(embedded ?? 1, holding ?? 1, allowed.max() ?? 1)
  }

  /// Which release runs: the newest that is accepted, not below the least sequence, and not set aside.
  ///
  /// - Parameters:
  ///   - embedded: the sequence of the release that ships with the host; it need not be installed.
  ///   - policy: whose revocations drop floors and crash records.
  ///   - isAccepted: whether a release is as it was signed, and accepted under the policy now. It is asked from the newest down,
  ///     no longer than it takes, and once for each.
  func choice(
    embedded: Int?, policy: TrustPolicy, isAccepted: (_ sequence: Int) -> Bool
  ) -> ReleaseChoice {
    let known = Set(releases.map(\.sequence) + [embedded].compactMap(\.self)).sorted(by: >)
    guard !known.isEmpty else { return .notInstalled }
    let least = leastSequence(embedded: embedded, policy: policy)
    var setAside: Int?
    for sequence in known where sequence >= least {
      let isSetAside = isSetAside(sequence)
      // Of those that were set aside the highest that would run otherwise is told.
      if isSetAside && setAside != nil { continue }
      guard isAccepted(sequence) else { continue }
      guard isSetAside else { return .run(sequence, insteadOf: setAside) }
      setAside = sequence
    }
    return setAside.map { .setAside($0) } ?? .refused
  }

  /// Lists a release that was installed, and takes those out of the list that nothing needs any more.
  ///
  /// - Returns: what was taken out.
  mutating func add(_ release: StoreState.Release) -> [StoreState.Release] {
    releases = (releases + [release]).sorted { $0.sequence < $1.sequence }
    let kept = kept(besides: release.sequence)
    let pruned = releases.filter { !kept.contains($0.sequence) }
    releases.removeAll { !kept.contains($0.sequence) }
    return pruned
  }

  /// Releases that are kept because they are the newest that could run: the one that does, one to fall back to, and some that
  /// were installed one after another without a start between them.
  private static let newestKept = 4
  /// Releases that were set aside and are kept so that they can be tried again.
  private static let setAsideKept = 1

  /// The newest that can run, the newest that was set aside, and the newest that has run well: should everything since be refused or
  /// crash, that one is there.
  private func kept(besides sequence: Int) -> Set<Int> {
    let descending = releases.reversed().map(\.self)
    let runnable = descending.filter { !isSetAside($0.sequence) }
    let kept =
      runnable.prefix(Self.newestKept) + descending.filter { isSetAside($0.sequence) }.prefix(Self.setAsideKept)
      + runnable.filter(\.hasRunWell).prefix(1)
    return Set(kept.map(\.sequence) + [sequence])
  }

  /// Counts a crash that only this release can have caused, installed or not.
  ///
  /// - Parameter facts: what is known of the release; nil when it does not verify.
  mutating func noteCrash(_ sequence: Int, _ facts: CrashRecord.Facts?) {
    change(sequence) { $0.count(facts) }
  }

  /// Notes a crash that this release may have caused, installed or not, or another that was on trial with it.
  ///
  /// - Parameters:
  ///   - crash: the crash's number.
  ///   - wasLoading: whether the release was being loaded.
  ///   - facts: what is known of the release; nil when it does not verify.
  mutating func suspect(_ sequence: Int, crash: Int, wasLoading: Bool, _ facts: CrashRecord.Facts?) {
    let hasRunWell = release(sequence)?.hasRunWell ?? false
    change(sequence) { $0.suspect(crash: crash, wasLoading ? .loading : hasRunWell ? .weak : .strong, facts) }
  }

  /// Suspects no release any more of having caused a crash.
  mutating func clearSuspicions(of crash: Int) {
    for index in crashes.indices where crashes[index].suspicion?.crash == crash { crashes[index].suspicion = nil }
    crashes.removeAll(where: \.isEmpty)
  }

  private mutating func change(_ sequence: Int, _ body: (inout CrashRecord) -> Void) {
    var record = crash(sequence) ?? CrashRecord(sequence: sequence)
    body(&record)
    crashes.removeAll { $0.sequence == sequence }
    crashes = (crashes + [record]).sorted { $0.sequence < $1.sequence }
    // The floor's is not forgotten: without it the floor would hold off what runs instead.
    while crashes.count > Self.crashLimit {
      guard let oldest = crashes.firstIndex(where: { $0.sequence != floor?.sequence }) else { break }
      crashes.remove(at: oldest)
    }
  }

  /// Remembers that a release has not crashed: what it did before does not count any more.
  ///
  /// - Parameter hasRun: whether it has run well. One that failed in order has not.
  mutating func noteWell(_ sequence: Int, hasRun: Bool = true) {
    crashes.removeAll { $0.sequence == sequence }
    guard hasRun else { return }
    for index in releases.indices where releases[index].sequence == sequence { releases[index].hasRunWell = true }
  }

  /// Lets releases run again as if they had not crashed: those that were set aside, and those that are loaded alone.
  ///
  /// - Parameter sequence: which one; nil for all.
  /// - Returns: those that it has changed.
  mutating func retry(_ sequence: Int?) -> [Int] {
    var retried: [Int] = []
    for index in crashes.indices where crashes[index].isSetAside || crashes[index].isHeldBack {
      guard sequence == nil || crashes[index].sequence == sequence else { continue }
      retried.append(crashes[index].sequence)
      crashes[index].count = 0
      crashes[index].suspicion = nil
    }
    crashes.removeAll(where: \.isEmpty)
    return retried
  }

  /// Raises the floor to a release that has been loaded.
  ///
  /// - Returns: the floor that holds now.
  mutating func raiseFloor(to new: Floor, under policy: TrustPolicy) -> Floor {
    if let floor, !floor.isDropped(by: policy), floor.sequence >= new.sequence { return floor }
    floor = new
    return new
  }
}

/// Which release of a module runs.
enum ReleaseChoice: Hashable, Sendable {
  /// The release of this sequence, and the newer one that would be accepted and was set aside.
  case run(Int, insteadOf: Int?)
  /// None: each that would be accepted was set aside. The newest of them.
  case setAside(Int)
  /// None is accepted.
  case refused
  /// There is no release.
  case notInstalled
}
