import CSignetPlugin
import PluginKit
import Testing

private func text(_ string: StaticString) -> signet_text {
  signet_text(
    bytes: UnsafeRawPointer(string.utf8Start).assumingMemoryBound(to: CChar.self), count: string.utf8CodeUnitCount)
}

/// A table that functions of C get at: they capture nothing.
private let heard = Heard()
private nonisolated(unsafe) var firstHost: UnsafePointer<signet_host>?
private nonisolated(unsafe) var firstReply: signet_reply = 0

@Suite("modules keep to themselves") struct ModuleBoundaryTests {
  @Test("a plugin in C cannot answer for another's handler")
  func replies() throws {
    let switchboard = Switchboard()
    func module(_ name: String) throws -> ModuleDeclaration {
      try ModuleDeclaration(identifier: "com.example.\(name)", routes: ["ui://\(name)"])
    }
    // The first keeps its reply, and answers later.
    try switchboard.enter(
      { _, plugin in
        plugin?.pointee.did_load = { _, host in
          let table = host!.pointee
          return table.register_route(
            table.context, text("ui://a"), 0, 0, { _, _, reply in firstReply = reply }, nil, nil)
        }
        return Int32(SIGNET_OK)
      }, module("a"))
    // The second has nothing but its own table, and numbers.
    try switchboard.enter(
      { _, plugin in
        plugin?.pointee.did_load = { _, host in
          firstHost = host
          return Int32(SIGNET_OK)
        }
        return Int32(SIGNET_OK)
      }, module("b"))
    let answers = Heard()
    switchboard.router.open("ui://a", limit: .seconds(3600)) { answers.add("\($0)") }
    let host = try #require(firstHost).pointee
    #expect(host.fail(host.context, firstReply, text("stolen")) == 0)
    #expect(host.fail(nil, firstReply, text("stolen by nobody")) == 0)
    #expect(answers.all.isEmpty)
  }

  @Test("release is called for a handler that was not taken, also where there was none")
  func release() throws {
    let before = heard.all.count
    try Switchboard().enter(
      { _, plugin in
        plugin?.pointee.did_load = { _, host in
          let table = host!.pointee
          let release: signet_release = { _ in heard.add("released") }
          _ = table.register_route(table.context, text("ui://m"), 0, 0, nil, nil, release)
          _ = table.register_action(table.context, text("T"), text("a"), 0, nil, nil, release)
          _ = table.observe(table.context, text("n"), 0, nil, nil, release, nil)
          return Int32(SIGNET_OK)
        }
        return Int32(SIGNET_OK)
      }, ModuleDeclaration(identifier: "com.example.m", routes: ["ui://m"]))
    #expect(heard.all.count - before == 3)
  }

  @Test("a second module of an identifier does not take the first with it when it fails")
  func sameIdentifier() throws {
    let switchboard = Switchboard()
    let declaration = try ModuleDeclaration(identifier: "com.example.m", routes: ["ui://m"])
    try switchboard.enter(
      { _, plugin in
        plugin?.pointee.did_load = { _, host in
          let table = host!.pointee
          return table.register_route(table.context, text("ui://m"), 0, 0, { _, _, _ in }, nil, nil)
        }
        return Int32(SIGNET_OK)
      }, declaration)
    #expect(switchboard.router.canOpen("ui://m"))
    expectPluginError(.moduleEntered) { try switchboard.enter({ _, _ in Int32(SIGNET_ERROR_FAILED) }, declaration) }
    #expect(switchboard.router.canOpen("ui://m"))
  }

  @Test("a module cannot take the host's screen, nor keep it when it is removed")
  func presenter() throws {
    let switchboard = Switchboard()
    let host = Heard()
    switchboard.presenter.onChange { host.add($0.top ?? "none") }
    let context = switchboard.context(for: try ModuleDeclaration(identifier: "com.example.m"))
    switchboard.removeAll(ownedBy: context.owner)
    switchboard.presenter.push("secret")
    #expect(host.all == ["secret"])
    context.presenter.push("after the end")
    #expect(switchboard.presenter.state.top == "secret")
  }

  @Test("what is done for missing actions does not serve those that are declared for code alone, nor undeclared ones")
  func notFound() throws {
    let switchboard = Switchboard()
    let context = switchboard.context(
      for: try ModuleDeclaration(identifier: "com.example.m", targets: ["T": ["play": false, "wipe": true]]))
    try context.register(target: "T", make: { true }) { actions in
      actions.notFound { _, name, _ in "ran \(name)" }
    }
    expectPluginError(.actionLocal) { try switchboard.targets.perform("x://T/wipe") }
    expectPluginError(.actionNotFound) { try switchboard.targets.perform("x://T/undeclared") }
    // A target is in the table, whatever it has.
    #expect(switchboard.table.contains { $0.pattern.hasPrefix("T") })
  }

  @Test("a module with one route cannot use up all priorities")
  func priorities() throws {
    let switchboard = Switchboard()
    let context = switchboard.context(
      for: try ModuleDeclaration(identifier: "com.example.m", routes: ["ui://mine"]))
    for priority in 1...4 { try context.register(route: "ui://mine", priority: priority) { _ in nil } }
    expectPluginError(.routePriorities) { try context.register(route: "ui://mine", priority: 5) { _ in nil } }
    try context.register(route: "ui://mine") { _ in nil }
    for priority in 5...64 {
      try switchboard.router.register(RoutePattern("ui://host"), owner: .host, priority: priority) { _ in nil }
    }
    expectPluginError(.routePriorities) {
      try switchboard.router.register(RoutePattern("ui://host"), owner: .host, priority: 65) { _ in nil }
    }
    // Those that are there, and 0, are for everybody.
    let late = switchboard.context(for: try ModuleDeclaration(identifier: "com.example.late", routes: ["ui://late"]))
    for priority in [0, 64] { try late.register(route: "ui://late", priority: priority) { _ in nil } }
  }

  @Test("a module's priority puts nothing of it before others: not before their patterns, not before all of a scheme")
  func precedence() throws {
    let switchboard = Switchboard()
    func context(_ name: String) throws -> ModuleContext {
      switchboard.context(
        for: try ModuleDeclaration(
          identifier: "com.example.\(name)",
          routes: ["ui://pay/:id", "ui://*", "ui://:any", "ui://gate", "ui://a(/:b)"]))
    }
    let (one, other) = (try context("one"), try context("other"))
    try one.register(route: "ui://pay/:id", priority: 2) { _ in "one" }
    for priority in [1, 2, 3, -1] {
      expectPluginError(.routeConflict) {
        try other.register(route: "ui://pay/:number", priority: priority) { _ in "other" }
      }
    }
    try one.register(route: "ui://pay/:id", priority: 3) { _ in "one, first" }
    #expect(try switchboard.router.open("ui://pay/7") as? String == "one, first")
    for pattern in ["ui://*", "ui://:any"] {
      expectPluginError(.routePriorities) { try other.register(route: pattern, priority: 1) { _ in "other" } }
      try other.register(route: pattern) { _ in "other" }
    }
    // The host comes before whom it likes, and nobody before the host.
    try switchboard.router.register(RoutePattern("ui://gate"), owner: .host, priority: 5) { _ in "host" }
    try other.register(route: "ui://gate", priority: 4) { _ in "other" }
    expectPluginError(.routeConflict) { try one.register(route: "ui://gate", priority: 6) { _ in "one" } }
    expectPluginError(.routeConflict) { try one.register(route: "ui://gate", priority: 3) { _ in "one" } }
    #expect(try switchboard.router.open("ui://gate") as? String == "host")
    try switchboard.router.register(RoutePattern("ui://pay/:x"), owner: .host, priority: 9) { _ in "host" }
    #expect(try switchboard.router.open("ui://pay/7") as? String == "host")
    // Each way to read a pattern counts.
    try one.register(route: "ui://a", priority: 1) { _ in "one" }
    expectPluginError(.routeConflict) { try other.register(route: "ui://a(/:b)", priority: 2) { _ in "other" } }
  }

  @Test("a module serves nothing below its declared pattern unless it is declared")
  func undeclaredFallback() throws {
    let switchboard = Switchboard()
    let context = switchboard.context(for: try ModuleDeclaration(identifier: "com.example.m", routes: ["ui://"]))
    expectPluginError(.routeUndeclared) {
      try context.register(route: "ui://", allowsFallback: true) { _ in "module" }
    }
    try context.register(route: "ui://") { _ in "module" }
    #expect(!switchboard.router.canOpen("ui://bank/transfer"))
    let other = switchboard.context(
      for: try ModuleDeclaration(identifier: "com.example.shop", routes: ["ui://shop(/:id)", "ui://shop(/:id)/*"]))
    try other.register(route: "ui://shop(/:id)", allowsFallback: true) { _ in "shop" }
    #expect(try switchboard.router.open("ui://shop/1/2/3") as? String == "shop")
  }

  @Test("two refused modules may share a pattern; everything of both is refused")
  func refusals() throws {
    let router = Router()
    try router.register(RoutePattern("ui://"), owner: .host, allowsFallback: true) { _ in "anybody" }
    try router.refuse(
      [RoutePattern("ui://help"), RoutePattern("ui://a")], of: .module("com.example.a"), because: "x")
    try router.refuse(
      [RoutePattern("ui://help"), RoutePattern("ui://bank(/:id)")], of: .module("com.example.b"), because: "x")
    for url in ["ui://help", "ui://a", "ui://bank", "ui://bank/7"] {
      expectPluginError(.routeModuleRefused) { try router.open(url) }
    }
    router.removeAll(ownedBy: .module("com.example.a"))
    #expect(router.canOpen("ui://a"))
    for url in ["ui://help", "ui://bank"] { expectPluginError(.routeModuleRefused) { try router.open(url) } }
    router.refuse([], of: .module("com.example.b"), because: "x")
    #expect(router.canOpen("ui://help"))
  }

  @Test("a router removes only what it has registered itself")
  func otherRouter() throws {
    let (one, other) = (Router(), Router())
    let registration = try one.register(RoutePattern("a://x"), owner: .host) { _ in nil }
    try other.register(RoutePattern("a://y"), owner: .module("com.example.m")) { _ in nil }
    #expect(!other.remove(registration))
    #expect(other.canOpen("a://y"))
  }

  @Test("G4: the targets of a refused module are nobody else's, and are refused by name until it is accepted")
  func refusedTargets() throws {
    let targets = Targets()
    let module = ModuleOwner.module("com.example.player")
    let missing = Heard()
    targets.onMissing { missing.add($0.target) }
    targets.refuse(["Player"], of: module, because: "signer.revoked")
    expectPluginError(.targetModuleRefused) { try targets.perform("app://Player/play") }
    expectPluginError(.targetModuleRefused) { try targets.perform("play", on: "Player") }
    expectPluginError(.targetConflict) { try targets.register("Player", owner: .host, make: { 0 }) { _ in } }
    #expect(missing.all.isEmpty)
    try targets.register("Player", owner: module, make: { 0 }) { $0.add("play") { _, _ in "plays" } }
    targets.refuse([], of: module, because: "")
    #expect(try targets.perform("app://Player/play") as? String == "plays")
  }
}
