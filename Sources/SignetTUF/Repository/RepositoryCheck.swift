public import SignetBase

/// A check of everything that a repository offers: all roles that can be reached, and all targets with their bytes.
public struct RepositoryCheck: Sendable {
  /// A role that is in order.
  public struct Role: Sendable {
    /// The name of the role.
    public let name: String
    /// The version of its metadata.
    public let version: Int
    /// The time from which the metadata is no longer valid.
    public let expires: UnixTime
    /// The number of targets that it offers.
    public let targetCount: Int
  }

  /// The roles that are in order, from the root down.
  public private(set) var roles: [Role] = []
  /// What is wrong, each of it with its own code. Expired metadata is wrong, too.
  public private(set) var faults: [SignetError] = []

  /// Checks a repository.
  ///
  /// - Parameters:
  ///   - content: what was read of the repository.
  ///   - time: the time by which expiry is judged.
  /// - Throws: `file.…` and `crypto.failure` if something could not be checked.
  public init(of content: RepositoryContent, at time: UnixTime) throws(SignetError) {
    guard let root = content.root, let timestamp = content.timestamp, let snapshot = content.snapshot,
      let targets = content.targets
    else { throw content.folder.missing(nil) }
    add("root", root.metadata, 0, time)
    add("timestamp", timestamp, 0, time)
    add("snapshot", snapshot, 0, time)
    add("targets", targets, targets.role.targets.count, time)
    try checkTargets(of: targets.role, content)
    var visited = Set<[UInt8]>()
    try checkDelegations(of: targets.role, "targets", content, time, &visited)
  }

  private mutating func add<Content: MetadataRole>(
    _ name: String, _ metadata: VerifiedMetadata<Content>, _ targets: Int, _ time: UnixTime
  ) {
    roles.append(
      Role(
        name: name, version: metadata.role.version, expires: metadata.role.expires, targetCount: targets))
    do throws(SignetError) { try metadata.checkFresh(at: time) } catch {
      var fault = error
      fault.hint =
        ["timestamp", "snapshot"].contains(name)
        ? "refresh the repository: signet repo refresh" : "renew the role: signet repo rotate, then sign and refresh"
      faults.append(fault)
    }
  }

  private mutating func checkDelegations(
    of role: TargetsRole, _ delegator: String, _ content: RepositoryContent, _ time: UnixTime,
    _ visited: inout Set<[UInt8]>
  ) throws(SignetError) {
    let names: [String]
    do throws(SignetError) { names = try role.delegations?.names(atMost: content.roleCount) ?? [] } catch {
      faults.append(error)
      return
    }
    for name in names {
      // The same role may be delegated to by others, with other keys.
      guard visited.insert(Array("\(delegator)\0\(name)".utf8)).inserted else { continue }
      let below: VerifiedMetadata<TargetsRole>
      do throws(SignetError) {
        guard let found = try content.role(name, by: role) else {
          throw SignetError(
            .tufNotInSnapshot, "snapshot", "does not list the role \(name.display), to which another role delegates",
            hint: "publish metadata of the role")
        }
        below = found
      } catch  where Set.aboutTUF.contains(error.code) {
        faults.append(error)
        continue
      }
      add(name, below, below.role.targets.count, time)
      try checkTargets(of: below.role, content)
      try checkDelegations(of: below.role, name, content, time, &visited)
    }
  }

  private mutating func checkTargets(of role: TargetsRole, _ content: RepositoryContent) throws(SignetError) {
    for target in role.targets {
      do throws(SignetError) { try content.folder.check(stored: target) } catch
        where Set.aboutTUF
        .contains(error.code)
      {
        faults.append(error)
      }
    }
  }
}
