public import SignetBase
internal import SignetProcesses
internal import SignetSystem

/// A record of what a host's process loads, written as it goes: a locked file in `loading/`.
///
/// A process that crashes leaves the file, but its lock ends. So the next host knows with which code the process has
/// ended (docs/format.md, "Store"). The journal need not survive a loss of power, so nothing is synced, and it costs a
/// start next to nothing. A journal can be used from any thread.
public final class LoadingJournal: Sendable {
  /// The directory with the journals.
  static let folderName = "loading"
  /// The greatest number of journals that are remembered as counted, and of names that are looked at.
  static let limit = 4096
  /// The greatest number of journals that are counted at once: each is open meanwhile.
  private static let countLimit = 512

  /// The releases whose code is in the process, and not known to run well.
  private struct Trial {
    var loaded: [ModuleStore.ReleaseName] = []
    var failed: [ModuleStore.ReleaseName] = []
    /// Lines that could not be written. Without them, the next lines would mean something else.
    var unwritten: [JournalLine] = []
    var all: [ModuleStore.ReleaseName] { loaded + failed }
  }

  private let file: JournalFile
  private let trial = Monitor(Trial())

  /// Begins a journal.
  ///
  /// If no file can be made, one that a crash has left is continued: on a full disk, that may still have room.
  ///
  /// - Parameters:
  ///   - store: the store whose releases are loaded.
  ///   - isInOrder: whether the process ends in order. It is asked on the thread that calls exit(3).
  /// - Throws: `store.write-failed`, `file.…`.
  public init(
    in store: ModuleStore, isInOrder: @escaping @Sendable () -> Bool = { true }
  ) throws(SignetError) {
    let earlier = store.uncounted.withLock { $0.journals.map(\.name) }
    file = try JournalFile.begin(in: store.root, with: [.start, .process(Self.process)] + earlier.map { .after($0) })
    file.append(atExit: .ended, where: isInOrder)
  }

  private static let random = String(UInt64.random(in: .min ... .max), radix: 36)
  /// A name for this process that no other process has. A process that was forked off has its own number.
  private static var process: String { "\(CurrentProcess.number)-\(random)" }

  /// A step in loading the code of a release. From the first step on, a process that crashes may have crashed with
  /// it.
  public enum Step: Sendable {
    /// The code is about to be opened, by this thread.
    case opening
    /// The code is loaded.
    case loaded
    /// Loading failed without a crash. The libraries that were opened stay in the process.
    case failed
    /// Loading has not returned for a long time, but still may.
    case stalled
  }

  /// Notes how far the loading of a release is.
  ///
  /// - Throws: `store.write-failed`, which need not keep the release from being loaded.
  public func note(_ step: Step, _ release: ModuleStore.ReleaseName) throws(SignetError) {
    try trial.withLock { (trial) throws(SignetError) in
      switch step {
      case .opening:
        file.note(loadsCode: true)
        try write([.loading(release)], &trial)
      case .loaded:
        file.note(loadsCode: false)
        trial.loaded.append(release)
        try write([.loaded(release)], &trial)
      case .failed:
        file.note(loadsCode: false)
        trial.failed.append(release)
        try write([.failed(release)], &trial)
      case .stalled: try write([.stalled(release)], &trial)
      }
    }
  }

  /// Appends lines, after those that could not be written before.
  private func write(_ lines: [JournalLine], _ trial: inout Trial) throws(SignetError) {
    // A line that is retried again and again on a full disk is kept once.
    trial.unwritten.removeAll(where: lines.contains)
    trial.unwritten += lines
    try file.append(trial.unwritten)
    trial.unwritten = []
  }

  /// Notes that the host is healthy: what was loaded until now is off trial.
  ///
  /// - Parameters:
  ///   - kept: the releases that stay on trial.
  ///   - note: tells the store which releases ran well, and which failed in order. If it throws, the journal tells the
  ///     next host.
  /// - Throws: `store.write-failed`, and what `note` throws.
  public func passTrial(
    except kept: () -> Set<ModuleStore.ReleaseName> = { [] },
    _ note: (_ well: [ModuleStore.ReleaseName], _ failed: [ModuleStore.ReleaseName]) throws(SignetError) -> Void
  ) throws(SignetError) {
    let passed = try trial.withLock { (trial) throws(SignetError) in
      let kept = kept()
      var passed = trial
      passed.loaded.removeAll(where: kept.contains)
      passed.failed.removeAll(where: kept.contains)
      // Written before the store is told, so that a crash meanwhile is attributed to none of them.
      if !passed.all.isEmpty { try write(passed.all.map { .well($0) }, &trial) }
      trial.loaded.removeAll { !kept.contains($0) }
      trial.failed.removeAll { !kept.contains($0) }
      return passed
    }
    do throws(SignetError) {
      try note(passed.loaded, passed.failed)
      // The journal may be read much later, and must not undo what is counted until then.
      if !passed.all.isEmpty { try trial.withLock { (trial) throws(SignetError) in try write([.noted], &trial) } }
    } catch {
      trial.withLock { trial in
        trial.loaded = passed.loaded + trial.loaded
        trial.failed = passed.failed + trial.failed
      }
      throw error
    }
  }

  /// The process goes on without the host, so nothing crashed. A file with earlier runs stays, because they may not be
  /// counted yet.
  deinit {
    if trial.withLock(\.all.isEmpty) && !file.isContinued { return file.remove() }
    try? file.append([.ended])
  }

  /// A journal that a process has left. No other host counts it while the value lives.
  struct Left {
    let record: JournalRecord
    fileprivate let file: JournalFile

    /// Removes the journal after it was counted.
    func remove() { file.remove() }
  }

  /// The journals of processes that have ended, and the names of all journals.
  ///
  /// - Throws: `file.…`.
  static func left(in store: ModuleStore) throws(SignetError) -> (journals: [Left], names: [String]) {
    let folder: StoreFolder
    do throws(SignetError) { folder = try store.root.folder(folderName) } catch  where error.code == .fileMissing {
      return ([], [])
    }
    let names = try folder.names(upTo: limit)
    let files = Array(names.lazy.compactMap { JournalFile.left($0, in: folder) }.prefix(countLimit))
    // A good run clears an earlier crash, and not a later one.
    let sorted = files.sorted { $0.modified.lexicographicallyPrecedes($1.modified) }
    let journals = sorted.compactMap { file in
      file.text().map { Left(record: JournalRecord(file.name, $0), file: file) }
    }
    return (journals, names)
  }
}
