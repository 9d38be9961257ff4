public import SignetBase

/// A snapshot that was trusted before, whose expiry and hashes do not matter: no later one may list less.
public struct PriorSnapshot: Sendable {
  /// The metadata.
  public let metadata: VerifiedMetadata<SnapshotRole>
}

/// The snapshot that the timestamp names, which turns nothing back and has not expired (specification, section 5.5).
public struct FreshSnapshot: Sendable {
  /// The timestamp that names the snapshot.
  public let timestamp: FreshTimestamp
  /// The metadata.
  public let metadata: VerifiedMetadata<SnapshotRole>
  /// Whether it is another one than the snapshot that was trusted before, and must be stored.
  public let isNew: Bool
  /// The role.
  public var role: SnapshotRole { metadata.role }
  /// The root.
  public var root: FreshRoot { timestamp.root }

  /// What the snapshot says of a targets role.
  ///
  /// - Throws: `tuf.not-in-snapshot`.
  public func facts(of role: String) throws(SignetError) -> FileFacts {
    guard let facts = self.role[role] else {
      throw SignetError(
        .tufNotInSnapshot, metadata.name, "does not list the role \(role.display), to which another role delegates",
        hint: "ask the owner of the repository")
    }
    return facts
  }

  /// The file of a targets role.
  ///
  /// - Throws: `tuf.not-in-snapshot`.
  public func path(of role: String) throws(SignetError) -> String {
    root.path(of: role, version: try facts(of: role).version)
  }
}

extension FreshTimestamp {
  /// Reads the snapshot that was stored.
  ///
  /// - Throws: what ``UnverifiedMetadata/init(_:name:)`` throws, and `tuf.threshold`.
  public func prior(snapshot bytes: [UInt8]) throws(SignetError) -> PriorSnapshot {
    PriorSnapshot(
      metadata: try UnverifiedMetadata<SnapshotRole>(bytes).verified(by: root.role.snapshotAuthority))
  }

  /// Uses the snapshot that was stored, if it is the one that the timestamp names.
  ///
  /// - Throws: `tuf.too-short`, `tuf.too-long`, `tuf.hash-mismatch`, `tuf.unknown-hash`, `tuf.wrong-version`,
  ///   `tuf.expired`; `crypto.failure`.
  public func snapshot(_ prior: PriorSnapshot) throws(SignetError) -> FreshSnapshot {
    try role.snapshot.check(prior.metadata.bytes, prior.metadata.name)
    try checkNamed(prior.metadata)
    try prior.metadata.checkFresh(at: root.time)
    return FreshSnapshot(timestamp: self, metadata: prior.metadata, isNew: false)
  }

  /// Checks a snapshot that was fetched (sections 5.5.2 to 5.5.6).
  ///
  /// - Parameters:
  ///   - bytes: the file that was fetched.
  ///   - prior: the snapshot that was stored, or nil.
  /// - Throws: `tuf.too-short`, `tuf.too-long`, `tuf.hash-mismatch`, `tuf.unknown-hash`; what
  ///   ``UnverifiedMetadata/init(_:name:)`` throws; `tuf.threshold`, `tuf.wrong-version`, `tuf.rollback`,
  ///   `tuf.role-removed`, `tuf.expired`; `crypto.failure`.
  public func snapshot(_ bytes: [UInt8], after prior: PriorSnapshot?) throws(SignetError) -> FreshSnapshot {
    try role.snapshot.check(bytes, snapshotPath)
    let new = try UnverifiedMetadata<SnapshotRole>(bytes, name: snapshotPath)
      .verified(by: root.role.snapshotAuthority)
    try checkNamed(new)
    if let prior { try Self.check(new, after: prior.metadata.role) }
    try new.checkFresh(at: root.time)
    return FreshSnapshot(timestamp: self, metadata: new, isNew: true)
  }

  private func checkNamed(_ snapshot: VerifiedMetadata<SnapshotRole>) throws(SignetError) {
    try snapshot.check(version: role.snapshot.version, "the timestamp names")
  }

  /// Section 5.5.5: no listed version falls, and no listed role disappears.
  private static func check(
    _ new: VerifiedMetadata<SnapshotRole>, after prior: SnapshotRole
  ) throws(SignetError) {
    guard new.role.version >= prior.version else {
      throw FreshRoot.rollback(
        new.name, "is older than the trusted one", found: new.role.version, trusted: prior.version)
    }
    // Both lists are sorted by name.
    var next = new.role.files[...]
    for file in prior.files {
      while let first = next.first, first.name.precedesInBytes(file.name) { next = next.dropFirst() }
      guard let listed = next.first, listed.name.isExactly(file.name) else {
        throw SignetError(
          .tufRoleRemoved, new.name, "no longer lists \(file.name.display)", expected: "all roles that were listed",
          hint: "use another mirror, or ask the owner of the repository")
      }
      guard listed.facts.version >= file.facts.version else {
        throw FreshRoot.rollback(
          new.name, "lists an older \(file.name.display) than before", found: listed.facts.version,
          trusted: file.facts.version)
      }
    }
  }
}
