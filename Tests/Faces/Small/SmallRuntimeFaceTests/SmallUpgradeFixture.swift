import Foundation
import ModuleFetch
import PluginKit
import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import HTTPTestSupport
@testable import HostTestSupport
@testable import ModuleStore
@testable import PluginHost
@testable import SmallRuntimeFace
@testable import SmallTestSupport

/// An application whose modules are upgraded, and a server that has their new releases.
struct SmallUpgradeFixture {
  private typealias Workshop = SmallWorkshop
  let main = SmallWorkshop.prefix + "app.main"
  let about = SmallWorkshop.prefix + "web.about"

  /// An application with a module with code, and one of resources that a launcher shows.
  func application() throws -> SmallWorkshop {
    let workshop = try Workshop()
    try workshop.manifest(Workshop.list(Workshop.entry("main"), Workshop.entry("about", "web")))
    try workshop.ship(app(1, workshop))
    try workshop.shipAssets(about, files: ["index.html": "one"])
    return workshop
  }

  func app(_ sequence: Int, _ workshop: SmallWorkshop) -> ModuleWorkshop.Module {
    let principal: any SMController.Type = sequence == 1 ? MainController.self : HomeController.self
    return workshop.app(main, sequence, plugin: SMAppPlugin(principal: principal))
  }

  func small(_ workshop: SmallWorkshop) throws -> Small {
    let launcher = TestLauncher("web") { $0.type == .assets && $0.hasResource("index.html") }
    let host = try workshop.host { configuration in
      configuration.fetcher = .http()
      configuration.fetcher?.limits.firstDelay = 1
      configuration.fetcher?.limits.longestDelay = 2
      configuration.fetcher?.limits.retries = 1
    }
    return try workshop.small(host, launchers: [SMAppBundleLauncher(), launcher])
  }

  func index(_ small: Small) throws -> String? {
    try small.bundle(forName: about)?.module?.resource("index.html").map { String(decoding: $0, as: UTF8.self) }
  }

  /// A server that has these archives at the beginning of its paths, each in three parts.
  func server(_ archives: [String: [UInt8]]) throws -> RawServer {
    try RawServer { request in
      guard let name = archives.keys.first(where: { request.line.hasPrefix("GET /\($0)") }),
        let bytes = archives[name]
      else { return [.head("404 Not Found")] }
      let third = bytes.count / 3
      return [
        .file(bytes.count), .send(Array(bytes[..<third])), .send(Array(bytes[third..<2 * third])),
        .send(Array(bytes[(2 * third)...])),
      ]
    }
  }

  func leftovers(_ workshop: SmallWorkshop) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: workshop.workshop.path + "/downloads")) ?? [])
      .filter { ModuleIdentifier($0) != nil }
  }
}
