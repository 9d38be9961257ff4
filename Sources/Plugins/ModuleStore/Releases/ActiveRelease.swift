public import Signet
public import SignetBase
internal import SignetCrypto

/// The release of a module that runs, and why no newer one does.
public struct ActiveRelease: Sendable {
  /// The release, verified now.
  public let release: InstalledModule
  /// The sequence of a newer release that was set aside because it crashed; nil if the policy accepts no such release.
  public let insteadOf: Int?
}

// Which of several releases runs is decided only by ``ModuleRecord/choice(embedded:policy:isAccepted:)``.
extension ModuleStore {
  /// The release that runs: the newest that is as it was signed, accepted under the policy now, not below a floor, and
  /// not set aside.
  ///
  /// - Throws: what ``choose(_:embedded:)`` throws.
  public func active(_ identifier: ModuleIdentifier) throws(SignetError) -> InstalledModule {
    try choose(identifier).release
  }

  /// The release that runs, and the newer one that does not, if any.
  ///
  /// - Parameters:
  ///   - identifier: the module.
  ///   - embedded: the sequence of the release that ships inside the host. Nothing older runs.
  /// - Throws: `module.crashed` if every release that would be accepted was set aside; otherwise why the newest
  ///   release cannot run: `store.damaged`, `policy.rollback`, the reasons of the policy's `Refusal`;
  ///   `store.not-installed`, `store.locked`, `store.write-failed`, `store.state-missing`, `store.state-malformed`,
  ///   `file.…`, `crypto.failure`.
  public func choose(
    _ identifier: ModuleIdentifier, embedded: Int? = nil
  ) throws(SignetError) -> ActiveRelease {
    let hold = try hold()
    defer { withExtendedLifetime(hold) {} }
    return try listing { (listing) throws(SignetError) in try choose(identifier, embedded: embedded, in: &listing) }
  }

  private func choose(
    _ identifier: ModuleIdentifier, embedded: Int?, in listing: inout ReleaseListing
  ) throws(SignetError) -> ActiveRelease {
    let record = listing.state.modules[identifier] ?? ModuleRecord()
    var opened: [Int: InstalledModule] = [:]
    var reasons: [Int: SignetError] = [:]
    let choice = record.choice(embedded: embedded, policy: policy) { sequence in
      guard let release = record.release(sequence) else { return false }
      do throws(SignetError) {
        opened[sequence] = try listing.open(release, of: identifier)
        return true
      } catch {
        reasons[sequence] = error
        return false
      }
    }
    if case .run(let sequence, let insteadOf) = choice, let release = opened[sequence] {
      return ActiveRelease(release: release, insteadOf: insteadOf)
    }
    if case .setAside(let sequence) = choice { throw crashed(identifier, sequence, record) }
    if let reason = reasons.max(by: { $0.key < $1.key })?.value { throw reason }
    guard let newest = record.releases.last else { throw Self.notInstalled(identifier, nil) }
    try checkFloor(newest.sequence, of: identifier, "\(identifier) \(newest.sequence)", record)
    // The newest release is older than the one that ships with the host.
    throw SignetError(
      .policyRollback, "\(identifier)", "is older than the release that ships with the host",
      expected: "sequence \(embedded ?? 1) or more", found: "\(newest.sequence)",
      hint: "install a release that is as new as the host's, and accepted")
  }

  /// The sequence of the release that runs if it is unchanged since its installation. Nothing is verified, so this is
  /// good only for showing and for refusing.
  func presumed(_ record: ModuleRecord, embedded: Int? = nil) -> Int? {
    guard
      case .run(let sequence, _) = record.choice(
        embedded: embedded, policy: policy, isAccepted: { record.release($0) != nil })
    else { return nil }
    return sequence
  }

  /// The error for a release that does not run because it was set aside.
  func crashed(_ identifier: ModuleIdentifier, _ sequence: Int, _ record: ModuleRecord) -> SignetError {
    SignetError(
      .moduleCrashed, "\(identifier) \(sequence)",
      "was set aside, because the host has crashed \(CrashRecord.limit) times in a row while it loaded the release or soon after",
      expected: "a release that lets the host run", found: "\(record.crash(sequence)?.count ?? 0) crashes",
      hint:
        "install a newer release, or try this one again: signet store retry \(identifier) --store DIR --policy POLICY"
    )
  }

  /// Checks that a release may be installed or run: it is not below the store's floor.
  ///
  /// - Throws: `policy.rollback`.
  func checkFloor(
    _ sequence: Int, of identifier: ModuleIdentifier, _ name: String, _ record: ModuleRecord?
  ) throws(SignetError) {
    guard let record else { return }
    let least = record.leastSequence(embedded: nil, policy: policy)
    guard sequence < least else { return }
    if let floor = record.floor, floor.sequence == least {
      let signers = floor.keys.map(\.description).joined(separator: ", ")
      throw SignetError(
        .policyRollback, name, "is older than a release that has been loaded here",
        expected: "a sequence of \(least) or more, the store's floor of \(identifier), "
          + "raised by a release that \(signers) signed, since \(floor.since)",
        found: "\(sequence)", hint: "get the current release")
    }
    throw SignetError(
      .policyRollback, name, "is older than the minimum sequence of a release that was set aside",
      expected: "a sequence of \(least) or more", found: "\(sequence)", hint: "get the current release")
  }
}
