import Foundation
import ModuleCatalog
import ModuleRegistry
import Signet
import SignetBase
import SignetCrypto
import SignetTUF
import TestSupport
import Testing

@testable import RegistrySite
@testable import RegistryTestSupport

/// A registry with a few modules of the publisher `example`, and its site.
final class SiteFixture {
  let registry: RegistryFixture
  let folder: TemporaryFolder

  /// - Parameter isEmpty: whether nothing is pushed.
  init(isEmpty: Bool = false) throws {
    registry = try RegistryFixture()
    folder = try TemporaryFolder()
    guard !isEmpty else { return }
    try registry.push(
      registry.module("com.example.codec", "1.2.3"), registry.module("com.example.old", "0.3.1"),
      registry.module(fields: #", "permissions": ["network"], "routes": ["ui://player/:item"]"#))
    try registry.push(
      registry.module(
        "com.example.player", "1.1.0", 2, content: "more than hello",
        fields: #"""
          , "permissions": ["network", "camera"], "routes": ["ui://player/:item", "ui://player/settings/**"], \#
          "services": ["com.example.playback"], "requires": {"host": ">=2.0.0 <3.0.0", "modules": [\#
          {"identifier": "com.example.codec", "versions": ">=1.0.0 <2.0.0"}, \#
          {"identifier": "com.example.old", "versions": ">=0.3.0"}, \#
          {"identifier": "org.elsewhere.\#(String(repeating: "long-", count: 10))name", "versions": ">=1.0.0"}]}
          """#))
    try yank("com.example.old", "0.3.1", Self.hostile)
  }

  /// A text that a careless page would take for its own.
  static let hostile =
    "</script><script>alert(1)</script>\"><img src=x onerror=alert(1)> \u{202e}dna\u{2028}& "
    + String(repeating: "n", count: 300)

  /// The folder of the site.
  var path: String { folder.file("site") }

  func yank(_ module: String, _ version: String, _ reason: String?) throws {
    _ = try registry.registry.yank(
      module, version, because: reason, signedBy: [registry.publisher], online: [registry.online])
  }

  @discardableResult
  func write(root: [UInt8]? = nil, url: String? = nil, at time: UnixTime = RegistryFixture.now) throws
    -> RegistrySite.Outcome
  {
    try RegistrySite(
      of: registry.folder.file("registry"), root: root, address: url.flatMap { RegistryAddress($0) }
    ).write(to: path, at: time)
  }

  /// A file of the site.
  func text(_ file: String) throws -> String { String(decoding: try folder.read("site/\(file)"), as: UTF8.self) }

  /// Offers an index of a module as the thief of the publisher's key could write it, with tools of its own.
  func offer(_ index: String, of module: String) throws {
    try registry.draftIndex(index, of: module, signedBy: registry.publisher)
    try registry.refresh()
  }
}
