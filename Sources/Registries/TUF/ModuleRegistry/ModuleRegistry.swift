public import SignetBase
internal import SignetCrypto
public import SignetKeys
internal import SignetSystem
public import SignetTUF

/// A registry of modules in a plain directory: a repository of The Update Framework whose delegated roles are publishers.
///
/// Each change of an offline role is a draft first. People sign it, on one machine or on several, and the machine with
/// the online keys publishes what is signed by enough of them (``refresh(signedBy:)``).
public struct ModuleRegistry: Sendable {
  /// The repository.
  public let folder: RepositoryFolder
  /// The current time.
  public let time: UnixTime
  /// For how long new metadata is valid.
  public let lifetimes: RoleLifetimes
  /// The number of files above which a publisher's role is divided into bins.
  public var mostTargets = RoleTargets.most

  /// Names a registry, which need not exist yet.
  public init(_ path: String, at time: UnixTime, lifetimes: RoleLifetimes = RoleLifetimes()) {
    folder = RepositoryFolder(path) { (old, new) throws(SignetError) in
      // Nothing that was published disappears: it could come back with other bytes.
      guard let new else { return false }
      return try IndexChange(old, new, in: RepositoryFolder(path))?.checkKept() != nil
    }
    self.time = time
    self.lifetimes = lifetimes
  }

  /// Begins a registry: drafts of its first root and of empty top-level targets, for which their keys must sign.
  ///
  /// - Throws: `repo.exists`; `output.failed`.
  public func begin(with keys: RegistryKeys) throws(SignetError) {
    try folder.make()
    try folder.changing { (content) throws(SignetError) in
      guard content.root == nil, try folder.pendingRoot() == nil else {
        throw SignetError(
          .repoExists, folder.path, "is a registry already",
          hint: "change its keys: signet repo rotate DIRECTORY ROLE --add-key KEY --remove-key KEY")
      }
      var ring = KeyRing()
      for key in try keys.root.objects() + keys.targets.objects() + keys.online.objects() { ring.insert(key) }
      let root = RootRole(
        version: content.nextVersion(of: "root"), expires: RoleLifetimes.end(lifetimes.root, from: time), keys: ring,
        root: try keys.root.stated(), timestamp: try keys.online.stated(), snapshot: try keys.online.stated(),
        targets: try keys.targets.stated())
      let targets = TargetsRole(
        version: content.nextVersion(of: "targets"), expires: RoleLifetimes.end(lifetimes.targets, from: time))
      try folder.setPending("targets", MetadataDraft(targets))
      try folder.setPending("root", MetadataDraft(root))
    }
  }

  /// Publishes the drafts that are signed by enough keys, with a new timestamp in any case.
  ///
  /// - Parameter keys: the online keys. While they are rotated, those of the old and of the new root.
  /// - Returns: what was published, and what waits for whom.
  /// - Throws: what ``DraftPublication/init(of:signedBy:at:_:)`` and ``DraftPublication/write(to:)`` throw.
  public func refresh(signedBy keys: [PrivateKey]) throws(SignetError) -> DraftPublication {
    try folder.changing { (content) throws(SignetError) in try publish(content, keys) }
  }

  func publish(_ content: RepositoryContent, _ keys: [PrivateKey]) throws(SignetError) -> DraftPublication {
    let publication = try DraftPublication(of: content, signedBy: keys, at: time, lifetimes)
    try publication.write(to: folder)
    return publication
  }

  /// Checks everything that the registry offers, with the bytes of all targets.
  ///
  /// - Throws: what ``RepositoryFolder/load()`` throws; `file.…`.
  public func check() throws(SignetError) -> RepositoryCheck { try RepositoryCheck(of: folder.load(), at: time) }

  /// Checks that the registry goes on from a root that is trusted for other reasons.
  ///
  /// - Parameter path: the file of the root, from a trusted place.
  /// - Throws: `tuf.hash-mismatch` if the registry has another root of that version; `tuf.not-found` if it has none;
  ///   what ``RepositoryFolder/load()`` throws.
  public func check(root path: String) throws(SignetError) {
    let bytes = try RegularFile(opening: path).bytes(limit: TUFLimits.standard.root)
    let trusted = try TrustedRoot(bytes, name: path)
    try folder.load().check(contains: trusted)
  }

  /// Removes the files that no client asks for any more.
  ///
  /// - Parameter isTrial: whether the files are named and stay.
  /// - Returns: the files.
  /// - Throws: what ``RepositoryPruning/init(of:)`` and ``RepositoryPruning/remove()`` throw.
  public func prune(isTrial: Bool) throws(SignetError) -> [String] {
    try folder.changing { (content) throws(SignetError) in
      let pruning = try RepositoryPruning(of: content)
      if !isTrial { try pruning.remove() }
      return pruning.files
    }
  }

  // MARK: Drafts

  /// The newest top-level targets, a draft before what is published.
  func newestTargets(_ content: RepositoryContent) throws(SignetError) -> TargetsRole {
    if let draft = try folder.pending("targets")?.uncheckedRole(), draft.version > content.targets?.role.version ?? 0
    {
      return draft
    }
    guard let role = content.targets?.role else { throw Self.noRegistry(folder.path) }
    return role
  }

  /// Writes a draft of changed top-level targets. Signatures of an earlier draft are gone: they were for other content.
  func draft(targets: TargetsRole, _ content: RepositoryContent) throws(SignetError) {
    var role = targets
    role.header.specVersion = RoleHeader.specVersion
    role.version = content.nextVersion(of: "targets")
    role.expires = RoleLifetimes.end(lifetimes.targets, from: time)
    try folder.setPending("targets", MetadataDraft(role))
  }

  /// The newest root, a draft before what is published.
  func newestRoot(_ content: RepositoryContent) throws(SignetError) -> RootRole {
    if let draft = try folder.pendingRoot()?.uncheckedRole(), draft.version > content.root?.role.version ?? 0 {
      return draft
    }
    guard let role = content.root?.role else { throw Self.noRegistry(folder.path) }
    return role
  }

  /// Writes a draft of a changed root.
  func draft(root: RootRole, _ content: RepositoryContent) throws(SignetError) {
    var role = root
    role.header.specVersion = RoleHeader.specVersion
    role.version = content.nextVersion(of: "root")
    role.expires = RoleLifetimes.end(lifetimes.root, from: time)
    role.keys.keep(role.root.keyIDs + role.targets.keyIDs + role.snapshot.keyIDs + role.timestamp.keyIDs)
    try folder.setPending("root", MetadataDraft(role))
  }

  static func noRegistry(_ path: String) -> SignetError {
    SignetError(
      .tufNoRepository, path, "is no registry", expected: "a folder that signet repo init has made",
      hint: "begin one: signet repo init DIRECTORY --root-key KEY --targets-key KEY --online-key KEY")
  }
}
