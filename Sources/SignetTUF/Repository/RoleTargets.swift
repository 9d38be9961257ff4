public import SignetBase
public import SignetCrypto

/// All targets of a role, in the role itself or in its hash bins (TAP 15).
///
/// A role with many targets is distributed among bins by itself, so that a change rewrites one bin and clients fetch one.
/// A role that has shrunk gets its targets back. Bins have the names `ROLE.bin-…` and the keys of the role.
public struct RoleTargets: Sendable {
  /// The name of the role.
  public let name: String
  private var role: TargetsRole
  private let keys: KeyThreshold
  private let ring: KeyRing
  /// The bins by their numbers; empty if the role has its targets itself.
  private var bins: [TargetsRole]
  private var changedBins: Set<Int> = []
  private var isChanged = false

  /// The number of targets of a role or bin above which it is divided: about 800 KB, which clients fetch for one target.
  public static let most = 2000
  /// The number of bins at most, as a power of two: room for two million targets. Each bin takes a line in the snapshot of
  /// all clients.
  static let mostBits = 10
  /// The number of targets for each bin below which bins are joined. It is much less, so that no change does both.
  static let least = most / 8

  /// Reads a role and its bins, drafts before what is published.
  ///
  /// - Parameters:
  ///   - name: a role to which the top-level targets delegate.
  ///   - top: the top-level targets.
  ///   - old: the top-level targets by which the role is verified now, if its keys are about to change.
  ///   - content: what was read of the repository.
  ///   - drafts: which drafts count.
  /// - Throws: `tuf.not-delegated`, `tuf.draft-unsigned`, `tuf.not-in-snapshot` for too many bins; what ``RepositoryFolder/load()`` throws.
  public init(
    of name: String, under top: TargetsRole, before old: TargetsRole? = nil, in content: RepositoryContent,
    continuing drafts: Drafts
  ) throws(SignetError) {
    guard case .listed(let roles)? = top.delegations?.roles,
      let entry = roles.first(where: { $0.name.isExactly(name) })
    else { throw RepositoryContent.notDelegated(name) }
    self.name = name
    keys = entry.keys
    ring = top.delegations?.keys ?? KeyRing()
    let nothing = TargetsRole(version: 0, expires: UnixTime(seconds: 0))
    let authority = RoleAuthority(role: name, keys: keys, ring: ring)
    role = try Self.newest(name, authority, by: old ?? top, in: content, drafts) ?? nothing
    bins = []
    guard let delegations = role.delegations, case .succinct = delegations.roles else { return }
    for bin in try delegations.names(atMost: content.knownRoles) {
      guard let authority = delegations.authority(of: bin) else { throw RepositoryContent.notDelegated(bin) }
      bins.append(try Self.newest(bin, authority, by: role, in: content, drafts) ?? nothing)
    }
  }

  /// Which drafts count before what is published. Anybody who can write to the repository's folder can put a draft there.
  public enum Drafts: Sendable {
    /// All: people look at the result before they sign it.
    case shown
    /// Those that one of these keys has signed, which are about to sign what is built on the draft.
    case signed(by: [PrivateKey])
    /// None.
    case ignored
  }

  private static func newest(
    _ name: String, _ authority: RoleAuthority, by delegator: TargetsRole, in content: RepositoryContent,
    _ drafts: Drafts
  ) throws(SignetError) -> TargetsRole? {
    if case .ignored = drafts { return try content.role(name, by: delegator)?.role }
    guard let file = try content.folder.pending(name) else { return try content.role(name, by: delegator)?.role }
    let draft = try file.uncheckedRole()
    guard draft.version > content.snapshot?.role[name]?.version ?? 0 else {
      return try content.role(name, by: delegator)?.role
    }
    guard case .signed(let keys) = drafts, try !file.isSigned(by: keys, of: authority) else { return draft }
    let published = try content.role(name, by: delegator)?.role
    guard try draft.offersSame(as: published) else {
      throw SignetError(
        .tufDraftUnsigned, file.name, "has changes that the given keys have not signed",
        expected: "a draft that one of them has signed",
        hint: "look at it and sign it: signet repo sign; or remove the file")
    }
    // The rest of the draft is somebody else's, too: its expiry, and fields that nobody knows.
    return published
  }

  /// The beginning of the names of a role's bins.
  static func binPrefix(_ role: String) -> String { "\(role).bin" }

  /// Who must sign the role and its bins.
  public var authority: RoleAuthority { RoleAuthority(role: name, keys: keys, ring: ring) }

  /// All targets, those of each bin in the order of their paths.
  public var all: [TargetFile] { role.targets + bins.flatMap(\.targets) }

  /// The target with a path; nil if the role does not offer it.
  ///
  /// - Throws: `crypto.failure`.
  public func target(_ path: String) throws(SignetError) -> TargetFile? {
    guard let succinct = role.succinct else { return role.target(path) }
    return bins[succinct.bin(of: try TargetPath(path))].target(path)
  }

  /// Adds a target, in place of one with the same path.
  ///
  /// - Throws: `crypto.failure`.
  public mutating func insert(_ target: TargetFile) throws(SignetError) {
    guard let succinct = role.succinct else {
      role.insert(target)
      isChanged = true
      return
    }
    let bin = succinct.bin(of: try TargetPath(target.path))
    bins[bin].insert(target)
    changedBins.insert(bin)
  }

  /// Removes a target; a missing one counts as removed.
  ///
  /// - Throws: `crypto.failure`.
  public mutating func remove(_ path: String) throws(SignetError) {
    guard let succinct = role.succinct else {
      role.remove(path)
      isChanged = true
      return
    }
    let bin = succinct.bin(of: try TargetPath(path))
    bins[bin].remove(path)
    changedBins.insert(bin)
  }

  /// Marks everything as changed, so that it is signed again: by new keys, or for longer.
  public mutating func renew() {
    isChanged = true
    changedBins = Set(bins.indices)
  }

  /// The metadata to sign, what changed and no more: each role with the roles that delegate to it.
  ///
  /// - Parameters:
  ///   - content: what was read of the repository.
  ///   - expires: the time from which the metadata is no longer valid.
  ///   - most: the number of targets above which a role is divided.
  /// - Throws: `crypto.failure`.
  public consuming func drafts(
    of content: RepositoryContent, until expires: UnixTime, dividedAbove most: Int = RoleTargets.most
  ) throws(SignetError) -> [(name: String, delegators: [String], role: TargetsRole)] {
    try distribute(most)
    var drafts: [(name: String, delegators: [String], role: TargetsRole)] = []
    func draft(_ name: String, _ delegators: [String], _ role: TargetsRole) {
      var role = role
      role.header.specVersion = RoleHeader.specVersion
      role.version = content.nextVersion(of: name)
      role.expires = expires
      drafts.append((name, delegators, role))
    }
    if isChanged { draft(name, ["targets"], role) }
    if let succinct = role.succinct {
      for bin in changedBins.sorted() { draft(succinct.name(of: bin), ["targets", name], bins[bin]) }
    }
    return drafts
  }

  /// Divides the targets among as many bins as they need now, if that is another number than before.
  private mutating func distribute(_ most: Int) throws(SignetError) {
    let targets = all
    let now = role.succinct.map(\.bitLength) ?? 0
    var bits = now
    while targets.count > most << bits, bits < Self.mostBits { bits += 1 }
    while bits > 0, targets.count < (most * Self.least / Self.most) << bits { bits -= 1 }
    if let succinct = role.succinct, bits == now {
      guard !succinct.keys.hasSameSigners(as: keys) else { return }
      // New keys of the role are those of its bins, too.
      role.delegations = Delegations(
        keys: used, roles: .succinct(SuccinctRoles(keys: keys, bitLength: bits, namePrefix: Self.binPrefix(name))))
      return renew()
    }
    guard bits != now else { return }
    for target in role.targets { role.remove(target.path) }
    isChanged = true
    guard bits > 0 else {
      role.delegations = nil
      bins = []
      changedBins = []
      role = TargetsRole(version: role.version, expires: role.expires, targets: targets)
      return
    }
    let succinct = SuccinctRoles(keys: keys, bitLength: bits, namePrefix: Self.binPrefix(name))
    role.delegations = Delegations(keys: used, roles: .succinct(succinct))
    var divided = [[TargetFile]](repeating: [], count: succinct.binCount)
    for target in targets { divided[succinct.bin(of: try TargetPath(target.path))].append(target) }
    bins = divided.map { TargetsRole(version: 0, expires: role.expires, targets: $0) }
    changedBins = Set(bins.indices)
  }

  /// The keys of the role alone.
  private var used: KeyRing {
    var used = ring
    used.keep(keys.keyIDs)
    return used
  }
}

extension TargetsRole {
  fileprivate var succinct: SuccinctRoles? {
    if case .succinct(let bins)? = delegations?.roles { bins } else { nil }
  }
}

extension TargetsRole {
  /// Whether the role has the same targets and delegations as another one; none, if that is nil.
  fileprivate func offersSame(as other: TargetsRole?) throws(SignetError) -> Bool {
    let other = other ?? TargetsRole(version: version, expires: expires)
    var same = self
    same.header = other.header
    return try OLPCJSON.encode(same.json) == OLPCJSON.encode(other.json)
  }
}

extension UnverifiedMetadata {
  /// Whether one of the keys, which must be one of the role's, has signed.
  fileprivate func isSigned(by keys: [PrivateKey], of authority: RoleAuthority) throws(SignetError) -> Bool {
    for key in keys {
      guard let entry = try authority.entry(of: key) else { continue }
      let alone = RoleAuthority(
        role: authority.role, keys: KeyThreshold(keyIDs: [entry.id], threshold: 1), ring: authority.ring)
      if try signers(of: alone) == 1 { return true }
    }
    return false
  }
}
