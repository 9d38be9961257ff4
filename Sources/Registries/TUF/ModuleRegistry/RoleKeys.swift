public import SignetBase
public import SignetCrypto
internal import SignetTUF

/// The public keys of a role, and how many of them must sign.
public struct RoleKeys: Sendable {
  /// The keys, each once.
  public let keys: [PublicKey]
  /// The number of keys that must sign.
  public let threshold: Int

  /// Creates the keys of a role.
  ///
  /// - Throws: `repo.keys` if the list is empty, a key occurs twice, or there are fewer than the threshold.
  public init(_ keys: [PublicKey], threshold: Int, of role: String) throws(SignetError) {
    guard !keys.isEmpty, Set(keys).count == keys.count else {
      throw SignetError(
        .repoKeys, role, keys.isEmpty ? "has no key" : "has a key twice", expected: "one key or more, each once")
    }
    guard (1...keys.count).contains(threshold) else {
      throw SignetError(
        .repoKeys, role, "can never be signed: its threshold does not fit its keys",
        expected: "a threshold from 1 to \(keys.count)", found: "\(threshold)")
    }
    self.keys = keys
    self.threshold = threshold
  }

  /// The key objects.
  func objects() throws(SignetError) -> [TUFKey] {
    var objects: [TUFKey] = []
    for key in keys { objects.append(try TUFKey(key)) }
    return objects
  }

  /// The IDs and the threshold, as a delegating role states them.
  func stated() throws(SignetError) -> KeyThreshold {
    KeyThreshold(keyIDs: try objects().map(\.id), threshold: threshold)
  }
}

/// The keys of a registry's top-level roles.
public struct RegistryKeys: Sendable {
  /// The keys of the root, which are kept offline.
  public let root: RoleKeys
  /// The keys of the top-level targets, which say who may publish what. They are kept offline, too.
  public let targets: RoleKeys
  /// The keys of snapshot and timestamp, which lie where the registry is refreshed.
  public let online: RoleKeys

  /// Creates the keys of a registry.
  ///
  /// - Throws: `repo.keys` if an online key is a key of the root or the targets, too: stolen, it could ship code.
  public init(root: RoleKeys, targets: RoleKeys, online: RoleKeys) throws(SignetError) {
    for key in online.keys where (root.keys + targets.keys).contains(key) {
      throw SignetError(
        .repoKeys, "\(key)", "is an online key and an offline key, so that stealing it is enough to ship code",
        expected: "keys of their own for the roles that sign offline")
    }
    self.root = root
    self.targets = targets
    self.online = online
  }
}
