import Foundation
import PluginHost
import PluginKit
import Signet
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import HostTestSupport
@testable import SmallRuntimeFace
@testable import SmallTestSupport

/// What a host has after its setup.
@Suite(
  "Small's setup", .timeLimit(.minutes(60)), .enabled(if: SmallWorkshop.isPossible, ModuleWorkshop.isMissing))
struct SmallSetUpTests {
  private typealias Workshop = SmallWorkshop

  /// An application with the modules `main` and `home`, each with a principal.
  static func application(_ rules: String? = nil) throws -> SmallWorkshop {
    let workshop = try SmallWorkshop()
    try workshop.manifest(Workshop.list(Workshop.entry("main", rules: rules), Workshop.entry("home")))
    try workshop.ship(workshop.app("\(Workshop.prefix)app.main", plugin: SMAppPlugin(principal: MainController.self)))
    try workshop.ship(workshop.app("\(Workshop.prefix)app.home", plugin: SMAppPlugin(principal: HomeController.self)))
    return workshop
  }

  /// The form for threads.
  private func setUpNow(_ small: Small) throws -> [SMBundle] { try small.setUp() }

  private static let own = Workshop.list(#"{"uri": "own", "pkg": "main"}"#)
  private static let fetched = Workshop.list(#"{"uri": "fetched", "pkg": "main"}"#)

  private func uris(_ workshop: SmallWorkshop) throws -> (uris: [String], refused: [SignetError]) {
    let small = try workshop.small()
    let bundles = try small.setUp()
    return (bundles.map { String($0.uri.dropFirst(Workshop.base.count)) }, small.host.refusals.map(\.reason))
  }

  @Test("SM1: the fetched manifest comes first; if it is refused, the host's own is used, and the code is told")
  func manifests() throws {
    let workshop = try Workshop()
    try workshop.manifest(Self.own)
    // A first start, so that the version of the application is known and nothing that was fetched is removed.
    let first = try uris(workshop)
    #expect(first.uris == ["own"])
    #expect(first.refused.isEmpty, "nothing was fetched yet")
    try workshop.manifest(Self.fetched, fetched: true)
    let second = try uris(workshop)
    #expect(second.uris == ["fetched"] && second.refused.isEmpty)
    func refuses(_ code: SMBundleLoaderError, _ reason: SignetError.Code, _ change: () throws -> Void) throws {
      try change()
      let found = try uris(workshop)
      #expect(found.uris == ["own"])
      #expect(found.refused.map(SMBundleLoaderError.init) == [code])
      #expect(found.refused.map(\.code) == [reason])
    }
    try refuses(.format, .manifestMalformed) { try workshop.manifest("{", fetched: true) }
    try refuses(.format, .digestMismatch) {
      try workshop.manifest(Self.fetched, fetched: true)
      try flip(workshop.documents.file("bundles/bundle.json")) { $0 / 2 }
    }
    try refuses(.unknownVersion, .manifestVersion) {
      try workshop.manifest(#"{"version": "2.0.0", "bundles": []}"#, fetched: true)
    }
    try refuses(.format, .manifestMalformed) { try workshop.manifest(#"{"version": "1.0.0"}"#, fetched: true) }
    try refuses(.format, .signerUntrusted) {
      try workshop.manifest(Self.fetched, fetched: true, by: .generate(.ed25519))
    }
    try refuses(.format, .signatureMissing) {
      try workshop.manifest(Self.fetched, fetched: true)
      try FileManager.default.removeItem(atPath: workshop.documents.file("bundles/bundle.json.sigstore.json"))
    }
    // Once there was one, it is told that it is gone.
    try refuses(.missingFile, .fileMissing) {
      try FileManager.default.removeItem(atPath: workshop.documents.file("bundles/bundle.json"))
    }
    #expect([1, 2, 3].map { SMBundleLoaderError(rawValue: $0) } == [.missingFile, .format, .unknownVersion])
    #expect(SMBundleLoaderError.domain == "SMBundleLoaderError")
  }

  @Test("SM1 D9: if both manifests are bad, the completion gets the error, once, and so does who waits")
  func bothBad() async throws {
    let workshop = try Workshop()
    try workshop.manifest(#"{"version": "2.0.0", "bundles": []}"#)
    try workshop.manifest("{", fetched: true)
    let small = try workshop.small()
    let results: AsyncStream<Result<[SMBundle], SignetError>>
    let told: AsyncStream<Result<[SMBundle], SignetError>>.Continuation
    (results, told) = AsyncStream.makeStream()
    small.setUp { told.yield($0) }
    var all = results.makeAsyncIterator()
    guard case .failure(let error) = await all.next() else {
      Issue.record("there is no error")
      return
    }
    #expect(SMBundleLoaderError(error) == .unknownVersion)
    expectError(.manifestVersion) { try small.setUp() }
    told.finish()
    #expect(await all.next() == nil)
    #expect(small.allBundles.isEmpty)
  }

  @Test("SM2: who waits has all bundles when setup returns; a completion gets them once, on the main actor")
  func forms() async throws {
    let workshop = try Self.application()
    let small = try workshop.small()
    #expect(small.allBundles.isEmpty)
    #expect(try setUpNow(small).count == 2)
    #expect(small.allBundles.count == 2)
    let later = try workshop.small(workshop.host())
    let (results, told) = AsyncStream.makeStream(of: (Int, Int).self)
    later.setUp { result in
      MainActor.assertIsolated()
      told.yield(((try? result.get())?.count ?? -1, later.allBundles.filter { later.launcher(of: $0) != nil }.count))
    }
    var all = results.makeAsyncIterator()
    let found = await all.next()
    #expect(found?.0 == 2 && found?.1 == 2)
    // Another setup on the same host ends after whatever the first one may still have to say.
    await withCheckedContinuation { done in later.setUp { _ in done.resume() } }
    told.finish()
    #expect(await all.next() == nil)
    let third = try workshop.small(workshop.host())
    #expect(try await third.setUp().map(\.pkg) == third.allBundles.map(\.pkg))
    #expect(third.allBundles.count == 2)
  }

  @Test("SM3 SM4: six entries keep their order; a type and the name of a package give the kind, and the old name")
  func entries() throws {
    let workshop = try Workshop()
    let six = [
      Workshop.entry("lib.utils", "lib").replacing("lib.lib.utils", with: "lib.utils"), Workshop.entry("main"),
      Workshop.entry("home"), Workshop.entry("mine"), Workshop.entry("detail"), Workshop.entry("about", "web"),
    ]
    let table = try SmallRulesTests.table(six)
    #expect(
      table.bundles.map(\.uri) == ["lib.utils", "main", "home", "mine", "detail", "about"].map { Workshop.base + $0 })
    #expect(
      table.bundles.map(\.type) == [.application, .application, .application, .application, .application, .assets])
    #expect(table.bundles.map(\.pkg).first == "net.wequick.example.small.lib.utils")
    #expect(table.bundles[0].bundleName == "net_wequick_example_small_lib_utils.framework")
    #expect(table.bundles[5].bundleName == "net_wequick_example_small_web_about.bundle")
    #expect(table.bundles[5].pkg == "net.wequick.example.small.web.about")
    let nine = try SmallRulesTests.table(
      [
        six[0], #"{"uri": "lib.style", "pkg": "com.example.mine.lib.style"}"#,
        #"{"uri": "lib.analytics", "pkg": "com.example.other.lib.analytics"}"#, six[1], six[2], six[3],
        Workshop.entry("detail", rules: #"{"sub": "Sub"}"#), six[5],
        #"{"uri": "stub", "type": "app", "pkg": "com.example.small.appok_if_stub", "color": "red"}"#,
      ])
    #expect(nine.bundles.count == 9)
    #expect(nine.bundles[6].rules["/sub"] == "Sub")
    #expect(nine.bundles[8].type == .application && nine.bundles[8].pkg == "com.example.small.appok_if_stub")
    #expect(nine.bundles[1].type == .application && nine.bundles[2].type == .application)
    // A key that means nothing is told, and not fatal.
    let small = try workshop.small()
    let log = HostLog(small.host)
    try workshop.manifest(Workshop.list(#"{"uri": "main", "pkg": "main", "color": "red"}"#))
    #expect(try small.setUp().count == 1)
    #expect(log.notices == [.manifestMalformed])
  }

  @Test("D6: packages whose names differ by . and _ alone do not share a file name: the second is no identifier")
  func names() throws {
    let table = try SmallRulesTests.table([
      #"{"uri": "one", "pkg": "a.lib.b_c"}"#, #"{"uri": "two", "pkg": "a_lib.b.c"}"#,
      #"{"uri": "x", "pkg": "a.lib.b.c"}"#,
    ])
    #expect(table.bundles.map(\.bundleName) == [nil, nil, "a_lib_b_c.framework"])
    #expect(table.bundles.count { $0.identifier != nil } == 1)
  }

  @Test("SM5 D2: an entry of the host leads to the host's own principal; an entry without a URI is an error")
  func hostEntry() async throws {
    let workshop = try Workshop()
    try workshop.manifest(Workshop.list(#"{"uri": "main", "pkg": "main"}"#, #"{"uri": "other"}"#))
    let small = try workshop.small()
    try small.host.switchboard.pages.register("", owner: .host) { request in
      Page("host", object: MainController(parameters: request.parameters))
    }
    #expect(try await small.setUp().map(\.type) == [.host, .host])
    for uri in ["main", "main.html", "other", "other/index"] {
      #expect(try await small.openUri(uri).page?.object is MainController, "\(uri)")
    }
    #expect(await small.controller(forUri: "main")?.owner == .host)
    #expect(small.bundle(forName: "main") == nil, "the host has no package")
    for entry in [#"{"pkg": "com.example.app.x"}"#, #"{"uri": "", "pkg": "com.example.app.x"}"#, #"{"uri": 7}"#] {
      try workshop.manifest(Workshop.list(entry))
      let broken = try workshop.small(workshop.host())
      let error = expectError(.manifestMalformed) { try broken.setUp() }
      #expect(error.map(SMBundleLoaderError.init) == .format)
      expectPlugin(.routeNotFound) { try broken.openUri("main") }
    }
  }

  @Test(
    "SM6 D7: an entry whose module is nowhere, or fails, is not among the bundles; the others are, and it is told")
  func missing() async throws {
    let workshop = try Workshop()
    struct Failure: Error {}
    try workshop.manifest(
      Workshop.list(Workshop.entry("nowhere"), Workshop.entry("failing"), Workshop.entry("home")))
    try workshop.ship(
      workshop.app(
        "\(Workshop.prefix)app.failing", plugin: SMAppPlugin(principal: MainController.self) { _ in throw Failure() })
    )
    try workshop.ship(workshop.app("\(Workshop.prefix)app.home", plugin: SMAppPlugin(principal: HomeController.self)))
    let small = try workshop.small()
    let events = small.host.events
    #expect(try await small.setUp().map(\.pkg) == ["\(Workshop.prefix)app.home"])
    var missing: [String] = []
    for await event in events {
      if case .missing(let entry) = event { missing.append(entry.uri) }
      if case .status(_, .loaded, _) = event, small.allBundles.isEmpty == false, !missing.isEmpty { break }
    }
    #expect(missing == ["nowhere"])
    let failing = try #require(small.manifestBundles.first { $0.uri.hasSuffix("failing") })
    #expect(failing.status == .loadFailed && failing.reason?.code == .loaderFinal)
    #expect(small.manifestBundles.map(\.isLoaded) == [false, false, true])
    expectPlugin(.routeModuleRefused) { try small.openUri("failing") }
    expectPlugin(.routeNotFound) { try small.openUri("nowhere") }
    #expect(try await small.openUri("home").page?.object is HomeController)
  }

  @Test("D10: a second setup doubles neither launchers nor bundles nor routes, and enters no module again")
  func twice() async throws {
    let workshop = try Self.application()
    let small = try workshop.small()
    try await small.setUp()
    let table = small.host.switchboard.table
    let marks = workshop.workshop.marks
    for _ in 0..<3 { #expect(try await small.setUp().count == 2) }
    #expect(small.host.switchboard.table.map(\.pattern).sorted() == table.map(\.pattern).sorted())
    #expect(workshop.workshop.marks == marks && marks.count == 2)
    #expect(small.state.withLock { $0.launchers.count } == 1)
    // The rules of another manifest take the place of the old ones.
    try workshop.manifest(Workshop.list(Workshop.entry("home", rules: #"{"": null, "page": ""}"#)), 2)
    #expect(try await small.setUp().map(\.pkg) == ["\(Workshop.prefix)app.home"])
    expectPlugin(.routeNotFound) { try small.openUri("home") }
    #expect(try await small.openUri("home/page").page?.object is HomeController)
    expectPlugin(.routeNotFound) { try small.openUri("main") }
  }

  @Test("SM23: a new version of the application removes modules that were fetched, and keeps their floors")
  func newVersion() async throws {
    let workshop = try Self.application()
    let home = try identifier("\(Workshop.prefix)app.home")
    func newer(_ sequence: Int) throws -> String {
      try workshop.workshop.offer(
        workshop.app("\(home)", sequence, plugin: SMAppPlugin(principal: HomeController.self)))
    }
    let first = try workshop.small()
    try await first.setUp()
    #expect(first.isLaunchingNewHostApp)
    try await first.host.install(newer(4))
    let second = try workshop.small()
    try await second.setUp()
    #expect(!second.isLaunchingNewHostApp)
    #expect(second.bundleVersions["\(home)"] == "4")
    try workshop.manifest(Self.fetched, 9, fetched: true)
    workshop.version = "1.1"
    let third = try workshop.small()
    // What ships with the new application is as new as what was fetched.
    try workshop.ship(workshop.app("\(home)", 5, plugin: SMAppPlugin(principal: HomeController.self)))
    try await third.host.install(newer(6))
    #expect(third.host.installedSequence(of: home) == 6)
    try await third.setUp()
    #expect(third.isLaunchingNewHostApp)
    #expect(third.bundleVersions["\(home)"] == "5")
    #expect(third.allBundles.count == 2, "the fetched manifest is gone")
    // The floor is still there: 4 was loaded once, and so were 1 and 5.
    let old = try newer(3)
    await #expect(throws: SignetError.self) { try await third.host.install(old) }
    #expect(third.host.refusals.last?.reason.code == .policyRollback)
    // Without a version, or with a file that nobody can read, it is a first start.
    try Data("nonsense".utf8).write(to: URL(filePath: workshop.documents.file("small.json")))
    let fourth = try workshop.small()
    try await fourth.setUp()
    #expect(fourth.isLaunchingNewHostApp)
    let fifth = try workshop.small()
    try await fifth.setUp()
    #expect(!fifth.isLaunchingNewHostApp)
  }

  @Test("SM23: a version that is remembered and cannot be read is no first start: what was fetched stays")
  func unreadableVersion() async throws {
    let workshop = try Self.application()
    let home = try identifier("\(Workshop.prefix)app.home")
    try await workshop.small().setUp()
    let update = try workshop.workshop.offer(
      workshop.app("\(home)", 4, plugin: SMAppPlugin(principal: HomeController.self)))
    try await workshop.host().install(update)
    // A folder in its place, since root may read any file.
    let (place, kept) = (workshop.documents.file("small.json"), workshop.documents.file("kept"))
    try FileManager.default.moveItem(atPath: place, toPath: kept)
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    let small = try workshop.small()
    try await small.setUp()
    #expect(!small.isLaunchingNewHostApp)
    #expect(small.bundleVersions["\(home)"] == "4")
    #expect(small.bundleUpgradeUrls(for: .setup) == nil)
    expectError(.fileIsDirectory) { try small.setBundleUpgradeUrls(["a": "https://example.com/a"]) }
    try FileManager.default.removeItem(atPath: place)
    try FileManager.default.moveItem(atPath: kept, toPath: place)
    #expect(try small.defaults.hostVersion == "1.0")
  }

  @Test("SM23: what ships is older than what was loaded once: it is not loaded after the fetched release is gone")
  func floorStays() async throws {
    let workshop = try Self.application()
    let home = try identifier("\(Workshop.prefix)app.home")
    try await workshop.small().setUp()
    let update = try workshop.workshop.offer(
      workshop.app("\(home)", 4, plugin: SMAppPlugin(principal: HomeController.self)))
    try await workshop.host().install(update)
    let loaded = try workshop.small()
    try await loaded.setUp()
    #expect(loaded.bundleVersions["\(home)"] == "4")
    workshop.version = "1.1"
    let next = try workshop.small()
    try await next.setUp()
    #expect(next.bundle(forName: "\(home)") == nil)
    #expect(next.host.reason(of: home)?.code == .policyRollback)
    expectPlugin(.routeModuleRefused) { try next.openUri("home") }
  }

  @Test("SM24: the versions of all open bundles are listed; a bundle without a version is not among them")
  func versions() async throws {
    let workshop = try Workshop()
    try workshop.manifest(
      Workshop.list(Workshop.entry("main"), Workshop.entry("about", "web"), #"{"uri": "host", "pkg": "main"}"#))
    try workshop.ship(
      workshop.app("\(Workshop.prefix)app.main", 7, plugin: SMAppPlugin(principal: MainController.self)))
    try workshop.shipAssets("\(Workshop.prefix)web.about", files: ["index.html": "<p>"])
    let small = try workshop.small()
    #expect(small.bundleVersions.isEmpty)
    try await small.setUp()
    #expect(small.allBundles.count == 3)
    #expect(small.allBundles.map(\.versionName) == ["1.0.7", "1.0.1", nil])
    // No launcher takes the page of the web.
    #expect(small.bundleVersions == ["\(Workshop.prefix)app.main": "7"])
  }
}
