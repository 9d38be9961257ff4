import SignetBase
import SignetCrypto
import SignetKeys
import SignetSystem
import TestSupport

@testable import SignetTUF

/// A repository in a folder, with a publisher called `example` for `com/*/*`, and its private keys.
final class PublishedRepository {
  static let now = SimulatedRepository.now
  static let publisher = "example"

  let temporary: TemporaryFolder
  let folder: RepositoryFolder
  var root: [PrivateKey] = []
  let targets: PrivateKey
  let online: PrivateKey
  let publisher: PrivateKey

  /// - Parameter isPublished: false to stop at drafts that nobody has signed.
  init(rootKeys: Int = 1, isPublished: Bool = true) throws {
    temporary = try TemporaryFolder(inMemory: true)
    folder = RepositoryFolder(temporary.file("repository"))
    for _ in 0..<rootKeys { root.append(try PrivateKey.generate(.ed25519)) }
    targets = try PrivateKey.generate(.ed25519)
    online = try PrivateKey.generate(.ed25519)
    publisher = try PrivateKey.generate(.ed25519)
    try folder.make()
    try folder.setPending("root", MetadataDraft(firstRoot()))
    try folder.setPending(
      "targets",
      MetadataDraft(
        TargetsRole(version: 1, expires: SimulatedRepository.later, delegations: try delegations([Self.publisher]))))
    try folder.setPending(
      Self.publisher, MetadataDraft(TargetsRole(version: 1, expires: SimulatedRepository.later)))
    guard isPublished else { return }
    for key in root { try sign("root", key) }
    try sign("targets", targets)
    try sign(Self.publisher, publisher)
    try publish()
  }

  private func firstRoot() throws -> RootRole {
    func threshold(_ keys: [PrivateKey]) throws -> KeyThreshold {
      KeyThreshold(keyIDs: try keys.map { try TUFKey($0.publicKey).id }, threshold: keys.count)
    }
    let ring = KeyRing(try (root + [targets, online]).map { try TUFKey($0.publicKey) })
    return RootRole(
      version: 1, expires: SimulatedRepository.later, keys: ring, root: try threshold(root),
      timestamp: try threshold([online]), snapshot: try threshold([online]), targets: try threshold([targets]))
  }

  /// Delegations to roles with the publisher's key.
  func delegations(_ names: [String]) throws -> Delegations {
    let key = try TUFKey(publisher.publicKey)
    return Delegations(
      keys: KeyRing([key]),
      roles: .listed(
        names.map { name in
          DelegatedRole(
            name: name, keys: KeyThreshold(keyIDs: [key.id], threshold: 1),
            scope: .paths([TargetPattern(name == Self.publisher ? "com/*/*" : "\(name)/*")]), isTerminating: true)
        }))
  }

  /// Adds a signature to a draft.
  func sign(_ role: String, _ key: PrivateKey) throws {
    if role == "root", let file = try folder.pendingRoot() {
      var draft = try MetadataDraft(continuing: file)
      try draft.sign(with: key)
      try folder.setPending(role, draft)
    } else if let file = try folder.pending(role) {
      var draft = try MetadataDraft(continuing: file)
      try draft.sign(with: key)
      try folder.setPending(role, draft)
    }
  }

  @discardableResult
  func publish(_ keys: [PrivateKey]? = nil, at time: UnixTime = now) throws -> DraftPublication {
    try folder.changing { (content) throws(SignetError) in
      let publication = try DraftPublication(of: content, signedBy: keys ?? [online], at: time)
      try publication.write(to: folder)
      return publication
    }
  }

  /// Drafts and signs another version of the top-level targets.
  func change(_ body: (inout TargetsRole) throws -> Void) throws {
    let content = try folder.load()
    guard var role = try folder.pending("targets")?.uncheckedRole() ?? content.targets?.role else { return }
    try body(&role)
    role.version = content.nextVersion(of: "targets")
    try folder.setPending("targets", MetadataDraft(role))
    try sign("targets", targets)
  }

  /// Drafts another root.
  func changeRoot(_ body: (inout RootRole) throws -> Void) throws {
    guard var role = try folder.load().root?.role else { return }
    try body(&role)
    role.version += 1
    try folder.setPending("root", MetadataDraft(role))
    for key in root { try sign("root", key) }
  }

  /// Drafts another version of the publisher's role, signed by a key.
  func changePublisher(by key: PrivateKey? = nil, _ body: (inout TargetsRole) throws -> Void) throws {
    let content = try folder.load()
    guard let top = content.targets?.role, var role = try content.role(Self.publisher, by: top)?.role else { return }
    try body(&role)
    role.version = content.nextVersion(of: Self.publisher)
    var draft = try MetadataDraft(role)
    try draft.sign(with: key ?? publisher)
    try folder.setPending(Self.publisher, draft)
  }

  /// Offers a target by the publisher, as a signed draft.
  func offer(_ path: String, _ bytes: [UInt8], dividedAbove most: Int = RoleTargets.most) throws {
    try temporary.write("artifact", bytes)
    try folder.changing { (content) throws(SignetError) in
      guard let top = content.targets?.role else { return }
      var role = try RoleTargets(
        of: Self.publisher, under: top, in: content, continuing: .signed(by: [publisher]))
      let target = TargetFile(path: path, length: bytes.count, hashes: try FileHashes(of: bytes))
      try folder.store(target, from: RegularFile(opening: temporary.file("artifact")))
      try role.insert(target)
      for draft in try role.drafts(until: SimulatedRepository.later, dividedAbove: most) {
        var signed = try MetadataDraft(draft.role)
        try signed.sign(with: publisher)
        try folder.setPending(draft.name, signed)
      }
    }
  }

  /// A client that has the first root alone, or what it had before.
  func client(_ name: String = "client", at time: UnixTime = now) throws -> TUFClient {
    let trusted = TrustedMetadataFolder(temporary.file(name))
    if try !temporary.listing().contains(name) {
      try trusted.begin(with: temporary.read("repository/metadata/1.root.json"))
    }
    return TUFClient(
      folder: trusted,
      mirrors: [
        RepositoryMirror(
          metadata: try DirectorySource(folder.path + "/metadata"),
          targets: try DirectorySource(folder.path + "/targets"))
      ],
      time: time)
  }

  /// The names of the files of metadata.
  func metadata() throws -> [String] {
    try Directory(opening: folder.path + "/metadata").entryNames()
  }
}
