import Foundation
import ModuleCatalog
import SignetBase
import SignetCrypto
import SignetKeys
import SignetTUF
import Testing

@testable import ModuleRegistry

/// What somebody does to a registry with tools that check nothing: the thief of a publisher's key, or whoever can write into
/// the folder.
extension RegistryFixture {
  /// Drafts a change of a publisher's metadata.
  ///
  /// - Parameters:
  ///   - key: signs the drafts; nil to leave them without a signature.
  ///   - most: the number of targets above which the role is divided.
  func draft(
    of publisher: String = "example", signedBy key: PrivateKey?, continuing drafts: RoleTargets.Drafts = .published,
    dividedAbove most: Int = RoleTargets.most, _ change: (inout RoleTargets) throws -> Void
  ) throws {
    let content = try registry.folder.load()
    var role = try RoleTargets(
      of: publisher, under: #require(content.targets?.role), in: content, continuing: drafts)
    try change(&role)
    for draft in try role.drafts(until: RoleLifetimes.end(9, from: Self.now), dividedAbove: most) {
      var signed = try MetadataDraft(draft.role)
      if let key { try signed.sign(with: key) }
      try registry.folder.setPending(draft.name, signed)
    }
  }

  /// Drafts a text as the index of a module, whatever it is.
  func draftIndex(
    _ text: String, of module: String = "com.example.player", by publisher: String = "example",
    signedBy key: PrivateKey?, continuing drafts: RoleTargets.Drafts = .published
  ) throws {
    let path = module.replacingOccurrences(of: ".", with: "/") + "/releases/index.json"
    let target = TargetFile(path: path, length: text.utf8.count, hashes: try FileHashes(of: Array(text.utf8)))
    try registry.folder.store(target, Array(text.utf8))
    try draft(of: publisher, signedBy: key, continuing: drafts) { try $0.insert(target) }
  }

  /// The text of the index of the player.
  func index(continuing drafts: RoleTargets.Drafts = .published) throws -> String {
    let content = try registry.folder.load()
    var role = try RoleTargets(
      of: "example", under: #require(content.targets?.role), in: content, continuing: drafts)
    let target = try #require(try role.target("com/example/player/releases/index.json"))
    return String(decoding: try registry.folder.bytes(of: target, atMost: 100_000), as: UTF8.self)
  }
}
