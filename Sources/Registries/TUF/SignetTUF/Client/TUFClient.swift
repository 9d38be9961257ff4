public import SignetBase
internal import SignetCrypto
internal import SignetFiles
internal import SignetSystem

/// A client of a repository of The Update Framework (specification, section 5).
///
/// It refreshes the trusted metadata, finds targets and downloads them. Mirrors are asked in their order; one that
/// fails, lies, lags or stands still is left for the next, and ``complaints`` names it.
public final class TUFClient {
  /// Where the trusted metadata is kept.
  public let folder: TrustedMetadataFolder
  /// The mirrors of the repository, the one to ask first in front.
  public let mirrors: [RepositoryMirror]
  /// What is taken from a mirror at most.
  public let limits: TUFLimits
  /// The time by which all expiry is judged (section 5.1).
  public let time: UnixTime
  /// What was wrong with mirrors that were left, and with the clock. Nothing of it made the client fail.
  public internal(set) var complaints: [Complaint] = []
  /// The top-level targets, as soon as the metadata is refreshed.
  public internal(set) var targets: FreshTargets?
  /// The delegated roles that were verified, by the delegating role and the role.
  var delegated: [DelegationKey: FreshTargets] = [:]
  /// The number of their bytes, by the delegating role.
  var delegatedBytes: [[UInt8]: Int] = [:]

  /// Something that people should know, though the client went on.
  public struct Complaint: Sendable {
    /// The mirror that is to blame; nil for the clock.
    public let mirror: String?
    /// What was wrong.
    public let error: SignetError
  }

  /// A role verified under one delegating role. Another one may name other keys for it.
  struct DelegationKey: Hashable {
    let delegator: [UInt8]
    let role: [UInt8]

    init(_ delegator: String, _ role: String) {
      self.delegator = Array(delegator.utf8)
      self.role = Array(role.utf8)
    }
  }

  /// The time that a clock may be set back without notice, in seconds: time servers correct clocks by less.
  static let clockTolerance: Int64 = 60

  /// Creates a client, which does nothing yet.
  ///
  /// - Parameters:
  ///   - folder: a folder that ``TrustedMetadataFolder/begin(with:)`` has given a root.
  ///   - mirrors: the mirrors of the repository.
  ///   - time: the time by which expiry is judged: now.
  ///   - limits: what is read at most.
  public init(
    folder: TrustedMetadataFolder, mirrors: [RepositoryMirror], time: UnixTime, limits: TUFLimits = .standard
  ) {
    self.folder = folder
    self.mirrors = mirrors
    self.time = time
    self.limits = limits
  }

  /// Refreshes the trusted metadata: root, timestamp, snapshot and top-level targets.
  ///
  /// What was verified before a failure stays trusted.
  ///
  /// - Throws: the fault of the first mirror, if all mirrors fail: `tuf.…`, or what its source throws. `tuf.no-root`;
  ///   `file.…`, `output.…` for the folder: what is remembered and cannot be read is not forgotten.
  public func refresh() throws(SignetError) {
    targets = nil
    delegated = [:]
    delegatedBytes = [:]
    let lock = try folder.lock()
    defer { withExtendedLifetime(lock) {} }
    let last = try lastRefresh()
    // A broken trusted root is nobody's fault but this machine's, and no request is made (section 5.2).
    _ = try folder.root(atMost: limits.longestFile)
    targets = try firstOf(mirrors.map(\.metadata)) { (source) throws(SignetError) in
      try Refresh(of: folder, from: source, limits: limits, at: time).run()
    }
    if last.map({ time.seconds > $0.seconds + Self.clockTolerance }) ?? true { try folder.remember(refresh: time) }
  }

  /// Uses the stored metadata as it is, without asking anybody, as long as it has not expired.
  ///
  /// Targets are then found in what is stored. A delegated role that is not stored is asked for, if there is a mirror.
  ///
  /// - Throws: `tuf.no-root`, `tuf.not-found` for a role that is not stored, `tuf.expired`, and what the checks of the
  ///   workflow throw.
  public func useStored() throws(SignetError) {
    delegated = [:]
    delegatedBytes = [:]
    _ = try lastRefresh()
    let stored = StoredMetadata(folder, limits)
    do throws(SignetError) { targets = try stored.targets(at: time) } catch {
      // Another process may be replacing one file after the other. Where nothing can be locked, nobody refreshes.
      guard let lock = try? folder.lock() else { throw error }
      defer { withExtendedLifetime(lock) {} }
      targets = try stored.targets(at: time)
    }
  }

  /// Asks the mirrors in their order until one gives what is wanted.
  ///
  /// - Throws: the first fault that is not about reaching a mirror; otherwise the first one.
  func firstOf<Result>(
    _ sources: [any RepositorySource], _ body: (any RepositorySource) throws(SignetError) -> Result
  ) throws(SignetError) -> Result {
    var faults: [Complaint] = []
    for source in sources {
      do throws(SignetError) {
        let result = try body(source)
        complaints += faults
        return result
      } catch {
        // The folder is this machine's own: another mirror does not mend it.
        if isOfFolder(error) { throw error }
        faults.append(Complaint(mirror: source.name, error: error))
      }
    }
    if sources.count > 1 { complaints += faults }
    let told =
      faults.first { Set.aboutTUF.contains($0.error.code) && $0.error.code != .tufUnreachable } ?? faults.first
    guard let told else {
      throw SignetError(
        .tufUnreachable, folder.path, "lacks metadata, and no mirror is named that could have them",
        expected: "one mirror or more"
      )
    }
    throw told.error
  }

  private func isOfFolder(_ error: SignetError) -> Bool {
    // A mirror may be a folder, too, whose files cannot be read.
    Set.aboutOutputs.contains(error.code) || error.code == .tufNoRoot || error.code == .cryptoFailure
      || Set.aboutFiles.contains(error.code) && error.object.utf8.starts(with: "\(folder.path)/".utf8)
  }

  /// The time of the last refresh. A clock that is behind it is complained of: it makes expired metadata look valid.
  private func lastRefresh() throws(SignetError) -> UnixTime? {
    let last = try folder.lastRefresh()
    if let last, time.seconds < last.seconds - Self.clockTolerance { complaints.append(clockComplaint(last)) }
    return last
  }

  private func clockComplaint(_ last: UnixTime) -> Complaint {
    Complaint(
      mirror: nil,
      error: SignetError(
        .tufClockWentBack, folder.path, "was refreshed at a later time than now, so the clock went back",
        expected: "\(last) or later", found: "\(time)",
        hint: "check the clock: with a wrong one, metadata that has expired looks valid"))
  }
}
