internal import SignetBase

/// Loads targets roles: from the folder if the snapshot still lists what is there, otherwise from a mirror
/// (specification, section 5.6).
struct RoleLoading {
  private let folder: TrustedMetadataFolder
  private let limits: TUFLimits
  private let role: String
  private let snapshot: FreshSnapshot
  /// The role that delegates to this one; nil for the top-level targets, to which the root does.
  private let delegator: FreshTargets?

  /// Loads the top-level targets.
  init(_ folder: TrustedMetadataFolder, _ limits: TUFLimits, topLevelOf snapshot: FreshSnapshot) {
    self.folder = folder
    self.limits = limits
    self.snapshot = snapshot
    role = "targets"
    delegator = nil
  }

  /// Loads a role to which another one delegates.
  init(_ folder: TrustedMetadataFolder, _ limits: TUFLimits, _ role: String, by delegator: FreshTargets) {
    self.folder = folder
    self.limits = limits
    self.role = role
    self.delegator = delegator
    snapshot = delegator.snapshot
  }

  /// The role as it is stored; nil if it is missing, or fails any check.
  ///
  /// - Throws: `file.…` if it cannot be read.
  func stored() throws(SignetError) -> FreshTargets? {
    let limit = try limit()
    guard let bytes = try folder.stored(role, atMost: limit) else { return nil }
    return try? check(bytes)
  }

  /// Fetches the role and stores it.
  func fetched(from source: any RepositorySource) throws(SignetError) -> FreshTargets {
    let bytes = try source.bytes(of: try snapshot.path(of: role), atMost: try limit())
    let targets = try check(bytes)
    try folder.store(role, bytes)
    return targets
  }

  private func limit() throws(SignetError) -> Int {
    try limits.length(
      snapshot.facts(of: role), atMost: limits.statedTargets, otherwise: limits.targets, snapshot.path(of: role))
  }

  private func check(_ bytes: [UInt8]) throws(SignetError) -> FreshTargets {
    guard let delegator else { return try snapshot.targets(bytes) }
    return try delegator.delegated(to: role, bytes)
  }
}
