import Foundation
import PluginHost
import PluginKit
import Signet
import SignetBase
import SignetCrypto
import SmallRuntimeFace
import TestSupport
import Testing

@testable import HostTestSupport
@testable import SmallTestSupport
@testable import SmallWebFace

/// The files of web modules, and what reaches a page of them.
@Suite(
  "Small's web modules", .timeLimit(.minutes(60)), .enabled(if: SmallWorkshop.isPossible, ModuleWorkshop.isMissing))
struct SMWebModuleTests {
  private static let files = [
    "index.html": WebWorkshop.index, "styles/base.css": "body {}", "a b.txt": "text", "data.json": "{}",
  ]

  @Test("SM30: the URL of a web module is that of its index.html, with the query of the request; it loads in advance")
  func url() async throws {
    let workshop = try WebWorkshop()
    let small = try await workshop.small()
    let bundle = try #require(small.bundle(forName: WebWorkshop.about))
    let module = try #require(SMWebModule(bundle))
    #expect(module.url() == "\(WebWorkshop.origin)/index.html")
    #expect(module.url("x=1") == "\(WebWorkshop.origin)/index.html?x=1")
    #expect(module.url("") == "\(WebWorkshop.origin)/index.html?")
    // What a URL does not have is encoded, what is encoded stays.
    #expect(module.url("a=b c#\"家<%41") == "\(WebWorkshop.origin)/index.html?a=b%20c%23%22%E5%AE%B6%3C%41")
    // As the original has it, for a view that asks the host for such URLs: the name of the module stands for its folder.
    let file = try #require(SMWebModule(bundle, at: SMWebAddress(scheme: "file", suffix: "")))
    #expect(file.url("x=1") == "file://\(WebWorkshop.about)/index.html?x=1")
    #expect(try file.resource(file.url("x=1")).path == "index.html")
    // It was loaded when the module was, without a query.
    let first = try #require(workshop.views.withLock { $0.count == 1 ? $0.first : nil })
    #expect(first.loads == ["\(WebWorkshop.origin)/index.html"])
    let opened = try await workshop.open(small, "about?x=1")
    #expect(opened.controller.url == "\(WebWorkshop.origin)/index.html?x=1")
    #expect(opened.view.loads == [opened.controller.url])
    #expect(opened.view !== first)
    // A request without a query gets the page that is there, once.
    #expect(try await workshop.open(small).view === first)
    #expect(try await workshop.open(small).view !== first)
    #expect(first.loads.count == 1)
  }

  @Test("SM30 D8: each request has a page of its own, also while another one is shown")
  func requests() async throws {
    let workshop = try WebWorkshop()
    let small = try await workshop.small { $0.loadsInAdvance = false }
    #expect(workshop.views.withLock { $0.isEmpty })
    let one = try await workshop.open(small, "about?x=1")
    let two = try await workshop.open(small, "about?x=2")
    #expect(one.controller !== two.controller && one.page != two.page)
    #expect([one, two].map(\.controller.url) == ["x=1", "x=2"].map { "\(WebWorkshop.origin)/index.html?\($0)" })
    let page = try #require(await small.controller(forUri: "about"))
    #expect(page.object is SMWebController)
    #expect(small.host.switchboard.presenter.state.page(page.id) == nil)
    #expect(page.owner == .module(WebWorkshop.about))
  }

  @Test("D13: the query of a request is for the page's script; nothing in it sets anything of the controller")
  func parameters() async throws {
    let workshop = try WebWorkshop()
    let small = try await workshop.small()
    let delegate = Opener()
    let query = "title=Evil&url=http://evil.example&delegate=x&isAdmin=1&view=&_fullscreen=0"
    let opened = try await workshop.open(small, "about?\(query)", from: delegate)
    #expect(opened.controller.url == "\(WebWorkshop.origin)/index.html?\(query)")
    #expect(opened.controller.title.isEmpty && opened.controller.barItems.isEmpty)
    #expect(opened.controller.module?.release.module.identifier.description == WebWorkshop.about)
    #expect(opened.controller.bridge.controller === opened.controller)
    #expect(opened.view.controller === opened.controller)
    #expect(small.host.switchboard.presenter.state.top == "")
    #expect(opened.view.loads == [opened.controller.url])
  }

  @Test("G6: a page gets the files that its module's description names, as they were signed, and nothing else")
  func files() async throws {
    let workshop = try WebWorkshop(Self.files)
    let small = try await workshop.small()
    let controller = try await workshop.open(small).controller
    func path(_ url: String) -> String? {
      if case .resource(let file) = controller.answer(to: url) { file.path } else { nil }
    }
    func code(_ url: String) -> PluginError.Code? {
      if case .refused(let error) = controller.answer(to: url) { error.code } else { nil }
    }
    let origin = WebWorkshop.origin
    #expect(path("\(origin)/index.html?a#b") == "index.html")
    #expect(path("\(origin)/styles/base.css") == "styles/base.css")
    #expect(path("\(origin)/a%20b.txt") == "a b.txt")
    // What is not there, could be read in two ways, or is not named.
    for place in [
      "", "/", "/nope.html", "/index.html/", "//index.html", "/styles", "/styles%2Fbase.css", "/styles/../index.html",
      "/%2e%2e/index.html", "/styles/%2e%2e/index.html", "/INDEX.html", "/index.html%00", "/module.json",
      "/../../etc/passwd", "/styles\\base.css",
    ] {
      #expect(code(origin + place) == .resourceMissing, "\(place)")
    }
    // Other origins: of the web, of other modules, of files, and what looks like this one.
    for url in [
      "https://example.com/", "http://\(WebWorkshop.about).invalid/index.html", "file:///etc/passwd",
      "data:text/html,x",
      "https://net.wequick.example.small.web.other.invalid/index.html",
      "https://\(WebWorkshop.about).invalid.example.com/",
      "https://x@\(WebWorkshop.about).invalid/index.html", "https://\(WebWorkshop.about).invalid:443/index.html",
      "blob:\(origin)/1", "", "index.html", "javascript:1",
    ] {
      #expect(code(url) == .externalRefused, "\(url)")
    }
    guard case .resource(let style) = controller.answer(to: "\(origin)/styles/base.css") else {
      Issue.record("there is no style")
      return
    }
    #expect(String(decoding: style.bytes, as: UTF8.self) == "body {}")
    let headers = Dictionary(uniqueKeysWithValues: style.headers.map { ($0.name, $0.value) })
    #expect(headers["Content-Type"] == "text/css; charset=utf-8")
    #expect(headers["X-Content-Type-Options"] == "nosniff")
    #expect(headers["Content-Security-Policy"]?.hasPrefix("default-src 'self'") == true)
  }

  @Test(
    "G6: a file that changed after the module was loaded is refused, and so is everything of a module that is removed"
  )
  func tampered() async throws {
    let workshop = try WebWorkshop(Self.files)
    let small = try await workshop.small()
    let controller = try await workshop.open(small).controller
    let folder = workshop.workshop.workshop.path + "/modules/\(WebWorkshop.about)"
    let release = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
    try flip("\(folder)/\(release)/files/index.html") { $0 / 2 }
    guard case .refused(let error) = controller.answer(to: controller.url) else {
      Issue.record("a changed file was not refused")
      return
    }
    #expect(error.code == .resourceFailed)
    #expect((error.cause as? SignetError)?.code == .digestMismatch)
    // Another file is what it was.
    guard case .resource = controller.answer(to: "\(WebWorkshop.origin)/data.json") else {
      Issue.record("a file was refused that had not changed")
      return
    }
    #expect(small.host.unregister(try identifier(WebWorkshop.about)))
    guard case .refused(let removed) = controller.answer(to: "\(WebWorkshop.origin)/data.json") else {
      Issue.record("a removed module has files")
      return
    }
    #expect(removed.code == .moduleRemoved)
    #expect(small.host.switchboard.presenter.state.tabs == [["home"]])
    expectPlugin(.routeNotFound) { try small.host.switchboard.router.open("http://m.wequick.net/demo/about") }
    expectFailure(await answer(controller.bridge, "alert"), .webClosed)
  }

  @Test("G6 G4: nothing of a web module that is refused is shown, and the web does not take its place")
  func refused() async throws {
    let workshop = try WebWorkshop()
    #expect(try await workshop.small().allBundles.count == 1)
    workshop.views.withLock { $0 = [] }
    // The next start trusts somebody else, who signs the manifest and not the module.
    let other = try PrivateKey.generate(.ed25519)
    try workshop.workshop.manifest(
      SmallWorkshop.list(SmallWorkshop.entry("about", "web")), 2, by: other)
    let policy = try workshop.workshop.workshop.policy([other.publicKey])
    let small = try await workshop.small(try workshop.workshop.host(policy))
    small.host.switchboard.externalOpening = ExternalOpening()
    #expect(small.allBundles.isEmpty)
    for uri in ["about", "about?x=1", "https://m.wequick.net/demo/about"] {
      await expectOpening(.routeModuleRefused, small, uri)
    }
    #expect(await small.controller(forUri: "about") == nil)
    #expect(small.host.switchboard.presenter.state.tabs == [["home"]])
    #expect(workshop.views.withLock { $0.isEmpty })
  }

  @Test("G4: a page of the web does not lead on to the page that a refused module would have")
  func redirect() async throws {
    let workshop = try WebWorkshop()
    #expect(try await workshop.small().allBundles.count == 1)
    let other = try PrivateKey.generate(.ed25519)
    try workshop.workshop.manifest(
      SmallWorkshop.list(SmallWorkshop.entry("about", "web")), 2, by: other)
    let small = try await workshop.small(
      try workshop.workshop.host(workshop.workshop.workshop.policy([other.publicKey])))
    small.host.switchboard.externalOpening = ExternalOpening()
    let page = try #require(try await small.openUri("https://example.com/").page)
    let controller = try #require(page.object as? SMWebController)
    controller.didStartLoad()
    // The server sends the browser on to elsewhere, and then to the module's page.
    #expect(controller.shouldLoad("https://example.com/elsewhere", by: .other))
    for (index, url) in ["http://m.wequick.net/demo/about", "https://M.wequick.net:443/demo/about.html?x"]
      .enumerated()
    {
      #expect(!controller.shouldLoad(url, by: .other), "\(url)")
      guard case .failure(let error) = await workshop.opened(index + 1).last?.result else {
        Issue.record("\(url) was opened")
        continue
      }
      #expect(error.code == .routeModuleRefused)
    }
  }

  @Test("SM29: an upgrade is loaded in advance at once; a page that is shown keeps the files of its release")
  func upgrade() async throws {
    let workshop = try WebWorkshop(["index.html": "one"])
    let small = try await workshop.small()
    let old = try await workshop.open(small)
    let application = workshop.workshop
    try SmallWorkshop.place(
      application.assets(WebWorkshop.about, 2, files: ["index.html": "two"]), application.documents.file("temp"),
      "\(WebWorkshop.about).zip")
    #expect(try await small.upgrade(try #require(small.bundle(forName: WebWorkshop.about))) == .applied)
    #expect(workshop.views.withLock { $0.count } == 2)
    let new = try await workshop.open(small)
    #expect(new.view === workshop.views.withLock { $0[1] })
    func index(_ controller: SMWebController) -> String? {
      if case .resource(let file) = controller.answer(to: controller.url) {
        String(decoding: file.bytes, as: UTF8.self)
      } else {
        nil
      }
    }
    #expect(index(old.controller) == "one")
    #expect(index(new.controller) == "two")
  }

  @Test("SM19: resources without an index.html are no web module, and a target of one is not a page")
  func launcher() async throws {
    let workshop = try WebWorkshop(["data.json": "{}"])
    let small = try await workshop.small()
    let bundle = try #require(small.bundle(forName: WebWorkshop.about))
    #expect(SMWebModule(bundle) == nil)
    #expect(small.launcher(of: bundle) == nil)
    await expectOpening(.pageNotFound, small, "about")
    let second = try WebWorkshop()
    try second.workshop.manifest(
      SmallWorkshop.list(SmallWorkshop.entry("about", "web", rules: #"{"sub": "Sub", "more": "?y=2"}"#)))
    let web = try await second.small()
    #expect(web.launcher(of: try #require(web.allBundles.first)) is SMWebBundleLauncher)
    await expectOpening(.pageNotFound, web, "about/sub")
    #expect(try await second.open(web, "about/more?x=1").controller.url == "\(WebWorkshop.origin)/index.html?x=1&y=2")
  }

  @Test("SM14: a page of the web has a controller without a module; it loads from the web and calls nothing")
  func web() async throws {
    let workshop = try WebWorkshop()
    let small = try await workshop.small()
    small.host.switchboard.externalOpening = ExternalOpening(fileRoots: ["/srv"])
    let url = "https://example.com/page?x=1"
    let opened = try await workshop.open(small, url)
    #expect(opened.controller.module == nil && opened.controller.url == url)
    guard case .web = opened.controller.answer(to: "https://example.com/style.css") else {
      Issue.record("a page of the web gets nothing from it")
      return
    }
    // A module's URL is none of the web, however it is written: a browser reads all of these as that origin.
    let about = WebWorkshop.about
    for url in [
      "file:///etc/passwd", "\(WebWorkshop.origin)/index.html", "ftp://example.com/",
      "\(WebWorkshop.origin)//index.html",
      "\(WebWorkshop.origin)/a/../index.html", "https://\(about.uppercased()).INVALID/", "HTTPS://\(about).invalid/",
      "https://\(about).invalid:443/", "https://\(about).invalid./", "https://x:y@\(about).invalid/",
      "https://\(about)%2Einvalid/", "https://\(about).invalid\\index.html", "https:\(about).invalid/x",
      "https:///\(about).invalid/x", "https:\\\\\(about).invalid/x", "https://\(about).invalid?x",
      "https://\(about).invalid#x",
      "\(WebWorkshop.origin)/?" + String(repeating: "x", count: 20_000),
    ] {
      guard case .refused(let error) = opened.controller.answer(to: url) else {
        Issue.record("\(url) was not refused")
        continue
      }
      #expect(error.code == .externalRefused)
    }
    opened.view.post(#"{"type":"invoke","id":1,"method":"pop","parameters":{}}"#, from: "https://example.com")
    #expect(workshop.refusals() == [.webMessage])
    #expect(small.host.switchboard.presenter.state.page(opened.page) != nil)
    // A file is the host's own affair, and a module's URL is not one of the web.
    guard case .web(_, nil) = try await small.openUri("file:///srv/a.html") else {
      Issue.record("a file has a page")
      return
    }
    guard case .web(_, nil) = try await small.openUri("\(WebWorkshop.origin)/index.html") else {
      Issue.record("a module's file has a page of the web")
      return
    }
    // A host may let pages of some origin call methods.
    let bridged = try WebWorkshop()
    let host = try await bridged.small { $0.bridges = { $0 == "https://example.com" } }
    host.host.switchboard.externalOpening = ExternalOpening()
    let page = try await bridged.open(host, url)
    page.view.post(#"{"type":"ready","title":"Web","metas":{}}"#, from: "https://other.example")
    #expect(page.controller.title.isEmpty)
    page.view.post(#"{"type":"ready","title":"Web","metas":{}}"#, from: "https://example.com")
    #expect(host.host.switchboard.presenter.state.top == "Web")
  }

  /// Opens a URI that has to end in this code.
  private func expectOpening(
    _ code: PluginError.Code, _ small: Small, _ uri: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    do throws(PluginError) {
      try await small.openUri(uri)
      Issue.record("\(uri) was opened", sourceLocation: sourceLocation)
    } catch { #expect(error.code == code, "\(uri)", sourceLocation: sourceLocation) }
  }
}
