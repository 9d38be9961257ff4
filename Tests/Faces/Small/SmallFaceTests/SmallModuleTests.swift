import PluginKit
import SmallFace
import Synchronization
import Testing

/// A module with Small's calls in a host that has none of them.
@Suite struct SmallModuleTests {
  private let switchboard = Switchboard()

  private func context(routes: [String] = []) throws -> ModuleContext {
    switchboard.context(for: try ModuleDeclaration(identifier: "com.example.a", routes: routes))
  }

  private func code(_ body: () throws -> Void) -> PluginError.Code? {
    do { try body() } catch { return (error as? PluginError)?.code }
    return nil
  }

  @Test("without the host's half of Small nothing is opened, and the error says so")
  func absent() throws {
    let module = SmallModule(try context())
    #expect(module.absoluteUri(fromUri: "detail") == nil)
    #expect(module.controller(forUri: "detail") == nil)
    do throws(PluginError) {
      try module.openUri("detail")
      Issue.record("nothing was thrown")
    } catch {
      #expect(error.code == .routeNotFound)
      #expect(error.hint == "open it by the module's context")
    }
  }

  @Test("an action is a route of the module: it gets who opened it and the parameters, and only if it is declared")
  func action() throws {
    let module = SmallModule(try context(routes: ["small://share"]))
    let seen = Mutex<[String: String]?>([:])
    try module.registerAction("share") { _, parameters in seen.withLock { $0 = parameters } }
    try switchboard.router.open("small://share?text=a%20b&to=me")
    #expect(seen.withLock { $0 } == ["text": "a b", "to": "me"])
    try switchboard.router.open("small://share")
    #expect(seen.withLock { $0 } == nil)
    #expect(code { try module.registerAction("other") { _, _ in } } == .routeUndeclared)
    for name in ["", "a/b", "a?b", "a#b"] {
      #expect(code { try module.registerAction(name) { _, _ in } } == .urlMalformed, "\(name)")
    }
  }
}
