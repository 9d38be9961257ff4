internal import ModuleCatalog
public import Signet
public import SignetBase
public import SignetCrypto
package import SignetTUF

/// A publisher: a role to which the top-level targets delegate the paths of some modules.
public struct Publisher: Sendable {
  /// The publisher's name.
  public let name: String
  /// The publisher's usable keys.
  public let keys: [PublicKey]
  /// The number of keys that must sign.
  public let threshold: Int
  /// The modules that the publisher may offer.
  public let scope: PublisherScope
  /// Who may sign the modules besides the keys: identities that an instance of Sigstore proves.
  public let identities: [TrustAnchor]

  /// Reads a delegation; nil if it is not that of a publisher of modules.
  package init?(_ role: DelegatedRole, _ ring: KeyRing) throws(SignetError) {
    guard let scope = PublisherScope(role) else { return nil }
    var keys: [PublicKey] = []
    for id in role.keys.keyIDs {
      if case .verifies(let key, _)? = try ring.key(id) { keys.append(key) }
    }
    name = role.name
    identities = try PublisherIdentities.read(from: role)
    threshold = role.keys.threshold
    self.keys = keys
    self.scope = scope
  }

  /// Whether clients ask the publisher for a module. Nothing keeps a publisher from writing others into its metadata.
  ///
  /// - Throws: `crypto.failure`.
  func mayOffer(_ module: ModuleIdentifier) throws(SignetError) -> Bool {
    let path = try TargetPath(RegistryLayout.indexPath(of: module))
    return scope.paths.contains { $0.matches(path) }
  }

  /// The longest name, so that the names of bins behind it are no longer than file names.
  private static let longestName = 64

  /// Checks a new publisher's name.
  ///
  /// Dots are left to the names of bins, and capitals to file systems that do not tell them apart.
  ///
  /// - Throws: `repo.publisher-name`.
  static func check(_ name: String) throws(SignetError) {
    let isFine = name.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    let isReserved = ["root", "targets", "snapshot", "timestamp", "online"].contains(name)
    guard isFine, !isReserved, (1...longestName).contains(name.utf8.count) else {
      throw SignetError(
        .repoPublisherName, name.display, "is not a name for a publisher",
        expected: "1 to \(longestName) small letters, digits, - and _, and not the name of a top-level role")
    }
  }
}

extension ModuleRegistry {
  /// The publishers, in the order in which clients ask them. What is only drafted does not count.
  ///
  /// - Throws: what ``RepositoryFolder/load()`` throws.
  public func publishers() throws(SignetError) -> [Publisher] {
    guard let targets = try folder.load().targets else { return [] }
    return try Self.publishers(of: targets.role)
  }

  static func publishers(of targets: TargetsRole) throws(SignetError) -> [Publisher] {
    guard let delegations = targets.delegations, case .listed(let roles) = delegations.roles else { return [] }
    var publishers: [Publisher] = []
    for role in roles { if let publisher = try Publisher(role, delegations.keys) { publishers.append(publisher) } }
    return publishers
  }

  /// Drafts the delegation to a new publisher, and the publisher's first metadata, for which its own keys must sign:
  /// they prove that somebody has them, and clients need metadata of everybody to whom is delegated.
  ///
  /// A publisher whose end is only drafted keeps its releases: this is the way back from a wrong
  /// ``removePublisher(_:)``, and nothing that clients still find may disappear.
  ///
  /// - Parameter identities: who may sign the modules besides the keys; what the registry itself consists of is signed by keys
  ///   alone.
  /// - Throws: `repo.publisher-name`, `repo.scope` if another publisher may offer some of the modules, `repo.keys` if a
  ///   key is one of the root's or the targets', or an online key; `repo.identities`; `tuf.no-repository`;
  ///   `output.failed`.
  public func addPublisher(
    _ name: String, _ keys: RoleKeys, _ scope: PublisherScope, identities: [TrustAnchor] = []
  ) throws(SignetError) {
    try Publisher.check(name)
    let stated = try PublisherIdentities(identities)
    try folder.changing { (content) throws(SignetError) in
      var targets = try newestTargets(content)
      let ring = targets.delegations?.keys ?? KeyRing()
      var delegations = targets.delegations ?? Delegations(keys: ring, roles: .listed([]))
      guard case .listed(let roles) = delegations.roles else { throw Self.unknown(name) }
      guard !roles.contains(where: { $0.name.isExactly(name) }) else {
        throw SignetError(
          .repoPublisherName, name.display, "is a publisher already",
          hint:
            "choose another name; or change its keys: signet repo rotate DIRECTORY NAME --add-key KEY --remove-key KEY"
        )
      }
      for other in try Self.publishers(of: targets) where other.scope.overlaps(scope) {
        throw SignetError(
          .repoScope, name.display, "would share modules with the publisher \(other.name)",
          expected: "modules that nobody else may offer", found: PublisherScope.words(for: other.scope.paths),
          hint: "clients ask one publisher for each module; choose patterns that do not overlap")
      }
      try KeysInUse(of: content).check(keys.keys, of: name)
      for key in try keys.objects() { delegations.keys.insert(key) }
      var role = DelegatedRole(
        name: name, keys: try keys.stated(), scope: .paths(scope.paths), isTerminating: true)
      stated.write(to: &role)
      delegations.roles = .listed(roles + [role])
      targets.delegations = delegations
      if let published = content.targets?.role, published.delegations?.authority(of: name) != nil {
        var role = try RoleTargets(of: name, under: targets, before: published, in: content, continuing: .published)
        try role.renew()
        try draft(role)
      } else {
        let first = TargetsRole(
          version: content.nextVersion(of: name), expires: RoleLifetimes.end(lifetimes.targets, from: time))
        try folder.setPending(name, MetadataDraft(first))
      }
      try draft(targets: targets, content)
    }
  }

  /// Drafts the end of a delegation. Clients no longer find the publisher's modules, once it is published.
  ///
  /// - Throws: `repo.publisher-unknown`; `tuf.no-repository`; `output.failed`.
  public func removePublisher(_ name: String) throws(SignetError) {
    try folder.changing { (content) throws(SignetError) in
      var targets = try newestTargets(content)
      guard var delegations = targets.delegations, case .listed(var roles) = delegations.roles,
        let place = roles.firstIndex(where: { $0.name.isExactly(name) })
      else { throw Self.unknown(name) }
      roles.remove(at: place)
      delegations.roles = .listed(roles)
      delegations.keys.keep(roles.flatMap(\.keys.keyIDs))
      targets.delegations = delegations
      try draft(targets: targets, content)
      for role in try folder.pendingRoles()
      where role.isExactly(name) || role.utf8.starts(with: "\(name).bin-".utf8) {
        try folder.dropPending(role)
      }
    }
  }

  static func unknown(_ name: String) -> SignetError {
    SignetError(
      .repoPublisherUnknown, name.display, "is no publisher of the registry",
      hint: "list the publishers: signet repo verify DIRECTORY; signet repo add-publisher adds one")
  }
}
