public import SignetBase

/// What a repository offers: its metadata, verified from the first root on. Expiry is told, and refuses nothing.
///
/// A repository that has never been published has no root, and so nothing else.
public struct RepositoryContent: Sendable {
  /// The newest root.
  public let root: TrustedRoot?
  /// The timestamp.
  public let timestamp: VerifiedMetadata<TimestampRole>?
  /// The snapshot that the timestamp names.
  public let snapshot: VerifiedMetadata<SnapshotRole>?
  /// The top-level targets that the snapshot lists.
  public let targets: VerifiedMetadata<TargetsRole>?
  /// Where the repository is.
  public let folder: RepositoryFolder
  /// The versions of each role among the files, by the encoded name of the role.
  ///
  /// A publication that was killed leaves files that nothing names. Their versions are never used again.
  private let versions: [String: [Int]]

  init(reading folder: RepositoryFolder) throws(SignetError) {
    var versions: [String: [Int]] = [:]
    for name in try folder.names(in: RepositoryFolder.metadataName) {
      guard let file = MetadataFileName(name) else { continue }
      versions[file.role, default: []].append(file.version)
    }
    self.folder = folder
    self.versions = versions
    root = try Self.root(in: folder, upTo: versions["root"]?.max() ?? 0)
    let stamp = try folder.file("\(RepositoryFolder.metadataName)/\(FreshRoot.timestampPath)")
    guard let role = root?.role else {
      (timestamp, snapshot, targets) = (nil, nil, nil)
      return
    }
    guard let stamp else {
      // The root is written last. Taken for a new repository, it would begin anew with versions that clients refuse.
      throw SignetError(
        .tufNotFound, FreshRoot.timestampPath, "is missing, although there is a root",
        hint: "restore the file from a copy of the repository")
    }
    let timestamp = try UnverifiedMetadata<TimestampRole>(stamp).verified(by: role.timestampAuthority)
    let snapshot: VerifiedMetadata<SnapshotRole> = try Self.read(
      role.snapshotAuthority, timestamp.role.snapshot, in: folder)
    self.timestamp = timestamp
    self.snapshot = snapshot
    guard let facts = snapshot.role["targets"] else {
      throw SignetError(.tufNotInSnapshot, snapshot.name, "does not list the role targets")
    }
    targets = try Self.read(role.targetsAuthority, facts, in: folder)
  }

  /// Follows the roots from the first one to the last. None of them may be missing: clients begin at any of them.
  private static func root(in folder: RepositoryFolder, upTo last: Int) throws(SignetError) -> TrustedRoot? {
    var trusted: TrustedRoot?
    for version in 1..<(last + 1) {
      let name = "\(version).root.json"
      guard let bytes = try folder.file("\(RepositoryFolder.metadataName)/\(name)") else {
        throw SignetError(
          .tufNotFound, name, "is missing, although a later root is there",
          expected: "all roots from the first one on",
          hint: "restore the file from a copy of the repository")
      }
      if let before = trusted {
        trusted = try before.updated(with: bytes)
      } else {
        trusted = try TrustedRoot(bytes, name: name)
      }
    }
    return trusted
  }

  /// The file of a role that the repository lists.
  ///
  /// - Throws: `tuf.not-found`, `tuf.hash-mismatch`, `tuf.too-short`, `tuf.too-long`; `file.…`.
  private static func listedFile(
    of role: String, _ facts: FileFacts, in folder: RepositoryFolder
  ) throws(SignetError) -> (name: String, bytes: [UInt8]) {
    let name = MetadataFileName.of(role, version: facts.version)
    guard let bytes = try folder.file("\(RepositoryFolder.metadataName)/\(name)") else {
      throw SignetError(
        .tufNotFound, name, "is missing, although the repository lists it",
        hint: "restore the file from a copy of the repository")
    }
    try facts.check(bytes, name)
    return (name, bytes)
  }

  /// Reads the files of all targets roles that the snapshot lists, one after the other, whether or not anybody delegates to them still.
  ///
  /// - Throws: `tuf.not-found`, `tuf.hash-mismatch`, `tuf.too-short`, `tuf.too-long`; `file.…`.
  func forEachListedFile(_ body: (String, [UInt8]) throws(SignetError) -> Void) throws(SignetError) {
    for file in snapshot?.role.files ?? [] {
      let role = String(file.name.dropLast(".json".utf8.count))
      let (name, bytes) = try Self.listedFile(of: role, file.facts, in: folder)
      try body(name, bytes)
    }
  }

  private static func read<Role: MetadataRole>(
    _ authority: RoleAuthority, _ facts: FileFacts, in folder: RepositoryFolder
  ) throws(SignetError) -> VerifiedMetadata<Role> {
    let (name, bytes) = try listedFile(of: authority.role, facts, in: folder)
    let metadata = try UnverifiedMetadata<Role>(bytes, name: name).verified(by: authority)
    try metadata.check(version: facts.version, "the repository lists")
    return metadata
  }

  /// The metadata of a delegated role.
  ///
  /// - Parameters:
  ///   - name: the name of the role.
  ///   - delegator: the role that delegates to it.
  /// - Returns: nil if the role has never been published.
  /// - Throws: `tuf.not-delegated`; what ``RepositoryFolder/load()`` throws.
  public func role(
    _ name: String, by delegator: TargetsRole
  ) throws(SignetError) -> VerifiedMetadata<TargetsRole>? {
    guard let authority = delegator.delegations?.authority(of: name) else { throw Self.notDelegated(name) }
    guard let facts = snapshot?.role[name] else { return nil }
    return try Self.read(authority, facts, in: folder)
  }

  /// Checks that a root that is trusted for other reasons is one of this repository's, so that its clients can go on.
  ///
  /// - Throws: `tuf.not-found`, `tuf.hash-mismatch`.
  public func check(contains trusted: TrustedRoot) throws(SignetError) {
    let version = trusted.role.version
    guard let bytes = try file(of: "root", version: version) else {
      throw SignetError(
        .tufNotFound, "\(version).root.json", "is not in the repository", expected: "the root that is trusted")
    }
    guard bytes != trusted.metadata.bytes else { return }
    throw SignetError(
      .tufHashMismatch, "\(version).root.json", "is not the root that is trusted",
      expected: try FileHashes(of: trusted.metadata.bytes).entries[0].hex,
      found: try FileHashes(of: bytes).entries[0].hex,
      hint: "this may be another repository; ask its owner for its roots")
  }

  static func notDelegated(_ name: String) -> SignetError {
    SignetError(
      .tufNotDelegated, name.display, "is no role that another role delegates to",
      hint: "check the name; signet repo verify lists the roles")
  }

  /// The number of targets roles that have metadata, published ones and drafts.
  package var knownRoles: Int {
    get throws(SignetError) { try roleCount + folder.pendingRoles().count }
  }

  /// The number of targets roles that have published metadata.
  var roleCount: Int { snapshot?.role.files.count ?? 0 }

  /// The number of versions by which a draft, or a file that a killed publication has left, can be ahead of what is
  /// trusted. Each such publication leaves one version. What is further ahead was made by somebody who wants that no
  /// version is left.
  static let longestLead = 1000
  /// A version that nobody comes to in time: one publication a second takes 68 years.
  private static let plausible = 1 << 31

  /// The version that a role's next metadata gets: above the one that is trusted, and above those of files that killed
  /// publications have left.
  public func nextVersion(of role: String) -> Int {
    let trusted =
      switch role {
      case "root": root?.role.version
      case "timestamp": timestamp?.role.version
      case "snapshot": snapshot?.role.version
      default: snapshot?.role[role]?.version
      }
    return newestVersion(of: role, after: trusted ?? 0, upTo: (trusted ?? 0) + Self.longestLead) + 1
  }

  /// The next version of the timestamp or the snapshot.
  ///
  /// Somebody with a stolen online key can use up all versions. Clients forget both roles when keys of one are replaced,
  /// so that versions may begin anew: behind those that their owner has used.
  ///
  /// - Parameter isForgotten: whether keys are replaced.
  /// - Throws: `tuf.no-version-left`.
  func nextOnlineVersion(of role: String, isForgotten: Bool) throws(SignetError) -> Int {
    let next = nextVersion(of: role)
    if isForgotten, next > Self.plausible { return newestVersion(of: role, after: 0, upTo: Self.plausible) + 1 }
    guard next <= MetadataFileName.highest else {
      throw SignetError(
        .tufNoVersionLeft, role,
        "has the highest version that there is: somebody has signed it to lock out its owner",
        expected: "a version below \(MetadataFileName.highest)",
        hint: "replace the online keys: signet repo rotate DIRECTORY online --add-key KEY --remove-key KEY")
    }
    return next
  }

  private func newestVersion(of role: String, after trusted: Int, upTo limit: Int) -> Int {
    let files = versions[PercentEncoding.roleName(role)] ?? []
    return files.lazy.filter { $0 <= limit }.reduce(trusted) { max($0, $1) }
  }

  /// The file of a version that exists, whether or not anything names it.
  func file(of role: String, version: Int) throws(SignetError) -> [UInt8]? {
    try folder.file("\(RepositoryFolder.metadataName)/" + MetadataFileName.of(role, version: version))
  }
}
