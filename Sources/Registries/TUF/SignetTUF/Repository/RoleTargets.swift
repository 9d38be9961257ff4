public import SignetBase
internal import SignetCrypto
public import SignetKeys

/// All targets of a role, in the role itself or in its hash bins (TAP 15).
///
/// A role with many targets is distributed among bins by itself, so that a change rewrites one bin and clients fetch one.
/// A role that has shrunk gets its targets back. Bins have the names `ROLE.bin-…` and the keys of the role. A bin is read
/// when one of its targets is asked for.
public struct RoleTargets: Sendable {
  /// The name of the role.
  public let name: String
  private var role: TargetsRole
  private let keys: KeyThreshold
  private let ring: KeyRing
  /// The bins by their numbers, nil for those that were not read yet; empty if the role has its targets itself.
  private var bins: [TargetsRole?]
  /// The role as it was read, which delegates to the bins that can be read.
  private let readRole: TargetsRole
  private let content: RepositoryContent
  private let drafts: Drafts
  private var changedBins: Set<Int> = []
  private var isChanged = false

  /// The number of targets of a role or bin above which it is divided: about 250 KB, which clients fetch for one target.
  ///
  /// More and smaller bins would make the snapshot larger, which all clients fetch every day.
  public static let most = 1500
  /// The number of bins at most, as a power of two: room for a million and a half targets. Each bin takes a line in the
  /// snapshot of all clients.
  static let mostBits = 10

  /// Reads a role and its bins, drafts before what is published.
  ///
  /// - Parameters:
  ///   - name: a role to which the top-level targets delegate.
  ///   - top: the top-level targets.
  ///   - old: the top-level targets by which the role is verified now, if its keys are about to change.
  ///   - content: what was read of the repository.
  ///   - drafts: which drafts count.
  /// - Throws: `tuf.not-delegated`, `tuf.draft-unsigned`, `tuf.not-in-snapshot` for too many bins; what
  ///   ``RepositoryFolder/load()`` throws.
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
    let authority = RoleAuthority(role: name, keys: keys, ring: ring)
    role = try Self.newest(name, authority, by: old ?? top, in: content, drafts) ?? Self.nothing
    readRole = role
    self.content = content
    self.drafts = drafts
    bins = []
    if role.succinct != nil, let delegations = role.delegations {
      bins = [TargetsRole?](repeating: nil, count: try delegations.names(atMost: content.knownRoles).count)
    }
  }

  private static let nothing = TargetsRole(version: 0, expires: UnixTime(seconds: 0))

  /// Which drafts count before what is published. Anybody who can write to the repository's folder can put a draft there.
  public enum Drafts: Sendable {
    /// All: people look at the result before they sign it.
    case shown
    /// Those that one of these keys has signed, which are about to sign what is built on the draft.
    case signed(by: [PrivateKey])
    /// None: what clients get counts.
    case published
  }

  private static func newest(
    _ name: String, _ authority: RoleAuthority, by delegator: TargetsRole, in content: RepositoryContent,
    _ drafts: Drafts
  ) throws(SignetError) -> TargetsRole? {
    if case .published = drafts { return try content.role(name, by: delegator)?.role }
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
        hint: "look at it and sign it: signet repo sign DIRECTORY --key KEY; or remove the file")
    }
    // The rest of the draft is somebody else's, too: its expiry, and fields that nobody knows.
    return published
  }

  /// The beginning of the names of a role's bins.
  static func binPrefix(_ role: String) -> String { "\(role).bin" }

  /// Who must sign the role and its bins.
  public var authority: RoleAuthority { RoleAuthority(role: name, keys: keys, ring: ring) }

  /// All targets, those of each bin in the order of their paths. This reads all bins.
  ///
  /// - Throws: what ``init(of:under:before:in:continuing:)`` throws.
  public mutating func all() throws(SignetError) -> [TargetFile] {
    var targets = role.targets
    for number in bins.indices { targets += try bin(number).targets }
    return targets
  }

  /// The target with a path; nil if the role does not offer it.
  ///
  /// - Throws: what ``init(of:under:before:in:continuing:)`` throws.
  public mutating func target(_ path: String) throws(SignetError) -> TargetFile? {
    guard let succinct = role.succinct else { return role.target(path) }
    return try bin(succinct.bin(of: try TargetPath(path))).target(path)
  }

  /// Adds a target, in place of one with the same path.
  ///
  /// - Throws: what ``init(of:under:before:in:continuing:)`` throws.
  public mutating func insert(_ target: TargetFile) throws(SignetError) {
    try change(target.path) { $0.insert(target) }
  }

  /// Removes a target; a missing one counts as removed.
  ///
  /// - Throws: what ``init(of:under:before:in:continuing:)`` throws.
  public mutating func remove(_ path: String) throws(SignetError) { try change(path) { $0.remove(path) } }

  /// Marks everything as changed, so that it is signed again: by new keys, or for longer.
  ///
  /// - Throws: what ``init(of:under:before:in:continuing:)`` throws.
  public mutating func renew() throws(SignetError) {
    _ = try all()
    isChanged = true
    changedBins = Set(bins.indices)
  }

  private mutating func change(_ path: String, _ change: (inout TargetsRole) -> Void) throws(SignetError) {
    guard let succinct = role.succinct else {
      change(&role)
      isChanged = true
      return
    }
    let number = succinct.bin(of: try TargetPath(path))
    var bin = try bin(number)
    change(&bin)
    bins[number] = bin
    changedBins.insert(number)
  }

  private mutating func bin(_ number: Int) throws(SignetError) -> TargetsRole {
    if let bin = bins[number] { return bin }
    guard let name = readRole.succinct?.name(of: number), let authority = readRole.delegations?.authority(of: name)
    else { throw RepositoryContent.notDelegated(self.name) }
    let bin = try Self.newest(name, authority, by: readRole, in: content, drafts) ?? Self.nothing
    bins[number] = bin
    return bin
  }

  /// The metadata to sign, what changed and no more: each role with the roles that delegate to it.
  ///
  /// - Parameters:
  ///   - expires: the time from which the metadata is no longer valid.
  ///   - most: the number of targets above which a role is divided.
  /// - Throws: what ``init(of:under:before:in:continuing:)`` throws.
  public consuming func drafts(
    until expires: UnixTime, dividedAbove most: Int = RoleTargets.most
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
      for number in changedBins.sorted() {
        draft(succinct.name(of: number), ["targets", name], try bin(number))
      }
    }
    return drafts
  }

  /// Divides the targets among as many bins as they need now, if that is another number than before.
  private mutating func distribute(_ most: Int) throws(SignetError) {
    if let succinct = role.succinct, !succinct.keys.hasSameSigners(as: keys) {
      // New keys of the role are those of its bins, too.
      role.delegations = delegations(succinct.bitLength)
      try renew()
    }
    guard needsCounting(most) else { return }
    let targets = try all()
    let now = role.succinct.map(\.bitLength) ?? 0
    var bits = now
    while targets.count > most << bits, bits < Self.mostBits { bits += 1 }
    while bits > 0, targets.count < Self.least(most) << bits { bits -= 1 }
    guard bits != now else { return }
    for target in role.targets { role.remove(target.path) }
    isChanged = true
    guard bits > 0 else {
      role = TargetsRole(version: role.version, expires: role.expires, targets: targets)
      bins = []
      changedBins = []
      return
    }
    role.delegations = delegations(bits)
    guard let succinct = role.succinct else { return }
    var divided = [[TargetFile]](repeating: [], count: succinct.binCount)
    for target in targets { divided[succinct.bin(of: try TargetPath(target.path))].append(target) }
    bins = divided.map { TargetsRole(version: 0, expires: role.expires, targets: $0) }
    changedBins = Set(bins.indices)
  }

  /// Whether there may be too many targets for the bins, or too few. Where none of the changed bins shows that, the
  /// others need not be read. Some bins are larger than others by chance.
  private func needsCounting(_ most: Int) -> Bool {
    guard role.succinct != nil else { return role.targets.count > most }
    return changedBins.contains { number in
      let count = bins[number]?.targets.count ?? 0
      return count > most + most / 8 || count < Self.least(most)
    }
  }

  /// The number of targets for each bin below which bins are joined. It is much less than the one above which they are
  /// divided, so that no change does both.
  private static func least(_ most: Int) -> Int { most / 8 }

  private func delegations(_ bits: Int) -> Delegations {
    Delegations(
      keys: used, roles: .succinct(SuccinctRoles(keys: keys, bitLength: bits, namePrefix: Self.binPrefix(name))))
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
