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
  /// The publishers to whom the top-level targets delegate and who have never offered anything.
  public private(set) var waiting: [String] = []
  /// What is wrong, each of it with its own code. Expired metadata is wrong, too.
  public var faults: [SignetError] { list.faults }
  private var list = FaultList()

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
    add("root", metadata: root.metadata, targets: 0, at: time)
    add("timestamp", metadata: timestamp, targets: 0, at: time)
    add("snapshot", metadata: snapshot, targets: 0, at: time)
    add("targets", metadata: targets, targets: targets.role.targets.count, at: time)
    try checkTargets(of: targets.role, content)
    try checkDelegations(of: targets.role, content, time)
  }

  private mutating func add<Content: MetadataRole>(
    _ name: String, metadata: VerifiedMetadata<Content>, targets: Int, at time: UnixTime
  ) {
    roles.append(
      Role(
        name: name, version: metadata.role.version, expires: metadata.role.expires, targetCount: targets))
    do throws(SignetError) { try metadata.checkFresh(at: time) } catch {
      var fault = error
      fault.hint =
        ["timestamp", "snapshot"].contains(name)
        ? "refresh the repository: signet repo refresh DIRECTORY --online-key KEY"
        : "renew the role: signet repo rotate DIRECTORY ROLE; then sign it, and refresh the repository"
      list.append(fault)
    }
  }

  /// A role to which another one delegates.
  private struct Step {
    let name: String
    let delegator: String
    let role: TargetsRole
  }

  /// Checks all roles below one. A list of what is left takes the place of recursion, so that depth costs nothing.
  private mutating func checkDelegations(
    of top: TargetsRole, _ content: RepositoryContent, _ time: UnixTime
  ) throws(SignetError) {
    var visited = Set<[UInt8]>()
    // The next one is last.
    var open = steps(from: top, "targets", content)
    while let next = open.popLast() {
      // The same role may be delegated to by others, with other keys.
      guard visited.insert(Array("\(next.delegator)\0\(next.name)".utf8)).inserted else { continue }
      let below: VerifiedMetadata<TargetsRole>
      do throws(SignetError) {
        guard let found = try content.role(next.name, by: next.role) else {
          // A publisher that has not signed yet. One that has cannot be left out.
          if next.delegator == "targets", content.nextVersion(of: next.name) == 1 {
            waiting.append(next.name)
            continue
          }
          throw SignetError(
            .tufNotInSnapshot, "snapshot",
            "does not list the role \(next.name.display), to which another role delegates",
            hint: "publish metadata of the role")
        }
        below = found
      } catch  where Set.aboutTUF.contains(error.code) {
        list.append(error)
        continue
      }
      add(next.name, metadata: below, targets: below.role.targets.count, at: time)
      try checkTargets(of: below.role, content)
      open += steps(from: below.role, next.name, content)
    }
  }

  private mutating func steps(from role: TargetsRole, _ name: String, _ content: RepositoryContent) -> [Step] {
    do throws(SignetError) {
      let names = try role.delegations?.names(atMost: content.roleCount) ?? []
      return names.reversed().map { Step(name: $0, delegator: name, role: role) }
    } catch {
      list.append(error)
      return []
    }
  }

  private mutating func checkTargets(of role: TargetsRole, _ content: RepositoryContent) throws(SignetError) {
    for target in role.targets {
      do throws(SignetError) { try content.folder.check(stored: target) } catch
        where Set.aboutTUF
        .contains(error.code)
      {
        list.append(error)
      }
    }
  }
}
