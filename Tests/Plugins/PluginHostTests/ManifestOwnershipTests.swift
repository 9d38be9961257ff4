import Foundation
import ModuleStore
import PluginKit
import Signet
import SignetCrypto
import TestSupport
import Testing

@testable import HostTestSupport
@testable import PluginHost

/// Rows SM5, SM6 and G4: what a manifest names is loaded, and nobody else's.
@Suite("whose a manifest says that URLs are", .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
struct ManifestOwnershipTests {
  private typealias Workshop = ModuleWorkshop

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
    let path = try ManifestFixture.write(text, in: folder, by: workshop.key)
    for name in ["one", "two", "bad"] {
      try workshop.install(
        Workshop.page("com.example.lib.\(name)", route: "ui://\(name)", answer: name))
    }
    let modules = workshop.path + "/modules/com.example.lib.bad"
    let release = try #require(FileManager.default.contentsOfDirectory(atPath: modules).first)
    try flip("\(modules)/\(release)/files/module.json") { $0 / 2 }
    let host = try ManifestFixture.host(workshop)
    try host.switchboard.router.register(RoutePattern("ui://"), owner: .host, allowsFallback: true) { _ in "web" }
    let events = host.events
    let resolved = try await host.start(user: nil, embedded: path)
    #expect(resolved.map(\.entry.uri) == ["main", "self", "two", "one"])
    #expect(resolved.map { $0.module == nil } == [true, true, false, false])
    #expect(host.switchboard.table.map(\.pattern) == ["ui://", "ui://two", "ui://one"])
    for url in ["ui://bad", "ui://bad/deeper?x=1"] {
      do throws(PluginError) {
        try await host.open(url)
        Issue.record("\(url) was opened")
      } catch { #expect(error.code == .routeModuleRefused) }
    }
    #expect(try await host.open("ui://nowhere") as? String == "web")
    #expect(try await host.open("ui://badly") as? String == "web")
    for await event in events {
      guard case .missing(let entry) = event else { continue }
      #expect(entry.uri == "nowhere")
      break
    }
    // SM2, D10: twice is once.
    #expect(try await host.start(user: nil, embedded: path).map(\.entry.uri) == ["main", "self", "two", "one"])
    #expect(workshop.marks == ["com.example.lib.one-1", "com.example.lib.two-1"])
  }

  @Test("G4: if an archive that ships with the host is refused, the URLs of what is nowhere are nobody else's")
  func refusedBeforeInstalled() async throws {
    let workshop = try Workshop()
    let folder = try TemporaryFolder()
    let shipped = try TemporaryFolder()
    let text = """
      {"version": "1.0.0", "bundles": [{"uri": "bad", "pkg": "com.example.lib.bad"}]}
      """
    let path = try ManifestFixture.write(text, in: folder, by: workshop.key)
    let offered = try workshop.offer(Workshop.page("com.example.lib.bad", route: "ui://bad", answer: "good"))
    for path in [offered, offered + ".sigstore.jsonl"] {
      try FileManager.default.moveItem(
        atPath: path, toPath: shipped.file(URL(filePath: path).lastPathComponent))
    }
    let archive = shipped.file(URL(filePath: offered).lastPathComponent)
    let whole = try #require(FileManager.default.contents(atPath: archive))
    try flip(archive) { $0 / 2 }
    let host = try workshop.host {
      $0.identifier = ModuleIdentifier(ManifestFixture.host)
      $0.embedded = shipped.path
    }
    try host.switchboard.router.register(RoutePattern("ui://"), owner: .host, allowsFallback: true) { _ in "web" }
    #expect(try await host.start(user: nil, embedded: path).isEmpty)
    for url in ["ui://bad", "ui://bad/deeper?x=1"] {
      do throws(PluginError) {
        try await host.open(url)
        Issue.record("\(url) was opened")
      } catch { #expect(error.code == .routeModuleRefused) }
    }
    #expect(try await host.open("ui://badly") as? String == "web")
    // With the archive as it was signed, the module is there, and serves its URLs.
    try whole.write(to: URL(filePath: archive))
    #expect(try await host.start(user: nil, embedded: path).map(\.entry.uri) == ["bad"])
    #expect(try await host.open("ui://bad") as? String == "good")
  }

  @Test("what the manifest names for one module no other declares, and nothing of one that does runs")
  func ownership() throws {
    let workshop = try Workshop()
    let folder = try TemporaryFolder()
    let path = try ManifestFixture.write(
      """
      {"version": "1.0.0", "bundles": [
        {"uri": "pay", "pkg": "com.example.lib.pay"}, {"uri": "pay/shop", "pkg": "com.example.lib.shop"},
        {"uri": "thief", "pkg": "com.example.lib.thief"}, {"uri": "pay", "pkg": "com.example.lib.late"},
        {"uri": "login", "pkg": "com.example.lib.both"},
        {"uri": "self/about"}, {"uri": "wide", "pkg": "com.example.lib.wide"}]}
      """, in: folder, by: workshop.key)
    for (name, route) in [
      ("pay", "ui://pay"), ("shop", "ui://pay/shop/:id"), ("thief", "ui://pay(/login)"), ("late", "ui://pay/late"),
      ("both", "ui://(pay/)login"),
      ("wide", "ui://*"),
    ] {
      try workshop.install(Workshop.page("com.example.lib.\(name)", route: route, answer: name))
    }
    let host = try ManifestFixture.host(workshop)
    let resolved = try host.start(host.manifest(user: nil, embedded: path))
    #expect(resolved.map(\.entry.uri) == ["pay", "pay/shop", "self/about", "wide"])
    for name in ["thief", "late", "both"] {
      let reason = host.reason(of: try identifier("com.example.lib.\(name)"))
      #expect(reason?.code == .hostDeclaration)
      #expect(reason?.found?.hasSuffix("of com.example.lib.pay") == true)
    }
    #expect(workshop.marks == ["pay", "shop", "wide"].map { "com.example.lib.\($0)-1" })
    // Those who failed take nothing from whom it was named for.
    #expect(try host.open("ui://pay") as? String == "pay")
    #expect(try host.open("ui://pay/shop/7") as? String == "shop")
    #expect(try host.open("ui://other") as? String == "wide")
  }

  @Test("what the manifest names for one module no other takes by a priority, loaded before it or after")
  func priorities() throws {
    let workshop = try Workshop()
    let folder = try TemporaryFolder()
    let path = try ManifestFixture.write(
      """
      {"version": "1.0.0", "bundles": [
        {"uri": "first", "pkg": "com.example.lib.first"}, {"uri": "shop/pay", "pkg": "com.example.lib.pay"},
        {"uri": "last", "pkg": "com.example.lib.last"}]}
      """, in: folder, by: workshop.key)
    for (name, route, priority) in [
      ("first", "ui://shop/:page", 1), ("pay", "ui://shop/pay(/:id)", 2), ("last", "ui://shop/*", 3),
    ] {
      var page = Workshop.page("com.example.lib.\(name)", route: route, answer: name)
      page.main.source = page.main.source.replacing(", 0, 0, show", with: ", \(priority), 0, show")
      try workshop.install(page)
    }
    let host = try ManifestFixture.host(workshop)
    #expect(try host.start(host.manifest(user: nil, embedded: path)).map(\.entry.uri) == ["shop/pay"])
    for name in ["first", "last"] {
      let cause = try host.reason(of: identifier("com.example.lib.\(name)"))?.cause as? SignetError
      #expect((cause?.cause as? PluginError)?.code == .routePriorities, "\(name)")
    }
    // Whom it is named for may order its own.
    #expect(try host.open("ui://shop/pay") as? String == "pay")
    #expect(try host.open("ui://shop/pay/7") as? String == "pay")
  }

  @Test("G4 SM7: an ending in the rules makes a further URI the module's, unless it is written as another's")
  func endings() throws {
    let workshop = try Workshop()
    let folder = try TemporaryFolder()
    let path = try ManifestFixture.write(
      """
      {"version": "1.0.0", "bundles": [
        {"uri": "pay", "pkg": "com.example.lib.pay", "rules": {".htm": "", ".php": null, "sub.html": ""}},
        {"uri": "pay.htm", "pkg": "com.example.lib.own"}, {"uri": "thief", "pkg": "com.example.lib.thief"}]}
      """, in: folder, by: workshop.key)
    for (name, route) in [("own", "ui://pay.htm"), ("thief", "ui://pay.html")] {
      try workshop.install(Workshop.page("com.example.lib.\(name)", route: route, answer: name))
    }
    let host = try ManifestFixture.host(workshop)
    let manifest = try host.manifest(user: nil, embedded: path)
    func owner(_ manifest: HostManifest, _ url: String) throws -> String? {
      try manifest.entry(for: PluginURL(url), base: "ui://")?.package
    }
    #expect(try owner(manifest, "ui://pay.html") == nil)
    let whole = manifest.withDefaultRules([".html": "", ".php": "", "": "x"])
    #expect(try owner(whole, "ui://pay.html") == "com.example.lib.pay")
    #expect(try owner(whole, "ui://pay.html/x") == "com.example.lib.pay")
    #expect(try owner(whole, "ui://pay.htm") == "com.example.lib.own")
    #expect(try owner(whole, "ui://pay.php") == nil, "null removes a default")
    #expect(whole.entries[0].rules == [".htm": "", ".php": nil, "sub.html": "", ".html": "", "": "x"])
    // Who would take it is not loaded, and it is refused with its module.
    #expect(host.start(whole).map(\.entry.uri) == ["pay.htm"])
    #expect(try host.reason(of: identifier("com.example.lib.thief"))?.code == .hostDeclaration)
    let offer = try workshop.offer(
      Workshop.page("com.example.lib.pay", route: "ui://pay", answer: "x"), keys: [.generate(.ed25519)])
    expectError(.signerUntrusted) { try host.install(offer, module: identifier("com.example.lib.pay")) }
    for url in ["ui://pay", "ui://pay.html", "ui://pay.html/x"] { expectRoute(.routeModuleRefused, url, of: host) }
    expectRoute(.routeNotFound, "ui://pay.php", of: host)
    #expect(try host.open("ui://pay.htm") as? String == "own")
  }

  @Test("G4: what the manifest names farther down for another module is not refused with what is above it")
  func nested() throws {
    let workshop = try Workshop()
    let folder = try TemporaryFolder()
    let path = try ManifestFixture.write(
      """
      {"version": "1.0.0", "bundles": [
        {"uri": "shop", "pkg": "com.example.lib.shop"}, {"uri": "shop/cart", "pkg": "com.example.lib.cart"}]}
      """, in: folder, by: workshop.key)
    for (name, route) in [("shop", "ui://shop"), ("cart", "ui://shop/cart(/:id)")] {
      try workshop.install(Workshop.page("com.example.lib.\(name)", route: route, answer: name))
    }
    func damage(_ name: String) throws {
      let modules = workshop.path + "/modules/com.example.lib.\(name)"
      let release = try #require(FileManager.default.contentsOfDirectory(atPath: modules).first)
      try flip("\(modules)/\(release)/files/module.json") { $0 / 2 }
    }
    try damage("shop")
    let host = try ManifestFixture.host(workshop)
    #expect(try host.start(host.manifest(user: nil, embedded: path)).map(\.entry.uri) == ["shop/cart"])
    #expect(try host.open("ui://shop/cart") as? String == "cart")
    #expect(try host.open("ui://shop/cart/9") as? String == "cart")
    for url in ["ui://shop", "ui://shop/other", "ui://shop/cartel"] {
      expectRoute(.routeModuleRefused, url, of: host)
    }
    try damage("cart")
    let next = try ManifestFixture.host(workshop)
    #expect(try next.start(next.manifest(user: nil, embedded: path)).isEmpty)
    for url in ["ui://shop", "ui://shop/cart", "ui://shop/cart/9"] { expectRoute(.routeModuleRefused, url, of: next) }
  }

  @Test("G4: what is named is nobody else's, even if a pattern of it would be too long where all of it is encoded")
  func longURIs() throws {
    let workshop = try Workshop()
    let folder = try TemporaryFolder()
    let long = String(repeating: "!", count: 400)
    let path = try ManifestFixture.write(
      """
      {"version": "1.0.0", "bundles": [
        {"uri": "\(long)", "pkg": "com.example.lib.long"}, {"uri": "\(long)/own", "pkg": "com.example.lib.own"},
        {"uri": "thief", "pkg": "com.example.lib.thief"}]}
      """, in: folder, by: workshop.key)
    for (name, route) in [("own", "ui://\(long)/own"), ("thief", "ui://(\(long)/)login")] {
      try workshop.install(Workshop.page("com.example.lib.\(name)", route: route, answer: name))
    }
    let host = try ManifestFixture.host(workshop)
    try host.switchboard.router.register(RoutePattern("ui://"), owner: .host, allowsFallback: true) { _ in "web" }
    #expect(try host.start(host.manifest(user: nil, embedded: path)).map(\.entry.uri) == ["\(long)/own"])
    #expect(try host.reason(of: identifier("com.example.lib.thief"))?.code == .hostDeclaration)
    let offer = try workshop.offer(
      Workshop.page("com.example.lib.long", route: "ui://\(long)", answer: "x"), keys: [.generate(.ed25519)])
    expectError(.signerUntrusted) { try host.install(offer, module: identifier("com.example.lib.long")) }
    for url in ["ui://\(long)", "ui://\(long)/login"] { expectRoute(.routeModuleRefused, url, of: host) }
    #expect(try host.open("ui://\(long)/own") as? String == "own")
    #expect(try host.open("ui://\(long)!") as? String == "web")
  }

  @Test("G4: what is named is nobody else's, also where the store cannot be read and nothing is known of it")
  func unreadableStore() throws {
    let workshop = try Workshop()
    let folder = try TemporaryFolder()
    let path = try ManifestFixture.write(
      #"{"version": "1.0.0", "bundles": [{"uri": "pay", "pkg": "com.example.lib.pay"}]}"#, in: folder,
      by: workshop.key)
    try workshop.install(Workshop.page("com.example.lib.pay", route: "ui://pay", answer: "paid"))
    let host = try ManifestFixture.host(workshop)
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
    let path = try ManifestFixture.write(
      #"{"version": "1.0.0", "bundles": [{"uri": "pay", "pkg": "com.example.lib.pay"}]}"#, in: folder,
      by: workshop.key)
    let host = try ManifestFixture.host(workshop)
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
}
