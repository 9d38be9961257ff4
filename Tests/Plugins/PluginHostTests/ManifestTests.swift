import Foundation
import PluginKit
import Signet
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import HostTestSupport
@testable import ModuleStore
@testable import PluginHost

/// Rows SM1 to SM6 and SM13: which modules a host has, and whose a URI is.
@Suite("manifests", .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing)) struct ManifestTests {
  private typealias Workshop = ModuleWorkshop
  /// Six entries in the order of fixture F1.
  private static let first = """
    {"version": "1.0.0", "bundles": [
      {"uri": "lib.utils", "pkg": "net.wequick.example.small.lib.utils"},
      {"uri": "main", "pkg": "net.wequick.example.small.app.main"},
      {"uri": "home", "pkg": "net.wequick.example.small.app.home"},
      {"uri": "mine", "pkg": "net.wequick.example.small.app.mine"},
      {"uri": "detail", "pkg": "net.wequick.example.small.app.detail", "rules": {"sub": "Sub", ".html": null}},
      {"uri": "about", "pkg": "net.wequick.example.small.web.about"}]}
    """

  private func read(_ text: String) throws -> HostManifest {
    let workshop = try Workshop()
    let folder = try TemporaryFolder()
    return try ManifestFixture.host(workshop).manifest(
      user: nil, embedded: ManifestFixture.write(text, in: folder, by: workshop.key))
  }

  @Test("SM3 SM4: entries are read in their order, each with its kind, its rules and its module")
  func entries() throws {
    let manifest = try read(Self.first)
    #expect(manifest.entries.map(\.uri) == ["lib.utils", "main", "home", "mine", "detail", "about"])
    #expect(
      manifest.entries.map(\.kind) == [.application, .application, .application, .application, .application, .assets])
    #expect(manifest.entries[4].rules == ["sub": "Sub", ".html": nil])
    #expect(manifest.entries[0].module == ModuleIdentifier("net.wequick.example.small.lib.utils"))
    #expect(manifest.unknownFields.isEmpty)
    let more = try read(
      """
      {"version": "1.0.0", "more": 1, "bundles": [
        {"uri": "stub", "type": "app", "pkg": "net.wequick.example.small.appok_if_stub", "color": "red"},
        {"uri": "page", "type": "web", "pkg": "net.example.app.page"}]}
      """)
    #expect(more.entries.map(\.kind) == [.application, .assets])
    #expect(more.entries[0].module == nil)
    #expect(more.unknownFields == ["bundles[0].color", "more"])
  }

  @Test(
    "SM4: the kind follows from the name where no type is said",
    arguments: [
      ("net.wequick.example.small.lib.utils", ModuleKind.application), ("net.x.app.main", .application),
      ("net.wequick.example.small.web.about", .assets), ("net.x.application.main", .assets), ("app.lib", .assets),
    ])
  func kinds(_ name: String, _ kind: ModuleKind) {
    #expect(ModuleKind.infer(package: name) == kind)
    #expect(ModuleKind.infer(package: name, type: "lib") == .application)
    #expect(ModuleKind.infer(package: name, type: "exe") == nil)
  }

  @Test(
    "SM1 SM3 D2: what is no manifest is refused by its code, an entry without a URI among it",
    arguments: [
      ("{", SignetError.Code.manifestMalformed), ("[]", .manifestMalformed), ("", .manifestMalformed),
      (#"{"version": "1.0.0"}"#, .manifestMalformed),
      (#"{"version": "2.0.0", "bundles": []}"#, .manifestVersion),
      (#"{"version": 1, "bundles": []}"#, .manifestMalformed),
      (#"{"version": "1.0.0", "bundles": [{"pkg": "a.b"}]}"#, .manifestMalformed),
      (#"{"version": "1.0.0", "bundles": [{"uri": "", "pkg": "a.b"}]}"#, .manifestMalformed),
      (#"{"version": "1.0.0", "bundles": [{"uri": "x", "pkg": 7}]}"#, .manifestMalformed),
      (#"{"version": "1.0.0", "bundles": [{"uri": "x", "pkg": "a.b", "type": "exe"}]}"#, .manifestMalformed),
      (#"{"version": "1.0.0", "bundles": [{"uri": "x", "pkg": "a.b", "rules": {"a": 1}}]}"#, .manifestMalformed),
    ])
  func malformed(_ text: String, _ code: SignetError.Code) {
    expectError(code, "\(text)") { _ = try read(text) }
  }

  @Test("SM1 D9: the fetched manifest comes first; where it is refused the one of the host is used, and that is told")
  func order() throws {
    let workshop = try Workshop()
    let (user, embedded) = (try TemporaryFolder(), try TemporaryFolder())
    let own = #"{"version": "1.0.0", "bundles": [{"uri": "own", "pkg": "com.example.lib.own"}]}"#
    let fetched = #"{"version": "1.0.0", "bundles": [{"uri": "fetched", "pkg": "com.example.lib.fetched"}]}"#
    let shipped = try ManifestFixture.write(own, in: embedded, by: workshop.key)
    let host = try ManifestFixture.host(workshop)
    func uris() throws -> [String] {
      try host.manifest(user: user.file("bundle.json"), embedded: shipped).entries.map(\.uri)
    }
    #expect(try uris() == ["own"])
    try ManifestFixture.write(fetched, in: user, by: workshop.key)
    #expect(try uris() == ["fetched"])
    try FileManager.default.removeItem(atPath: user.file("bundle.json.sigstore.json"))
    #expect(try uris() == ["own"])
    try ManifestFixture.write(fetched, in: user, by: PrivateKey.generate(.ed25519))
    #expect(try uris() == ["own"])
    try ManifestFixture.write(fetched, in: user, by: workshop.key, for: "com.example.another")
    #expect(try uris() == ["own"])
    try ManifestFixture.write(#"{"version": "2.0.0", "bundles": []}"#, in: user, by: workshop.key)
    #expect(try uris() == ["own"])
    try ManifestFixture.write(fetched, in: user, by: workshop.key)
    try flip(user.file("bundle.json")) { $0 - 5 }
    #expect(try uris() == ["own"])
    #expect(
      host.refusals.map(\.reason.code) == [
        .signatureMissing, .signerUntrusted, .manifestIdentifierMismatch, .manifestVersion,
        .digestMismatch,
      ])
    // Both bad: an error, and no manifest.
    try flip(shipped) { $0 - 5 }
    expectError(.digestMismatch) { _ = try uris() }
  }

  @Test("a fetched manifest is never older than the last that was used, whatever the modules' floors are")
  func floor() throws {
    let workshop = try Workshop()
    let (user, embedded) = (try TemporaryFolder(), try TemporaryFolder())
    let shipped = try ManifestFixture.write(Self.first, 1, in: embedded, by: workshop.key)
    func sequence() throws -> Int {
      try ManifestFixture.host(workshop).manifest(user: user.file("bundle.json"), embedded: shipped).sequence
    }
    for (offered, used) in [(5, 5), (4, 1), (5, 5), (6, 6), (5, 1)] {
      try ManifestFixture.write(Self.first, offered, in: user, by: workshop.key)
      #expect(try sequence() == used, "\(offered)")
    }
    let floor = try #require(try workshop.store().manifestFloor(of: identifier(ManifestFixture.host)))
    #expect(floor.sequence == 6)
    #expect(floor.keys == [workshop.key.publicKey.id])
    #expect(try workshop.store().floors().isEmpty)

    // That one is gone is told once there was one.
    try FileManager.default.removeItem(atPath: user.file("bundle.json"))
    let host = try ManifestFixture.host(workshop)
    #expect(try host.manifest(user: user.file("bundle.json"), embedded: shipped).sequence == 1)
    #expect(host.refusals.map(\.reason.code) == [.fileMissing])
  }

  @Test("a manifest's floor that could not be raised, since somebody else changed the store, is raised later")
  func floorLater() throws {
    let workshop = try Workshop()
    let (user, embedded) = (try TemporaryFolder(), try TemporaryFolder())
    let shipped = try ManifestFixture.write(Self.first, 1, in: embedded, by: workshop.key)
    try ManifestFixture.write(Self.first, 5, in: user, by: workshop.key)
    let host = try ManifestFixture.host(workshop)
    let log = HostLog(host)
    let store = try workshop.store()
    let name = try identifier(ManifestFixture.host)
    do {
      let lock = try StoreLock(.change, of: Directory(opening: workshop.path))
      #expect(try host.manifest(user: user.file("bundle.json"), embedded: shipped).sequence == 5)
      withExtendedLifetime(lock) {}
    }
    #expect(log.notices == [.storeLocked])
    #expect(try store.manifestFloor(of: name) == nil)
    host.markHealthy()
    #expect(try store.manifestFloor(of: name)?.sequence == 5)
  }

  @Test("after an update of the host a fetched manifest that is older than the host's own is not used any more")
  func updatedHost() throws {
    let workshop = try Workshop()
    let (user, embedded) = (try TemporaryFolder(), try TemporaryFolder())
    let host = try ManifestFixture.host(workshop)
    try ManifestFixture.write(Self.first, 5, in: user, by: workshop.key)
    for (shipped, used) in [(1, 5), (5, 5), (6, 6)] {
      let path = try ManifestFixture.write(Self.first, shipped, in: embedded, by: workshop.key)
      #expect(try host.manifest(user: user.file("bundle.json"), embedded: path).sequence == used, "\(shipped)")
    }
    #expect(host.refusals.map(\.reason.code) == [.policyRollback])
    // One that is good is used, whatever is wrong with the host's own.
    try flip(embedded.file("bundle.json")) { $0 - 5 }
    #expect(
      try host.manifest(user: user.file("bundle.json"), embedded: embedded.file("bundle.json")).sequence == 5)
  }

  @Test("a host that does not say which it is gets no manifest")
  func identity() throws {
    let workshop = try Workshop()
    let path = try ManifestFixture.write(Self.first, in: TemporaryFolder(), by: workshop.key)
    expectError(.hostIdentifier) { _ = try workshop.host().manifest(user: nil, embedded: path) }
  }

  @Test("SM2 D9: who calls or waits has everything when that ends, once, and an error where both manifests are bad")
  func ends() async throws {
    let workshop = try Workshop()
    let (user, embedded) = (try TemporaryFolder(), try TemporaryFolder())
    let text = #"{"version": "1.0.0", "bundles": [{"uri": "self"}, {"uri": "one", "pkg": "com.example.lib.one"}]}"#
    let path = try ManifestFixture.write(text, in: embedded, by: workshop.key)
    let module = try workshop.install(Workshop.page("com.example.lib.one", route: "ui://one", answer: "one")).module
      .identifier
    // The forms without await are noasync; a nested function may call them.
    func call(_ host: PluginHost) throws -> [String] {
      try host.start(host.manifest(user: nil, embedded: path)).map(\.entry.uri)
    }
    let host = try ManifestFixture.host(workshop)
    #expect(try call(host) == ["self", "one"])
    #expect(host.status(of: module) == .loaded)
    #expect(workshop.marks == ["com.example.lib.one-1"])
    let other = try ManifestFixture.host(workshop)
    #expect(try await other.start(user: nil, embedded: path).map(\.entry.uri) == ["self", "one"])
    #expect(other.status(of: module) == .loaded)
    try ManifestFixture.write(text, in: user, by: PrivateKey.generate(.ed25519))
    try flip(path) { $0 - 5 }
    do throws(SignetError) {
      try await other.start(user: user.file("bundle.json"), embedded: path)
      Issue.record("it started")
    } catch { #expect(error.code == .digestMismatch) }
    #expect(other.refusals.map(\.reason.code) == [.signerUntrusted, .digestMismatch])
    expectError(.digestMismatch) { _ = try call(ManifestFixture.host(workshop)) }
    let none = try ManifestFixture.host(workshop)
    do throws(SignetError) {
      try await none.start(user: nil, embedded: "/nowhere/bundle.json")
      Issue.record("it started")
    } catch { #expect(error.code == .fileMissing) }
    #expect(none.refusals.map(\.reason.code) == [.fileMissing])
  }

  @Test(
    "a URI is read as seen from the base, and never becomes another host",
    arguments: [
      ("home", "ui://", "ui://home"), ("home", "https://example.com", "https://example.com/home"),
      ("home", "https://example.com/", "https://example.com/home"),
      ("home", "https://example.com/demo", "https://example.com/home"),
      ("home", "https://example.com/demo/", "https://example.com/demo/home"),
      ("/home", "https://example.com/demo/x", "https://example.com/home"),
      ("/home", "https://example.com", "https://example.com/home"),
      ("ui://other/x", "https://example.com/", "ui://other/x"), ("home", "no base", nil), ("home", "", nil),
    ] as [(String, String, String?)])
  func bases(_ uri: String, _ base: String, _ url: String?) throws {
    let manifest = try read(#"{"version": "1.0.0", "bundles": [{"uri": "\#(uri)", "pkg": "a.lib.one"}]}"#)
    #expect(manifest.entries[0].url(base: base)?.text == url)
  }

  @Test("SM13 D1: a URI is the beginning of a URL part by part, the longest counts, then the order")
  func matching() throws {
    let manifest = try read(
      """
      {"version": "1.0.0", "bundles": [
        {"uri": "main", "pkg": "a.lib.one"}, {"uri": "home", "pkg": "a.lib.two"}, {"uri": "main/sub", "pkg": "a.lib.three"},
        {"uri": "main", "pkg": "a.lib.four"}, {"uri": "https://other.example/x", "pkg": "a.lib.five"}]}
      """)
    let base = "http://m.wequick.net/demo/"
    func module(_ text: String) throws -> String? {
      try manifest.entry(for: PluginURL(text), base: base)?.package
    }
    #expect(try module("http://m.wequick.net/demo/main") == "a.lib.one")
    #expect(try module("http://m.wequick.net/demo/main/x") == "a.lib.one")
    #expect(try module("http://m.wequick.net/demo/main/sub") == "a.lib.three")
    #expect(try module("http://m.wequick.net/demo/main/sub/y") == "a.lib.three")
    #expect(try module("http://m.wequick.net/demo/main/subway") == "a.lib.one")
    #expect(try module("http://m.wequick.net/demo/main2") == nil)
    #expect(try module("http://m.wequick.net/demo/home?back=http://m.wequick.net/demo/main") == "a.lib.two")
    #expect(try module("http://m.wequick.net/demo/home#http://m.wequick.net/demo/main") == "a.lib.two")
    #expect(try module("http://m.wequick.net/x?home=http://m.wequick.net/demo/main") == nil)
    #expect(try module("http://evil.example/http://m.wequick.net/demo/main".replacing("//m", with: "/m")) == nil)
    #expect(try module("https://m.wequick.net/demo/main") == nil)
    #expect(try module("HTTPS://other.example/x/y") == "a.lib.five")
    #expect(try manifest.entry(for: PluginURL("ui://home?x=main"), base: "ui://")?.package == "a.lib.two")
  }
}
