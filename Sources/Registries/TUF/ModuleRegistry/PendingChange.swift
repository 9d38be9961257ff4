public import SignetBase
package import SignetCrypto
public import SignetKeys
internal import SignetTUF

/// A draft of a role, as a person looks at it before signing.
public struct PendingChange: Sendable {
  /// The name of the role.
  public let role: String
  /// What changes, in words, one change a line.
  public let changes: [String]
  /// Whose signatures are needed, and how many there are, one line for each group of keys.
  public let signatures: [String]
  /// Whether enough keys have signed.
  public let isComplete: Bool
  /// Why the draft cannot be read; nil if it can. One that cannot is never signed.
  public let fault: SignetError?
  /// The keys of which some must sign.
  fileprivate let keys: [PublicKey]
  /// What is signed, so that nothing else is signed than what was looked at.
  fileprivate let content: [UInt8]

  /// Whether the signature of a key counts for the draft. One that cannot be read concerns everybody.
  package func concerns(_ key: PublicKey) -> Bool { fault != nil || keys.contains(key) }
}

extension ModuleRegistry {
  /// The drafts, with what they change and who has yet to sign.
  ///
  /// - Throws: what ``RepositoryFolder/load()`` throws.
  public func pendingChanges() throws(SignetError) -> [PendingChange] {
    let content = try folder.load()
    var changes: [PendingChange] = []
    for role in try folder.pendingRoles() {
      do throws(SignetError) {
        if let change = try pendingChange(of: role, content) { changes.append(change) }
      } catch  where error.code != .cryptoFailure {
        // One draft must not hide the others.
        changes.append(
          PendingChange(
            role: role, changes: [], signatures: [], isComplete: false, fault: error, keys: [], content: []))
      }
    }
    return changes
  }

  private func pendingChange(of role: String, _ content: RepositoryContent) throws(SignetError) -> PendingChange? {
    let signers = try signers(of: role, content)
    if role == "root" {
      guard let file = try folder.pendingRoot() else { return nil }
      return try pending(
        role, changes: RoleChanges(from: content.root?.role, to: file.uncheckedRole()).lines, file: file,
        signers: signers)
    }
    guard let file = try folder.pending(role) else { return nil }
    let old = role == "targets" ? content.targets?.role : try published(role, content)
    let new = try file.uncheckedRole()
    let words = RoleChanges(
      from: old, to: new, patterns: PublisherScope.words, fields: PublisherIdentities.words)
    return try pending(
      role, changes: words.lines + IndexChange.words(from: old, to: new, in: folder), file: file, signers: signers)
  }

  /// Signs drafts with a key.
  ///
  /// - Parameter changes: what somebody has looked at. Nothing else is signed.
  /// - Returns: the roles that the key has signed: those of which it is a key.
  /// - Throws: `tuf.foreign-key` if there is no draft that the key may sign; `tuf.draft-stale` if a draft was changed since
  ///   it was looked at; `output.failed`.
  public func sign(_ changes: [PendingChange], with key: PrivateKey) throws(SignetError) -> [String] {
    try folder.changing { (content) throws(SignetError) in
      var signed: [String] = []
      for change in changes where change.fault == nil {
        let authorities = try signers(of: change.role, content).map(\.authority)
        let isSigned =
          change.role == "root"
          ? try sign(change, in: folder.pendingRoot(), with: key, for: authorities)
          : try sign(change, in: folder.pending(change.role), with: key, for: authorities)
        if isSigned { signed.append(change.role) }
      }
      guard !signed.isEmpty else {
        throw SignetError(
          .tufForeignKey, "\(key.publicKey)", "is a key of none of the roles that wait for signatures",
          expected: "a key of one of these roles: \(changes.map(\.role.display).joined(separator: ", "))",
          hint: "see what waits for whom: signet repo status DIRECTORY")
      }
      return signed
    }
  }

  /// Takes the signatures that others have added to a copy of the drafts, on another machine.
  ///
  /// - Parameter copy: the path of a copy of the registry's folder, with its drafts in `pending`.
  /// - Returns: the roles whose drafts got signatures, in the order of their names.
  /// - Throws: `tuf.no-repository` if there is no copy; `tuf.draft-stale` if a draft in the copy has other content; `tuf.…`
  ///   for one that cannot be read; `output.failed`; `file.…`.
  public func collect(from copy: String) throws(SignetError) -> [String] {
    let other = RepositoryFolder(copy)
    do throws(SignetError) { try other.checkPlace() } catch  where error.code == .tufNoRepository {
      var error = error
      error.hint = "name a copy of the registry's directory, with its folders metadata and pending"
      throw error
    }
    return try folder.changing { (content) throws(SignetError) in
      var collected: [String] = []
      for role in try other.pendingRoles() {
        let authorities = try signers(of: role, content).map(\.authority)
        let isNew =
          role == "root"
          ? try collect(role, into: folder.pendingRoot(), from: other.pendingRoot(), for: authorities)
          : try collect(role, into: folder.pending(role), from: other.pending(role), for: authorities)
        if isNew { collected.append(role) }
      }
      return collected
    }
  }

  private func collect<Role: MetadataRole>(
    _ role: String, into mine: UnverifiedMetadata<Role>?, from other: UnverifiedMetadata<Role>?,
    for authorities: [RoleAuthority]
  ) throws(SignetError) -> Bool {
    // A draft that is not here any more was published, or dropped.
    guard let mine, let other else { return false }
    var draft = try MetadataDraft(continuing: mine)
    var count = 0
    for authority in authorities { count += try draft.take(signaturesOf: other, for: authority) }
    if count > 0 { try folder.setPending(role, draft) }
    return count > 0
  }

  private func sign<Role: MetadataRole>(
    _ change: PendingChange, in file: UnverifiedMetadata<Role>?, with key: PrivateKey,
    for authorities: [RoleAuthority]
  ) throws(SignetError) -> Bool {
    guard let file, file.content == change.content else {
      throw SignetError(
        .tufDraftStale, change.role.display, "was changed since it was looked at",
        expected: "the draft that was shown",
        hint: "look at it again: signet repo status DIRECTORY")
    }
    var draft = try MetadataDraft(continuing: file)
    var count = 0
    for authority in authorities { count += try draft.sign(with: [key], for: authority) }
    if count > 0 { try folder.setPending(change.role, draft) }
    return count > 0
  }

  private func pending<Role: MetadataRole>(
    _ role: String, changes: [String], file: UnverifiedMetadata<Role>,
    signers: [(words: String, authority: RoleAuthority)]
  ) throws(SignetError) -> PendingChange {
    var lines: [String] = []
    var isComplete = !signers.isEmpty
    var owners: [PublicKey] = []
    for (words, authority) in signers {
      let keys = authority.keys
      let count = try file.signers(of: authority)
      lines.append("\(count) of \(keys.threshold) signatures by \(words)")
      if count < keys.threshold { isComplete = false }
      for id in keys.keyIDs {
        if case .verifies(let key, _)? = try authority.ring.key(id) { owners.append(key) }
      }
    }
    return PendingChange(
      role: role, changes: changes, signatures: lines, isComplete: isComplete, fault: nil, keys: owners,
      content: file.content)
  }

  /// The keys that must sign a draft: those of the roots, or of the delegation, that clients will have.
  private func signers(
    of role: String, _ content: RepositoryContent
  ) throws(SignetError) -> [(words: String, authority: RoleAuthority)] {
    let isTopLevel = role == "root" || role == "targets"
    let new = isTopLevel ? try folder.pendingRoot()?.uncheckedRole() : nil
    let old = content.root?.role
    var signers: [(words: String, authority: RoleAuthority)] = []
    switch role {
    case "root":
      if let old { signers.append(("keys of the current root", old.rootAuthority)) }
      if let new { signers.append(("keys of the new root", new.rootAuthority)) }
    case "targets":
      if let old { signers.append(("keys of the targets", old.targetsAuthority)) }
      if let new, old.map({ !$0.targets.hasSameSigners(as: new.targets) }) ?? true {
        signers.append(("keys of the targets in the new root", new.targetsAuthority))
      }
    default:
      if let authority = try authority(of: role, content) { signers.append(("keys of \(role.display)", authority)) }
    }
    return signers
  }

  /// Who must sign a publisher's metadata or one of its bins; nil if nobody delegates to it.
  private func authority(of role: String, _ content: RepositoryContent) throws(SignetError) -> RoleAuthority? {
    guard let delegations = try newestTargets(content).delegations else { return nil }
    if let authority = delegations.authority(of: role) { return authority }
    // The bins of a publisher have its keys.
    guard let name = try Self.publisher(ofBin: role, delegations, content) else { return nil }
    var above = try folder.pending(name)?.uncheckedRole()
    if above == nil { above = try published(name, content) }
    return above?.delegations?.authority(of: role)
  }

  private static func publisher(
    ofBin role: String, _ delegations: Delegations, _ content: RepositoryContent
  ) throws(SignetError) -> String? {
    try delegations.names(atMost: content.knownRoles).first { role.utf8.starts(with: "\($0).bin-".utf8) }
  }

  /// What a publisher or one of its bins offers now; nil if it has no metadata, or if nobody delegates to it any more.
  private func published(_ role: String, _ content: RepositoryContent) throws(SignetError) -> TargetsRole? {
    guard let top = content.targets?.role, let delegations = top.delegations else { return nil }
    if delegations.authority(of: role) != nil { return try content.role(role, by: top)?.role }
    guard let name = try Self.publisher(ofBin: role, delegations, content),
      let above = try content.role(name, by: top)?.role, above.delegations?.authority(of: role) != nil
    else { return nil }
    return try content.role(role, by: above)?.role
  }
}
