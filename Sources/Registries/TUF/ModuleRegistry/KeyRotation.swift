public import Signet
public import SignetBase
public import SignetCrypto
internal import SignetTUF

/// A change of a role's keys.
public struct KeyRotation: Sendable {
  /// The keys that may sign from now on.
  public var added: [PublicKey]
  /// The keys that may no longer sign: their fingerprints, as `signet keygen` shows them.
  public var removed: [String]
  /// The number of keys that must sign; nil to leave it.
  public var threshold: Int?
  /// Who may sign a publisher's modules besides its keys; nil to leave it, and none to have the keys alone.
  public var identities: [TrustAnchor]?

  /// Creates a change of keys. One that changes nothing renews the role's metadata.
  public init(
    adding added: [PublicKey] = [], removing removed: [String] = [], threshold: Int? = nil,
    identities: [TrustAnchor]? = nil
  ) {
    self.identities = identities
    self.added = added
    self.removed = removed
    self.threshold = threshold
  }

  /// The keys of a role after the change.
  ///
  /// - Throws: `repo.keys` for a removed key that the role does not have, and for too few keys.
  fileprivate func changed(
    _ keys: KeyThreshold, _ ring: inout KeyRing, _ role: String
  ) throws(SignetError) -> KeyThreshold {
    var keys = keys
    for text in removed {
      guard let id = try id(of: text, keys, ring) else {
        throw SignetError(
          .repoKeys, text.display, "is no key of the role \(role.display)",
          expected: "the fingerprint of one of its keys",
          hint: "list them: signet repo status DIRECTORY")
      }
      keys.keyIDs.removeAll { $0.isExactly(id) }
    }
    for key in added {
      let object = try TUFKey(key)
      ring.insert(object)
      if !keys.keyIDs.contains(where: { $0.isExactly(object.id) }) { keys.keyIDs.append(object.id) }
    }
    keys.threshold = threshold ?? keys.threshold
    guard (1...max(keys.keyIDs.count, 1)).contains(keys.threshold), !keys.keyIDs.isEmpty else {
      throw SignetError(
        .repoKeys, role.display, "can never be signed: its threshold does not fit its keys",
        expected: "a threshold from 1 to \(keys.keyIDs.count)", found: "\(keys.threshold)",
        hint: "add keys in the same command, or say --threshold")
    }
    return keys
  }

  private func id(of text: String, _ keys: KeyThreshold, _ ring: KeyRing) throws(SignetError) -> String? {
    for id in keys.keyIDs {
      if id.isExactly(text) { return id }
      if case .verifies(let key, _)? = try ring.key(id), key.id.matches(text) { return id }
    }
    return nil
  }
}

extension ModuleRegistry {
  /// Drafts a change of keys.
  ///
  /// The drafts are signed by old and new keys. New keys of snapshot and timestamp take effect without a moment in which
  /// clients fail: the refresh that publishes the root signs by both, and the next one by the new keys alone.
  ///
  /// - Parameter role: `root`, `targets`, `snapshot`, `timestamp`, `online` for the last two, or a publisher.
  /// - Throws: `repo.keys`, `repo.identities`, `repo.publisher-unknown`; `tuf.no-repository`; `output.failed`.
  public func rotate(_ role: String, _ rotation: KeyRotation) throws(SignetError) {
    let isPublisher = !["root", "targets", "snapshot", "timestamp", "online"].contains { $0.isExactly(role) }
    guard rotation.identities == nil || isPublisher else {
      throw SignetError(
        .repoIdentities, role, "is signed by keys alone", expected: "the name of a publisher",
        hint: "list the publishers: signet repo verify DIRECTORY")
    }
    try folder.changing { (content) throws(SignetError) in
      switch role {
      case "root": try rotate([\.root], of: role, by: rotation, in: content)
      case "snapshot": try rotate([\.snapshot], of: role, by: rotation, in: content)
      case "timestamp": try rotate([\.timestamp], of: role, by: rotation, in: content)
      case "online": try rotate([\.snapshot, \.timestamp], of: role, by: rotation, in: content)
      case "targets":
        if rotation.changesKeys { try rotate([\.targets], of: role, by: rotation, in: content) }
        // Clients with the new root and clients with the old one see the same targets.
        try draft(targets: newestTargets(content), content)
      default: try rotate(publisher: role, rotation, content)
      }
    }
  }

  private func rotate(
    _ places: [WritableKeyPath<RootRole, KeyThreshold>], of name: String, by rotation: KeyRotation,
    in content: RepositoryContent
  ) throws(SignetError) {
    try KeysInUse(of: content).check(rotation.added, of: name)
    var root = try newestRoot(content)
    for place in places {
      // A key path takes no part in typed throws.
      let keys = try rotation.changed(root[keyPath: place], &root.keys, name)
      root[keyPath: place] = keys
    }
    try draft(root: root, content)
  }

  private func rotate(
    publisher name: String, _ rotation: KeyRotation, _ content: RepositoryContent
  ) throws(SignetError) {
    var targets = try newestTargets(content)
    let old = content.targets?.role ?? targets
    guard var delegations = targets.delegations, case .listed(var roles) = delegations.roles,
      let place = roles.firstIndex(where: { $0.name.isExactly(name) })
    else { throw Self.unknown(name) }
    if rotation.changesKeys || rotation.identities != nil {
      try KeysInUse(of: content).check(rotation.added, of: name)
      roles[place].keys = try rotation.changed(roles[place].keys, &delegations.keys, name)
      if let identities = rotation.identities { try PublisherIdentities(identities).write(to: &roles[place]) }
      delegations.roles = .listed(roles)
      delegations.keys.keep(roles.flatMap(\.keys.keyIDs))
      targets.delegations = delegations
      try draft(targets: targets, content)
    }
    var role = try RoleTargets(of: name, under: targets, before: old, in: content, continuing: .shown)
    try role.renew()
    try draft(role)
  }

  /// Writes the drafts of a publisher's changed metadata.
  func draft(_ role: consuming RoleTargets) throws(SignetError) {
    let expires = RoleLifetimes.end(lifetimes.targets, from: time)
    for draft in try role.drafts(until: expires, dividedAbove: mostTargets) {
      try folder.setPending(draft.name, MetadataDraft(draft.role))
    }
  }
}

extension KeyRotation {
  var changesKeys: Bool { !added.isEmpty || !removed.isEmpty || threshold != nil }
}
