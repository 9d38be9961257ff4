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

/// What a page calls.
@Suite(
  "The bridge of Small's pages", .timeLimit(.minutes(60)),
  .enabled(if: SmallWorkshop.isPossible, ModuleWorkshop.isMissing))
struct SMWebBridgeTests {
  /// An application with a page, and a module whose plugin registers methods.
  private func application(
    _ members: String = "", didLoad: @escaping @Sendable (ModuleContext) throws -> Void = { _ in }
  ) async throws -> (workshop: WebWorkshop, small: Small, page: SMWebController, view: FakeView, id: Page.ID) {
    let workshop = try WebWorkshop()
    let main = "\(SmallWorkshop.prefix)app.main"
    try workshop.workshop.ship(
      workshop.workshop.app(
        main, members: #", "pages": [""]"# + members,
        plugin: SMAppPlugin(principal: MainController.self, didLoad: didLoad)))
    try workshop.workshop.manifest(
      SmallWorkshop.list(SmallWorkshop.entry("main"), SmallWorkshop.entry("about", "web")))
    let small = try await workshop.small()
    let (controller, view, id) = try await workshop.open(small)
    return (workshop, small, controller, view, id)
  }

  @Test(
    "SM31: a registered method gets the parameters, and its callback's value is the answer; another one is unknown")
  func registered() async throws {
    let (workshop, small, page, view, _) = try await application()
    let heard = Monitor<[[String: SMWebValue]]>([])
    let senders = Monitor<[SMSender]>([])
    try small.registerJSMethod("scan") { parameters, callback in
      heard.withLock { $0.append(parameters) }
      senders.withLock { $0.append(callback.sender) }
      #expect(callback("42"))
      // The first value counts.
      #expect(!callback("43"))
    }
    let parameters: [String: SMWebValue] = ["kind": "qr", "list": [1, 2.5, true, nil], "deep": ["a": ["b"]]]
    #expect(await answer(page.bridge, "scan", parameters).value == .some("42"))
    #expect(heard.withLock { $0 } == [parameters])
    // It calls in the name of the page's module.
    let sender = try #require(senders.withLock { $0.first })
    #expect(sender.owner == .module(WebWorkshop.about))
    #expect(sender.object as? SMWebController === page)
    for unknown in ["nope", "Scan", "", "a/b", "scan?x", "../scan", "sc an", "*", ":x"] {
      expectFailure(await answer(page.bridge, unknown), .webMethodUnknown)
    }
    // The same by messages, as a page's script sends them.
    view.post(#"{"type":"invoke","id":7,"method":"scan","parameters":{"kind":"bar"}}"#)
    #expect(await view.scripts(1) == [#"Small._answer(7,true,"42")"#])
    view.post(#"{"type":"invoke","id":8,"method":"nope","parameters":{}}"#)
    let script = try #require(await view.scripts(2).last)
    #expect(script.hasPrefix(#"Small._answer(8,false,{"code":"web.method-unknown","#), "\(script)")
    // A later handler takes the place of the first one. Without a value the call fails.
    try small.registerJSMethod("scan") { _, _ in }
    expectFailure(await answer(page.bridge, "scan"), .routeNoAnswer)
    try small.registerJSMethod("scan") { _, callback in callback.fail(PluginError(.webMessage, "scan", "is broken")) }
    expectFailure(await answer(page.bridge, "scan"), .webMessage)
    #expect(workshop.refusals().isEmpty)
  }

  @Test(
    "SM31: confirm answers with the index of the choice, 0 to cancel and 1 and so on; alert waits until it is gone")
  func dialogs() async throws {
    let (_, small, page, _, _) = try await application()
    let presenter = small.host.switchboard.presenter
    let parameters: [String: SMWebValue] = [
      "title": "Sure?", "message": "It is gone then", "cancel": "No", "buttons": ["Yes", "Perhaps"],
    ]
    for index in [0, 1, 2] {
      async let choice = answer(page.bridge, "confirm", parameters)
      let alert = await until { presenter.state.shownAlert }
      #expect(alert.title == "Sure?" && alert.message == "It is gone then")
      #expect(alert.cancel == "No" && alert.choices == ["Yes", "Perhaps"])
      // It is the module's, and goes with it.
      #expect(alert.owner == .module(WebWorkshop.about))
      #expect(!presenter.choose(3))
      #expect(presenter.choose(index))
      #expect(await choice.value == .number(Double(index)))
    }
    async let done = answer(page.bridge, "alert", ["message": "Hi", "ok": "Fine"])
    let alert = await until { presenter.state.shownAlert }
    #expect(alert.title == "Hi" && alert.message == nil && alert.cancel == "Fine" && alert.choices.isEmpty)
    #expect(presenter.choose(0))
    #expect(await done.value == .null)
    // Too much to show.
    let long = SMWebValue.text(String(repeating: "x", count: 4097))
    expectFailure(await answer(page.bridge, "alert", ["message": long]), .webMessage)
    expectFailure(
      await answer(page.bridge, "confirm", ["buttons": .list(Array(repeating: "b", count: 9))]), .webMessage)
    #expect(presenter.state.shownAlert == nil)
    // Nobody else's alert is covered, and a page that is not on top shows none.
    presenter.alert(Alert("The host asks"))
    #expect(await answer(page.bridge, "confirm", parameters).value == .some(0))
    #expect(presenter.state.alert == "The host asks")
    presenter.push("above")
    #expect(await answer(page.bridge, "confirm", parameters).value == .some(0))
    #expect(presenter.state.alert == nil)
  }

  @Test("SM31: nobody takes the place of confirm, alert and pop")
  func builtIn() async throws {
    let codes = Monitor<[PluginError.Code]>([])
    let (_, small, page, _, id) = try await application(#", "routes": ["smalljs://pop", "smalljs://scan"]"#) {
      context in
      for name in ["confirm", "alert", "pop"] {
        do throws(PluginError) {
          try SmallModule(context).registerJSMethod(name) { _, callback in callback("mine") }
        } catch { codes.withLock { $0.append(error.code) } }
      }
      // By its route, without the check.
      try context.register(route: "smalljs://pop") { _ in SMWebValue.text("mine") }
      try SmallModule(context).registerJSMethod("scan") { _, callback in callback("scanned") }
    }
    #expect(codes.withLock { $0 } == Array(repeating: .webMethodReserved, count: 3))
    expectPlugin(.webMethodReserved) { try small.registerJSMethod("pop") { _, callback in callback("host's") } }
    // A module's method is reached, its pop is not.
    #expect(await answer(page.bridge, "scan").value == .some("scanned"))
    #expect(await answer(page.bridge, "pop", ["ret": "7"]).value == .null)
    #expect(small.host.switchboard.presenter.state.page(id) == nil)
    expectFailure(await answer(page.bridge, "pop"), .webClosed)
  }

  @Test(
    "G6: a page reaches no method that a module does not declare, none of a module that is removed, and no other route"
  )
  func gate() async throws {
    let codes = Monitor<[PluginError.Code]>([])
    let (_, small, page, _, _) = try await application(#", "routes": ["smalljs://scan", "smalljs://plain"]"#) {
      context in
      do throws(PluginError) {
        try SmallModule(context).registerJSMethod("steal") { _, callback in callback("stolen") }
      } catch { codes.withLock { $0.append(error.code) } }
      try SmallModule(context).registerJSMethod("scan") { _, callback in callback("scanned") }
      try context.register(route: "smalljs://plain") { _ in "not for pages" }
    }
    #expect(codes.withLock { $0 } == [.routeUndeclared])
    expectFailure(await answer(page.bridge, "steal"), .webMethodUnknown)
    #expect(await answer(page.bridge, "scan").value == .some("scanned"))
    // Only the module has this name.
    expectPlugin(.routeConflict) { try small.registerJSMethod("scan") { _, _ in } }
    // No URL calls a method: a handler for pages declines.
    await #expect(throws: PluginError.self) { try await small.openUri("smalljs://scan") }
    expectRoute(.routeNotFound, "smalljs://scan", of: small.host)
    // A route for everything is no method.
    let caught = Monitor(0)
    try small.host.switchboard.router.register(RoutePattern("*://*rest"), owner: .host) { _ in
      caught.withLock { $0 += 1 }
      return nil
    }
    try small.host.switchboard.router.register(RoutePattern("smalljs://*"), owner: .host) { _ in
      caught.withLock { $0 += 1 }
      return nil
    }
    expectFailure(await answer(page.bridge, "anything"), .webMethodUnknown)
    #expect(caught.withLock { $0 } == 0)
    #expect(small.host.unregister(try identifier("\(SmallWorkshop.prefix)app.main")))
    expectFailure(await answer(page.bridge, "scan"), .webMethodUnknown)
    #expect(caught.withLock { $0 } == 0)
  }

  @Test("messages that are too long, too deep, not messages, or from elsewhere have no effect, and the host is told")
  func hostile() async throws {
    let (workshop, small, page, view, _) = try await application()
    try small.registerJSMethod("scan") { _, callback in callback("42") }
    let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
    let messages = [
      "", "null", "[]", "{}", "x", "{", #"{"type":1}"#, #"{"type":"other"}"#, #"{"type":"invoke"}"#,
      #"{"type":"invoke","id":0,"method":"scan"}"#, #"{"type":"invoke","id":1.5,"method":"scan"}"#,
      #"{"type":"invoke","id":"1","method":"scan"}"#, #"{"type":"invoke","id":1e99,"method":"scan"}"#,
      #"{"type":"invoke","id":1,"id":2,"method":"scan"}"#, #"{"type":"invoke","id":1,"method":7}"#,
      #"{"type":"invoke","id":1,"method":"\#(String(repeating: "m", count: 257))"}"#,
      #"{"type":"invoke","id":1,"method":"scan","parameters":{"a":\#(deep)}}"#,
      #"{"type":"invoke","id":1,"method":"scan","parameters":"\#(String(repeating: "x", count: 1 << 20))"}"#,
    ]
    for (index, message) in messages.enumerated() {
      view.post(message)
      #expect(workshop.refusals() == Array(repeating: .webMessage, count: index + 1), "\(message.prefix(100))")
    }
    let call = #"{"type":"invoke","id":1,"method":"scan","parameters":[1]}"#
    for (origin, isMain) in [
      (WebWorkshop.origin, false), ("https://evil.example", true), ("null", true), ("", true),
      ("\(WebWorkshop.origin).evil.example", true), ("http://\(WebWorkshop.about).invalid", true),
    ] {
      view.post(call, from: origin, isMainFrame: isMain)
    }
    #expect(workshop.refusals().count == messages.count + 6)
    #expect(view.scripts.isEmpty)
    // The same from the page is answered, whatever its parameters are.
    view.post(call, from: WebWorkshop.origin + "/index.html?x=1")
    #expect(await view.scripts(1) == [#"Small._answer(1,true,"42")"#])
    // A title and elements that are too long do not count.
    view.post(#"{"type":"ready","title":"\#(String(repeating: "t", count: 1025))","metas":{"right-bar-item":7}}"#)
    #expect(page.title.isEmpty && page.barItems.isEmpty)
  }

  @Test("a page has at most 64 calls without an answer; a new document has none, and no answer of the old one")
  func limits() async throws {
    let (workshop, small, page, view, _) = try await application()
    let kept = Monitor<[SMJSCallback]>([])
    try small.registerJSMethod("wait") { _, callback in kept.withLock { $0.append(callback) } }
    func call(_ id: Int) { view.post(#"{"type":"invoke","id":\#(id),"method":"wait","parameters":{}}"#) }
    for id in 1...64 { call(id) }
    _ = await until { kept.withLock { $0.count == 64 ? 64 : nil } }
    #expect(workshop.refusals().isEmpty)
    call(65)
    #expect(workshop.refusals() == [.webBusy])
    #expect(view.scripts.map { $0.prefix(24) } == ["Small._answer(65,false,{"])
    // An answer makes room, and a number is used once at a time.
    kept.withLock { $0.removeFirst() }("done")
    let script = try #require(await view.scripts(2).last)
    #expect(script.hasSuffix(#",true,"done")"#))
    let first = try #require(script.split(separator: "(").last?.split(separator: ",").first.flatMap { Int($0) })
    call(first == 1 ? 2 : 1)
    #expect(workshop.refusals() == [.webBusy, .webBusy])
    #expect(view.scripts.count == 2)
    // A new document begins at 1 again. Answers to the old one's calls do not arrive there.
    page.didStartLoad()
    call(1)
    _ = await until { kept.withLock { $0.count == 64 ? 64 : nil } }
    for callback in kept.withLock({ $0.dropLast() }) { callback("late") }
    let last = try #require(kept.withLock { $0.last })
    last("new")
    #expect(await view.scripts(3).last == #"Small._answer(1,true,"new")"#)
    #expect(view.scripts.count == 3)
  }

  @Test("a page that is loaded again and again has no end of calls without an answer")
  func reloads() async throws {
    let (workshop, small, page, view, _) = try await application()
    let kept = Monitor<[SMJSCallback]>([])
    try small.registerJSMethod("wait") { _, callback in kept.withLock { $0.append(callback) } }
    for _ in 0..<10 {
      page.didStartLoad()
      for id in 1...64 { view.post(#"{"type":"invoke","id":\#(id),"method":"wait","parameters":{}}"#) }
    }
    let refused = await until {
      let refused = workshop.refusals()
      return refused.count + kept.withLock { $0.count } == 640 ? refused : nil
    }
    #expect(refused.count == 640 - 256 && refused.allSatisfy { $0 == .webBusy })
    // Answers make room, even if nobody hears them any more.
    for callback in kept.withLock({ $0 }) { callback("late") }
    page.didStartLoad()
    view.post(#"{"type":"invoke","id":1,"method":"wait","parameters":{}}"#)
    _ = await until { kept.withLock { $0.count == 257 ? 257 : nil } }
  }

  @Test("a value is a script in which no text ends early, and JSON that reads the same again")
  func values() throws {
    let hostile: SMWebValue = [
      "a": .text("</script>\u{2028}\u{2029}\"\\'\u{0}\n\u{7f}家"),
      "b": [.number(.nan), .number(-0.5), 1e300, 9007199254740991],
      "</script>": nil,
    ]
    let json = hostile.json
    #expect(!json.contains("<") && !json.contains("\u{2028}") && !json.contains("\n"))
    let again = try SMWebValue(json: json, limits: SMWebMessage.limits)
    #expect(again.object?["a"] == hostile.object?["a"])
    #expect(again.object?["b"] == [nil, -0.5, 1e300, 9007199254740991])
    #expect(try SMWebValue(json: again.json, limits: SMWebMessage.limits) == again)
  }
}
