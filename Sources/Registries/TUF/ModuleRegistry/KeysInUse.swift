internal import SignetBase
internal import SignetCrypto
internal import SignetTUF

/// Who has which keys: by the published metadata and by the drafts, which anybody may have written.
///
/// Keys are compared by what they are. One key has another ID with each field that a tool adds to it.
struct KeysInUse {
  private var root: Set<PublicKey> = []
  private var targets: Set<PublicKey> = []
  private var online: Set<PublicKey> = []
  private var publishers: Set<PublicKey> = []

  /// - Throws: what reading the drafts throws.
  init(of content: RepositoryContent) throws(SignetError) {
    for role in [content.root?.role, try content.folder.pendingRoot()?.uncheckedRole()].compactMap(\.self) {
      root.formUnion(try role.keys.publicKeys(role.root))
      targets.formUnion(try role.keys.publicKeys(role.targets))
      online.formUnion(try role.keys.publicKeys(role.snapshot))
      online.formUnion(try role.keys.publicKeys(role.timestamp))
    }
    for role in [content.targets?.role, try content.folder.pending("targets")?.uncheckedRole()].compactMap(\.self) {
      guard let delegations = role.delegations, case .listed(let roles) = delegations.roles else { continue }
      for role in roles { publishers.formUnion(try delegations.keys.publicKeys(role.keys)) }
    }
  }

  /// Checks keys that become a role's.
  ///
  /// Online keys are no others, or stealing them would be enough to ship code. A publisher's keys are not those of the
  /// targets, because the metadata of both has one form: one signature would do for both.
  ///
  /// - Parameter role: `root`, `targets`, `snapshot`, `timestamp`, `online`, or a publisher.
  /// - Throws: `repo.keys`.
  func check(_ added: [PublicKey], of role: String) throws(SignetError) {
    let apart: [(owner: String, keys: Set<PublicKey>)] =
      switch role {
      case "root", "targets": [("the snapshot or the timestamp", online), ("a publisher", publishers)]
      case "snapshot", "timestamp", "online":
        [("the root", root), ("the targets", targets), ("a publisher", publishers)]
      default: [("the root", root), ("the targets", targets), ("the snapshot or the timestamp", online)]
      }
    for key in added {
      guard let owner = apart.first(where: { $0.keys.contains(key) })?.owner else { continue }
      throw SignetError(
        .repoKeys, "\(key)", "is a key of \(owner) already", expected: "a key that only \(role.display) has")
    }
  }
}

extension KeyRing {
  /// The usable keys of a role.
  ///
  /// - Throws: `crypto.failure`.
  fileprivate func publicKeys(_ role: KeyThreshold) throws(SignetError) -> [PublicKey] {
    var keys: [PublicKey] = []
    for id in role.keyIDs { if case .verifies(let key, _)? = try key(id) { keys.append(key) } }
    return keys
  }
}
