import PluginHost
import PluginKit
import Signet
import SignetSystem
import SmallFace
import SmallRuntimeFace
import TestSupport
import Testing

@testable import HostTestSupport
@testable import SmallTestSupport
@testable import SmallWebFace

/// How pages of web modules come and go.
@Suite(
  "Small's web pages", .timeLimit(.minutes(60)), .enabled(if: SmallWorkshop.isPossible, ModuleWorkshop.isMissing))
struct SMWebControllerTests {
  @Test(
    "SM32: pop tells the delegate the result, and then the page goes; whoever showed the page gets the result, too")
  func pop() async throws {
    let workshop = try WebWorkshop()
    let small = try await workshop.small()
    let presenter = small.host.switchboard.presenter
    let shown = Monitor<[Int]>([])
    let opener = Opener { shown.withLock { $0.append(presenter.state.tabStacks[0].count) } }
    let opened = try await workshop.open(small, from: opener)
    opened.view.post(#"{"type":"invoke","id":1,"method":"pop","parameters":{"ret":"7"}}"#)
    #expect(opener.results.withLock { $0 } == ["7"])
    // The page was still there when the delegate heard of it.
    #expect(shown.withLock { $0 } == [2])
    #expect(presenter.state.tabs == [["home"]])
    // Once.
    expectFailure(await answer(opened.controller.bridge, "pop", ["ret": "8"]), .webClosed)
    #expect(opener.results.withLock { $0 } == ["7"])
    // The delegate may be the object of the page that opens the URI. Results are texts.
    let page = Page("opener", object: opener)
    presenter.push(page)
    for (result, text) in [(SMWebValue.number(7), "7"), (true, "true"), (nil, nil), (["a": 1], #"{"a":1}"#)] {
      let next = try await workshop.open(small, from: page)
      #expect(await answer(next.controller.bridge, "pop", ["ret": result]).value == .null)
      #expect(opener.results.withLock { $0.last } == .some(text))
    }
    let none = try await workshop.open(small)
    #expect(await answer(none.controller.bridge, "pop").value == .null)
    #expect(opener.results.withLock { $0.count } == 5)
  }

  @Test("SM32: the first page of a tab and a page that is not shown do not go, and their delegates hear nothing")
  func root() async throws {
    let workshop = try WebWorkshop()
    let small = try workshop.workshop.small(launchers: [workshop.launcher()])
    try await small.setUp()
    let opener = Opener()
    let root = try await workshop.open(small, from: opener)
    expectFailure(await answer(root.controller.bridge, "pop", ["ret": "7"]), .webClosed)
    #expect(small.host.switchboard.presenter.state.page(root.page) != nil)
    let page = try #require(await small.controller(forUri: "about?x=1"))
    let controller = try #require(page.object as? SMWebController)
    expectFailure(await answer(controller.bridge, "pop", ["ret": "7"]), .webClosed)
    #expect(opener.results.withLock { $0.isEmpty })
  }

  @Test("SM32: closing asks the page's script; false keeps the page, anything else is its result")
  func closing() async throws {
    let workshop = try WebWorkshop()
    let small = try await workshop.small { $0.closeLimit = .seconds(3600) }
    let presenter = small.host.switchboard.presenter
    let opener = Opener()
    let opened = try await workshop.open(small, from: opener)
    // The user wants to go back.
    opened.view.answer("_closing", #"{"stays":true,"result":"false"}"#)
    #expect(!presenter.pop())
    #expect(!presenter.pop())
    #expect(presenter.state.page(opened.page) != nil)
    #expect(opener.results.withLock { $0.isEmpty })
    #expect(opened.view.scripts == ["Small._closing(false)", "Small._closing(false)"])
    // The page has a question first. Whoever says no, or does not answer, keeps the page.
    opened.view.answer("_closing(false)", #"{"question":"Really?"}"#)
    for _ in 0..<2 {
      #expect(!presenter.pop())
      #expect(presenter.state.shownAlert?.title == "Really?")
      #expect(presenter.state.shownAlert?.choices == ["OK"])
      #expect(presenter.choose(0))
    }
    #expect(!presenter.pop() && presenter.state.alert == "Really?")
    // Closing once more while the question is there changes nothing.
    #expect(!presenter.pop() && presenter.state.alert == "Really?")
    opened.view.answer("_closing(true)", #"{"stays":true}"#)
    #expect(presenter.choose(1))
    #expect(opened.view.scripts.last == "Small._closing(true)")
    #expect(presenter.state.page(opened.page) != nil && presenter.state.alert == nil)
    opened.view.answer("_closing(true)", #"{"stays":false,"result":"2"}"#)
    // It closes itself with the answer.
    #expect(!presenter.pop())
    #expect(presenter.choose(1))
    #expect(presenter.state.tabs == [["home"]])
    #expect(opener.results.withLock { $0 } == ["2"])
    // A script that is broken does not keep the page, whatever it says.
    let long = #"{"question":"\#(String(repeating: "?", count: 4097))"}"#
    for broken in [nil, "", "{", "[]", #"{"stays":"true"}"#, #"{"result":7}"#, #"{"question":7}"#, long] {
      let next = try await workshop.open(small, from: opener)
      next.view.answer("_closing", broken)
      presenter.pop()
      #expect(presenter.state.tabs == [["home"]], "\(broken ?? "nil")")
      #expect(opener.results.withLock { $0.last } == .some(nil))
    }
    // A page that is not there yet, or could not be loaded, is not asked.
    let failed = try await workshop.open(small)
    failed.controller.didFailLoad(PluginError(.resourceFailed, "index.html", "is not available"))
    #expect(presenter.pop())
    #expect(failed.view.scripts.isEmpty)
  }

  @Test("SM32: a script that never answers does not keep the page, and cannot answer later")
  func silence() async throws {
    let workshop = try WebWorkshop()
    let small = try await workshop.small { $0.closeLimit = .milliseconds(1) }
    let presenter = small.host.switchboard.presenter
    let opener = Opener()
    let opened = try await workshop.open(small, from: opener)
    opened.view.fallSilent()
    #expect(!presenter.pop())
    _ = await until { presenter.state.page(opened.page) == nil ? true : nil }
    #expect(opener.results.withLock { $0 } == [nil])
  }

  @Test("SM32: a link that the delegate forbids is not opened; others are opened as URIs, and the page stays")
  func links() async throws {
    let workshop = try WebWorkshop(["index.html": WebWorkshop.index, "two.html": "two"])
    let small = try await workshop.small()
    let presenter = small.host.switchboard.presenter
    let runs = Monitor<[SMSender]>([])
    try small.registerAction("share") { sender, _ in runs.withLock { $0.append(sender) } }
    let opener = Opener(forbidding: ["small://share?forbidden"])
    let opened = try await workshop.open(small, from: opener)
    let controller = opened.controller
    #expect(!controller.shouldLoad("small://share?forbidden", by: .link))
    #expect(!controller.shouldLoad("small://share?k=v", by: .link))
    #expect(await workshop.opened(1).map(\.url) == ["small://share?k=v"])
    #expect(opener.links.withLock { $0 } == ["small://share?forbidden", "small://share?k=v"])
    // In the name of the page's module, not of the host.
    #expect(runs.withLock { $0.map(\.owner) } == [.module(WebWorkshop.about)])
    #expect(runs.withLock { $0.first?.object as? SMWebController } === controller)
    // The same document is no other page.
    #expect(controller.shouldLoad(controller.url + "#top", by: .link))
    #expect(controller.shouldLoad(controller.url, by: .reload))
    // What nobody serves is not opened, and files are not either.
    for url in ["foo://x", "file:///etc/passwd", "https://example.com/", "javascript:alert(1)", "smalljs://scan", ""]
    {
      let count = await workshop.opened(0).count
      #expect(!controller.shouldLoad(url, by: .other))
      let result = await workshop.opened(count + 1).last
      guard case .failure = result?.result else {
        Issue.record("\(url) was opened")
        continue
      }
    }
    #expect(presenter.state.tabs == [["home", ""]])
    // A link within the module makes another page, and one to what the module does not have makes none.
    let count = await workshop.opened(0).count
    #expect(!controller.shouldLoad("\(WebWorkshop.origin)/nope.html", by: .link))
    guard case .failure(let error) = await workshop.opened(count + 1).last?.result else {
      Issue.record("a page was made of nothing")
      return
    }
    #expect(error.code == .resourceMissing)
    #expect(!controller.shouldLoad("\(WebWorkshop.origin)/two.html?y=2", by: .form))
    guard case .success(.page(let second, .push)) = await workshop.opened(count + 2).last?.result else {
      Issue.record("no page was pushed")
      return
    }
    #expect((second.object as? SMWebController)?.url == "\(WebWorkshop.origin)/two.html?y=2")
    #expect(second.owner == .module(WebWorkshop.about))
    // A page that is covered opens nothing.
    #expect(!controller.shouldLoad("small://share", by: .link))
    #expect(await workshop.opened(count + 2).count == count + 2)
    #expect(runs.withLock { $0.count } == 1)
  }

  @Test("SM32: before a document is there, it may go on within its module, and nowhere else")
  func redirects() async throws {
    let workshop = try WebWorkshop(["index.html": WebWorkshop.index, "two.html": "two"])
    let small = try await workshop.small()
    let page = try #require(try await small.openUri("about").page)
    let controller = try #require(page.object as? SMWebController)
    controller.didStartLoad()
    #expect(controller.shouldLoad("\(WebWorkshop.origin)/two.html", by: .other))
    #expect(!controller.shouldLoad("https://example.com/", by: .other))
    controller.didFinishLoad()
    #expect(!controller.shouldLoad("\(WebWorkshop.origin)/two.html", by: .other))
  }

  @Test("SM33: a page's title and items are those of its document, also if it says so before it is shown")
  func bar() async throws {
    let workshop = try WebWorkshop()
    let small = try await workshop.small()
    let presenter = small.host.switchboard.presenter
    let ready = #"{"type":"ready","title":"About us","metas":{"right-bar-item":"type=share,onclick=rightBar()"}}"#
    let item = BarItem(.right, kind: "action", action: "rightBar()")
    // The page that was loaded in advance.
    try #require(workshop.views.withLock { $0.first }).post(ready)
    let first = try await workshop.open(small)
    #expect(presenter.state.top == "About us")
    #expect(presenter.state.topPage?.barItems == [item])
    // A tap runs what the page has for it, in the page.
    #expect(presenter.tap(item, on: first.page))
    #expect(first.view.scripts == ["rightBar()"])
    #expect(!presenter.tap(BarItem(.left, title: "other", action: "x()"), on: first.page))
    // A page that is shown already.
    let second = try await workshop.open(small, "about?x=1")
    #expect(presenter.state.top == "")
    second.view.post(#"{"type":"ready","title":"T","metas":{"center-bar-item":"Hi"}}"#)
    #expect(presenter.state.top == "Hi")
    #expect(presenter.state.topPage?.barItems == [BarItem(.center, title: "Hi")])
    // A page that says so after it was made, and before it was shown.
    let page = try #require(await small.controller(forUri: "about?x=2"))
    let controller = try #require(page.object as? SMWebController)
    controller.receive(ready, from: WebWorkshop.origin, isMainFrame: true)
    #expect(page.title == "")
    presenter.push(page)
    #expect(presenter.state.top == "About us")
    #expect(presenter.state.topPage?.barItems == [item])
  }

  @Test("SM34: loading posts that it starts and that it finishes; if it fails, the last notification has the error")
  func notifications() async throws {
    let workshop = try WebWorkshop()
    let small = try await workshop.small()
    let heard = Monitor<[PluginNotification]>([])
    let token = try small.host.switchboard.notifications.observe(owner: .host) { notification in
      heard.withLock { $0.append(notification) }
    }
    defer { token.cancel() }
    #expect(SMWebNotification.didStartLoad == "SMWebViewDidStartLoadNotification")
    #expect(SMWebNotification.didFinishLoad == "SMWebViewDidFinishLoadNotification")
    #expect(SMWebNotification.errorKey == "SMWebViewError")
    let controller = try await workshop.open(small).controller
    #expect(
      heard.withLock { $0.map(\.name) } == [SMWebNotification.didStartLoad, SMWebNotification.didFinishLoad])
    #expect(heard.withLock { $0.allSatisfy { $0.object === controller && $0.userInfo.isEmpty } })
    controller.didStartLoad()
    controller.didFailLoad(PluginError(.resourceFailed, "index.html", "is not available"))
    let last = try #require(heard.withLock { $0.last })
    #expect(heard.withLock { $0.count } == 4)
    #expect(last.name == SMWebNotification.didFinishLoad && last.object === controller)
    #expect((last.userInfo[SMWebNotification.errorKey] as? PluginError)?.code == .resourceFailed)
  }

  @Test("G6: the delegate of a module that is removed hears nothing, and nobody keeps a delegate")
  func delegates() async throws {
    let workshop = try WebWorkshop()
    let main = "\(SmallWorkshop.prefix)app.main"
    let contexts = Monitor<[ModuleContext]>([])
    try workshop.workshop.ship(
      workshop.workshop.app(
        main,
        plugin: SMAppPlugin(principal: MainController.self) { context in contexts.withLock { $0.append(context) } }))
    try workshop.workshop.manifest(
      SmallWorkshop.list(SmallWorkshop.entry("main"), SmallWorkshop.entry("about", "web")))
    let small = try await workshop.small()
    let module = SmallModule(try #require(contexts.withLock { $0.first }))
    let opener = Opener()
    func open() async throws -> SMWebController {
      let page = try #require(try await module.openUri("about", fromController: opener).page)
      return try #require(page.object as? SMWebController)
    }
    let first = try await open()
    #expect(await answer(first.bridge, "pop", ["ret": "1"]).value == .null)
    #expect(opener.results.withLock { $0 } == ["1"])
    let second = try await open()
    // The page is the web module's, so it stays when the one who opened it goes.
    #expect(small.host.unregister(try identifier(main)))
    #expect(await answer(second.bridge, "pop", ["ret": "2"]).value == .null)
    #expect(opener.results.withLock { $0 } == ["1"])
    weak var gone: Opener?
    do {
      let short = Opener()
      gone = short
      _ = try await workshop.open(small, from: short)
    }
    #expect(gone == nil)
  }
}
