public import SignetBase
internal import SignetCrypto
public import SignetKeys
internal import SignetSystem

/// The drafts of a repository that can be published now, and why the others must wait.
///
/// As many as possible are published together. A new root goes only with top-level targets that its keys have signed,
/// and new top-level targets go only with valid metadata of everybody to whom they newly delegate. The first publication
/// waits for no publisher: those who are not ready are published when they are.
public struct DraftPublication: Sendable {
  /// A draft that is not published yet.
  public struct Waiting: Sendable {
    /// The name of the role.
    public let role: String
    /// What is missing.
    public let reason: SignetError
  }

  /// The change, with a new timestamp in any case.
  public let publication: RepositoryPublication
  /// The roles whose drafts are published with it.
  public private(set) var published: [String] = []
  /// The drafts that must wait.
  public private(set) var waiting: [Waiting] = []
  /// What people should do soon: renew roles that will expire, or have expired. Nothing waits for it.
  public private(set) var warnings: [SignetError] = []
  /// The roles whose drafts were published before; only the files are left.
  private var done: [String] = []

  /// Finds out what can be published.
  ///
  /// - Throws: `tuf.expired` if clients would refuse everything afterwards, because the root or the top-level targets
  ///   have expired (specification, sections 5.3.10 and 5.6.5); what ``RepositoryChange/publication(signedBy:at:_:)`` throws for a change without drafts.
  public init(
    of content: RepositoryContent, signedBy keys: [PrivateKey], at time: UnixTime,
    _ lifetimes: RoleLifetimes = RoleLifetimes()
  ) throws(SignetError) {
    var drafts = try Drafts(of: content)
    var reasons: [(role: String, reason: SignetError)] = drafts.faults
    var result: (RepositoryPublication, [String])?
    var isSifted = false
    var ways = [(true, true), (false, true), (true, false), (false, false)][...]
    while let (withRoot, withTargets) = ways.first {
      guard !withRoot || drafts.root != nil, !withTargets || drafts.targets != nil else {
        ways.removeFirst()
        continue
      }
      var change = RepositoryChange(of: content)
      var names: [String] = []
      if withRoot, let root = drafts.root {
        change.take(root: root)
        names.append("root")
      }
      if withTargets, let targets = drafts.targets {
        change.take(targets, of: "targets", delegatedBy: [])
        names.append("targets")
      }
      let top = withTargets ? drafts.newTop : content.targets?.role
      for (role, delegators, file) in drafts.ready(under: top, &reasons) {
        change.take(file, of: role, delegatedBy: delegators)
        names.append(role)
      }
      do throws(SignetError) {
        result = (try change.publication(signedBy: keys, at: time, lifetimes), names)
        break
      } catch {
        if !isSifted {
          isSifted = true
          let faults = drafts.sift { (change) throws(SignetError) in
            _ = try change.publication(signedBy: keys, at: time, lifetimes)
          }
          reasons += faults
          if !faults.isEmpty { continue }
        }
        ways.removeFirst()
        // Without root and targets nothing is left to wait for. Before the first publication, the root is.
        guard withRoot || withTargets else {
          throw content.root == nil ? reasons.first { $0.role == "root" }?.reason ?? error : error
        }
        reasons.append((withRoot ? "root" : "targets", error))
        if withRoot && withTargets { reasons.append(("targets", error)) }
      }
    }
    guard let result else { throw content.folder.missing(nil) }
    publication = result.0
    published = result.1
    warnings = try Self.warnings(
      of: drafts.expiries(of: result.1, otherwise: content), at: time, lifetimes)
    done = drafts.done
    for name in drafts.names where !(published + done).contains(where: { $0.isExactly(name) }) {
      guard let reason = reasons.last(where: { $0.role.isExactly(name) }) else { continue }
      waiting.append(Waiting(role: name, reason: reason.reason))
    }
  }

  /// What is to be renewed.
  ///
  /// - Parameter expiries: until when the root, the targets and other roles are valid.
  private static func warnings(
    of expiries: [(role: String, expires: UnixTime)], at time: UnixTime, _ lifetimes: RoleLifetimes
  ) throws(SignetError) -> [SignetError] {
    var warnings: [SignetError] = []
    for (role, expires) in expiries {
      let isForAll = role == "root" || role == "targets"
      let renewal =
        "renew it: signet repo rotate DIRECTORY \(role.display); then sign it with signet repo sign, and publish it with "
        + "signet repo refresh"
      if expires <= time {
        let expired = SignetError(
          .tufExpired, role.display,
          isForAll
            ? "has expired: clients refuse all of the repository, however new the timestamp is"
            : "has expired: clients refuse what it offers",
          expected: "a role that is valid after \(time)", found: "valid until \(expires)",
          hint: isForAll ? "check the clock; if it is right, \(renewal)" : "let its publisher renew and sign it")
        if isForAll { throw expired }
        warnings.append(expired)
      } else if lifetimes.isNearEnd(
        expires, living: role == "root" ? lifetimes.root : lifetimes.targets, at: time)
      {
        warnings.append(
          SignetError(
            .tufExpiresSoon, role.display,
            isForAll
              ? "expires soon: clients will refuse all of the repository"
              : "expires soon: clients will refuse what it offers",
            found: "valid until \(expires)", hint: renewal))
      }
    }
    return warnings
  }

  /// Publishes, and removes the drafts that are published. The caller holds the lock of
  /// ``RepositoryFolder/changing(_:)``.
  ///
  /// - Throws: what ``RepositoryFolder/publish(_:)`` throws.
  public func write(to folder: RepositoryFolder) throws(SignetError) {
    try folder.publish(publication)
    for role in published + done { try folder.dropPending(role) }
  }
}

/// The drafts of a repository, read. What is wrong with one draft does not hold up the others.
private struct Drafts {
  let names: [String]
  private(set) var root: UnverifiedMetadata<RootRole>?
  private(set) var targets: UnverifiedMetadata<TargetsRole>?
  /// The role of the draft of the top-level targets.
  private(set) var newTop: TargetsRole?
  private var others: [(role: String, file: UnverifiedMetadata<TargetsRole>)] = []
  private(set) var faults: [(role: String, reason: SignetError)] = []
  private(set) var done: [String] = []
  private let content: RepositoryContent
  /// The number of roles that have metadata, drafts included.
  private let known: Int

  init(of content: RepositoryContent) throws(SignetError) {
    self.content = content
    names = try content.folder.pendingRoles()
    known = content.roleCount + names.count
    for name in names {
      do throws(SignetError) {
        if name == "root" {
          root = try content.folder.pendingRoot()
          if try content.isPublished(root, name) {
            root = nil
            done.append(name)
          }
        } else {
          let file = try content.folder.pending(name)
          if try content.isPublished(file, name) {
            done.append(name)
          } else if name == "targets" {
            newTop = try file?.uncheckedRole()
            targets = file
          } else if let file {
            others.append((name, file))
          }
        }
      } catch  where Self.isOfDraft(error.code) {
        faults.append((name, error))
      }
    }
  }

  /// Until when roles are valid after some drafts are published: the root, the top-level targets, and the other drafts.
  func expiries(
    of published: [String], otherwise content: RepositoryContent
  ) throws(SignetError) -> [(role: String, expires: UnixTime)] {
    func isNew(_ name: String) -> Bool { published.contains { $0.isExactly(name) } }
    var expiries: [(role: String, expires: UnixTime)] = []
    let root = isNew("root") ? try self.root?.uncheckedRole() : content.root?.role
    if let root { expiries.append(("root", root.expires)) }
    if let targets = isNew("targets") ? newTop : content.targets?.role {
      expiries.append(("targets", targets.expires))
    }
    for (role, file) in others where isNew(role) { expiries.append((role, try file.uncheckedRole().expires)) }
    return expiries
  }

  /// Whether a fault is one of the draft itself. Where the machine fails to read a draft, nothing is published without it.
  private static func isOfDraft(_ code: SignetError.Code) -> Bool {
    Set.aboutTUF.contains(code)
      || [.tufDraftStale, .fileTooLarge, .fileNotRegular, .fileIsDirectory].contains(code)
  }

  /// The drafts of delegated roles that are signed by enough keys.
  func ready(
    under top: TargetsRole?, _ reasons: inout [(role: String, reason: SignetError)]
  ) -> [(role: String, delegators: [String], file: UnverifiedMetadata<TargetsRole>)] {
    var ready: [(role: String, delegators: [String], file: UnverifiedMetadata<TargetsRole>)] = []
    // A publisher may have a thousand bins.
    var divided: [[UInt8]: TargetsRole] = [:]
    for (name, file) in others {
      do throws(SignetError) {
        guard let top, let (delegators, authority) = try delegation(of: name, under: top, &divided) else {
          throw RepositoryContent.notDelegated(name)
        }
        _ = try file.verified(by: authority)
        ready.append((name, delegators, file))
      } catch {
        reasons.append((name, error))
      }
    }
    return ready
  }

  /// Leaves out the drafts of roles that cannot be published, whatever else is. One publisher must not hold up the
  /// others, nor the timestamp.
  ///
  /// - Parameter isGood: tries a change that has the drafts of one role and its bins alone.
  /// - Returns: the drafts that are left out, and why.
  mutating func sift(
    _ isGood: (RepositoryChange) throws(SignetError) -> Void
  ) -> [(role: String, reason: SignetError)] {
    var unused: [(role: String, reason: SignetError)] = []
    var faults: [(role: String, reason: SignetError)] = []
    // A role to which the published targets do not delegate can only be published with new targets.
    let ready = ready(under: content.targets?.role, &unused)
    for (_, group) in Dictionary(
      grouping: ready, by: { Array(($0.delegators.count > 1 ? $0.delegators[1] : $0.role).utf8) })
    {
      var change = RepositoryChange(of: content)
      for (role, delegators, file) in group { change.take(file, of: role, delegatedBy: delegators) }
      do throws(SignetError) { try isGood(change) } catch { faults += group.map { ($0.role, error) } }
    }
    others.removeAll { draft in faults.contains { $0.role.isExactly(draft.role) } }
    return faults
  }

  /// Who delegates to a role: the top-level targets, or a role after which the bin is called.
  private func delegation(
    of name: String, under top: TargetsRole, _ divided: inout [[UInt8]: TargetsRole]
  ) throws(SignetError) -> (delegators: [String], authority: RoleAuthority)? {
    guard let delegations = top.delegations else { return nil }
    if let authority = delegations.authority(of: name) { return (["targets"], authority) }
    for role in try delegations.names(atMost: known)
    where name.utf8.starts(with: "\(RoleTargets.binPrefix(role))-".utf8) {
      var above = divided[Array(role.utf8)]
      if above == nil { above = try others.first { $0.role.isExactly(role) }?.file.uncheckedRole() }
      if above == nil { above = try content.role(role, by: top)?.role }
      guard let above else { continue }
      divided[Array(role.utf8)] = above
      if let authority = above.delegations?.authority(of: name) { return (["targets", role], authority) }
    }
    return nil
  }
}

extension RepositoryContent {
  /// Whether the draft is what the repository has already: a publication was killed before it could remove the file.
  fileprivate func isPublished<Role: MetadataRole>(
    _ draft: UnverifiedMetadata<Role>?, _ name: String
  ) throws(SignetError) -> Bool {
    guard let draft else { return true }
    let trusted = name == "root" ? root?.role.version : snapshot?.role[name]?.version
    let version = try draft.uncheckedRole().version
    guard let trusted, version <= trusted else { return false }
    let bytes = try file(of: name, version: version)
    if let bytes, try UnverifiedMetadata<Role>(bytes, name: draft.name).message == draft.message { return true }
    throw SignetError(
      .tufDraftStale, draft.name, "is not newer than what the repository has",
      expected: "version \(trusted + 1) or later", found: "version \(version)",
      hint: "make the change again on top of the current repository")
  }
}
