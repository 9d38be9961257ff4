public import SignetBase
internal import SignetCrypto
internal import SignetFiles
internal import SignetKeys
internal import SignetSystem

/// The files of a change, in the order in which they are written: roles below others first, then the top-level targets,
/// the snapshot, the timestamp, and a new root last.
public struct RepositoryPublication: Sendable {
  /// A file of metadata.
  public struct File: Sendable {
    /// The name of the role.
    public let role: String
    /// The version of the metadata.
    public let version: Int
    /// The bytes of the file.
    public let bytes: [UInt8]
    /// The name of the file.
    var name: String {
      role == "timestamp" ? FreshRoot.timestampPath : MetadataFileName.of(role, version: version)
    }
  }

  /// The files in their order.
  public private(set) var files: [File] = []

  /// The number of bytes of all files.
  public var size: Int { files.reduce(0) { $0 + $1.bytes.count } }

  mutating func append(_ role: String, version: Int, _ bytes: [UInt8]) {
    files.append(File(role: role, version: version, bytes: bytes))
  }
}

/// The snapshot and the timestamp of a change.
struct OnlineSigning {
  let content: RepositoryContent
  /// The root that clients have, and the one that they get with the change.
  let roots: [RootRole]
  /// Whether clients forget the snapshot and the timestamp that they have, because of the root that they get.
  let isForgotten: Bool
  let keys: [PrivateKey]
  let time: UnixTime
  let lifetimes: RoleLifetimes

  /// The number of roles up to which a snapshot states lengths and hashes. It costs 110 bytes a role in each refresh
  /// of each client. Versions alone suffice, because no version is ever used twice (section 4.4); with the hashes, a
  /// stolen key of a publisher is of no use without the snapshot's.
  private static let statedRoles = 200

  func sign(
    _ roles: [(name: String, metadata: VerifiedMetadata<TargetsRole>)], into publication: inout RepositoryPublication
  ) throws(SignetError) {
    let written = Dictionary(publication.files.map { (Array($0.role.utf8), $0.bytes) }) { $1 }
    let snapshot = try snapshot(roles, written, &publication)
    var role =
      content.timestamp?.role ?? TimestampRole(version: 0, expires: time, snapshot: snapshot)
    role.header.specVersion = RoleHeader.specVersion
    role.version = try content.nextOnlineVersion(of: "timestamp", isForgotten: isForgotten)
    role.expires = RoleLifetimes.end(lifetimes.timestamp, from: time)
    role.snapshot = snapshot
    let bytes = try signed(role, "timestamp", roots.map(\.timestampAuthority))
    publication.append("timestamp", version: role.version, bytes)
  }

  /// The facts of the snapshot that the timestamp names: of a new one if anything has changed.
  private func snapshot(
    _ roles: [(name: String, metadata: VerifiedMetadata<TargetsRole>)], _ written: [[UInt8]: [UInt8]],
    _ publication: inout RepositoryPublication
  ) throws(SignetError) -> FileFacts {
    if let current = content.snapshot, roles.isEmpty, !lifetimes.isNearExpiry(current.role, at: time),
      try isSignedForAllRoots(current)
    {
      return try FileFacts(version: current.role.version, of: current.bytes)
    }
    var role = content.snapshot?.role ?? SnapshotRole(version: 0, expires: time)
    role.header.specVersion = RoleHeader.specVersion
    role.version = try content.nextOnlineVersion(of: "snapshot", isForgotten: isForgotten)
    role.expires = RoleLifetimes.end(lifetimes.snapshot, from: time)
    for new in roles { role[new.name] = FileFacts(version: new.metadata.role.version) }
    let isStated = role.files.count <= Self.statedRoles
    for new in roles where isStated {
      role[new.name] = try FileFacts(version: new.metadata.role.version, of: written[Array(new.name.utf8)] ?? [])
    }
    if !isStated { role.dropLengthsAndHashes() }
    let bytes = try signed(role, "snapshot", roots.map(\.snapshotAuthority))
    guard bytes.count <= TUFLimits.standard.statedSnapshot else {
      throw SignetError(
        .tufTooLong, "the snapshot", "would be longer than clients take",
        expected: "at most \(TUFLimits.standard.statedSnapshot) bytes", found: "\(bytes.count) bytes",
        hint: "begin another registry for further publishers")
    }
    publication.append("snapshot", version: role.version, bytes)
    return try FileFacts(version: role.version, of: bytes)
  }

  private func isSignedForAllRoots(_ snapshot: VerifiedMetadata<SnapshotRole>) throws(SignetError) -> Bool {
    let file = try UnverifiedMetadata<SnapshotRole>(snapshot.bytes)
    do throws(SignetError) {
      for root in roots { _ = try file.verified(by: root.snapshotAuthority) }
      return true
    } catch  where error.code == .tufThreshold {
      return false
    }
  }

  private func signed<Role: MetadataRole>(
    _ role: Role, _ name: String, _ authorities: [RoleAuthority]
  ) throws(SignetError) -> [UInt8] {
    var draft = try MetadataDraft(role)
    for authority in authorities { try draft.sign(with: keys, for: authority) }
    for (index, authority) in authorities.enumerated() {
      do throws(SignetError) { try draft.check(by: authority) } catch  where error.code == .tufThreshold {
        throw SignetError(
          .tufForeignKey, "the given keys", "are not enough to sign the \(name)",
          expected: "\(authority.keys.threshold) of the keys of the \(index == 0 ? "current" : "new") root: "
            + authority.keys.keyIDs.map(authority.ring.words).joined(separator: ", "),
          found: keys.map { "\($0.publicKey)" }.joined(separator: ", "),
          hint: "name each private key: --online-key PATH")
      }
    }
    return try draft.bytes()
  }
}

extension SnapshotRole {
  /// Leaves the version of each file alone.
  mutating func dropLengthsAndHashes() {
    for file in files where file.facts.length != nil || file.facts.hashes != nil {
      self[String(file.name.dropLast(".json".utf8.count))] = FileFacts(
        version: file.facts.version, unknown: file.facts.unknown)
    }
  }
}

extension RepositoryFolder {
  /// Writes a change. The caller holds the lock of ``changing(_:)``.
  ///
  /// Each file appears as a whole. Until the timestamp is replaced, clients see the old repository; from then on they see
  /// the new one. A process that is killed leaves one of the two, and perhaps files that nothing names.
  ///
  /// - Throws: `tuf.version-used`; `output.failed`, `output.not-synced`.
  public func publish(_ publication: RepositoryPublication) throws(SignetError) {
    for file in publication.files {
      let name = "\(Self.metadataName)/\(file.name)"
      guard file.role != "timestamp" else {
        try OutputFile.write(file.bytes, to: "\(path)/\(name)", .replace(unless: []))
        continue
      }
      if try self.file(name) == file.bytes { continue }
      do throws(SignetError) { try OutputFile.write(file.bytes, to: "\(path)/\(name)", .keep) } catch
        where error
        .code == .outputExists
      {
        throw SignetError(
          .tufVersionUsed, file.name, "exists already with other content", expected: "a version that was never used",
          cause: error)
      }
    }
  }
}
