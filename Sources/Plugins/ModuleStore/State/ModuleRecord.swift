internal import Signet

/// What a store remembers of a module: its releases, how far they got, and which have crashed.
///
/// Everything that decides which release runs is here or is an argument of ``choice(embedded:policy:isAccepted:)``,
/// which is a pure function. Events change the record by the functions below, one for each event. Floors and crashes
/// outlive releases, and with them what the newest release was signed with.
struct ModuleRecord: Hashable, Sendable {
  /// The greatest number of releases of one module: what ``add(_:)`` keeps, and some room.
  static let releaseLimit = 32
  /// The greatest number of crash records of one module. A publisher with that many crashing releases has other
  /// worries.
  static let crashLimit = 16

  /// The installed releases, sorted by sequence; each sequence once.
  var releases: [StoreState.Release] = []
  /// The floor: the highest release that has been loaded.
  var floor: Floor?
  /// The releases that have crashed and have not run well since, sorted by sequence; each once.
  var crashes: [CrashRecord] = []
  /// What the newest release was signed with that was installed; the next one is held to it.
  var signing: Signing?

  /// What a release was signed with.
  struct Signing: Hashable, Sendable {
    let sequence: Int
    let record: SigningRecord
  }

  /// Whether there is nothing to remember. What a removed release was signed with is remembered with its floor alone, so that
  /// modules that were only tried do not fill the store.
  var isEmpty: Bool { releases.isEmpty && floor == nil && crashes.isEmpty }

  /// The installed release with a sequence.
  func release(_ sequence: Int) -> StoreState.Release? { releases.first { $0.sequence == sequence } }

  /// The crashes of a release.
  func crash(_ sequence: Int) -> CrashRecord? { crashes.first { $0.sequence == sequence } }

  /// The crashes of the newest release that was not set aside. That release runs if it is accepted.
  var nextCrash: CrashRecord? {
    releases.last { !isSetAside($0.sequence) }.flatMap { crash($0.sequence) }
  }

  /// Whether a release does not run, because it has crashed too often.
  func isSetAside(_ sequence: Int) -> Bool { crash(sequence)?.isSetAside ?? false }

  /// The lowest sequence that may be installed or run.
  ///
  /// This is the store's floor, unless the release that raised it was set aside. Then it is the lowest that the
  /// statements of the releases that were set aside allow instead of them. Nothing below a release that ships with the
  /// host runs. The policy's own floor is part of what is accepted.
  func leastSequence(embedded: Int?, policy: TrustPolicy) -> Int {
    let holding = floor.flatMap { floor in
      floor.isDropped(by: policy) || crash(floor.sequence)?.wasSetAside == true ? nil : floor.sequence
    }
    // This includes releases above the floor: what they say holds for every release that runs instead of them.
    let allowed = crashes.filter { $0.wasSetAside && !$0.isDropped(by: policy) }.map {
      min($0.release?.minimumSequence ?? 1, $0.sequence)
    }
    return max(embedded ?? 1, holding ?? 1, allowed.max() ?? 1)
  }

  /// Which release runs: the newest that is accepted, not below the lowest sequence allowed, and not set aside.
  ///
  /// - Parameters:
  ///   - embedded: the sequence of the release that ships with the host; it need not be installed.
  ///   - policy: the policy whose revocations drop floors and crash records.
  ///   - isAccepted: whether a release is as it was signed, and accepted under the policy now. It is asked from the
  ///     newest release down, only as long as necessary, and once for each.
  func choice(
    embedded: Int?, policy: TrustPolicy, isAccepted: (_ sequence: Int) -> Bool
  ) -> ReleaseChoice {
    let known = Set(releases.map(\.sequence) + [embedded].compactMap(\.self)).sorted(by: >)
    guard !known.isEmpty else { return .notInstalled }
    let least = leastSequence(embedded: embedded, policy: policy)
    var setAside: Int?
    for sequence in known where sequence >= least {
      let isSetAside = isSetAside(sequence)
      // Of those that were set aside, the highest that would run otherwise is reported.
      if isSetAside && setAside != nil { continue }
      guard isAccepted(sequence) else { continue }
      guard isSetAside else { return .run(sequence, insteadOf: setAside) }
      setAside = sequence
    }
    return setAside.map { .setAside($0) } ?? .refused
  }

  /// Lists a release that was installed, and removes from the list what nothing needs any longer.
  ///
  /// - Returns: the releases that were removed from the list.
  mutating func add(_ release: StoreState.Release) -> [StoreState.Release] {
    releases = (releases + [release]).sorted { $0.sequence < $1.sequence }
    let kept = kept(besides: release.sequence)
    let pruned = releases.filter { !kept.contains($0.sequence) }
    releases.removeAll { !kept.contains($0.sequence) }
    return pruned
  }

  /// Remembers what a release was signed with that was installed, if it is the newest, or was let through.
  mutating func note(_ signing: Signing, isChosen: Bool = false) {
    if isChosen || self.signing.map({ $0.sequence < signing.sequence }) ?? true { self.signing = signing }
  }

  /// How many of the newest releases that could run are kept: the one that does, one to fall back to, and some that
  /// were installed one after another without a start between them.
  private static let newestKept = 4
  /// How many releases that were set aside are kept, so that they can be retried.
  private static let setAsideKept = 1

  /// The newest that can run, the newest that was set aside, and the newest that has run well. The last one is there if
  /// everything since is refused or crashes.
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
  /// - Parameter facts: what is known of the release; nil if it does not verify.
  mutating func noteCrash(_ sequence: Int, _ facts: CrashRecord.Facts?) {
    change(sequence) { $0.count(facts) }
  }

  /// Notes a crash that this release, installed or not, or another one on trial with it may have caused.
  ///
  /// - Parameters:
  ///   - crash: the crash's number.
  ///   - wasLoading: whether the release was being loaded.
  ///   - isDivided: whether the release crashes the process only together with others, and was divided from them.
  ///   - facts: what is known of the release; nil if it does not verify.
  mutating func suspect(
    _ sequence: Int, crash: Int, wasLoading: Bool, isDivided: Bool, _ facts: CrashRecord.Facts?
  ) {
    let hasRunWell = release(sequence)?.hasRunWell ?? false
    let grade: CrashRecord.Suspicion.Grade =
      wasLoading ? .loading : isDivided ? .passed : hasRunWell ? .weak : .strong
    change(sequence) { $0.suspect(crash: crash, grade, facts) }
  }

  /// Clears all releases of the suspicion of having caused a crash.
  mutating func clearSuspicions(of crash: Int) {
    for index in crashes.indices where crashes[index].suspicion?.crash == crash { crashes[index].suspicion = nil }
    crashes.removeAll(where: \.isEmpty)
  }

  /// Has a release loaded in another lane.
  mutating func move(_ sequence: Int, to lane: Int) { change(sequence) { $0.lane = lane } }

  private mutating func change(_ sequence: Int, _ body: (inout CrashRecord) -> Void) {
    var record = crash(sequence) ?? CrashRecord(sequence: sequence)
    body(&record)
    crashes.removeAll { $0.sequence == sequence }
    crashes = (crashes + [record]).sorted { $0.sequence < $1.sequence }
    // The record of the floor's release is not dropped: without it, the floor would exclude what runs instead.
    while crashes.count > Self.crashLimit {
      guard let oldest = crashes.firstIndex(where: { $0.sequence != floor?.sequence }) else { break }
      crashes.remove(at: oldest)
    }
  }

  /// Remembers that a release has not crashed. Its earlier crashes no longer count.
  ///
  /// - Parameters:
  ///   - hasRun: whether it has run well. A release that failed in order has not.
  ///   - isCleared: whether all that may have caused its last crash have run well together.
  mutating func noteWell(_ sequence: Int, hasRun: Bool = true, isCleared: Bool = true) {
    for index in crashes.indices where crashes[index].sequence == sequence {
      crashes[index].noteWell(isCleared: isCleared)
    }
    crashes.removeAll(where: \.isEmpty)
    guard hasRun else { return }
    for index in releases.indices where releases[index].sequence == sequence { releases[index].hasRunWell = true }
  }

  /// Lets releases run again as if they had not crashed: those that were set aside, and those that wait for others.
  ///
  /// - Parameter sequence: the release; nil for all.
  /// - Returns: the sequences of the releases that were changed.
  mutating func retry(_ sequence: Int?) -> [Int] {
    var retried: [Int] = []
    for index in crashes.indices where crashes[index].isSetAside || crashes[index].isHeldBack {
      guard sequence == nil || crashes[index].sequence == sequence else { continue }
      retried.append(crashes[index].sequence)
      crashes[index].count = 0
      crashes[index].suspicion = nil
      crashes[index].lane = nil
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

/// The choice of the release of a module that runs.
enum ReleaseChoice: Hashable, Sendable {
  /// The release with this sequence runs; a newer one that would be accepted was set aside, if there is one.
  case run(Int, insteadOf: Int?)
  /// None runs: each that would be accepted was set aside. This is the newest of them.
  case setAside(Int)
  /// None is accepted.
  case refused
  /// There is no release.
  case notInstalled
}
