import Signet
import SignetBase
import SignetCrypto
import Testing

@testable import HostTestSupport
@testable import ModuleStore

/// A model of one module of a store and of what happens to it: three releases, of which the second has an end and the third allows
/// nothing older than the second instead of it.
///
/// What decides is the product's own ``ModuleRecord``. Beside it the model keeps what has happened, from which the rules follow that
/// every state has to keep.
struct ReleaseWorld: Hashable {
  /// What can happen.
  enum Event: Hashable, CaseIterable {
    case install1, install2, install3
    /// A start whose host is found well.
    case startWell
    /// A start that ends while the release is loaded.
    case crashLoading
    /// A start that ends after the release was loaded, and its floor raised.
    case crashAfter
    /// A start that is killed after the release was loaded, before its floor was raised.
    case kill
    case embeddedUpgrade
    case revoke2, revoke3, trustAll
    case clockRight, clockBack, clockFar
    case retry

    var installed: Int? {
      switch self {
      case .install1: 1
      case .install2: 2
      case .install3: 3
      default: nil
      }
    }
  }

  static let start = ModuleWorkshop.time
  static let sequences = 1...3
  /// A year: the far clock is ahead by ten.
  static let year: Int64 = 365 * 86_400
  static let end = UnixTime(seconds: start.seconds + year)
  static let minimumSequences = [3: 2]

  /// A key's ID and a digest that stand for any.
  private static let someKey: KeyID = {
    guard let key = KeyID("SHA256:" + String(repeating: "A", count: 43)) else { preconditionFailure("no key's ID") }
    return key
  }()
  private static let someDigest: Digest = {
    guard let digest = Digest(.sha256, hex: String(repeating: "0", count: 64)) else {
      preconditionFailure("no digest")
    }
    return digest
  }()

  private(set) var record = ModuleRecord()
  /// What is shipped with the host.
  private(set) var shipped: Int?
  /// What the host knows of that: an archive that is not accepted says nothing.
  var embedded: Int? { shipped.flatMap { isAccepted($0) ? $0 : nil } }
  private(set) var revoked: Set<Int> = []
  private(set) var now = start
  private(set) var latest: UnixTime? = start
  private(set) var ahead: UnixTime?
  /// Crashes that the next start counts.
  private(set) var pending: [Int] = []

  // What has happened, by which the rules are checked.
  private(set) var crashesInARow: [Int: Int] = [:]
  private(set) var highestLoaded = 0
  private(set) var setAside: Set<Int> = []
  /// What the statements say that were read when a crash was counted.
  private(set) var minimums: [Int: Int] = [:]

  /// What a store with the model's policy decides; floors and crashes are never dropped in it, since nobody's key is revoked.
  let policy: PolicyBox

  /// The policy counts for nothing when states are compared.
  struct PolicyBox: Hashable {
    let policy: TrustPolicy
    static func == (one: PolicyBox, other: PolicyBox) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  init(_ policy: TrustPolicy) { self.policy = PolicyBox(policy: policy) }

  /// The time by which expiry is judged.
  var judged: UnixTime { max(now, latest ?? now) }

  func isAccepted(_ sequence: Int) -> Bool {
    !revoked.contains(sequence) && (sequence != 2 || judged <= Self.end)
  }

  /// What the product decides.
  func choice() -> ReleaseChoice {
    record.choice(embedded: embedded, policy: policy.policy, isAccepted: isAccepted)
  }

  /// The state in which a start decides.
  var counted: ReleaseWorld {
    var world = self
    world.begin()
    return world
  }

  /// What may run at the least, by what has happened.
  var least: Int {
    let holding = setAside.contains(highestLoaded) ? 1 : max(highestLoaded, 1)
    return max(embedded ?? 1, holding, setAside.map { minimums[$0] ?? 1 }.max() ?? 1)
  }

  /// Whether a release may run now, by what has happened.
  func mayRun(_ sequence: Int) -> Bool {
    isAccepted(sequence) && sequence >= least && crashesInARow[sequence] ?? 0 < CrashRecord.limit
  }

  static func facts(_ sequence: Int) -> CrashRecord.Facts? {
    guard let version = SemanticVersion("1.0.\(sequence)") else { return nil }
    return CrashRecord.Facts(
      version: version, minimumSequence: minimumSequences[sequence],
      signers: [Floor.Signer(key: Self.someKey, certificates: [])])
  }

  private static func release(_ sequence: Int) -> StoreState.Release {
    StoreState.Release(sequence: sequence, sha256: Self.someDigest)
  }

  /// What follows.
  func after(_ event: Event) -> ReleaseWorld {
    var world = self
    switch event {
    case .install1, .install2, .install3: if let sequence = event.installed { world.install(sequence) }
    case .startWell:
      world.begin()
      guard case .run(let sequence, _) = world.choice() else { break }
      world.load(sequence)
      world.record.noteWell(sequence)
      world.crashesInARow[sequence] = nil
      world.minimums[sequence] = nil
      world.setAside.remove(sequence)
    case .crashLoading, .kill:
      world.begin()
      guard case .run(let sequence, _) = world.choice() else { break }
      world.use(sequence)
      world.crash(sequence)
    case .crashAfter:
      world.begin()
      guard case .run(let sequence, _) = world.choice() else { break }
      world.load(sequence)
      world.crash(sequence)
    case .embeddedUpgrade: world.shipped = min((shipped ?? 0) + 1, Self.sequences.upperBound)
    case .revoke2: world.revoked.insert(2)
    case .revoke3: world.revoked.insert(3)
    case .trustAll: world.revoked = []
    case .clockRight: world.now = Self.start
    case .clockBack: world.now = UnixTime(seconds: Self.start.seconds - Self.year)
    case .clockFar: world.now = UnixTime(seconds: Self.start.seconds + 10 * Self.year)
    case .retry:
      // What has crashed until now is forgotten, counted or not.
      world.count()
      let retried = world.record.retry(nil)
      if !retried.isEmpty { world.see() }
      for sequence in retried { world.crashesInARow[sequence] = nil }
    }
    return world
  }

  /// Whether a release can be installed now.
  func canInstall(_ sequence: Int) -> Bool {
    isAccepted(sequence) && record.release(sequence) == nil && !record.isSetAside(sequence)
      && sequence >= record.leastSequence(embedded: nil, policy: policy.policy) && sequence >= embedded ?? 1
  }

  private mutating func install(_ sequence: Int) {
    guard canInstall(sequence) else { return }
    _ = record.add(Self.release(sequence))
    see()
  }

  private mutating func count() {
    for sequence in pending where !isAccepted(sequence) { record.noteCrash(sequence, nil) }
    for sequence in pending where isAccepted(sequence) {
      record.noteCrash(sequence, Self.facts(sequence))
      minimums[sequence] = Self.minimumSequences[sequence]
    }
    if !pending.isEmpty { see() }
    pending = []
  }

  /// What every start does first: crashes are counted, and what ships with the host is installed.
  private mutating func begin() {
    count()
    guard let embedded, record.releases.last.map({ $0.sequence <= embedded }) ?? true else { return }
    if record.release(embedded) == nil, !record.isSetAside(embedded),
      embedded >= record.leastSequence(embedded: nil, policy: policy.policy)
    {
      _ = record.add(Self.release(embedded))
      see()
    }
  }

  /// What ships with the host is installed when it is what runs.
  private mutating func use(_ sequence: Int) {
    guard record.release(sequence) == nil else { return }
    _ = record.add(Self.release(sequence))
    see()
  }

  private mutating func load(_ sequence: Int) {
    use(sequence)
    _ = record.raiseFloor(
      to: Floor(
        sequence: sequence, since: Self.start, signers: [Floor.Signer(key: Self.someKey, certificates: [])]),
      under: policy.policy)
    highestLoaded = max(highestLoaded, sequence)
    see()
  }

  private mutating func crash(_ sequence: Int) {
    pending.append(sequence)
    crashesInARow[sequence, default: 0] += 1
    if crashesInARow[sequence, default: 0] >= CrashRecord.limit { setAside.insert(sequence) }
  }

  private mutating func see() {
    var state = StoreState()
    state.latestTime = latest
    state.aheadTime = ahead
    state.see(now)
    (latest, ahead) = (state.latestTime, state.aheadTime)
  }
}
