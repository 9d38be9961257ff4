import Foundation
import ModuleCatalog
import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import SignetSystem
import SignetTUF
import TestSupport
import Testing

@testable import ModuleRegistry

/// A registry with the publisher `example` for `com.example.**`, all private keys, and modules to push.
final class RegistryFixture {
  static let now = UnixTime(seconds: 1_800_000_000)
  static var player: ModuleIdentifier { get throws { try #require(ModuleIdentifier("com.example.player")) } }

  let folder: TemporaryFolder
  let root: PrivateKey
  let targets: PrivateKey
  let online: PrivateKey
  let publisher: PrivateKey
  var registry: ModuleRegistry

  /// - Parameter isPublished: false to stop at drafts that nobody has signed.
  init(isPublished: Bool = true) throws {
    folder = try TemporaryFolder(inMemory: true)
    root = try PrivateKey.generate(.ed25519)
    targets = try PrivateKey.generate(.ed25519)
    online = try PrivateKey.generate(.p256)
    publisher = try PrivateKey.generate(.ed25519)
    registry = ModuleRegistry(folder.file("registry"), at: Self.now)
    try registry.begin(
      with: RegistryKeys(
        root: RoleKeys([root.publicKey], threshold: 1, of: "root"),
        targets: RoleKeys([targets.publicKey], threshold: 1, of: "targets"),
        online: RoleKeys([online.publicKey], threshold: 1, of: "online")))
    try add("example", ["com.example.**"], publisher)
    guard isPublished else { return }
    try sign(root, targets, publisher)
    try refresh()
  }

  func add(_ name: String, _ patterns: [String], _ key: PrivateKey) throws {
    try registry.addPublisher(
      name, RoleKeys([key.publicKey], threshold: 1, of: name), PublisherScope(patterns.compactMap(ModulePattern.init))
    )
  }

  /// Signs all drafts with keys, each of which must be one of theirs.
  func sign(_ keys: PrivateKey...) throws {
    for key in keys { _ = try registry.sign(registry.pendingChanges(), with: key) }
  }

  @discardableResult
  func refresh(_ keys: [PrivateKey]? = nil) throws -> DraftPublication {
    try registry.refresh(signedBy: keys ?? [online])
  }

  /// Makes a signed module, with its bundle beside it.
  func module(
    _ identifier: String = "com.example.player", _ version: String = "1.0.0", _ sequence: Int = 1,
    content: String = "hello", by key: PrivateKey? = nil, as format: ArchiveFormat = .zip, fields: String = ""
  ) throws -> String {
    let source = try TemporaryFolder(inMemory: true)
    let description = """
      {"identifier": "\(identifier)", "version": "\(version)", "sequence": \(sequence), "resources": ["a"]\(fields)}
      """
    try source.write("module.json", Array(description.utf8))
    try source.write("a", Array(content.utf8))
    let path = folder.file("\(UInt64.random(in: 0 ... .max)).\(format)")
    _ = try ModulePacker().pack(.directory(Directory(opening: source.path)), to: path, as: format)
    let bundle = try Signer(key ?? publisher).sign(
      module: .file(RegularFile(opening: path)),
      try Signer.ModuleClaims(name: "m", minimumSequence: nil, signedAt: Self.now, notAfter: nil))
    try Data(bundle.canonicalBytes()).write(to: URL(fileURLWithPath: path + ".sigstore.json"))
    return path
  }

  func write(_ bytes: [UInt8], to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

  @discardableResult
  func push(
    _ paths: String..., by name: String = "example", key: PrivateKey? = nil, isPublished: Bool = true
  ) throws -> [PushedModule] {
    try registry.push(
      paths.map { FilesToPush(archive: $0) }, of: name, signedBy: [key ?? publisher],
      online: isPublished ? [online] : []
    ).modules
  }

  /// A client that knows the first root alone.
  func client() throws -> TUFClient {
    let catalog = try catalog()
    return TUFClient(folder: catalog.folder, mirrors: catalog.mirrors, time: Self.now)
  }

  /// The registry for those who take modules, who know the first root alone.
  func catalog() throws -> ModuleCatalog {
    let trusted = TrustedMetadataFolder(folder.file("client-\(UInt64.random(in: 0 ... .max))"))
    try trusted.begin(with: folder.read("registry/metadata/1.root.json"))
    let mirror = RepositoryMirror(
      metadata: try DirectorySource(folder.file("registry/metadata")),
      targets: try DirectorySource(folder.file("registry/targets")))
    return ModuleCatalog(folder: trusted, mirrors: [mirror])
  }

  /// What a new client is offered now.
  func offers() throws -> ModuleOffers { try catalog().refreshed(at: Self.now) }
}

extension ModuleRegistry {
  /// All releases with the publishers that offer them.
  func releases(
    _ complain: (SignetError) -> Void = { _ in }
  ) throws -> [(publisher: String, release: ModuleRelease)] {
    var releases: [(publisher: String, release: ModuleRelease)] = []
    try forEachRelease(complaining: complain) { releases.append(($0.publisher, $0.release)) }
    return releases
  }
}
