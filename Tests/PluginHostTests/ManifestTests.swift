import Foundation
import ModuleStore
import PluginKit
import Signet
import SignetCrypto
import TestSupport
import Testing

@testable import PluginHost

/// Rows SM1 to SM6 and SM13: which modules a host has, and whose a URI is.
@Suite("manifests", .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing)) struct ManifestTests {
  private typealias Workshop = ModuleWorkshop
  private static let host = "com.example.host"

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

  /// Writes a manifest with its statement beside it.
  @discardableResult private func write(
    _ text: String, _ sequence: Int = 1, in folder: TemporaryFolder, by key: PrivateKey, for host: String = host
  ) throws -> String {
    let path = folder.file("bundle.json")
    try Data(text.utf8).write(to: URL(filePath: path))
    let signed = text.hasPrefix("{") && (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
    let bundle = try Signer(key).sign(
      .bytes(Array(signed ? text.utf8 : "{}".utf8)),
      Signer.HostManifestClaims(
        name: "bundle.json", identifier: identifier(host), sequence: sequence, signedAt: Workshop.time))
    try Data(bundle.canonicalBytes()).write(to: URL(filePath: path + ".sigstore.json"))
    return path
  }

  private func host(_ workshop: Workshop) throws -> PluginHost {
    try workshop.host { $0.identifier = ModuleIdentifier(Self.host) }
  }

  private func read(_ text: String) throws -> HostManifest {
    let workshop = try Workshop()
    let folder = try TemporaryFolder()
    return try host(workshop).manifest(user: nil, embedded: write(text, in: folder, by: workshop.key))
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
      ("{", SignetError.Code.digestMismatch), ("[]", .digestMismatch), (#"{"version": "1.0.0"}"#, .manifestMalformed),
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
    let shipped = try write(own, in: embedded, by: workshop.key)
    let host = try host(workshop)
    func uris() throws -> [String] {
      try host.manifest(user: user.file("bundle.json"), embedded: shipped).entries.map(\.uri)
    }
    #expect(try uris() == ["own"])
    try write(fetched, in: user, by: workshop.key)
    #expect(try uris() == ["fetched"])
    try FileManager.default.removeItem(atPath: user.file("bundle.json.sigstore.json"))
    #expect(try uris() == ["own"])
    try write(fetched, in: user, by: PrivateKey.generate(.ed25519))
    #expect(try uris() == ["own"])
    try write(fetched, in: user, by: workshop.key, for: "com.example.another")
    #expect(try uris() == ["own"])
    try write(#"{"version": "2.0.0", "bundles": []}"#, in: user, by: workshop.key)
    #expect(try uris() == ["own"])
    try write(fetched, in: user, by: workshop.key)
    try flip(user.file("bundle.json")) { $0 - 5 }
    #expect(try uris() == ["own"])
    #expect(
      host.refusals.map(\.reason.code) == [
        .fileMissing, .signatureMissing, .signerUntrusted, .manifestIdentifierMismatch, .manifestVersion,
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
    let shipped = try write(Self.first, 1, in: embedded, by: workshop.key)
    func sequence() throws -> Int {
      try host(workshop).manifest(user: user.file("bundle.json"), embedded: shipped).sequence
    }
    for (offered, used) in [(5, 5), (4, 1), (5, 5), (6, 6), (5, 1)] {
      try write(Self.first, offered, in: user, by: workshop.key)
      #expect(try sequence() == used, "\(offered)")
    }
    let floor = try #require(try workshop.store().manifestFloor(of: identifier(Self.host)))
    #expect(floor.sequence == 6)
    #expect(floor.keys == [workshop.key.publicKey.id])
    #expect(try workshop.store().floors().isEmpty)
  }

  @Test("after an update of the host a fetched manifest that is older than the host's own is not used any more")
  func updatedHost() throws {
    let workshop = try Workshop()
    let (user, embedded) = (try TemporaryFolder(), try TemporaryFolder())
    let host = try host(workshop)
    try write(Self.first, 5, in: user, by: workshop.key)
    for (shipped, used) in [(1, 5), (5, 5), (6, 6)] {
      let path = try write(Self.first, shipped, in: embedded, by: workshop.key)
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
    let path = try write(Self.first, in: TemporaryFolder(), by: workshop.key)
    expectError(.hostIdentifier) { _ = try workshop.host().manifest(user: nil, embedded: path) }
  }

  @Test("SM5 SM6 D7 G4: what is named is loaded in order; what is nowhere is told, what is refused is nobody else's")
  func resolve() async throws {
    let workshop = try Workshop()
    let folder = try TemporaryFolder()
    let text = """
      {"version": "1.0.0", "bundles": [
        {"uri": "main", "pkg": "main"}, {"uri": "self"},
        {"uri": "two", "pkg": "com.example.lib.two"}, {"uri": "nowhere", "pkg": "com.example.lib.nowhere"},
        {"uri": "bad", "pkg": "com.example.lib.bad"}, {"uri": "one", "pkg": "com.example.lib.one"}]}
      """
    let path = try write(text, in: folder, by: workshop.key)
    for name in ["one", "two", "bad"] {
      try workshop.install(
        Workshop.page("com.example.lib.\(name)", route: "ui://\(name)", answer: name))
    }
    let modules = workshop.path + "/modules/com.example.lib.bad"
    let release = try #require(FileManager.default.contentsOfDirectory(atPath: modules).first)
    try flip("\(modules)/\(release)/files/module.json") { $0 / 2 }
    let host = try host(workshop)
    try host.switchboard.router.register(RoutePattern("ui://"), owner: .host, allowsFallback: true) { _ in "web" }
    let events = host.events
    let resolved = try await host.start(user: nil, embedded: path)
    #expect(resolved.map(\.entry.uri) == ["main", "self", "two", "one"])
    #expect(resolved.map { $0.module == nil } == [true, true, false, false])
    #expect(host.switchboard.table.map(\.pattern) == ["ui://", "ui://two", "ui://one"])
    for url in ["ui://bad", "ui://bad/deeper?x=1"] {
      do throws(PluginError) {
        try host.open(url)
        Issue.record("\(url) was opened")
      } catch { #expect(error.code == .routeModuleRefused) }
    }
    #expect(try host.open("ui://nowhere") as? String == "web")
    #expect(try host.open("ui://badly") as? String == "web")
    for await event in events {
      guard case .missing(let entry) = event else { continue }
      #expect(entry.uri == "nowhere")
      break
    }
    // SM2, D10: twice is once.
    #expect(try await host.start(user: nil, embedded: path).map(\.entry.uri) == ["main", "self", "two", "one"])
    #expect(workshop.marks == ["com.example.lib.one-1", "com.example.lib.two-1"])
  }

  @Test("G4: what is named is nobody else's, also where the store cannot be read and nothing is known of it")
  func unreadableStore() throws {
    let workshop = try Workshop()
    let folder = try TemporaryFolder()
    let path = try write(
      #"{"version": "1.0.0", "bundles": [{"uri": "pay", "pkg": "com.example.lib.pay"}]}"#, in: folder,
      by: workshop.key)
    try workshop.install(Workshop.page("com.example.lib.pay", route: "ui://pay", answer: "paid"))
    let host = try host(workshop)
    try host.switchboard.router.register(RoutePattern("ui://"), owner: .host, allowsFallback: true) { _ in "web" }
    try Data("{".utf8).write(to: URL(filePath: workshop.path + "/state.json"))
    #expect(try host.start(host.manifest(user: nil, embedded: path)).isEmpty)
    #expect(host.status(of: try identifier("com.example.lib.pay")) == .refused)
    #expect(host.reason(of: try identifier("com.example.lib.pay"))?.code == .storeStateMalformed)
    do throws(PluginError) {
      try host.open("ui://pay")
      Issue.record("it was opened")
    } catch { #expect(error.code == .routeModuleRefused) }
  }

  @Test("G4: what is named is nobody else's once an archive was refused that should have been the module")
  func refusedOffer() throws {
    let workshop = try Workshop()
    let folder = try TemporaryFolder()
    let path = try write(
      #"{"version": "1.0.0", "bundles": [{"uri": "pay", "pkg": "com.example.lib.pay"}]}"#, in: folder,
      by: workshop.key)
    let host = try host(workshop)
    try host.switchboard.router.register(RoutePattern("ui://"), owner: .host, allowsFallback: true) { _ in "web" }
    #expect(try host.start(host.manifest(user: nil, embedded: path)).isEmpty)
    #expect(try host.open("ui://pay") as? String == "web")
    let page = Workshop.page("com.example.lib.pay", route: "ui://pay", answer: "paid")
    let offer = try workshop.offer(page, keys: [PrivateKey.generate(.ed25519)])
    let pay = try identifier("com.example.lib.pay")
    expectError(.signerUntrusted) { try host.install(offer, module: pay) }
    do throws(PluginError) {
      try host.open("ui://pay")
      Issue.record("it was opened")
    } catch { #expect(error.code == .routeModuleRefused) }
    // The right one serves it.
    for path in [offer, offer + ".sigstore.jsonl"] { try FileManager.default.removeItem(atPath: path) }
    try host.load(host.install(workshop.offer(page), module: pay).module)
    #expect(try host.open("ui://pay") as? String == "paid")
  }

  @Test("SM2 D9: what fails as a whole is told to whoever waits")
  func fails() async throws {
    let workshop = try Workshop()
    let host = try host(workshop)
    await #expect(throws: SignetError.self) { try await host.start(user: nil, embedded: "/nowhere/bundle.json") }
    #expect(host.refusals.map(\.reason.code) == [.fileMissing])
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
