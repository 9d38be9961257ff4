internal import Signet
internal import SignetCrypto

/// What a store remembers: `state.json`. No field of it decides trust: what is listed has still to be verified, each time
/// it is opened.
struct StoreState: Sendable {
  /// The state's file.
  static let name = "state.json"
  /// Modules at most: more than any host has, and few enough to be read in no time.
  static let moduleLimit = 1000
  /// Releases of one module at most: two are needed, the others wait to be cleared away.
  static let releaseLimit = 32
  /// Hosts at most whose manifests' floors are remembered: a store has one host, or few.
  static let manifestLimit = 64
  /// Notes at most; the oldest go first.
  static let noteLimit = 256

  /// The modules by their identifiers.
  var modules: [ModuleIdentifier: Module] = [:]
  /// The floors of hosts' manifests, by the hosts' identifiers. They are none of a module that may be called the same.
  var manifests: [ModuleIdentifier: Floor] = [:]
  /// The latest time any change was made at.
  var latestTime: UnixTime?
  /// What was decided by hand, the oldest first.
  private(set) var notes: [Note] = []

  /// What is remembered of a module; floors outlive releases.
  struct Module: Hashable, Sendable {
    /// What is installed, sorted by sequence; each sequence once.
    var releases: [Release] = []
    /// The sequence of the release that is to be loaded.
    var active: Int?
    /// The floor.
    var floor: Floor?
    /// The release that has crashed while it was loaded.
    var crashes: Crashes?

    /// The release of a sequence.
    func release(_ sequence: Int) -> Release? { releases.first { $0.sequence == sequence } }
  }

  /// A release that is installed.
  struct Release: Hashable, Sendable {
    /// Which one.
    let sequence: Int
    /// The SHA-256 that is signed for its archive, without the signing block.
    let sha256: Digest
    /// The digests of the file it was installed from, where that had a signing block: a policy may revoke it by them.
    var file: FileDigests?

    /// Whether it is the same release, whatever file it came in.
    func isSame(as other: Release) -> Bool { sequence == other.sequence && sha256 == other.sha256 }

    /// The name of its directory.
    var folderName: String { "\(sequence)-\(sha256.hex)" }
  }

  /// A release that has crashed while it was loaded, and did not load since.
  struct Crashes: Hashable, Sendable {
    /// Which one.
    let sequence: Int
    /// How often.
    var count: Int
    /// The least sequence that may be fallen back to, as its statement says.
    var minimumSequence: Int?

    /// Crashes after which another release is looked for (section 5 of the design).
    static let limit = 2
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
    }
  }

  init() {}

  init(
    modules: [ModuleIdentifier: Module], manifests: [ModuleIdentifier: Floor], latestTime: UnixTime?, notes: [Note]
  ) {
    self.modules = modules
    self.manifests = manifests
    self.latestTime = latestTime
    self.notes = notes
  }

  /// Remembers that something was decided by hand.
  mutating func note(_ note: Note) { notes = (notes + [note]).suffix(Self.noteLimit) }

  /// Remembers a time, unless a later one is known.
  mutating func see(_ time: UnixTime) { latestTime = max(latestTime ?? time, time) }

  /// Makes sure that the clock has not been set back.
  ///
  /// - Throws: `clock.rollback`.
  func check(_ now: UnixTime, _ store: String) throws(SignetError) {
    guard let latestTime, now < latestTime else { return }
    throw SignetError(
      .clockRollback, store, "the clock shows an earlier time than the store has seen",
      expected: "\(latestTime) or later", found: "\(now)", hint: "set the clock right")
  }
}
