internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// What a store remembers: `state.json`. No field of it decides trust: what is listed has still to be verified, each time
/// it is opened.
struct StoreState: Sendable {
  /// The state's file.
  static let name = "state.json"
  /// Modules at most: more than any host has, and few enough to be read in no time.
  static let moduleLimit = 1000
  /// Hosts at most whose manifests' floors are remembered: a store has one host, or few.
  static let manifestLimit = 64
  /// Notes at most; the oldest go first.
  static let noteLimit = 256

  /// The modules by their identifiers.
  var modules: [ModuleIdentifier: ModuleRecord] = [:]
  /// The floors of hosts' manifests, by the hosts' identifiers. They are none of a module that may be called the same.
  var manifests: [ModuleIdentifier: Floor] = [:]
  /// The latest time any change was made at.
  var latestTime: UnixTime?
  /// A time far ahead of that, which the clock has shown first.
  var aheadTime: UnixTime?
  /// Journals of hosts that were counted and may still be there, by their names, and how many runs of each were counted.
  private(set) var countedRuns: [String: Int] = [:]
  /// What was decided by hand, the oldest first.
  private(set) var notes: [Note] = []

  /// A release that is installed.
  struct Release: Hashable, Sendable {
    /// Which one.
    let sequence: Int
    /// The SHA-256 that is signed for its archive, without the signing block.
    let sha256: Digest
    /// The digests of the file it was installed from, where that had a signing block: a policy may revoke it by them.
    var file: FileDigests?
    /// Whether a host has run well with it.
    var hasRunWell = false

    /// Whether it is the same release, whatever file it came in.
    func isSame(as other: Release) -> Bool { sequence == other.sequence && sha256 == other.sha256 }

    /// The name of its directory.
    var folderName: String { "\(sequence)-\(sha256.hex)" }
  }

  /// Something that was decided by hand.
  struct Note: Hashable, Sendable {
    /// When.
    let time: UnixTime
    /// The number of the user who did it.
    let user: Int
    /// What.
    let action: Action
    /// What it was about.
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

  /// Forgets journals that are gone, and what is more than can be read again.
  ///
  /// - Parameter left: the names of those that may be there.
  mutating func forgetCounted(except left: Set<String>) {
    let known = countedRuns.filter { left.contains($0.key) }.sorted { $0.key.precedesInBytes($1.key) }
    countedRuns = Dictionary(known.prefix(LoadingJournal.limit).map { ($0.key, $0.value) }) { first, _ in first }
  }

  /// Remembers that something was decided by hand.
  mutating func note(_ note: Note) { notes = (notes + [note]).suffix(Self.noteLimit) }

  /// Seconds by which the latest time seen rises at once: 30 days, as long as a machine may well be off.
  private static let leap: Int64 = 30 * 86_400
  /// Seconds for which a clock has to go on from a later time before that is believed: a day.
  private static let trial: Int64 = 86_400

  /// Remembers a time, unless a later one is known.
  ///
  /// A clock that shows a time far ahead is believed when it still does a day later: one start with a clock that is wrong by years does not
  /// make everything expire for years.
  mutating func see(_ time: UnixTime) {
    guard let latestTime, time.seconds - latestTime.seconds > Self.leap else {
      latestTime = max(latestTime ?? time, time)
      aheadTime = nil
      return
    }
    guard let aheadTime, time >= aheadTime else { return self.aheadTime = time }
    guard time.seconds - aheadTime.seconds >= Self.trial else { return }
    self.latestTime = time
    self.aheadTime = nil
  }

  /// The time by which expiry is judged: the clock's, or the latest that the store has seen where that is later. Who sets the
  /// clock back revives nothing that has expired.
  func judged(_ now: UnixTime) -> UnixTime { max(latestTime ?? now, now) }

  /// Puts this state in the place of the one that is there: written whole to a temporary file, synced, renamed. The name
  /// is not synced.
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
  /// What somebody may still use, who opened it before it was removed.
  static let removed = "old"

  /// A name that nothing has.
  static func new(_ purpose: String) -> String {
    "\(purpose)-\(String(UInt64.random(in: .min ... .max), radix: 36))"
  }

  /// Whether somebody may still use it.
  static func mayBeInUse(_ name: String) -> Bool { name.hasPrefix("\(removed)-") }
}

/// The state that was read last. A host asks for each of its modules, and most of the time nothing has changed: then it is not read
/// again.
///
/// The file that it was read from stays open, so that no other can get its number: a file with the same number is the same file, and
/// nobody changes one in its place (``StoreState/write(into:by:)``). Who does so by other ways changes its times.
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
