public import SignetBase

extension TUFClient {
  /// Finds a target: a pre-order depth-first search through the delegations (specification, section 5.6.7).
  ///
  /// The metadata is refreshed first, unless it was before.
  ///
  /// - Parameter path: the path of the target.
  /// - Returns: nil if no role offers the target.
  /// - Throws: `tuf.target-name`; `tuf.too-many-roles` if the search ends for that reason, so that nothing is known; what
  ///   ``refresh()`` and ``FreshSnapshot/targets(_:)`` throw.
  public func target(_ path: String) throws(SignetError) -> VerifiedTarget? {
    let path = try TargetPath(path)
    try path.checkSafe()
    if targets == nil { try refresh() }
    guard let targets else { return nil }
    var search = TargetSearch(client: self, path: path)
    return try search.run(targets)
  }

  /// Loads a role to which another one delegates, verified under that one.
  ///
  /// What is stored is used while the snapshot lists it; otherwise the mirrors are asked.
  ///
  /// - Throws: what ``FreshTargets/delegated(to:_:)`` throws, and what the sources throw.
  public func role(_ name: String, delegatedBy delegator: FreshTargets) throws(SignetError) -> FreshTargets {
    let key = DelegationKey(delegator.name, name)
    if let loaded = delegated[key] { return loaded }
    let loading = RoleLoading(folder, limits, name, by: delegator)
    let loaded: FreshTargets
    if let stored = try loading.stored() {
      loaded = stored
    } else {
      loaded = try firstOf(mirrors.map(\.metadata)) { (source) throws(SignetError) in
        try loading.fetched(from: source)
      }
    }
    let bytes = delegatedBytes[key.delegator, default: 0] + loaded.metadata.bytes.count
    guard bytes <= limits.delegatedBytes else {
      throw SignetError(
        .tufTooLong, delegator.name.display, "delegates to roles that are together longer than allowed",
        expected: "at most \(limits.delegatedBytes) bytes", found: "\(bytes) bytes with \(name.display)",
        hint: "raise the limit if the repository is that large")
    }
    delegatedBytes[key.delegator] = bytes
    delegated[key] = loaded
    return loaded
  }
}

/// The search for one target. A list of what is left takes the place of recursion, so that depth costs nothing.
private struct TargetSearch {
  private let client: TUFClient
  private let path: TargetPath
  private var visited = Set<[UInt8]>()
  /// What is to be visited, the next one last.
  private var open: [(role: String, delegator: FreshTargets)] = []

  init(client: TUFClient, path: TargetPath) {
    self.client = client
    self.path = path
  }

  mutating func run(_ top: FreshTargets) throws(SignetError) -> VerifiedTarget? {
    visited.insert(Array(top.name.utf8))
    if let found = visit(top) { return found }
    while let next = open.popLast() {
      // Cycles end here. Within one snapshot a name stands for one file, so a second visit could show nothing new.
      guard !visited.contains(Array(next.role.utf8)) else { continue }
      guard visited.count <= client.limits.delegatedRoles else {
        throw SignetError(
          .tufTooManyRoles, path.text.display, "was not found in the roles that a search may visit",
          expected: "at most \(client.limits.delegatedRoles) delegated roles",
          hint: "ask the owner of the repository for fewer delegations on the way to the target")
      }
      visited.insert(Array(next.role.utf8))
      if let found = visit(try client.role(next.role, delegatedBy: next.delegator)) { return found }
    }
    return nil
  }

  /// Looks for the target in a role, and otherwise notes to whom the role delegates.
  private mutating func visit(_ targets: FreshTargets) -> VerifiedTarget? {
    if let found = targets.target(path) { return found }
    let steps = targets.steps(for: path)
    // Behind a terminating delegation nobody else is asked, neither later ones of this role nor those of roles above.
    if let last = steps.last, last.isTerminating { open = [] }
    open += steps.reversed().map { ($0.role, targets) }
    return nil
  }
}
