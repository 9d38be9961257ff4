import PluginKit
import Testing

@Suite("What modules register") struct SwitchboardTests {
  private func module(_ switchboard: Switchboard) throws -> ModuleContext {
    try switchboard.context(
      for: ModuleDeclaration(
        identifier: "com.example.m", routes: ["ui://page/:id", "ui://list(/:filter)"],
        targets: ["T": ["open": false, "reset": true]], services: ["AgeGreeter"]))
  }

  @Test(
    "what the description does not name is refused",
    arguments: [
      "ui://page", "ui://page/:id.html", "ui://page/*", "ui://other/:id", "x://page/:id", "ui://page/7", "ui://*",
    ])
  func undeclaredRoutes(_ route: String) throws {
    let switchboard = Switchboard()
    expectPluginError(.routeUndeclared) { try module(switchboard).register(route: route) { _ in nil } }
    #expect(switchboard.table.isEmpty)
  }

  @Test(
    "what the description names is taken, and ways to read it",
    arguments: [
      "ui://page/:id", "ui://page/:other", "UI://page/:id/", "ui://list", "ui://list/:x", "ui://list(/:x)",
    ])
  func declaredRoutes(_ route: String) throws {
    let switchboard = Switchboard()
    try module(switchboard).register(route: route) { _ in 1 }
    #expect(switchboard.table.map(\.owner) == ["com.example.m"])
  }

  @Test("a resource that is not what was signed any more is another failure than one that is not there")
  func failedResource() throws {
    struct Changed: Error {}
    let switchboard = Switchboard()
    let declaration = try ModuleDeclaration(identifier: "com.example.m")
    let module = switchboard.context(for: declaration) { path throws in
      if path == "changed" { throw Changed() }
      return path == "good" ? [1, 2] : nil
    }
    #expect(try module.resource("good") == [1, 2])
    expectPluginError(.resourceMissing) { try module.resource("bad") }
    expectPluginError(.resourceFailed) { try module.resource("changed") }
    expectPluginError(.resourceMissing) { try switchboard.context(for: declaration).resource("good") }
  }

  @Test("targets, actions and services have to be declared, and what is declared for code alone has to be that")
  func undeclared() throws {
    let switchboard = Switchboard()
    let module = try module(switchboard)
    func register(_ target: String, _ action: String, isLocal: Bool = false) throws {
      try module.register(target: target, make: { 1 }) { $0.add(action, isLocal: isLocal) { _, _ in nil } }
    }
    expectPluginError(.targetUndeclared) { try register("Other", "open") }
    expectPluginError(.targetUndeclared) { try register("T", "other") }
    expectPluginError(.targetUndeclared) { try register("T", "reset") }
    expectPluginError(.serviceUndeclared) { try module.provide((any First).self) { Both() } }
    #expect(switchboard.table.isEmpty)
    try register("T", "reset", isLocal: true)
    #expect(switchboard.table.map(\.pattern) == ["T.reset"])
  }

  @Test("a module takes single routes away, and calls actions by name, with one value and by URL")
  func single() throws {
    let switchboard = Switchboard()
    let module = try module(switchboard)
    let registration = try module.register(route: "ui://page/:id") { _ in 1 }
    #expect(module.canOpen("ui://page/1") && module.remove(registration) && !module.remove(registration))
    #expect(!module.canOpen("ui://page/1"))
    try module.register(target: "T", make: { 1 }) { actions in
      actions.add("open") { _, input in input.text("name") }
      actions.add("reset", taking: Int.self) { _, value in value + 1 }
    }
    #expect(try module.perform("open", on: "T", with: ["name": "x", "age": 5]) as? String == "x")
    #expect(try module.perform("reset", on: "T", value: 1) as? Int == 2)
    #expect(try module.perform("app://T/open?name=y") as? String == "y")
    expectPluginError(.actionLocal) { try module.perform("app://T/reset?value=1") }
  }

  private func registerAll(_ module: ModuleContext, _ heard: Heard) throws {
    try module.register(route: "ui://page/:id", priority: 3) { _ in heard.add("route") }
    try module.register(target: "T", make: { 1 }) { $0.add("open") { _, _ in heard.add("action") } }
    try module.provide((any AgeGreeter).self) { Greeting() }
    try module.observe(notification: nil) { _ in heard.add("notification") }
    try module.observe(.didBecomeActive) { _ in heard.add("event") }
  }

  @Test("everything is listed with its owner, also as JSON")
  func table() throws {
    let switchboard = Switchboard()
    try registerAll(module(switchboard), Heard())
    try switchboard.router.register(RoutePattern("ui://a\"b"), owner: .host) { _ in nil }
    #expect(
      switchboard.tableJSON == """
        [
          {"kind":"route","owner":"com.example.m","pattern":"ui://page/:id","priority":3},
          {"kind":"route","owner":"host","pattern":"ui://a\\"b","priority":0},
          {"kind":"action","owner":"com.example.m","pattern":"T.open","priority":0},
          {"kind":"service","owner":"com.example.m","pattern":"AgeGreeter","priority":0},
          {"kind":"notification","owner":"com.example.m","pattern":"*","priority":0},
          {"kind":"event","owner":"com.example.m","pattern":"didBecomeActive","priority":0}
        ]

        """)
    #expect(Switchboard().tableJSON == "[]\n")
  }

  @Test("CS5, G6: one call removes everything of a module, and it can register nothing any more")
  func removing() throws {
    let switchboard = Switchboard()
    let module = try module(switchboard)
    let heard = Heard()
    try registerAll(module, heard)
    switchboard.events.start()
    #expect(try switchboard.router.open("ui://page/1") as? Void != nil)
    _ = try switchboard.targets.perform("open", on: "T")
    #expect(switchboard.services.resolve((any AgeGreeter).self) != nil)
    try switchboard.notifications.post("didBecomeActive")
    #expect(heard.all == ["route", "action", "notification", "event"])
    switchboard.removeAll(ownedBy: module.owner)
    #expect(switchboard.table.filter { $0.owner == "com.example.m" }.isEmpty)
    expectPluginError(.routeNotFound) { try switchboard.router.open("ui://page/1") }
    expectPluginError(.targetNotFound) { try switchboard.targets.perform("open", on: "T") }
    #expect(switchboard.services.resolve((any AgeGreeter).self) == nil)
    try switchboard.notifications.post("didBecomeActive")
    #expect(heard.all.count == 4)
    expectPluginError(.moduleRemoved) { try module.register(route: "ui://page/:id") { _ in nil } }
    expectPluginError(.moduleRemoved) {
      try module.register(target: "T", make: { 1 }) { $0.add("open") { _, _ in nil } }
    }
    expectPluginError(.moduleRemoved) { try module.provide((any AgeGreeter).self) { Greeting() } }
    expectPluginError(.moduleRemoved) { try module.observe(.didBecomeActive) { _ in } }
    expectPluginError(.moduleRemoved) { try module.observe(notification: nil) { _ in } }
  }

  @Test("the host's entries go by the same call, and the bus that makes events of notifications stays")
  func removingHost() throws {
    let switchboard = Switchboard()
    let heard = Heard()
    try switchboard.router.register(RoutePattern("ui://x"), owner: .host) { _ in nil }
    _ = try switchboard.notifications.observe("n", owner: .host) { _ in heard.add("notification") }
    _ = try switchboard.events.observe(.willTerminate, owner: .host) { _ in heard.add("event") }
    switchboard.events.start()
    #expect(switchboard.table.map(\.kind) == [.route, .notification, .event])
    switchboard.removeAll(ownedBy: .host)
    #expect(switchboard.table.isEmpty)
    try switchboard.notifications.post("n")
    try switchboard.notifications.post("willTerminate")
    #expect(heard.all.isEmpty)
    _ = try switchboard.events.observe(.willTerminate, owner: .host) { _ in heard.add("again") }
    try switchboard.notifications.post("willTerminate")
    #expect(heard.all == ["again"])
  }

  @Test("PA2, PA3: a resource is found by its name or what it begins with, each time anew; one name has one owner")
  func resources() throws {
    let switchboard = Switchboard()
    let heard = Heard()
    try switchboard.router.register(
      RoutePattern("ui://wechat"), owner: .module("com.example.wechat"), allowsFallback: true
    ) { request in
      heard.add(request.url.text)
      return "wechat"
    }
    #expect(switchboard.router.object(for: "ui://wechat") as? String == "wechat")
    #expect(switchboard.router.object(for: "ui://wechat/pay?x=1") as? String == "wechat")
    #expect(switchboard.router.object(for: "ui://other") == nil)
    #expect(heard.all == ["ui://wechat", "ui://wechat/pay?x=1"])
    expectPluginError(.routeConflict) {
      try switchboard.router.register(RoutePattern("ui://wechat"), owner: .module("com.example.other")) { _ in nil }
    }
  }

  @Test("CS4: the example of the four schemes by notification, between two modules")
  func notification() throws {
    let switchboard = Switchboard()
    let one = try module(switchboard)
    let other = try switchboard.context(for: ModuleDeclaration(identifier: "com.example.other"))
    let heard = Heard()
    try other.observe(notification: "answer") { heard.add("\($0.userInfo["text"] ?? "")") }
    try one.observe(notification: "ask") { note in
      try? one.post("answer", userInfo: ["text": "\(note.userInfo["name"] ?? "")\(note.userInfo["age"] ?? "")岁啦"])
    }
    try other.post("ask", userInfo: ["name": "BJHL", "age": 5])
    #expect(heard.all == ["BJHL5岁啦"])
  }
}

@Suite("What is shown") struct PresenterTests {
  @Test("CT12: pages go onto the stack that is seen; an alert goes first")
  func stacks() {
    let presenter = Presenter(tabs: 2)
    presenter.select(tab: 1)
    presenter.push("a")
    #expect(presenter.state.tabs == [[], ["a"]])
    presenter.alert("sure?")
    presenter.present("sheet")
    #expect(presenter.state.alert == nil)
    presenter.push("b")
    #expect(presenter.state.sheets == [["sheet", "b"]])
    #expect(presenter.state.top == "b")
    #expect(presenter.pop())
    #expect(!presenter.pop())
    #expect(presenter.dismiss())
    #expect(!presenter.dismiss())
    #expect(presenter.state.top == "a")
    #expect(!presenter.select(tab: 2))
  }

  @Test("each change is told, and what changes nothing is not")
  func changes() {
    let presenter = Presenter()
    let heard = Heard()
    presenter.onChange { heard.add($0.top ?? "nothing") }
    presenter.push("a")
    presenter.pop()
    presenter.dismiss()
    presenter.push("b")
    presenter.pop()
    #expect(heard.all == ["a", "b", "a"])
  }
}
