public import Signet
public import SignetBase
package import SignetSystem

/// A store of installed modules on disk.
///
/// `modules/IDENTIFIER/SEQUENCE-DIGEST/` has what a release's archive held (`files/`) and its bundles
/// (`bundles.jsonl`). The release is verified from the bundles each time it is opened. `staging/` has what is under
/// way, and `state.json` has what is remembered. `lock` and `change-lock` make processes wait for each other
/// (docs/format.md, "Store"). The archive itself is not kept: the bundles sign every entry of it, so the unpacked files
/// can be checked against them.
///
/// A change is made by replacing `state.json`. Until then the store is as it was, whenever the process ends.
public struct ModuleStore: Sendable {
  /// The path of the store.
  public let path: String
  /// The trust policy of the store.
  public let policy: TrustPolicy
  /// The source of the time.
  public let clock: VerificationClock
  /// The limits on a module's archive. They hold for the copy that is installed, and for what is installed already.
  public let limits: ArchiveLimits

  let root: StoreFolder
  let modules: StoreFolder
  let staging: StoreFolder
  private let known = KnownState()
  /// What journals say that could not be written.
  let uncounted = Monitor(UncountedJournals())
  /// How many milliseconds to wait for others that change the store.
  package var patience = StoreLock.patience
  /// The lock of those in this process who hold the store.
  let ownHold = Monitor(OwnHold())
  /// Whether the last wait for others was in vain. A host that has much to write does not wait for each write.
  let isBusy = Monitor(false)

  private static let modulesName = "modules"
  private static let stagingName = "staging"
  private static let downloadsName = "downloads"
  /// The record of what installations of a Modfile have put into the store.
  package static let recordName = "installed.lock"
  /// What an installation of a Modfile is about to put into the store.
  package static let placingName = "placing.lock"
  /// The releases that were installed by hand while there was a note of an installation that had ended.
  static let byHandName = "by-hand"
  /// The record of what installations of a Modfile have unpacked as source.
  package static let unpackedName = "unpacked.lock"

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - path: its directory. Only this user and root may be able to write it, or to put another in its place.
  ///   - policy: the trust policy, under which what is installed is verified again and again.
  ///   - clock: the source of the time.
  ///   - limits: the limits on a module's archive.
  /// - Throws: `store.missing`, `store.file-system`, `store.state-missing`, `store.state-malformed`,
  ///   `file.others-may-write`, `file.not-directory` and other `file.…` codes.
  public init(
    opening path: String, policy: TrustPolicy, clock: VerificationClock, limits: ArchiveLimits = ArchiveLimits()
  ) throws(SignetError) {
    do throws(SignetError) {
      root = try Self.root(path)
      modules = try root.folder(Self.modulesName)
      staging = try root.folder(Self.stagingName)
    } catch  where error.code == .fileMissing {
      throw SignetError(
        .storeMissing, path, "is not a store", expected: "a directory that a module was installed into", cause: error,
        hint: "check the path")
    }
    self.path = path
    self.policy = policy
    self.clock = clock
    self.limits = limits
    _ = try state()
  }

  /// Opens a store, or creates it if the directory is missing or empty.
  ///
  /// - Throws: what ``init(opening:policy:clock:limits:)`` throws, and `store.locked`, `store.write-failed`.
  public init(
    creating path: String, policy: TrustPolicy, clock: VerificationClock, limits: ArchiveLimits = ArchiveLimits()
  ) throws(SignetError) {
    let isNew = try StoreFolder.make(path)
    let root = try Self.root(path)
    // A directory that was there keeps its permissions: it may be meant to be private.
    if isNew { try root.share() }
    if try !root.has(StoreState.name) {
      let lock = try StoreLock(.change, of: root.directory)
      defer { withExtendedLifetime(lock) {} }
      try Self.fill(root)
    }
    try self.init(opening: path, policy: policy, clock: clock, limits: limits)
  }

  private static func root(_ path: String) throws(SignetError) -> StoreFolder {
    let root = try StoreFolder(try TrustedPath.openFolder(path))
    try FileSystemKind.check(root.directory)
    return root
  }

  private static func fill(_ root: StoreFolder) throws(SignetError) {
    let known = [
      modulesName, stagingName, downloadsName, LoadingJournal.folderName, StoreLock.name, StoreLock.changeName,
      StoreState.name, recordName, placingName, unpackedName, byHandName,
    ]
    let names = try root.names(upTo: known.count)
    guard names.allSatisfy({ name in known.contains { $0.isExactly(name) } }) else {
      throw SignetError(
        .storeMissing, root.directory.path, "is not a store, and is not empty",
        expected: "a store, or an empty directory", found: names.joined(separator: ", "),
        hint: "choose another directory")
    }
    // Another process may have been quicker.
    guard try !root.has(StoreState.name) else { return }
    for name in [modulesName, stagingName] where try root.makeFolder(name) { try root.folder(name).share() }
    let modules = try root.folder(modulesName)
    // Users of the store need not be able to write to it.
    if try !root.has(StoreLock.name) { try root.makeSyncedFile(StoreLock.name, []) }
    // Never a new state beside modules, because their floors are unknown.
    guard try modules.names(upTo: 0).isEmpty else { throw stateMissing(root) }
    try StoreState().write(into: root, by: root.folder(stagingName))
    try root.sync()
  }

  /// What the store remembers, and the crashes that could not be written.
  ///
  /// - Throws: what ``storedState()`` throws.
  func state() throws(SignetError) -> StoreState {
    var state = try storedState()
    let uncounted = uncounted.withLock(\.self)
    state.count(uncounted.journals, uncounted.facts)
    return state
  }

  /// What the store remembers.
  ///
  /// - Throws: `store.state-missing`, `store.state-malformed`, `file.others-may-write`, `file.unreadable`.
  func storedState() throws(SignetError) -> StoreState {
    guard let file = try stateFile() else {
      guard try modules.names(upTo: 0).isEmpty else { throw Self.stateMissing(root) }
      return StoreState()
    }
    guard file.size <= StoreState.limits.size else {
      throw SignetError(
        .storeStateMalformed, file.path, "is too large to be a store's state",
        expected: "at most \(StoreState.limits.size) bytes", found: "\(file.size) bytes")
    }
    return try known.state(in: file)
  }

  /// Opens the state's file. Each change replaces that file. While this one is open, no other file gets its inode
  /// number.
  ///
  /// - Returns: nil if the store has no state yet.
  /// - Throws: `file.others-may-write`, `file.unreadable`.
  func stateFile() throws(SignetError) -> RegularFile? {
    do throws(SignetError) {
      return try root.file(StoreState.name)
    } catch  where error.code == .fileMissing {
      return nil
    }
  }

  /// The state that was read last, which is good only for refusing.
  var lastState: StoreState? { known.last }

  /// The verifier of what is to be installed and of what is.
  var verifier: Verifier { Verifier(policy: policy, clock: judgingClock, limits: limits) }

  /// The clock by which modules here are judged. It never shows an earlier time than the latest that the store has
  /// seen.
  public var judgingClock: VerificationClock {
    VerificationClock {
      let now = clock.now()
      // A state that cannot be read is not forgotten: the time that was read last still counts.
      return ((try? state()) ?? lastState)?.judged(now) ?? now
    }
  }

  /// Warns when the clock shows an earlier time than the store has seen. Because of such a clock, nothing more is
  /// accepted and nothing less.
  ///
  /// - Returns: `clock.rollback`; nil if the clock is right.
  public func clockWarning() -> SignetError? {
    let now = clock.now()
    guard let latest = ((try? state()) ?? lastState)?.latestTime, now < latest else { return nil }
    return SignetError(
      .clockRollback, path,
      "the clock is behind the latest time that the store has seen, so the store uses that time",
      expected: "\(latest) or later", found: "\(now)",
      hint: "set the clock; if it was ahead before, run: signet store floor --reset-time --store DIR --policy POLICY")
  }

  private static func stateMissing(_ root: StoreFolder) -> SignetError {
    SignetError(
      .storeStateMissing, root.directory.shown(Array(StoreState.name.utf8)),
      "is missing, although the store has modules",
      hint: "restore the file from a backup; a new store has no floors")
  }

  /// The directory for what a host fetches. Only this user can enter it, because nothing is known about its files yet.
  ///
  /// - Parameter makes: whether to create a missing directory.
  /// - Returns: nil if it is missing, or belongs to another user.
  /// - Throws: `store.write-failed`, `file.not-directory`, `file.others-may-write`, `file.unreadable`.
  package func downloads(makes: Bool) throws(SignetError) -> Directory? {
    if makes { try root.makeFolder(Self.downloadsName, isPrivate: true) }
    return try root.privateFolder(Self.downloadsName)
  }

  /// Keeps other processes from removing files of what is installed, as long as the returned value lives. This process
  /// keeps those that it has opened.
  ///
  /// Hosts have one from before they load the first module until they end.
  ///
  /// - Throws: `store.locked`, `store.write-failed`, `file.missing`, `file.not-regular`, `file.others-may-write`,
  ///   `file.unreadable`.
  public func hold() throws(SignetError) -> StoreHold {
    // One lock for all of this process, so that it can tell its own use from that of others.
    if let lock = ownHold.withLock({ $0.lock }) { return StoreHold(lock) }
    // Nobody else in this process waits for what this waits for.
    let lock = try StoreLock(.use, of: root.directory, patience: patience)
    return ownHold.withLock { own in
      if let other = own.lock { return StoreHold(other) }
      own.lock = lock
      return StoreHold(lock)
    }
  }
}

/// The lock of those who hold a store, as long as somebody does.
struct OwnHold: Sendable {
  weak var lock: StoreLock?
}

/// A hold that keeps other processes from removing files of what is installed, as long as it lives.
public struct StoreHold: Sendable {
  private let lock: StoreLock

  init(_ lock: StoreLock) { self.lock = lock }
}
