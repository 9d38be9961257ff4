public import SignetBase

/// A timestamp that was trusted before, whose expiry does not matter: no later one may be older.
public struct PriorTimestamp: Sendable {
  /// The metadata.
  public let metadata: VerifiedMetadata<TimestampRole>
}

/// A timestamp that is signed, not older than the one before, and not expired (specification, section 5.4).
public struct FreshTimestamp: Sendable {
  /// The root that vouches for the timestamp.
  public let root: FreshRoot
  /// The metadata.
  public let metadata: VerifiedMetadata<TimestampRole>
  /// Whether it is another one than the timestamp that was trusted before, and must be stored.
  public let isNew: Bool
  /// The role.
  public var role: TimestampRole { metadata.role }

  /// The file of the snapshot (section 5.5.1).
  public var snapshotPath: String { root.path(of: "snapshot", version: role.snapshot.version) }
}

extension FreshRoot {
  /// The file of the timestamp, which never has a version in front (section 6.2.1).
  public static let timestampPath = "timestamp.json"

  /// Reads the timestamp that was stored.
  ///
  /// - Throws: what ``UnverifiedMetadata/init(_:name:)`` throws, and `tuf.threshold`.
  public func prior(timestamp bytes: [UInt8]) throws(SignetError) -> PriorTimestamp {
    PriorTimestamp(
      metadata: try UnverifiedMetadata<TimestampRole>(bytes).verified(by: role.timestampAuthority))
  }

  /// Checks a timestamp that was fetched (sections 5.4.2 to 5.4.4).
  ///
  /// A timestamp of the same version as the one before changes nothing: the one before stays, whatever the other says
  /// (section 5.4.3.1).
  ///
  /// - Parameters:
  ///   - bytes: the file that was fetched.
  ///   - prior: the timestamp that was stored, or nil.
  /// - Throws: what ``UnverifiedMetadata/init(_:name:)`` throws; `tuf.threshold`, `tuf.rollback`, `tuf.expired`.
  public func timestamp(_ bytes: [UInt8], after prior: PriorTimestamp?) throws(SignetError) -> FreshTimestamp {
    let new = try UnverifiedMetadata<TimestampRole>(bytes).verified(by: role.timestampAuthority)
    if let prior = prior?.metadata {
      guard new.role.version >= prior.role.version else {
        throw Self.rollback(
          new.name, "is older than the trusted one", found: new.role.version, trusted: prior.role.version)
      }
      guard new.role.version > prior.role.version else { return try unchanged(prior) }
      guard new.role.snapshot.version >= prior.role.snapshot.version else {
        throw Self.rollback(
          new.name, "names a snapshot that is older than the one before", found: new.role.snapshot.version,
          trusted: prior.role.snapshot.version)
      }
    }
    try new.checkFresh(at: time)
    return FreshTimestamp(root: self, metadata: new, isNew: true)
  }

  /// Uses the timestamp that was stored, without asking anybody for a newer one.
  ///
  /// - Throws: `tuf.expired`.
  public func timestamp(_ prior: PriorTimestamp) throws(SignetError) -> FreshTimestamp {
    try unchanged(prior.metadata)
  }

  private func unchanged(_ prior: VerifiedMetadata<TimestampRole>) throws(SignetError) -> FreshTimestamp {
    try prior.checkFresh(at: time)
    return FreshTimestamp(root: self, metadata: prior, isNew: false)
  }

  static func rollback(_ object: String, _ message: String, found: Int, trusted: Int) -> SignetError {
    SignetError(
      .tufRollback, object, message, expected: "version \(trusted) or later", found: "version \(found)",
      hint: "use another mirror: this one is behind, or somebody is turning it back")
  }
}
