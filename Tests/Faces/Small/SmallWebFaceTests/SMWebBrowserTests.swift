import Foundation
import PluginHost
import PluginKit
import Signet
import SignetBase
import SignetCrypto
import SignetSystem
import SmallRuntimeFace
import TestSupport
import Testing

@testable import HostTestSupport
@testable import SmallTestSupport
@testable import SmallWebFace

/// Pages of a verified module in a real browser.
@Suite(
  "Small's pages in a browser", .serialized, .timeLimit(.minutes(60)),
  .enabled(if: SmallWorkshop.isPossible, ModuleWorkshop.isMissing),
  .enabled(if: Chromium.program != nil, "needs chromium"))
struct SMWebBrowserTests {
  private static let index = """
    <!doctype html>
    <html>
    <head>
    <meta charset="utf-8">
    <title>About us</title>
    <meta name="left-bar-item" content="type=stop,onclick='tapped(1, 2)'">
    <meta name="right-bar-item" content="type=share,onclick=rightBar()">
    <link rel="stylesheet" href="styles/base.css">
    <script src="app.js"></script>
    </head>
    <body>
    <a id="share" href="small://share?k=v">Share</a>
    <a id="forbidden" href="small://share?forbidden">Forbidden</a>
    <a id="two" href="two.html?y=2">Two</a>
    <a id="web" href="https://example.com/page">Web</a>
    </body>
    </html>
    """
  private static let script = """
    let heard = [];
    const rightBar = () => { heard.push("right"); };
    const tapped = (a, b) => { heard.push(a + b); };
    """
  private static let files = [
    "index.html": index, "app.js": script, "styles/base.css": "body { color: rgb(1, 2, 3) }",
    "two.html": "<!doctype html><title>Two</title><script>window.onclose = () => false;</script>",
  ]

  /// An application whose pages are in a browser.
  private struct Application {
    let browser: Chromium
    let workshop: WebWorkshop
    let small: Small
    let heard = Monitor<[PluginNotification]>([])
    var presenter: Presenter { small.host.switchboard.presenter }

    init(_ files: [String: String] = SMWebBrowserTests.files) async throws {
      let browser = try Chromium()
      self.browser = browser
      workshop = try WebWorkshop(files)
      small = try await workshop.small { configuration in
        configuration.loadsInAdvance = false
        configuration.closeLimit = .seconds(3600)
        configuration.makeView = { ChromiumView($0, in: browser) }
      }
      _ = try small.host.switchboard.notifications.observe(owner: .host) { [heard] notification in
        heard.withLock { $0.append(notification) }
      }
    }

    /// The next page, when it has been loaded or could not be.
    func open(
      _ uri: String, from object: (any Sendable)? = nil
    ) async throws -> (controller: SMWebController, view: ChromiumView, page: Page.ID) {
      let page = try #require(try await small.openUri(uri, fromController: object).page)
      return try await loaded(page)
    }

    func loaded(
      _ page: Page
    ) async throws -> (controller: SMWebController, view: ChromiumView, page: Page.ID) {
      let controller = try #require(page.object as? SMWebController)
      _ = await until { notifications(of: controller).last { $0.name == SMWebNotification.didFinishLoad } }
      return (controller, try #require(controller.view as? ChromiumView), page.id)
    }

    func notifications(of controller: SMWebController) -> [PluginNotification] {
      heard.withLock { $0.filter { $0.object === controller } }
    }
  }

  /// Runs a test with a browser of its own.
  private func run(
    _ files: [String: String] = files, _ body: (Application) async throws -> Void
  ) async throws {
    let application = try await Application(files)
    defer { application.browser.end() }
    try await body(application)
  }

  /// The text that a script's value is, once there is one.
  private func text(_ script: String, in view: ChromiumView) async -> String {
    while true {
      let text = await withCheckedContinuation { continuation in
        view.evaluate("(() => { const value = \(script); return value == null ? null : String(value); })()") {
          continuation.resume(returning: $0)
        }
      }
      if let text { return text }
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  @Test(
    "SM30 SM33 SM34: a browser shows a page of the module's bytes, with its query, its bar items and two notifications"
  )
  func shows() async throws {
    try await run { application in
      let opened = try await application.open("about?x=1&y=a%20b")
      #expect(
        application.notifications(of: opened.controller).map(\.name)
          == ["SMWebViewDidStartLoadNotification", "SMWebViewDidFinishLoadNotification"])
      #expect(application.notifications(of: opened.controller).allSatisfy { $0.userInfo.isEmpty })
      #expect(await text("location.href", in: opened.view) == "\(WebWorkshop.origin)/index.html?x=1&y=a%20b")
      #expect(await text("new URLSearchParams(location.search).get('y')", in: opened.view) == "a b")
      #expect(await text("getComputedStyle(document.body).color", in: opened.view) == "rgb(1, 2, 3)")
      let left = BarItem(.left, kind: "stop", action: "tapped(1, 2)")
      let right = BarItem(.right, kind: "action", action: "rightBar()")
      _ = await until { application.presenter.state.top == "About us" ? true : nil }
      #expect(application.presenter.state.topPage?.barItems == [left, right])
      #expect(application.presenter.tap(right, on: opened.page))
      #expect(application.presenter.tap(left, on: opened.page))
      #expect(await text("heard.length === 2 ? heard.join() : null", in: opened.view) == "right,3")
      #expect(opened.view.requests.allSatisfy { $0.hasPrefix(WebWorkshop.origin + "/") })
    }
  }

  @Test("SM31: a page in a browser calls methods by Small.invoke, and its callbacks and promises get the answers")
  func calls() async throws {
    try await run { application in
      let heard = Monitor<[[String: SMWebValue]]>([])
      try application.small.registerJSMethod("scan") { parameters, callback in
        heard.withLock { $0.append(parameters) }
        callback(["code": "家</script>\u{2028}", "list": [1, nil, true, 0.5]])
      }
      let view = try await application.open("about").view
      #expect(
        await text(
          "Small.invoke('scan', {kind: 'qr', deep: {a: [1, null]}}, (value) => { window.answer = value; })", in: view)
          == "[object Promise]")
      #expect(await text("window.answer && JSON.stringify(window.answer.list)", in: view) == "[1,null,true,0.5]")
      #expect(await text("window.answer.code", in: view) == "家</script>\u{2028}")
      #expect(heard.withLock { $0 } == [["kind": "qr", "deep": ["a": [1, nil]]]])
      // An unknown method fails; a page that does not look at the promise is not disturbed by it.
      _ = await text("Small.invoke('nope').catch((error) => { window.fault = error.code; })", in: view)
      #expect(await text("window.fault", in: view) == "web.method-unknown")
      // The methods that every page has.
      _ = await text(
        "Small.invoke('confirm', {message: 'Sure?', cancel: 'No', buttons: ['Yes', 'Perhaps']}, (index) => { window.index = index; })",
        in: view)
      let alert = await until { application.presenter.state.shownAlert }
      #expect(alert.title == "Sure?" && alert.cancel == "No" && alert.choices == ["Yes", "Perhaps"])
      #expect(application.presenter.choose(2))
      #expect(await text("window.index", in: view) == "2")
      _ = await text(
        "Small.invoke('alert', {title: 'T', message: 'M', ok: 'Fine'}).then(() => { window.done = 1; })", in: view)
      #expect(await until { application.presenter.state.shownAlert }.message == "M")
      #expect(application.presenter.choose(0))
      #expect(await text("window.done", in: view) == "1")
    }
  }

  @Test("SM32: pop and window.close give the result to the delegate; a page whose onclose returns false stays")
  func closing() async throws {
    try await run { application in
      let opener = Opener()
      func isGone(_ page: Page.ID) async {
        _ = await until { application.presenter.state.page(page) == nil ? true : nil }
      }
      let first = try await application.open("about?1", from: opener)
      _ = await text("Small.invoke('pop', {ret: '7'})", in: first.view)
      await isGone(first.page)
      #expect(opener.results.withLock { $0 } == ["7"])
      // The script closes the page itself.
      let second = try await application.open("about?2", from: opener)
      _ = await text("(window.onclose = () => '2', window.close(), 1)", in: second.view)
      await isGone(second.page)
      #expect(opener.results.withLock { $0 } == ["7", "2"])
      // The user goes back. First the script refuses, then it asks, and then it agrees.
      let third = try await application.open("about?3", from: opener)
      _ = await text("(window.onclose = () => { heard.push('asked'); return false; }, 1)", in: third.view)
      #expect(!application.presenter.pop())
      #expect(await text("heard.join()", in: third.view) == "asked")
      _ = await text("window.close() ?? 1", in: third.view)
      #expect(await text("heard.join()", in: third.view) == "asked,asked")
      #expect(application.presenter.state.page(third.page) != nil)
      // It asks the user first, whether the user goes back or the script closes the page.
      _ = await text("(window.onclose = () => '3', window.onbeforeclose = () => 'Really?', 1)", in: third.view)
      #expect(!application.presenter.pop())
      #expect(await until { application.presenter.state.shownAlert }.title == "Really?")
      #expect(application.presenter.choose(0))
      _ = await text("window.close() ?? 1", in: third.view)
      #expect(await until { application.presenter.state.shownAlert }.title == "Really?")
      #expect(application.presenter.choose(0))
      #expect(await text("heard.join()", in: third.view) == "asked,asked")
      #expect(application.presenter.state.page(third.page) != nil)
      #expect(!application.presenter.pop())
      _ = await until { application.presenter.state.shownAlert }
      #expect(application.presenter.choose(1))
      await isGone(third.page)
      #expect(opener.results.withLock { $0 } == ["7", "2", "3"])
      #expect(application.presenter.state.tabs == [["home"]])
    }
  }

  @Test("SM32: a link in a browser is opened by Small unless the delegate forbids it, and the page stays where it is")
  func links() async throws {
    try await run { application in
      let runs = Monitor<[String: String]?>(nil)
      try application.small.registerAction("share") { _, parameters in runs.withLock { $0 = parameters } }
      let forbidden = "small://share?forbidden"
      let opener = Opener(forbidding: [forbidden])
      let opened = try await application.open("about", from: opener)
      for link in ["forbidden", "share"] {
        _ = await text("(document.getElementById('\(link)').click(), 1)", in: opened.view)
      }
      #expect(await application.workshop.opened(1).map(\.url) == ["small://share?k=v"])
      #expect(runs.withLock { $0 } == ["k": "v"])
      #expect(opener.links.withLock { $0 } == [forbidden, "small://share?k=v"])
      // The host does not show the web.
      _ = await text("(document.getElementById('web').click(), 1)", in: opened.view)
      guard case .failure(let error) = await application.workshop.opened(2).last?.result else {
        Issue.record("the web was opened")
        return
      }
      #expect(error.code == .routeNotFound)
      #expect(await text("location.href", in: opened.view) == "\(WebWorkshop.origin)/index.html")
      _ = await text("(document.getElementById('two').click(), 1)", in: opened.view)
      guard case .success(.page(let second, .push)) = await application.workshop.opened(3).last?.result else {
        Issue.record("no page was pushed")
        return
      }
      let next = try await application.loaded(second)
      #expect(await text("location.href", in: next.view) == "\(WebWorkshop.origin)/two.html?y=2")
      _ = await until { application.presenter.state.tabs == [["home", "About us", "Two"]] ? true : nil }
      #expect(await text("location.href", in: opened.view) == "\(WebWorkshop.origin)/index.html")
    }
  }

  @Test(
    "G6 SM34: a browser gets no byte of a file that was changed; a page that fails says so in the last notification")
  func tampered() async throws {
    try await run { application in
      let folder = application.workshop.workshop.workshop.path + "/modules/\(WebWorkshop.about)"
      let release = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
      // A script is missing, and the page is there.
      try flip("\(folder)/\(release)/files/app.js") { $0 / 2 }
      let opened = try await application.open("about?1")
      #expect(await text("typeof rightBar", in: opened.view) == "undefined")
      #expect(await text("getComputedStyle(document.body).color", in: opened.view) == "rgb(1, 2, 3)")
      try flip("\(folder)/\(release)/files/index.html") { $0 / 2 }
      let failed = try await application.open("about?2")
      #expect(
        application.notifications(of: failed.controller).map(\.name)
          == [SMWebNotification.didStartLoad, SMWebNotification.didFinishLoad])
      let last = try #require(application.notifications(of: failed.controller).last)
      let error = try #require(last.userInfo[SMWebNotification.errorKey] as? PluginError)
      #expect(error.code == .resourceFailed)
      #expect((error.cause as? SignetError)?.code == .digestMismatch)
      #expect(await text("document.getElementById('share') === null", in: failed.view) == "true")
      // A page that could not be loaded does not have to agree.
      #expect(application.presenter.pop())
    }
  }

  @Test("G6: a hostile page in a browser reaches no other origin, no file, no method by a frame, and no other module")
  func hostile() async throws {
    try await run { application in
      let calls = Monitor(0)
      try application.small.registerJSMethod("scan") { _, callback in
        calls.withLock { $0 += 1 }
        callback("scanned")
      }
      let view = try await application.open("about").view
      _ = await text("(window.results = {}, 1)", in: view)
      let places = [
        "https://example.com/", "file:///etc/passwd", "../../../../etc/passwd", "/styles/%2e%2e/%2e%2e/module.json",
        "https://net.wequick.example.small.app.main.invalid/index.html", "/module.json", "http://127.0.0.1:1/",
      ]
      for place in places {
        _ = await text(
          "fetch('\(place)').then((answer) => 'got ' + answer.status, () => 'nothing')"
            + ".then((result) => { results['\(place)'] = result; })", in: view)
      }
      for place in places { #expect(await text("results['\(place)']", in: view) == "nothing", "\(place)") }
      _ = await text(
        "(() => { const socket = new WebSocket('wss://example.com/');"
          + " socket.onerror = () => { results.socket = 'closed'; }; return 1; })()", in: view)
      #expect(await text("results.socket", in: view) == "closed")
      // A frame of the page has the function that posts, and nobody listens to it.
      let call = #"{"type":"invoke","id":1,"method":"scan","parameters":{}}"#
      _ = await text(
        "(() => { const frame = document.createElement('iframe'); frame.srcdoc = '<p>';"
          + " frame.onload = () => { results.frame = typeof frame.contentWindow.Small;"
          + " frame.contentWindow.smallPost('\(call)'); results.posted = 1; };"
          + " document.body.append(frame); return 1; })()", in: view)
      #expect(await text("results.posted", in: view) == "1")
      #expect(await text("results.frame", in: view) == "undefined")
      _ = await until { application.workshop.refusals().contains(.webMessage) ? true : nil }
      #expect(calls.withLock { $0 } == 0)
      // By itself it may post what it likes: each text is a call, or nothing.
      for text in ["", "x", "{}", #"{"type":"invoke"}"#] {
        _ = await self.text("smallPost(\(SMWebValue.text(text).json)) ?? 1", in: view)
      }
      _ = await until { application.workshop.refusals().count == 5 ? true : nil }
      _ = await text("Small.invoke('scan', {}, (value) => { results.scan = value; })", in: view)
      #expect(await text("results.scan", in: view) == "scanned")
      #expect(calls.withLock { $0 } == 1)
      // A script cannot take the bridge's place.
      #expect(await text("(Small = 1, Small.invoke = 1, typeof Small.invoke)", in: view) == "function")
    }
  }

  @Test("G6: a page in a browser sets no cookie that a page of another module reads")
  func cookies() async throws {
    try await run { application in
      let other = "com.evil.about"
      let modules = application.workshop.workshop
      try modules.shipAssets(other, files: ["index.html": "<!doctype html><title>Evil</title>"])
      try modules.manifest(
        SmallWorkshop.list(SmallWorkshop.entry("about", "web"), #"{"uri": "evil", "pkg": "\#(other)"}"#), 2)
      try await application.small.setUp()
      let evil = try await application.open("evil").view
      let cookie = "'session=evil; domain=about.invalid; path=/; secure'"
      _ = await text("(document.cookie = \(cookie), 1)", in: evil)
      _ = await text(
        "(() => { const frame = document.createElement('iframe'); frame.srcdoc = '<p>';"
          + " frame.onload = () => { try { frame.contentDocument.cookie = \(cookie); } catch {} window.done = 1; };"
          + " document.documentElement.append(frame); return 1; })()", in: evil)
      #expect(await text("window.done", in: evil) == "1")
      let view = try await application.open("about").view
      #expect(await text("document.cookie", in: view) == "")
      _ = await text("(localStorage.seen = 'about', 1)", in: view)
      #expect(await text("localStorage.seen", in: view) == "about")
      #expect(await text("String(localStorage.seen)", in: evil) == "undefined")
    }
  }
}
