public import SignetBase

/// A targets role that is the one of the snapshot, signed by whom the delegating role names, and not expired
/// (specification, section 5.6).
public struct FreshTargets: Sendable {
  /// The snapshot that lists the role.
  public let snapshot: FreshSnapshot
  /// The name of the role.
  public let name: String
  /// The metadata.
  public let metadata: VerifiedMetadata<TargetsRole>
  /// The role.
  public var role: TargetsRole { metadata.role }

  /// The delegations of a path, the most trusted first.
  public func steps(for path: TargetPath) -> [Delegations.Step] { role.delegations?.steps(for: path) ?? [] }

  /// Checks the metadata of a role to which this one delegates (section 5.6.7).
  ///
  /// - Throws: `tuf.not-delegated`; what ``FreshSnapshot/targets(_:)`` throws.
  public func delegated(to name: String, _ bytes: [UInt8]) throws(SignetError) -> FreshTargets {
    guard let authority = role.delegations?.authority(of: name) else {
      throw SignetError(.tufNotDelegated, metadata.name, "does not delegate to the role \(name.display)")
    }
    return try snapshot.targets(bytes, authority)
  }

  /// The target with a path, if this role offers it.
  public func target(_ path: TargetPath) -> VerifiedTarget? {
    role.target(path.text).map { VerifiedTarget(file: $0, role: name, root: snapshot.root) }
  }

  fileprivate init(snapshot: FreshSnapshot, name: String, metadata: VerifiedMetadata<TargetsRole>) {
    self.snapshot = snapshot
    self.name = name
    self.metadata = metadata
  }
}

extension FreshSnapshot {
  /// Checks the top-level targets role (sections 5.6.2 to 5.6.5).
  ///
  /// - Throws: `tuf.not-in-snapshot`, `tuf.too-short`, `tuf.too-long`, `tuf.hash-mismatch`, `tuf.unknown-hash`; what
  ///   ``UnverifiedMetadata/init(_:name:)`` throws; `tuf.threshold`, `tuf.wrong-version`, `tuf.expired`;
  ///   `crypto.failure`.
  public func targets(_ bytes: [UInt8]) throws(SignetError) -> FreshTargets {
    try targets(bytes, root.role.targetsAuthority)
  }

  fileprivate func targets(_ bytes: [UInt8], _ authority: RoleAuthority) throws(SignetError) -> FreshTargets {
    let facts = try facts(of: authority.role)
    let path = root.path(of: authority.role, version: facts.version)
    try facts.check(bytes, path)
    let metadata = try UnverifiedMetadata<TargetsRole>(bytes, name: path).verified(by: authority)
    try metadata.check(version: facts.version, "the snapshot lists")
    try metadata.checkFresh(at: root.time)
    return FreshTargets(snapshot: self, name: authority.role, metadata: metadata)
  }
}

/// A target for which the roles from the root down to the one that offers it vouch.
public struct VerifiedTarget: Sendable {
  /// What is said of the file.
  public let file: TargetFile
  /// The name of the role that offers it.
  public let role: String
  private let root: FreshRoot

  fileprivate init(file: TargetFile, role: String, root: FreshRoot) {
    self.file = file
    self.role = role
    self.root = root
  }

  /// The path of the target.
  public var path: String { file.path }

  /// The URL path of the file, relative to the place of targets (section 5.7.3).
  ///
  /// - Throws: `tuf.unknown-hash`.
  public func urlPath() throws(SignetError) -> String {
    try file.urlPath(isConsistent: root.role.consistentSnapshot)
  }
}
