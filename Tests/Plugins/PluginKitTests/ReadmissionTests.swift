import PluginKit
import Testing

@Suite("Modules that come again") struct ReadmissionTests {
  private func context(_ switchboard: Switchboard) throws -> ModuleContext {
    try switchboard.context(
      for: ModuleDeclaration(
        identifier: "com.example.m", routes: ["ui://x", "ui://y"], targets: ["T": ["open": false]],
        services: ["AgeGreeter"]))
  }

  private func expectDead(_ module: ModuleContext, sourceLocation: SourceLocation = #_sourceLocation) {
    func expect(_ body: () throws -> Void) {
      expectPluginError(.moduleRemoved, sourceLocation: sourceLocation, body)
    }
    expect { try module.register(route: "ui://x") { _ in nil } }
    expect { try module.register(route: "ui://x", options: RouteOptions(equals: .replaced)) { _ in nil } }
    expect { try module.register(route: "ui://y", onMain: { _ in nil }) }
    expect { try module.register(target: "T", make: { 1 }) { $0.add("open") { _, _ in nil } } }
    expect { try module.provide((any AgeGreeter).self) { Greeting() } }
    expect { try module.observe(.didBecomeActive) { _ in } }
    expect { try module.observe(notification: nil) { _ in } }
    let stack = module.presenter.state
    module.presenter.push("page")
    #expect(module.presenter.state == stack, sourceLocation: sourceLocation)
  }

  @Test("a module that was removed is readmitted by a new context; an older one stays dead")
  func readmitting() throws {
    let switchboard = Switchboard()
    let first = try context(switchboard)
    let registration = try first.register(route: "ui://x") { _ in "first" }
    switchboard.removeAll(ownedBy: first.owner)
    let between = try context(switchboard)
    expectDead(first)
    expectDead(between)
    switchboard.readmit(module: "com.example.m")
    expectDead(first)
    expectDead(between)
    let second = try context(switchboard)
    try second.register(route: "ui://x") { _ in "second" }
    try second.register(target: "T", make: { 1 }) { $0.add("open") { _, _ in "target" } }
    try second.provide((any AgeGreeter).self) { Greeting() }
    try second.observe(.didBecomeActive) { _ in }
    try second.observe(notification: nil) { _ in }
    second.presenter.push("page")
    #expect(second.presenter.state.top == "page")
    #expect(switchboard.table.count == 5 && switchboard.router.ran("ui://x") == "second")
    // The old one takes nothing of the new one away.
    #expect(!first.remove(registration))
    #expect(try first.remove(route: "ui://x") == 0 && second.routes.count == 1)
    expectDead(first)
    switchboard.removeAll(ownedBy: second.owner)
    #expect(switchboard.table.isEmpty)
    expectDead(second)
    switchboard.readmit(module: "com.example.m")
    expectDead(second)
    try context(switchboard).register(route: "ui://x") { _ in "third" }
    #expect(switchboard.router.ran("ui://x") == "third")
  }

  @Test("a module that was not removed and is readmitted continues by new contexts only")
  func unneeded() throws {
    let switchboard = Switchboard()
    let first = try context(switchboard)
    try first.register(route: "ui://x") { _ in "first" }
    switchboard.readmit(module: "com.example.m")
    expectDead(first)
    #expect(switchboard.router.ran("ui://x") == "first")
    expectPluginError(.routeConflict) { try context(switchboard).register(route: "ui://x") { _ in "second" } }
  }

  @Test("while modules come and go, nothing of an older context is ever registered")
  func race() async throws {
    let switchboard = Switchboard()
    for round in 0..<200 {
      let old = try context(switchboard)
      let racing = Task.detached {
        for _ in 0..<20 {
          _ = try? old.register(route: "ui://x", options: RouteOptions(equals: .replaced)) { _ in "old" }
        }
      }
      await Task.yield()
      switchboard.removeAll(ownedBy: old.owner)
      switchboard.readmit(module: "com.example.m")
      try context(switchboard).register(route: "ui://x") { _ in "new \(round)" }
      await racing.value
      #expect(switchboard.router.ran("ui://x") == "new \(round)")
      switchboard.removeAll(ownedBy: old.owner)
      switchboard.readmit(module: "com.example.m")
    }
  }

  @Test("a module sees the routes of all, and lists its own")
  func routes() throws {
    let switchboard = Switchboard()
    let module = try context(switchboard)
    try switchboard.router.register(RoutePattern("ui://"), owner: .host, allowsFallback: true) { _ in "host" }
    try module.register(route: "ui://x") { _ in "x" }
    try module.register(route: "ui://y", options: RouteOptions(ownPriority: 3)) { _, reply in reply.answer("y") }
    #expect(module.routes.map(\.pattern.text) == ["ui://x", "ui://y"] && module.routes[1].ownPriority == 3)
    let match = try module.match("ui://z/1")
    #expect(match.owner == .host && match.isFallback && match.tail == ["z", "1"])
    expectPluginError(.routeNotFound) { try module.match("ui://z", exactly: true) }
    #expect(
      module.canOpen("ui://z") && !module.canOpen("ui://z", exactly: true) && module.canOpen("ui://x", exactly: true))
    #expect(try module.open("ui://y") as? String == "y")
    #expect(try module.remove(route: "ui://x") == 1 && module.routes.map(\.pattern.text) == ["ui://y"])
    expectPluginError(.patternMalformed) { try module.remove(route: "x") }
    #expect(try module.remove(route: "ui://") == 0 && switchboard.router.canOpen("ui://z"))
  }
}
