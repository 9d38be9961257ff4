internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// What a store remembers: `state.json`.
///
/// No field of it decides trust: what is listed still has to be verified, each time it is opened.
struct StoreState: Sendable {
  /// The name of the state's file.
  static let name = "state.json"
  /// The greatest number of modules: more than any host has, and few enough to be read in no time.
  static let moduleLimit = 1000
  /// The greatest number of hosts whose manifests' floors are remembered: a store has one host, or a few.
  static let manifestLimit = 64
  /// The greatest number of notes; the oldest are removed first.
  static let noteLimit = 256

  /// The modules by their identifiers.
  var modules: [ModuleIdentifier: ModuleRecord] = [:]
  /// The floors of hosts' manifests, by the hosts' identifiers. They are not the floors of modules with the same
  /// identifiers.
  var manifests: [ModuleIdentifier: Floor] = [:]
  /// The latest time at which a change was made.
  var latestTime: UnixTime?
  /// The first time that the clock showed far ahead of that.
  var aheadTime: UnixTime?
  /// How many runs were counted of each journal that may still be there, by the journal's name.
  private(set) var countedRuns: [String: Int] = [:]
  /// Decisions made by hand, the oldest first.
  private(set) var notes: [Note] = []

  /// An installed release.
  struct Release: Hashable, Sendable {
    /// Its sequence.
    let sequence: Int
    /// The SHA-256 that is signed for its archive, without the signing block.
    let sha256: Digest
    /// The digests of the file from which it was installed, if that had a signing block. A policy may revoke it by
    /// them.
    var file: FileDigests?
    /// Whether a host has run well with it.
    var hasRunWell = false

    /// Whether both are the same release, whatever file each came in.
    func isSame(as other: Release) -> Bool { sequence == other.sequence && sha256 == other.sha256 }

    /// The name of its directory.
    var folderName: String { "\(sequence)-\(sha256.hex)" }
  }

  /// A decision made by hand.
  struct Note: Hashable, Sendable {
    /// When it was made.
    let time: UnixTime
    /// The number of the user who made it.
    let user: Int
    /// What was decided.
    let action: Action
    /// The module concerned.
    let module: ModuleIdentifier?
    /// The sequence that no longer counts.
    let sequence: Int?

    enum Action: String, CaseIterable, Sendable {
      case floorReset = "floor-reset"
      case timeReset = "time-reset"
      case retry
    }
  }

  init() {}

  init(
    modules: [ModuleIdentifier: ModuleRecord], manifests: [ModuleIdentifier: Floor], latestTime: UnixTime?,
    aheadTime: UnixTime?, countedRuns: [String: Int], notes: [Note]
  ) {
    self.modules = modules
    self.manifests = manifests
    self.latestTime = latestTime
    self.aheadTime = aheadTime
    self.countedRuns = countedRuns
    self.notes = notes
  }

  /// Remembers how many runs of a journal were counted.
  mutating func noteCounted(_ journal: String, runs: Int) { countedRuns[journal] = runs }

  /// Forgets journals that are gone, and those that exceed what can be read again.
  ///
  /// - Parameter left: the names of journals that may be there.
  mutating func forgetCounted(except left: Set<String>) {
    let known = countedRuns.filter { left.contains($0.key) }.sorted { $0.key.precedesInBytes($1.key) }
    countedRuns = Dictionary(known.prefix(LoadingJournal.limit).map { ($0.key, $0.value) }) { first, _ in first }
  }

  /// Remembers a decision made by hand.
  mutating func note(_ note: Note) { notes = (notes + [note]).suffix(Self.noteLimit) }

  /// The greatest number of seconds by which the latest time rises at once: 30 days, for which a machine may well be
  /// off.
  private static let leap: Int64 = 30 * 86_400
  /// How many seconds a clock has to go on from a later time before that time is trusted: a day.
  private static let trial: Int64 = 86_400

  /// Remembers a time, unless a later one is known.
  ///
  /// A clock that shows a time far ahead is trusted if it still does a day later. So one start with a clock that is
  /// wrong by years does not make everything expire for years. A new store has seen no time. So it trusts the clock at
  /// once only if that agrees with what was signed.
  ///
  /// - Parameter signed: when something that is accepted now was signed, as its signer says; nil if nothing is known.
  mutating func see(_ time: UnixTime, after signed: UnixTime? = nil) {
    if let known = latestTime ?? signed, time.seconds - known.seconds <= Self.leap {
      latestTime = max(latestTime ?? time, time)
      aheadTime = nil
      return
    }
    guard let aheadTime, time >= aheadTime else { return self.aheadTime = time }
    guard time.seconds - aheadTime.seconds >= Self.trial else { return }
    latestTime = time
    self.aheadTime = nil
  }

  /// The time by which expiry is judged: the clock's, or the latest that the store has seen if that is later. So
  /// setting the clock back revives nothing that has expired.
  func judged(_ now: UnixTime) -> UnixTime { max(latestTime ?? now, now) }

  /// Replaces the state in the store. It is written whole to a temporary file, synced, and renamed. The name is not
  /// synced.
  func write(into root: StoreFolder, by staging: StoreFolder) throws(SignetError) {
    let text = try text()
    let name = StagingName.new("state")
    do throws(SignetError) {
      try staging.makeSyncedFile(name, text)
      try staging.replace(root, Self.name, with: name)
    } catch {
      try? staging.remove(name)
      throw error
    }
  }
}

/// Names in `staging/`.
enum StagingName {
  /// Files that were removed, but may be in use because they were opened before.
  static let removed = "old"

  /// A name that is not in use.
  static func new(_ purpose: String) -> String {
    "\(purpose)-\(String(UInt64.random(in: .min ... .max), radix: 36))"
  }

  /// Whether a file with this name may still be in use.
  static func mayBeInUse(_ name: String) -> Bool { name.hasPrefix("\(removed)-") }

  /// Gives removed files, which nobody uses any longer, a name that says so: the next change removes them if this process
  /// does not.
  static func release(_ name: String, in staging: StoreFolder) throws(SignetError) -> String {
    let new = StagingName.new("unused")
    try staging.move(name, to: staging, as: new)
    return new
  }
}

/// The state that was read last.
///
/// A host asks for it with each of its modules, and most of the time nothing has changed. Then the state is not read
/// again.
///
/// The file from which it was read stays open, so that no other file can get its number. So a file with the same number
/// is the same file, and a store never changes one in place (``StoreState/write(into:by:)``). Any other change of the
/// file changes its times.
final class KnownState: Sendable {
  private struct Known {
    let file: RegularFile
    let state: StoreState
  }

  private let known = Monitor<Known?>(nil)

  /// The state that was read last; nil before the first time.
  var last: StoreState? { known.withLock { $0?.state } }

  /// - Throws: `store.state-malformed`, `file.…`.
  func state(in file: RegularFile) throws(SignetError) -> StoreState {
    if let state = known.withLock({ $0.flatMap { $0.file.status == file.status ? $0.state : nil } }) { return state }
    let state = try StoreState(try file.bytes(in: 0..<file.size), file.path)
    known.withLock { $0 = Known(file: file, state: state) }
    return state
  }
}
