import CTMediatorHostFace
import HSLinkHostFace
import JLRoutesFace
import MGJRouterFace
import PARuntimeFace
import PTLaunchFace
import PluginHost
import PluginKit
import Signet
import SmallRuntimeFace
import Synchronization

/// A-1 asks C-2 with the calls of every system, before and after the module that answers is removed.
@main struct Host {
  static func main() async throws {
    var configuration = PluginHost.Configuration()
    configuration.identifier = ModuleIdentifier("com.example.host")
    let policy = try TrustPolicy(trustedFile: "trust.json")
    let host = try PluginHost(policy: policy, store: "modules", configuration: configuration)
    CTMediator.use(host.switchboard)
    HSLinkClass.use(host.switchboard)
    PABusAccessor.default.use(PABundleManager(host))
    host.onEvent { event in
      if case .refused(let module) = event { print("refused: \(module.reason.code)") }
    }
    let small = Small(host, Small.Configuration(main: "app", documents: "documents", version: "1.0"))
    small.setBaseUri("http://m.example.com/demo/")
    let loaded = try await small.setUp()
    await ask(host.switchboard, small)
    for module in loaded.compactMap(\.pkg) {
      host.switchboard.removeAll(ownedBy: .module(module))
      print("removed \(module)")
      print("left: \(host.switchboard.table.filter { $0.owner != "host" }.count)")
      await ask(host.switchboard, small)
    }
  }

  static func ask(_ board: Switchboard, _ small: Small) async {
    let values: [String: any Sendable] = ["name": "BJHL", "age": 5]
    let query = "name=BJHL&age=5"

    await say("Small") { done in
      if case .page(let page, _)? = try? await small.openUri("c2?\(query)") { done(page.title) }
    }
    await say("JLRoutes") { done in
      await JLRouter(board).routeURL("jl://c2/answer?\(query)", withParameters: ["done": done])
    }
    await say("MGJRouter") { done in
      await MGJRouter(board).openURL("mgj://c2/answer?\(query)") { result in done("\(result ?? "nothing")") }
    }
    await say("PTRouter") { done in
      await PTRouter(board).openURL("InnerJump://c2/answer?\(query)", param: ["done": done])
    }
    await say("PACore") { done in
      if let text = await PABusAccessor.default.resource("ui://c2?\(query)") { done("\(text)") }
    }
    await say("CTMediator") { done in
      if let text = await CT().performTarget("C2", action: "answer", params: values) { done("\(text)") }
    }
    await say("CTMediator, by URL") { done in
      if let text = await CT().performAction(withUrl: "aaa://C2/answer?\(query)") { done("\(text)") }
    }
    await say("HSLinkClass") { done in
      let answer = await HSLinkClass.shareObject().callObject(class: "C2Supply", method: "answer:", param: values)
      if let text = answer.value { done("\(text)") }
    }
    await say("protocol") { done in
      let service = await board.services.resolve(named: "C2Module", as: (@Sendable (String, Int) -> String).self)
      if let service { done(service("BJHL", 5)) }
    }
    await say("notification") { done in
      try? await board.notifications.post("C2Ask", userInfo: values.merging(["done": done]) { $1 })
    }
  }

  /// Prints what C-2 answers to a system's call.
  static func say(_ system: String, _ call: (@escaping @Sendable (String) -> Void) async -> Void) async {
    let heard = Heard()
    await call { text in heard.add(text) }
    print("\(system): \(heard.all.isEmpty ? "nothing" : heard.all.joined(separator: ", "))")
  }
}

/// What was answered.
final class Heard: Sendable {
  private let texts = Mutex<[String]>([])

  var all: [String] { texts.withLock { $0 } }

  func add(_ text: String) { texts.withLock { $0.append(text) } }
}
