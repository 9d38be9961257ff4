public import SignetBase

/// A root that is trusted: the first one because somebody has put it there, each later one because the root before it
/// vouches for it (specification, sections 5.2 and 5.3).
///
/// Nothing follows from it but newer roots, until ``fresh(at:)`` has judged its expiry.
public struct TrustedRoot: Sendable {
  /// The metadata.
  public let metadata: VerifiedMetadata<RootRole>
  /// The role.
  public var role: RootRole { metadata.role }

  /// Reads the root from which everything begins (section 5.2). It must be signed by its own keys.
  ///
  /// - Throws: what ``UnverifiedMetadata/init(_:name:)`` throws, and `tuf.threshold`.
  public init(_ bytes: [UInt8], name: String = "root.json") throws(SignetError) {
    let file = try UnverifiedMetadata<RootRole>(bytes, name: name)
    metadata = try file.verified(by: file.uncheckedRole().rootAuthority)
  }

  private init(_ metadata: VerifiedMetadata<RootRole>) { self.metadata = metadata }

  /// The file of the next root, whether or not there is one (section 5.3.3).
  public var nextPath: String { "\(role.version + 1).root.json" }

  /// Follows this root by the next one (sections 5.3.4 and 5.3.5).
  ///
  /// - Throws: what ``UnverifiedMetadata/init(_:name:)`` throws; `tuf.threshold` unless the keys of both roots have
  ///   signed; `tuf.wrong-version` unless the version is the next one.
  public func updated(with bytes: [UInt8]) throws(SignetError) -> TrustedRoot {
    let file = try UnverifiedMetadata<RootRole>(bytes, name: nextPath)
    // The new root names its own keys. It is read only once the keys of this root have signed it.
    let next = try file.verified(by: role.rootAuthority)
    try next.role.rootAuthority.check(file.signatures, over: file.message, of: file.name)
    try next.check(version: role.version + 1, "the one that follows the trusted root")
    return TrustedRoot(next)
  }

  /// Whether a key of timestamp or snapshot was replaced or taken away since an earlier root (section 5.3.11).
  ///
  /// A key that was only added is no rotation: the repository has nothing to recover from, and without the trusted
  /// timestamp an old one could be replayed, because the key that signed it still counts.
  public func hasRotated(since earlier: TrustedRoot) -> Bool {
    !role.timestamp.keepsKeys(of: earlier.role.timestamp) || !role.snapshot.keepsKeys(of: earlier.role.snapshot)
  }

  /// Judges the expiry of the last root (section 5.3.10).
  ///
  /// - Parameter time: the time at which the refresh began, by which all metadata is judged (section 5.1).
  /// - Throws: `tuf.expired`.
  public func fresh(at time: UnixTime) throws(SignetError) -> FreshRoot {
    try metadata.checkFresh(at: time)
    return FreshRoot(root: self, time: time)
  }
}

/// A trusted root that has not expired: who may sign the timestamp, the snapshot and the targets.
public struct FreshRoot: Sendable {
  /// The root.
  public let root: TrustedRoot
  /// The time by which expiry is judged.
  public let time: UnixTime
  /// The role.
  public var role: RootRole { root.role }

  fileprivate init(root: TrustedRoot, time: UnixTime) {
    self.root = root
    self.time = time
  }

  /// The file of a role of some version: the version stands in front with consistent snapshots (section 6.2).
  func path(of role: String, version: Int) -> String {
    let name = PercentEncoding.roleName(role) + ".json"
    return self.role.consistentSnapshot ? "\(version).\(name)" : name
  }
}
