import Foundation
import ModuleFetch
import PluginKit
import Signet
import SignetAddresses
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

/// Fetching bundles, in the background and one by one.
@Suite(
  "Small's fetches", .serialized, .timeLimit(.minutes(60)),
  .enabled(if: SmallWorkshop.isPossible, ModuleWorkshop.isMissing))
struct SmallFetchTests {
  private typealias Workshop = SmallWorkshop
  private let upgrades = SmallUpgradeFixture()

  @Test("SM23: a folder that cannot be removed is set aside, and does not make each start the first of a new version")
  func unremovable() async throws {
    let workshop = try SmallSetUpTests.application()
    try await workshop.small().setUp()
    // Deeper than what this program makes, so it is not removed. Root may remove all else.
    let deep = "temp/" + (0..<140).map { _ in "d" }.joined(separator: "/")
    try FileManager.default.createDirectory(
      atPath: workshop.documents.file(deep), withIntermediateDirectories: true)
    workshop.version = "1.1"
    let second = try workshop.small()
    try await second.setUp()
    #expect(second.isLaunchingNewHostApp && !FileManager.default.fileExists(atPath: workshop.documents.file("temp")))
    #expect(FileManager.default.fileExists(atPath: workshop.documents.file("temp.left-1/d")))
    let third = try workshop.small()
    try await third.setUp()
    #expect(try !third.isLaunchingNewHostApp && third.defaults.hostVersion == "1.1")
  }

  @Test("SM25: the URLs of upgrades are kept, nil removes them, and they are there only in a mode that is on")
  func urls() throws {
    let workshop = try upgrades.application()
    let small = try upgrades.small(workshop)
    #expect(small.bundleUpgradeMode == [.setup, .background])
    #expect(small.bundleUpgradeUrls(for: .setup) == nil)
    let urls = [upgrades.main: "http://localhost/a", "\u{1F600}": "x"]
    try small.setBundleUpgradeUrls(urls)
    #expect(small.bundleUpgradeUrls(for: .setup) == urls && small.bundleUpgradeUrls(for: .background) == urls)
    small.bundleUpgradeMode = .setup
    #expect(small.bundleUpgradeUrls(for: .background) == nil)
    #expect(small.bundleUpgradeUrls(for: .setup) == urls)
    #expect(small.bundleUpgradeUrls(for: [.setup, .background]) == urls)
    small.bundleUpgradeMode = []
    #expect(small.bundleUpgradeUrls(for: .setup) == nil)
    // The next start has them.
    let next = try upgrades.small(workshop)
    #expect(next.bundleUpgradeUrls(for: .background) == urls)
    try next.setBundleUpgradeUrls(nil)
    #expect(next.bundleUpgradeUrls(for: .background) == nil)
    #expect(try small.defaults.upgradeUrls == nil)
    #expect(SMBundleUpgradeMode.setup.rawValue == 1 && SMBundleUpgradeMode.background.rawValue == 2)
  }

  @Test("SM25: more URLs than the next start would read are not kept, and nothing of what was kept is lost")
  func tooMany() throws {
    let workshop = try upgrades.application()
    let small = try upgrades.small(workshop)
    try small.defaults.setHostVersion("1.0")
    let urls = [upgrades.main: "http://localhost/a"]
    try small.setBundleUpgradeUrls(urls)
    let many = Dictionary(uniqueKeysWithValues: (0..<5000).map { ("com.example.m\($0)", "http://localhost/\($0)") })
    let long = [upgrades.main: String(repeating: "x", count: 11 << 20)]
    for urls in [many, long] { expectError(.jsonBounds) { try small.setBundleUpgradeUrls(urls) } }
    #expect(small.bundleUpgradeUrls(for: .setup) == urls)
    #expect(try small.defaults.hostVersion == "1.0")
  }

  @Test("SM26 D11: two URLs are fetched and removed, which is new data; without URLs or the mode there is none")
  func fetches() async throws {
    let workshop = try upgrades.application()
    let small = try upgrades.small(workshop)
    try await small.setUp()
    guard case .noData = await small.performFetch() else {
      Issue.record("there was something to fetch")
      return
    }
    let server = try upgrades.server([
      "main": workshop.attached(workshop.workshop.archive(upgrades.app(2, workshop)).path),
      "about": workshop.attached(workshop.assets(upgrades.about, 2, files: ["index.html": "two"])),
    ])
    let urls = [upgrades.main: server.url("/main.zip"), upgrades.about: server.url("/about.zip")]
    try small.setBundleUpgradeUrls(urls)
    small.bundleUpgradeMode = .setup
    guard case .noData = await small.performFetch() else {
      Issue.record("the mode is off")
      return
    }
    #expect(try small.defaults.upgradeUrls == urls)
    #expect(server.requests.isEmpty)
    small.bundleUpgradeMode = [.setup, .background]
    let result = await withCheckedContinuation { done in
      // A second call would end the process.
      small.performFetch { result in
        MainActor.assertIsolated()
        done.resume(returning: result)
      }
    }
    guard case .newData = result else {
      Issue.record("\(result)")
      return
    }
    #expect(small.bundleUpgradeUrls(for: .background) == nil)
    #expect(try small.host.installedSequence(of: identifier(upgrades.main)) == 2)
    #expect(try small.host.installedSequence(of: identifier(upgrades.about)) == 2)
    #expect(upgrades.leftovers(workshop).isEmpty)
    // What was fetched takes effect at the next start.
    #expect(try await small.openUri("main").page?.object is MainController)
    let next = try upgrades.small(workshop)
    try await next.setUp()
    #expect(try await next.openUri("main").page?.object is HomeController)
    #expect(try upgrades.index(next) == "two")
  }

  @Test(
    "SM26 D11: the second URL that fails stays, and those behind it; the body of an error is no archive",
    arguments: ["missing", "unsigned", "foreign", "nonsense"])
  func fails(_ fault: String) async throws {
    let workshop = try upgrades.application()
    let small = try upgrades.small(workshop)
    try await small.setUp()
    let archive = try workshop.assets(upgrades.about, 2, files: ["index.html": "two"])
    let bytes: [UInt8]
    let code: SignetError.Code
    switch fault {
    case "unsigned": (bytes, code) = (Array(try Data(contentsOf: URL(filePath: archive))), .signatureMissing)
    case "foreign":
      (bytes, code) = (try workshop.attached(archive, keys: [.generate(.ed25519)]), .signerUntrusted)
    case "nonsense": (bytes, code) = (Array("not an archive".utf8), .archiveFormat)
    default: (bytes, code) = ([], .fetchStatus)
    }
    let server = try upgrades.server(
      ["main": workshop.attached(workshop.workshop.archive(upgrades.app(2, workshop)).path)].merging(
        fault == "missing" ? [:] : ["about": bytes]
      ) { $1 })
    try small.setBundleUpgradeUrls([
      upgrades.main: server.url("/main.zip"), upgrades.about: server.url("/about.zip"),
      "net.wequick.example.small.web.last": server.url("/last.zip"),
    ])
    guard case .failed(upgrades.about, let error) = await small.performFetch() else {
      Issue.record("it was fetched")
      return
    }
    #expect(error.code == code, "\(error)")
    #expect(
      small.bundleUpgradeUrls(for: .background)?.keys.sorted() == [
        upgrades.about, "net.wequick.example.small.web.last",
      ])
    #expect(upgrades.leftovers(workshop).isEmpty)
    #expect(!server.requests.contains { $0.line.contains("last") })
    #expect(try small.host.installedSequence(of: identifier(upgrades.about)) == 1)
    #expect(try small.host.installedSequence(of: identifier(upgrades.main)) == 2)
    // Names that no module can have, and URLs that nothing is fetched from.
    for (name, url) in [
      ("a_b", "http://localhost/x"), (upgrades.main, "file:///etc/passwd"), (upgrades.main, "nonsense"),
    ] {
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
    let workshop = try upgrades.application()
    let small = try upgrades.small(workshop)
    try await small.setUp()
    let bytes = try workshop.attached(
      workshop.assets(
        upgrades.about, 2,
        files: [
          "index.html": String(repeating: "<p>word</p>", count: 1),
          "data": String((0..<60_000).map { _ in Character(UnicodeScalar(UInt8.random(in: 33...126))) }),
        ]))
    let server = try upgrades.server(["about": bytes])
    let told = Monitor<[[Int?]]>([])
    let sequence = try await SMBundleFetcher(small.host).fetchBundle(
      ofName: upgrades.about, withURL: server.url("/about.zip")
    ) { received, total in told.withLock { $0.append([received, total]) } }
    #expect(sequence == 2)
    let all = told.withLock { $0 }
    #expect(all.last == [bytes.count, bytes.count])
    for request in server.requests {
      for field in ["Range", "If-Range", "If-None-Match", "If-Modified-Since", "Accept-Encoding"] {
        #expect(request[field].map { $0 == "identity" } ?? true, "\(field)")
      }
    }
    #expect(all.allSatisfy { $0[1] == bytes.count })
    #expect(zip(all, all.dropFirst()).allSatisfy { ($0[0] ?? 0) <= ($1[0] ?? 0) })
    #expect(upgrades.leftovers(workshop).isEmpty)
    #expect(small.host.context.configuration.fetcher?.limits.stalledSeconds == 30)
  }

  @Test("SM27: a connection that is cut is an error, and no file of it is left")
  func cut() async throws {
    let workshop = try upgrades.application()
    let small = try upgrades.small(workshop)
    try await small.setUp()
    let server = try RawServer { _ in [.file(10_000), .send([UInt8](repeating: 7, count: 4_000)), .reset] }
    do throws(SignetError) {
      try await SMBundleFetcher(small.host).fetchBundle(ofName: upgrades.about, withURL: server.url("/about.zip"))
      Issue.record("it was fetched")
    } catch { #expect([.fetchConnection, .fetchLength].contains(error.code), "\(error)") }
    #expect(upgrades.leftovers(workshop).isEmpty)
    #expect(try small.host.installedSequence(of: identifier(upgrades.about)) == 1)
    #expect(small.bundle(forName: upgrades.about)?.status == .loaded)
  }
}
