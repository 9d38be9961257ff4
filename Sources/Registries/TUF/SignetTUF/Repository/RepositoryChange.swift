public import SignetBase
internal import SignetCrypto
public import SignetKeys

/// New metadata for a repository, collected role by role. Nothing is written before ``RepositoryFolder/publish(_:)``.
///
/// A change is published as a whole or not at all: each role that is delegated to must have valid metadata under the new
/// delegations, or clients that look for their targets would fail.
public struct RepositoryChange: Sendable {
  /// What the repository offers now.
  public let content: RepositoryContent
  private var root: UnverifiedMetadata<RootRole>?
  private var roles: [NewRole] = []

  private struct NewRole {
    let name: String
    /// The roles that delegate to it, from the top-level targets down; empty for the top-level targets.
    let delegators: [String]
    let file: UnverifiedMetadata<TargetsRole>
  }

  /// Begins a change that changes nothing.
  public init(of content: RepositoryContent) { self.content = content }

  /// Takes a new root.
  public mutating func take(root file: UnverifiedMetadata<RootRole>) { root = file }

  /// Takes new metadata of a targets role, in place of what was taken for it before.
  ///
  /// - Parameters:
  ///   - file: the metadata.
  ///   - name: the name of the role.
  ///   - delegators: the roles that delegate to it, from the top-level targets down; empty for these.
  public mutating func take(
    _ file: UnverifiedMetadata<TargetsRole>, of name: String, delegatedBy delegators: [String]
  ) {
    roles.removeAll { $0.name.isExactly(name) }
    roles.append(NewRole(name: name, delegators: delegators, file: file))
  }

  /// Checks the change, and signs the snapshot and the timestamp that belong to it.
  ///
  /// With a new root, both are signed by the keys of the old and of the new root, and the root is written last. So
  /// there is no moment at which a client fails, whichever of the two roots it has.
  ///
  /// - Parameters:
  ///   - keys: the keys of snapshot and timestamp; others are not used.
  ///   - time: the current time.
  ///   - lifetimes: for how long the snapshot and the timestamp are valid.
  /// - Throws: `tuf.threshold` for metadata that too few keys have signed; `tuf.wrong-version` and `tuf.draft-stale`
  ///   for a version that is not the next one; `tuf.no-version-left`; `tuf.not-ready` if a role without metadata is delegated to; `tuf.foreign-delegation`
  ///   if a delegated role delegates to others than its own bins; `tuf.role-name` for a name that no file can have;
  ///   `tuf.target-changed`; `tuf.foreign-key` if the keys are not enough; what ``RepositoryFolder/load()`` throws.
  public func publication(
    signedBy keys: [PrivateKey], at time: UnixTime, _ lifetimes: RoleLifetimes = RoleLifetimes()
  ) throws(SignetError) -> RepositoryPublication {
    let newRoot = try checkedRoot()
    // The new metadata is seen by clients with the old root and by clients with the new one.
    let roots = [content.root?.role, newRoot?.role].compactMap(\.self)
    guard !roots.isEmpty else { throw content.folder.missing(nil) }
    let checked = try checkedRoles(under: roots)
    let isForgotten = content.root.map { newRoot?.hasRotated(since: $0) ?? false } ?? false
    var publication = RepositoryPublication()
    for role in checked.reversed() {
      let bytes = try writable(role)
      publication.append(role.name, version: role.metadata.role.version, bytes)
    }
    let signing = OnlineSigning(
      content: content, roots: roots, isForgotten: isForgotten, keys: keys, time: time, lifetimes: lifetimes)
    try signing.sign(checked.map { ($0.name, $0.metadata) }, into: &publication)
    if let newRoot { publication.append("root", version: newRoot.role.version, newRoot.metadata.bytes) }
    return publication
  }

  private func checkedRoot() throws(SignetError) -> TrustedRoot? {
    guard let root else { return nil }
    if let trusted = content.root { return try trusted.updated(with: root.bytes) }
    let first = try TrustedRoot(root.bytes, name: root.name)
    try first.metadata.check(version: 1, "the first one")
    return first
  }

  private struct CheckedRole {
    let name: String
    /// The roles that delegate to it, from the top-level targets down.
    let delegators: [String]
    let authority: RoleAuthority
    let metadata: VerifiedMetadata<TargetsRole>
  }

  /// The new roles, each behind the role that delegates to it.
  private func checkedRoles(under roots: [RootRole]) throws(SignetError) -> [CheckedRole] {
    var checked: [CheckedRole] = []
    var known: [[UInt8]: VerifiedMetadata<TargetsRole>] = [:]
    known[Array("targets".utf8)] = try topLevel(under: roots)
    for new in roles.sorted(by: { $0.delegators.count < $1.delegators.count }) {
      let authority: RoleAuthority
      if new.delegators.isEmpty {
        authority = roots[0].targetsAuthority
      } else {
        let delegator = try role(at: new.delegators, &known)
        guard let found = delegator.role.delegations?.authority(of: new.name) else {
          throw RepositoryContent.notDelegated(new.name)
        }
        authority = found
      }
      let metadata = try new.file.verified(by: authority)
      try MetadataFileName.check(new.name, version: metadata.role.version)
      try checkVersion(metadata, of: new.name)
      known[Array(new.name.utf8)] = metadata
      checked.append(
        CheckedRole(
          name: new.name, delegators: new.delegators, authority: authority, metadata: metadata))
    }
    for role in checked { try checkDelegations(of: role) }
    try checkTargets(of: checked)
    return checked
  }

  /// The top-level targets, new or not, signed for by all roots.
  private func topLevel(under roots: [RootRole]) throws(SignetError) -> VerifiedMetadata<TargetsRole> {
    let file: UnverifiedMetadata<TargetsRole>
    if let new = roles.first(where: { $0.name == "targets" }) {
      file = new.file
    } else if let targets = content.targets {
      guard root != nil else { return targets }
      file = try UnverifiedMetadata(targets.bytes, name: targets.name)
    } else {
      throw SignetError(
        .tufNotReady, content.folder.path, "has no top-level targets yet",
        hint: "sign them: signet repo sign DIRECTORY --key KEY")
    }
    let verified = try file.verified(by: roots[0].targetsAuthority)
    for root in roots.dropFirst() { _ = try file.verified(by: root.targetsAuthority) }
    return verified
  }

  /// The metadata of a role, by the names of the roles from the top down to it.
  private func role(
    at path: [String], _ known: inout [[UInt8]: VerifiedMetadata<TargetsRole>]
  ) throws(SignetError) -> VerifiedMetadata<TargetsRole> {
    let name = path[path.count - 1]
    if let role = known[Array(name.utf8)] { return role }
    let above = path.count > 1 ? try role(at: Array(path.dropLast()), &known) : nil
    guard let above, let found = try content.role(name, by: above.role) else { throw Self.notReady(name) }
    known[Array(name.utf8)] = found
    return found
  }

  /// What a role said before the change; nil for a new role, and for one whose delegation changes.
  private func old(_ name: String, _ delegators: [String]) -> TargetsRole? {
    guard !delegators.isEmpty else { return content.targets?.role }
    var role = content.targets?.role
    for next in delegators.dropFirst() + [name] {
      guard let above = role else { return nil }
      role = (try? content.role(next, by: above))?.role
    }
    return role
  }

  private func checkVersion(_ metadata: VerifiedMetadata<TargetsRole>, of name: String) throws(SignetError) {
    let trusted = content.snapshot?.role[name]?.version ?? 0
    guard metadata.role.version > trusted else {
      throw SignetError(
        .tufDraftStale, metadata.name, "is not newer than what the repository has",
        expected: "version \(trusted + 1) or later", found: "version \(metadata.role.version)",
        hint: "make the change again on top of the current repository")
    }
    guard metadata.role.version <= trusted + RepositoryContent.longestLead else {
      throw SignetError(
        .tufWrongVersion, metadata.name, "is far ahead of what the repository has: no version would be left",
        expected: "version \(trusted + 1), or at most \(trusted + RepositoryContent.longestLead)",
        found: "version \(metadata.role.version)", hint: "make the change again on top of the current repository")
    }
  }

  /// Checks that no published target of a changed role gets other bytes or disappears, unless the folder's rule allows it.
  ///
  /// A role may have been divided among bins, or the other way round. So all targets of a role and of its bins are compared
  /// at once, as far as they change.
  private func checkTargets(of checked: [CheckedRole]) throws(SignetError) {
    let groups = Dictionary(grouping: checked) { Array(($0.delegators.count > 1 ? $0.delegators[1] : $0.name).utf8) }
    for group in groups.values {
      var after: [[UInt8]: TargetFile] = [:]
      for target in group.flatMap(\.metadata.role.targets) { after[Array(target.path.utf8)] = target }
      for role in group {
        for target in try targetsBefore(role, among: group) {
          let next = after[Array(target.path.utf8)]
          if let next, next.hashes.isSame(as: target.hashes) { continue }
          guard try !content.folder.mayReplace(target, next) else { continue }
          throw SignetError(
            .tufTargetChanged, target.path.display,
            next == nil ? "is published, and would disappear" : "stands for other bytes already",
            expected: target.hashes.words, found: next?.hashes.words,
            hint: next == nil ? "offer it as before" : "offer the new bytes under another path")
        }
      }
    }
  }

  /// The published targets of a changed role, and those of its bins that end with the change.
  private func targetsBefore(_ role: CheckedRole, among group: [CheckedRole]) throws(SignetError) -> [TargetFile] {
    guard let before = old(role.name, role.delegators) else { return [] }
    // A role to which the top-level targets no longer delegate keeps its targets; clients no longer find them.
    guard !role.delegators.isEmpty, let delegations = before.delegations else { return before.targets }
    var targets = before.targets
    for name in try delegations.names(atMost: content.roleCount)
    where role.metadata.role.delegations?.authority(of: name) == nil
      && !group.contains(where: { $0.name.isExactly(name) })
    {
      targets += try content.role(name, by: before)?.role.targets ?? []
    }
    return targets
  }

  /// Checks that everybody to whom a changed role delegates has metadata that is valid under it.
  private func checkDelegations(of role: CheckedRole) throws(SignetError) {
    guard let delegations = role.metadata.role.delegations else { return }
    if !role.delegators.isEmpty { try Self.checkBins(delegations, of: role) }
    let new = Set(roles.map { Array($0.name.utf8) })
    let limit = content.roleCount + roles.count
    for name in try delegations.names(atMost: limit) where !new.contains(Array(name.utf8)) {
      guard content.snapshot?.role[name] != nil else {
        if role.delegators.isEmpty, mayWait(for: name) { continue }
        throw Self.notReady(name)
      }
      _ = try content.role(name, by: role.metadata.role)
    }
  }

  /// Whether top-level targets may be published before a publisher to whom they delegate: at the first publication, and
  /// as long as that publisher has offered nothing. Clients find nothing of such a publisher, and all of the others.
  private func mayWait(for name: String) -> Bool {
    guard content.snapshot != nil else { return true }
    guard content.nextVersion(of: name) == 1 else { return false }
    return content.targets?.role.delegations?.authority(of: name) != nil
  }

  /// Checks that a delegated role delegates to its own bins and to nobody else.
  ///
  /// Each role that was ever published stays in the snapshot of all clients, and a check of the repository follows all
  /// delegations. One publisher must not fill the snapshot, nor lead the check through a maze.
  private static func checkBins(_ delegations: Delegations, of role: CheckedRole) throws(SignetError) {
    let found: String
    switch delegations.roles {
    case .listed(let roles):
      guard let first = roles.first else { return }
      found = first.name.display
    case .succinct(let bins):
      let isOwn = bins.namePrefix.isExactly(RoleTargets.binPrefix(role.name))
      if role.delegators.count == 1, isOwn, bins.bitLength <= RoleTargets.mostBits { return }
      found = "\(bins.binCount) bins \(bins.namePrefix.display)-…"
    }
    throw SignetError(
      .tufForeignDelegation, role.metadata.name, "delegates to others than its own bins",
      expected: role.delegators.count > 1
        ? "a bin without delegations"
        : "at most \(1 << RoleTargets.mostBits) bins \(RoleTargets.binPrefix(role.name).display)-…",
      found: found,
      hint:
        "let the top-level targets delegate: signet repo add-publisher DIRECTORY NAME --key KEY --modules 'com.example.*'"
    )
  }

  private static func notReady(_ name: String) -> SignetError {
    SignetError(
      .tufNotReady, name.display, "is delegated to, but has no metadata yet",
      expected: "metadata that its own keys have signed", hint: "sign it: signet repo sign DIRECTORY --key KEY")
  }

  /// The bytes to write for a role.
  ///
  /// A publication that was killed may have written the same version of the same content, with fewer signatures: that
  /// file stays, because files never change.
  private func writable(_ role: CheckedRole) throws(SignetError) -> [UInt8] {
    let new = role.metadata
    guard let there = try content.file(of: role.name, version: new.role.version) else { return new.bytes }
    if there == new.bytes { return there }
    if let old = try? UnverifiedMetadata<TargetsRole>(there, name: new.name),
      let file = roles.first(where: { $0.name.isExactly(role.name) })?.file, old.message == file.message,
      (try? old.verified(by: role.authority)) != nil
    {
      return there
    }
    throw SignetError(
      .tufVersionUsed, new.name, "exists already with other content",
      expected: "a version that was never used", found: "version \(new.role.version)",
      hint: "make the change again on top of the current repository")
  }
}

extension FileHashes {
  /// The values, for messages.
  fileprivate var words: String { entries.map(\.hex.display).joined(separator: ", ") }

  /// Whether both state the same values for the same algorithms.
  package func isSame(as other: FileHashes) -> Bool {
    entries.count == other.entries.count
      && entries.allSatisfy { mine in
        other.entries.contains { $0.algorithm.isExactly(mine.algorithm) && $0.hex.isExactly(mine.hex) }
      }
  }
}

extension Delegations {
  /// The names of all roles that are delegated to.
  ///
  /// One number stands for up to 2^32 bins, and each bin has a file. So a role that states more bins than there are
  /// files is refused before any bin is looked at.
  ///
  /// - Parameter limit: the number of roles that have metadata.
  /// - Throws: `tuf.not-in-snapshot` for more bins than that.
  package func names(atMost limit: Int) throws(SignetError) -> [String] {
    switch roles {
    case .listed(let roles): return roles.map(\.name)
    case .succinct(let bins):
      guard bins.binCount <= limit else {
        throw SignetError(
          .tufNotInSnapshot, "bins \(bins.namePrefix.display)-…", "are more than there are roles with metadata",
          expected: "at most \(limit)", found: "\(bins.binCount)", hint: "publish metadata of each bin")
      }
      return (0..<bins.binCount).map { bins.name(of: $0) }
    }
  }
}
