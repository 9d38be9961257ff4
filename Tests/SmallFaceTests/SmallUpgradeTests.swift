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

@testable import ModuleStore
@testable import PluginHost
@testable import PluginHostTests
@testable import SmallRuntimeFace

/// Fetching bundles, and upgrading them.
@Suite(
  "Small's upgrades", .serialized, .timeLimit(.minutes(60)),
  .enabled(if: SmallWorkshop.isPossible, ModuleWorkshop.isMissing))
struct SmallUpgradeTests {
  private typealias Workshop = SmallWorkshop
  private static let main = Workshop.prefix + "app.main"
  private static let about = Workshop.prefix + "web.about"

  /// An application with a module with code, and one of resources that a launcher shows.
  private func application() throws -> SmallWorkshop {
    let workshop = try Workshop()
    try workshop.manifest(Workshop.list(Workshop.entry("main"), Workshop.entry("about", "web")))
    try workshop.ship(app(1, workshop))
    try workshop.shipAssets(Self.about, files: ["index.html": "one"])
    return workshop
  }

  private func app(_ sequence: Int, _ workshop: SmallWorkshop) -> ModuleWorkshop.Module {
    let principal: any SMController.Type = sequence == 1 ? MainController.self : HomeController.self
    return workshop.app(Self.main, sequence, plugin: SMAppPlugin(principal: principal))
  }

  private func small(_ workshop: SmallWorkshop) throws -> Small {
    let launcher = TestLauncher("web") { $0.type == .assets && $0.hasResource("index.html") }
    let host = try workshop.host { configuration in
      configuration.fetcher = .http()
      configuration.fetcher?.limits.firstDelay = 1
      configuration.fetcher?.limits.longestDelay = 2
      configuration.fetcher?.limits.retries = 1
    }
    return try workshop.small(host, launchers: [SMAppBundleLauncher(), launcher])
  }

  private func index(_ small: Small) throws -> String? {
    try small.bundle(forName: Self.about)?.module?.resource("index.html").map { String(decoding: $0, as: UTF8.self) }
  }

  /// A server that has these archives at the beginning of its paths, each in three parts.
  private func server(_ archives: [String: [UInt8]]) throws -> RawServer {
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

  private func leftovers(_ workshop: SmallWorkshop) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: workshop.workshop.path + "/downloads")) ?? [])
      .filter { ModuleIdentifier($0) != nil }
  }

  @Test("SM25: the URLs of upgrades are kept, nil removes them, and they are there only in a mode that is on")
  func urls() throws {
    let workshop = try application()
    let small = try small(workshop)
    #expect(small.bundleUpgradeMode == [.setup, .background])
    #expect(small.bundleUpgradeUrls(for: .setup) == nil)
    let urls = [Self.main: "http://localhost/a", "\u{1F600}": "x"]
    try small.setBundleUpgradeUrls(urls)
    #expect(small.bundleUpgradeUrls(for: .setup) == urls && small.bundleUpgradeUrls(for: .background) == urls)
    small.bundleUpgradeMode = .setup
    #expect(small.bundleUpgradeUrls(for: .background) == nil)
    #expect(small.bundleUpgradeUrls(for: .setup) == urls)
    #expect(small.bundleUpgradeUrls(for: [.setup, .background]) == urls)
    small.bundleUpgradeMode = []
    #expect(small.bundleUpgradeUrls(for: .setup) == nil)
    // The next start has them.
    let next = try self.small(workshop)
    #expect(next.bundleUpgradeUrls(for: .background) == urls)
    try next.setBundleUpgradeUrls(nil)
    #expect(next.bundleUpgradeUrls(for: .background) == nil && small.defaults.upgradeUrls == nil)
    #expect(SMBundleUpgradeMode.setup.rawValue == 1 && SMBundleUpgradeMode.background.rawValue == 2)
  }

  @Test("SM26 D11: two URLs are fetched and removed, which is new data; without URLs or the mode there is none")
  func fetches() async throws {
    let workshop = try application()
    let small = try small(workshop)
    try await small.setUp()
    guard case .noData = await small.performFetch() else {
      Issue.record("there was something to fetch")
      return
    }
    let server = try server([
      "main": workshop.attached(workshop.workshop.archive(app(2, workshop)).path),
      "about": workshop.attached(workshop.assets(Self.about, 2, files: ["index.html": "two"])),
    ])
    let urls = [Self.main: server.url("/main.zip"), Self.about: server.url("/about.zip")]
    try small.setBundleUpgradeUrls(urls)
    small.bundleUpgradeMode = .setup
    guard case .noData = await small.performFetch() else {
      Issue.record("the mode is off")
      return
    }
    #expect(small.defaults.upgradeUrls == urls && server.requests.isEmpty)
    small.bundleUpgradeMode = [.setup, .background]
    let results = AsyncStream<SMFetchResult> { told in
      small.performFetch { result in
        MainActor.assertIsolated()
        told.yield(result)
        told.finish()
      }
    }
    var all: [SMFetchResult] = []
    for await result in results { all.append(result) }
    guard all.count == 1, case .newData = all[0] else {
      Issue.record("\(all)")
      return
    }
    #expect(small.bundleUpgradeUrls(for: .background) == nil)
    #expect(try small.host.installedSequence(of: identifier(Self.main)) == 2)
    #expect(try small.host.installedSequence(of: identifier(Self.about)) == 2)
    #expect(leftovers(workshop).isEmpty)
    // What was fetched takes effect at the next start.
    #expect(try await small.openUri("main").page?.object is MainController)
    let next = try self.small(workshop)
    try await next.setUp()
    #expect(try await next.openUri("main").page?.object is HomeController)
    #expect(try index(next) == "two")
  }

  @Test(
    "SM26 D11: the second URL that fails stays, and those behind it; the body of an error is no archive",
    arguments: ["missing", "unsigned", "foreign", "nonsense"])
  func fails(_ fault: String) async throws {
    let workshop = try application()
    let small = try small(workshop)
    try await small.setUp()
    let archive = try workshop.assets(Self.about, 2, files: ["index.html": "two"])
    let bytes: [UInt8]
    let code: SignetError.Code
    switch fault {
    case "unsigned": (bytes, code) = (Array(try Data(contentsOf: URL(filePath: archive))), .signatureMissing)
    case "foreign":
      (bytes, code) = (try workshop.attached(archive, keys: [.generate(.ed25519)]), .signerUntrusted)
    case "nonsense": (bytes, code) = (Array("not an archive".utf8), .archiveFormat)
    default: (bytes, code) = ([], .fetchStatus)
    }
    let server = try server(
      ["main": workshop.attached(workshop.workshop.archive(app(2, workshop)).path)].merging(
        fault == "missing" ? [:] : ["about": bytes]
      ) { $1 })
    try small.setBundleUpgradeUrls([
      Self.main: server.url("/main.zip"), Self.about: server.url("/about.zip"),
      "net.wequick.example.small.web.last": server.url("/last.zip"),
    ])
    guard case .failed(Self.about, let error) = await small.performFetch() else {
      Issue.record("it was fetched")
      return
    }
    #expect(error.code == code, "\(error)")
    #expect(
      small.bundleUpgradeUrls(for: .background)?.keys.sorted() == [Self.about, "net.wequick.example.small.web.last"])
    #expect(leftovers(workshop).isEmpty)
    #expect(!server.requests.contains { $0.line.contains("last") })
    #expect(try small.host.installedSequence(of: identifier(Self.about)) == 1)
    #expect(try small.host.installedSequence(of: identifier(Self.main)) == 2)
    // Names that no module can have, and URLs that nothing is fetched from.
    for (name, url) in [("a_b", "http://localhost/x"), (Self.main, "file:///etc/passwd"), (Self.main, "nonsense")] {
      try small.setBundleUpgradeUrls([name: url])
      guard case .failed(name, _) = await small.performFetch() else {
        Issue.record("\(name) was fetched from \(url)")
        continue
      }
      #expect(small.bundleUpgradeUrls(for: .background) == [name: url])
    }
  }

  @Test("SM27: progress counts up to the size of the archive; what comes is asked for whole and without a cache")
  func progress() async throws {
    let workshop = try application()
    let small = try small(workshop)
    try await small.setUp()
    let bytes = try workshop.attached(
      workshop.assets(
        Self.about, 2,
        files: [
          "index.html": String(repeating: "<p>word</p>", count: 1),
          "data": String((0..<60_000).map { _ in Character(UnicodeScalar(UInt8.random(in: 33...126))) }),
        ]))
    let server = try server(["about": bytes])
    let told = Monitor<[[Int?]]>([])
    let sequence = try await SMBundleFetcher(small.host).fetchBundle(
      ofName: Self.about, withURL: server.url("/about.zip")
    ) { received, total in told.withLock { $0.append([received, total]) } }
    #expect(sequence == 2)
    let all = told.withLock { $0 }
    #expect(all.last == [bytes.count, bytes.count])
    #expect(all.allSatisfy { $0[1] == bytes.count })
    #expect(zip(all, all.dropFirst()).allSatisfy { ($0[0] ?? 0) <= ($1[0] ?? 0) })
    #expect(leftovers(workshop).isEmpty)
    #expect(small.host.configuration.fetcher?.limits.stalledSeconds == 30)
  }

  @Test("SM27: a connection that is cut is an error, and no file of it is left")
  func cut() async throws {
    let workshop = try application()
    let small = try small(workshop)
    try await small.setUp()
    let server = try RawServer { _ in [.file(10_000), .send([UInt8](repeating: 7, count: 4_000)), .reset] }
    do throws(SignetError) {
      try await SMBundleFetcher(small.host).fetchBundle(ofName: Self.about, withURL: server.url("/about.zip"))
      Issue.record("it was fetched")
    } catch { #expect([.fetchConnection, .fetchLength].contains(error.code), "\(error)") }
    #expect(leftovers(workshop).isEmpty)
    #expect(try small.host.installedSequence(of: identifier(Self.about)) == 1)
    #expect(small.bundle(forName: Self.about)?.status == .loaded)
  }

  @Test("SM28 D4: a good patch is applied at the next start; a bad one is set aside, and the old version still loads")
  func patches() async throws {
    let workshop = try application()
    let first = try small(workshop)
    try await first.setUp()
    let patch = try #require(first.patchFile(of: first.allBundles[0]))
    #expect(patch.hasSuffix("/temp/\(Self.main).zip"))
    func put(_ sequence: Int, keys: [PrivateKey]? = nil) throws {
      try Workshop.place(
        workshop.workshop.offer(app(sequence, workshop), keys: keys), workshop.documents.file("temp"),
        "\(Self.main).zip")
    }
    func files() -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: workshop.documents.file("temp"))) ?? []).sorted()
    }
    try put(2)
    let second = try small(workshop)
    try await second.setUp()
    #expect(second.bundleVersions[Self.main] == "2")
    #expect(try await second.openUri("main").page?.object is HomeController)
    #expect(files().isEmpty)
    let marks = workshop.workshop.marks
    // Each bad patch leaves the release in its place, byte by byte.
    let release = workshop.workshop.path + "/modules/" + Self.main
    let before = try FileManager.default.subpathsOfDirectory(atPath: release).sorted()
    for (fault, code) in [
      ("flipped", SignetError.Code.digestMismatch), ("foreign", .signerUntrusted), ("older", .policyRollback),
    ] {
      switch fault {
      case "foreign": try put(3, keys: [.generate(.ed25519)])
      case "older": try put(1)
      default:
        try put(3)
        try flip(patch) { $0 / 2 }
      }
      let next = try small(workshop)
      try await next.setUp()
      #expect(next.bundleVersions[Self.main] == "2", "\(fault)")
      #expect(next.host.refusals.contains { $0.reason.code == code }, "\(fault): \(next.host.refusals.map(\.reason))")
      #expect(try await next.openUri("main").page?.object is HomeController)
      #expect(files() == ["\(Self.main).zip.refused", "\(Self.main).zip.sigstore.jsonl.refused"], "\(fault)")
      #expect(try FileManager.default.subpathsOfDirectory(atPath: release).sorted() == before)
      // Nobody tries it again.
      let again = try small(workshop)
      try await again.setUp()
      #expect(again.host.refusals.allSatisfy { $0.reason.code == .fileMissing }, "\(fault)")
      try FileManager.default.removeItem(atPath: workshop.documents.file("temp"))
    }
    #expect(workshop.workshop.marks == marks, "nothing of a bad patch was opened")
  }

  @Test(
    "D3 D5: a hostile patch is refused by its bytes before it is unpacked, and nothing is written outside",
    .enabled(if: Program.find("python3") != nil, "Python is missing"),
    arguments: ["../evil", "/tmp/evil", "a\\..\\evil", "link"])
  func hostile(_ name: String) async throws {
    let workshop = try application()
    let first = try small(workshop)
    try await first.setUp()
    let archive = try workshop.assets(Self.about, 2, files: ["index.html": "two"])
    try Workshop.place(archive, workshop.documents.file("temp"), "\(Self.about).zip")
    let script = """
      import sys, zipfile
      z = zipfile.ZipFile(sys.argv[1], 'a')
      i = zipfile.ZipInfo(sys.argv[2]); i.create_system = 3
      i.external_attr = (0o120777 if sys.argv[2] == 'link' else 0o100644) << 16
      z.writestr(i, '/etc/passwd')
      z.close()
      """
    let python = try #require(Program.find("python3"))
    let patch = workshop.documents.file("temp/\(Self.about).zip")
    let run = try Program.run(python, ["-B", "-W", "ignore", "-c", script, patch, name])
    try #require(run.status == 0, "\(run.errors)")
    let next = try small(workshop)
    try await next.setUp()
    #expect(next.host.refusals.contains { $0.reason.code == .digestMismatch })
    #expect(try index(next) == "one")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: workshop.documents.path).sorted() == ["small.json", "temp"])
    #expect(!FileManager.default.fileExists(atPath: "/tmp/evil"))
  }

  @Test("SM29 D14: new resources are there at once, new code at the next start, and the order of the bundles stays")
  func live() async throws {
    let workshop = try application()
    let small = try small(workshop)
    try await small.setUp()
    let order = small.allBundles.map(\.pkg)
    let main = try #require(small.bundle(forName: Self.main))
    let about = try #require(small.bundle(forName: Self.about))
    // Nothing is there to upgrade with.
    #expect(try await small.upgrade(main) == .none)
    #expect(try await small.upgrade(about) == .none)
    try Workshop.place(
      workshop.assets(Self.about, 2, files: ["index.html": "two"]), workshop.documents.file("temp"),
      "\(Self.about).zip")
    #expect(try await small.upgrade(about) == .applied)
    #expect(try index(small) == "two")
    #expect(small.bundleVersions[Self.about] == "2")
    #expect(!FileManager.default.fileExists(atPath: try #require(small.patchFile(of: about))))
    try Workshop.place(workshop.workshop.offer(app(2, workshop)), workshop.documents.file("temp"), "\(Self.main).zip")
    #expect(try await small.upgrade(main) == .restartRequired)
    #expect(try await small.openUri("main").page?.object is MainController, "the old object until the restart")
    #expect(small.bundleVersions[Self.main] == "1")
    #expect(small.allBundles.map(\.pkg) == order)
    #expect(workshop.workshop.marks == ["\(Self.main)-1"])
    // What was fetched before is used in the same way.
    let server = try server([
      "about": workshop.attached(workshop.assets(Self.about, 3, files: ["index.html": "three"]))
    ])
    try await SMBundleFetcher(small.host).fetchBundle(ofName: Self.about, withURL: server.url("/about"))
    #expect(try index(small) == "two")
    #expect(try await small.upgrade(about) == .applied)
    #expect(try index(small) == "three")
    let next = try self.small(workshop)
    try await next.setUp()
    #expect(try await next.openUri("main").page?.object is HomeController)
    #expect(next.allBundles.map(\.pkg) == order)
  }

  @Test("SM29 D14: an upgrade says what it did: a bad or older patch throws, and without a launcher nothing happens")
  func results() async throws {
    let workshop = try application()
    try workshop.shipAssets(Self.about, 5, files: ["index.html": "five"])
    let small = try small(workshop)
    try await small.setUp()
    let about = try #require(small.bundle(forName: Self.about))
    let patch = try #require(small.patchFile(of: about))
    try Workshop.place(
      workshop.assets(Self.about, 4, files: ["index.html": "four"]), workshop.documents.file("temp"),
      "\(Self.about).zip")
    expectError(.policyRollback) { _ = try small.upgrade(about) }
    #expect(FileManager.default.fileExists(atPath: patch + ".refused"))
    try Workshop.place(
      workshop.assets(Self.about, 6, files: ["index.html": "six"]), workshop.documents.file("temp"),
      "\(Self.about).zip")
    try flip(patch) { $0 / 2 }
    expectError(.digestMismatch) { _ = try small.upgrade(about) }
    // Another module's archive is not this one's patch.
    try Workshop.place(
      workshop.assets("com.example.other", 9, files: ["index.html": "x"]), workshop.documents.file("temp"),
      "\(Self.about).zip")
    expectError(.moduleIdentifierMismatch) { _ = try small.upgrade(about) }
    #expect(try index(small) == "five")
    #expect(small.allBundles.count == 2)
    // Nothing opens the bundle any more: it is as it was.
    let none = try workshop.small(workshop.host(), launchers: [])
    try await none.setUp()
    try Workshop.place(
      workshop.assets(Self.about, 7, files: ["index.html": "seven"]), workshop.documents.file("temp"),
      "\(Self.about).zip")
    let bundle = try #require(none.bundle(forName: Self.about))
    #expect(try await none.upgrade(bundle) == .none)
    #expect(FileManager.default.fileExists(atPath: patch))
    // Resources that are no page any more are not opened by what shows pages.
    let blank = try self.small(workshop)
    try Workshop.place(
      workshop.assets(Self.about, 8, files: ["data": "eight"]), workshop.documents.file("temp"), "\(Self.about).zip")
    try await blank.setUp()
    expectPlugin(.pageNotFound) { try blank.openUri("about") }
  }
}
