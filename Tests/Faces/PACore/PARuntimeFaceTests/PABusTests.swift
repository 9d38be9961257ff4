import PACoreFace
import PARuntimeFace
import PluginKit
import Synchronization
import Testing

/// The bus and the plugin's side, which need no host with code.
@Suite("PACore's bus and plugins") struct PABusTests {
  /// A module that says what it was asked for.
  private final class WeChat: PABundleDelegate {
    let asked = Mutex<[String]>([])
    let loads = Mutex(0)

    func resource(_ uri: PAURI) throws -> (any Sendable)? {
      asked.withLock { $0.append("\(uri)") }
      if uri.params?["fails"] != nil { throw CancellationError() }
      return uri.resourcePath == "wechat/nothing" ? nil : "wechat \(asked.withLock { $0.count })"
    }

    func bundleDidLoad() { loads.withLock { $0 += 1 } }
  }

  /// A provider with one module, whatever the address.
  private struct Provider: PABundleProvider {
    let delegate: (any PABundleDelegate)?
    func bundleDelegate(for uri: PAURI) -> (any PABundleDelegate)? { delegate }
  }

  private func context(_ switchboard: Switchboard, _ routes: [String], _ name: String = "com.example.wechat") throws
    -> ModuleContext
  {
    try switchboard.context(for: ModuleDeclaration(identifier: name, routes: routes))
  }

  @Test("PA2: without an address or a provider there is no resource, and a module is asked at each request")
  func bus() async throws {
    let bus = PABusAccessor()
    let uri = try #require(PAURI("ui://wechat"))
    #expect(await bus.resource(uri) == nil)
    let module = WeChat()
    bus.use(Provider(delegate: module))
    #expect(await bus.resource(nil as PAURI?) == nil)
    #expect(await bus.resource("wechat") == nil)
    #expect(module.asked.withLock { $0 }.isEmpty)
    #expect(await bus.resource(uri) as? String == "wechat 1")
    #expect(await bus.resource("ui://wechat") as? String == "wechat 2")
    #expect(module.asked.withLock { $0 } == ["ui://wechat", "ui://wechat"])
    #expect(await bus.resource("ui://wechat/nothing") == nil)
    #expect(await bus.resource("ui://wechat?fails=1") == nil)
    bus.use(Provider(delegate: nil))
    #expect(await bus.resource(uri) == nil)
    bus.use(nil)
    #expect(await bus.resource(uri) == nil)
    #expect(PABusAccessor.default === PABusAccessor.default)
  }

  @Test("PA2: the form for threads does the same")
  func threads() throws {
    let bus = PABusAccessor()
    #expect(bus.resource("ui://wechat") == nil)
    bus.use(Provider(delegate: WeChat()))
    #expect(bus.resource("ui://wechat") as? String == "wechat 1")
    #expect(bus.resource(nil as PAURI?) == nil)
  }

  @Test("PA3 PA5: a plugin serves what its description declares, and is told once that it was loaded")
  func plugin() throws {
    let switchboard = Switchboard()
    let module = WeChat()
    let bus = PABusAccessor()
    try PABundlePlugin(module, bus: bus).moduleDidLoad(context(switchboard, ["ui://wechat", "ui://wechat/*"]))
    #expect(module.loads.withLock { $0 } == 1)
    #expect(try switchboard.router.open("ui://wechat") as? String == "wechat 1")
    #expect(try switchboard.router.open("ui://wechat/pay?x=1") as? String == "wechat 2")
    #expect(module.asked.withLock { $0 } == ["ui://wechat", "ui://wechat/pay?x=1"])
    expectPluginError(.routeNotFound) { try switchboard.router.open("ui://other") }
    expectPluginError(.routeFailed) { try switchboard.router.open("ui://wechat?fails=1") }
    // A module asks others through a bus of its own, and cannot take the host's.
    let other = switchboard.context(
      for: try ModuleDeclaration(identifier: "com.example.other", routes: ["ui://other"]))
    try PABundlePlugin(Constant(value: "other")).moduleDidLoad(other)
    #expect(bus.resource("ui://other") as? String == "other")
    #expect(bus.resource("ui://nobody") == nil)
    let greedy = switchboard.context(for: try ModuleDeclaration(identifier: "com.example.greedy"))
    try PABundlePlugin(Constant(value: "greedy"), bus: .default).moduleDidLoad(greedy)
    #expect(PABusAccessor.default.bundleProvider == nil)
  }

  @Test("PA3: a name that two modules declare is an error, and the first keeps it")
  func conflict() throws {
    let switchboard = Switchboard()
    try PABundlePlugin(Constant(value: "first")).moduleDidLoad(
      context(switchboard, ["ui://wechat"]))
    let late = WeChat()
    expectPluginError(.routeConflict) {
      try PABundlePlugin(late).moduleDidLoad(
        context(switchboard, ["ui://wechat"], "com.example.late"))
    }
    #expect(late.loads.withLock { $0 } == 0)
    #expect(try switchboard.router.open("ui://wechat") as? String == "first")
  }

  @Test(
    "G6: a plugin whose description declares nothing serves nothing, and one that was removed serves nothing more")
  func undeclared() throws {
    let switchboard = Switchboard()
    let module = WeChat()
    try PABundlePlugin(module).moduleDidLoad(context(switchboard, []))
    #expect(switchboard.table.isEmpty)
    let other = try context(switchboard, ["ui://other"], "com.example.other")
    let plugin = PABundlePlugin(module)
    try plugin.moduleDidLoad(other)
    switchboard.removeAll(ownedBy: other.owner)
    #expect(switchboard.table.isEmpty)
    expectPluginError(.moduleRemoved) { try plugin.moduleDidLoad(other) }
    #expect(switchboard.table.isEmpty)
  }
}

/// A module that has one resource for all addresses.
private struct Constant: PABundleDelegate {
  let value: String
  func resource(_ uri: PAURI) -> (any Sendable)? { value }
}

/// Runs a body that has to fail with this code.
func expectPluginError(
  _ code: PluginError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Any?
) {
  do {
    _ = try body()
    Issue.record("nothing was thrown, expected \(code)", sourceLocation: sourceLocation)
  } catch { #expect((error as? PluginError)?.code == code, "\(error)", sourceLocation: sourceLocation) }
}
