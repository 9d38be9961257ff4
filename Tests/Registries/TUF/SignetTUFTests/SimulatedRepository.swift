import SignetBase
import SignetCrypto
import SignetKeys
import SignetSystem
import TestSupport

@testable import SignetTUF

/// A repository whose roles a test changes as it likes, and then publishes.
final class SimulatedRepository {
  static let now = UnixTime(seconds: 1_800_000_000)
  static let later = UnixTime(seconds: now.seconds + 30 * 86_400)

  let server = SimulatedServer()
  let targetServer = SimulatedServer("targets")
  var root: RootRole
  var timestamp: TimestampRole
  var snapshot: SnapshotRole
  var targets: TargetsRole
  var delegated: [String: TargetsRole] = [:]
  /// Who signs which role.
  var signers: [String: [PrivateKey]] = [:]
  /// Whether timestamp and snapshot state lengths and hashes.
  var statesHashes = false

  /// A repository with version 1 of all top-level roles, published.
  init() throws {
    for role in DelegatedRole.topLevel { signers[role] = [try PrivateKey.generate(.ed25519)] }
    let keys = try signers.values.map { try TUFKey($0[0].publicKey) }
    func threshold(_ role: String, _ signers: [String: [PrivateKey]]) throws -> KeyThreshold {
      KeyThreshold(keyIDs: try (signers[role] ?? []).map { try TUFKey($0.publicKey).id }, threshold: 1)
    }
    root = RootRole(
      version: 0, expires: Self.later, keys: KeyRing(keys), root: try threshold("root", signers),
      timestamp: try threshold("timestamp", signers), snapshot: try threshold("snapshot", signers),
      targets: try threshold("targets", signers))
    timestamp = TimestampRole(version: 0, expires: Self.later, snapshot: FileFacts(version: 1))
    snapshot = SnapshotRole(version: 0, expires: Self.later)
    targets = TargetsRole(version: 0, expires: Self.later)
    try publish("root", "targets", "snapshot", "timestamp")
  }

  /// The first root, from which clients begin.
  var firstRoot: [UInt8] { server["1.root.json"] ?? [] }

  /// Raises the versions of these roles in this order, signs and serves them.
  func publish(_ roles: String...) throws {
    for role in roles {
      switch role {
      case "root":
        root.version += 1
        try serve(root, "root", root.version, always: true)
      case "timestamp":
        timestamp.version += 1
        timestamp.snapshot.version = snapshot.version
        if statesHashes { timestamp.snapshot = try facts(path("snapshot", snapshot.version), snapshot.version) }
        server["timestamp.json"] = try signed(timestamp, by: role)
      case "snapshot":
        snapshot.version += 1
        try serve(snapshot, role, snapshot.version)
      case "targets":
        targets.version += 1
        try serve(targets, role, targets.version)
        snapshot[role] = try facts(path(role, targets.version), targets.version)
      default:
        delegated[role]?.version += 1
        guard let content = delegated[role] else { continue }
        try serve(content, role, content.version)
        snapshot[role] = try facts(path(role, content.version), content.version)
      }
    }
  }

  /// The bytes of a role, signed by its signers.
  func signed<Role: MetadataRole>(_ role: Role, by name: String) throws -> [UInt8] {
    var draft = try MetadataDraft(role)
    for signer in signers[name] ?? [] { try draft.sign(with: signer) }
    return try draft.bytes()
  }

  private func serve<Role: MetadataRole>(
    _ role: Role, _ name: String, _ version: Int, always: Bool = false
  ) throws {
    let encoded = PercentEncoding.roleName(name)
    server[always ? "\(version).\(encoded).json" : path(name, version)] = try signed(role, by: name)
  }

  func path(_ role: String, _ version: Int) -> String {
    let name = PercentEncoding.roleName(role) + ".json"
    return root.consistentSnapshot ? "\(version).\(name)" : name
  }

  private func facts(_ path: String, _ version: Int) throws -> FileFacts {
    statesHashes ? try FileFacts(version: version, of: server[path] ?? []) : FileFacts(version: version)
  }

  /// Delegates from one role to another with a key of its own; the other role begins empty.
  func delegate(
    _ delegator: String = "targets", to role: String, _ scope: DelegatedRole.Scope = .paths([TargetPattern("*")]),
    isTerminating: Bool = false
  ) throws {
    let key = try PrivateKey.generate(.ed25519)
    let object = try TUFKey(key.publicKey)
    signers[role, default: []].append(key)
    delegated[role] = delegated[role] ?? TargetsRole(version: 0, expires: Self.later)
    let entry = DelegatedRole(
      name: role, keys: KeyThreshold(keyIDs: [object.id], threshold: 1), scope: scope, isTerminating: isTerminating)
    func add(_ targets: inout TargetsRole) {
      var delegations = targets.delegations ?? Delegations(keys: KeyRing(), roles: .listed([]))
      delegations.keys.insert(object)
      if case .listed(let roles) = delegations.roles { delegations.roles = .listed(roles + [entry]) }
      targets.delegations = delegations
    }
    if delegator == "targets" {
      add(&targets)
    } else if var content = delegated[delegator] {
      add(&content)
      delegated[delegator] = content
    }
  }

  /// Offers a target in a role and serves its bytes.
  func offer(_ path: String, _ bytes: [UInt8], in role: String = "targets") throws {
    let file = TargetFile(path: path, length: bytes.count, hashes: try FileHashes(of: bytes))
    if role == "targets" { targets.insert(file) } else { delegated[role]?.insert(file) }
    for path in file.urlPaths(isConsistent: root.consistentSnapshot) { targetServer[path] = bytes }
  }

  /// Adds a key to a top-level role and a signer for it.
  func addKey(_ role: WritableKeyPath<RootRole, KeyThreshold>, _ name: String, _ kind: PrivateKey.Kind = .ed25519)
    throws
  {
    let key = try PrivateKey.generate(kind)
    let object = try TUFKey(key.publicKey)
    root.keys.insert(object)
    root[keyPath: role].keyIDs.append(object.id)
    signers[name, default: []].append(key)
  }

  /// Takes the last key of a top-level role away, and its signer.
  func removeKey(_ role: WritableKeyPath<RootRole, KeyThreshold>, _ name: String) {
    root[keyPath: role].keyIDs.removeLast()
    signers[name]?.removeLast()
  }

  /// Replaces the keys of a top-level role by a new one.
  func rotate(_ role: WritableKeyPath<RootRole, KeyThreshold>, _ name: String) throws {
    root[keyPath: role].keyIDs = []
    signers[name] = []
    try addKey(role, name)
  }
}

/// A client with a folder of its own.
struct TestClient {
  let folder: TemporaryFolder
  let repository: SimulatedRepository

  init(_ repository: SimulatedRepository) throws {
    self.repository = repository
    folder = try TemporaryFolder(inMemory: true)
    try trusted.begin(with: repository.firstRoot)
  }

  var trusted: TrustedMetadataFolder { TrustedMetadataFolder(folder.file("metadata")) }

  func client(
    at time: UnixTime = SimulatedRepository.now, limits: TUFLimits = .standard, mirrors: [RepositoryMirror]? = nil
  ) -> TUFClient {
    TUFClient(
      folder: trusted,
      mirrors: mirrors ?? [RepositoryMirror(metadata: repository.server, targets: repository.targetServer)],
      time: time,
      limits: limits)
  }

  func refresh(at time: UnixTime = SimulatedRepository.now) throws { try client(at: time).refresh() }

  /// The versions of what is trusted, such as `root 1`.
  func versions() throws -> [String] {
    try trustedNames().map { name in
      let value = try JSONReader.read(folder.read("metadata/\(name)"), limits: .payload)
      guard case .integer(let version)? = value.member("signed")?.member("version")?.content else {
        return "\(name) ?"
      }
      return "\(name.dropLast(5)) \(version)"
    }
  }

  private func trustedNames() throws -> [String] {
    try Directory(opening: trusted.path).entryNames().filter { $0.hasSuffix(".json") }
  }
}
