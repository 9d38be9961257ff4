import Dispatch
import Foundation
import JLRoutesFace
import PluginKit
import Synchronization
import Testing

/// Many threads on one host. Under the thread sanitizer it tells races, too.
@Suite("many threads route through JLRoutes") struct JLConcurrencyTests {
  private static let threads = 6
  private static let rounds = 120

  /// What went wrong.
  private final class Faults: Sendable {
    private let texts = Mutex<[String]>([])
    func add(_ text: String) { texts.withLock { $0.append(text) } }
    var all: [String] { texts.withLock { $0 } }
  }

  @Test("each URL reaches its module whole or not at all, while modules come and go", .timeLimit(.minutes(60)))
  func comingAndGoing() async throws {
    let switchboard = Switchboard()
    let faults = Faults()
    let shared = JLRouter(switchboard)
    shared.onFailure = { faults.add("\($0)") }
    shared.global().unmatchedURLHandler = { _, url, _ in if url.contains("always") { faults.add("no \(url)") } }
    try shared.global().addRoute("/always(/:here)", handler: nil)
    let workers = DispatchGroup()
    for number in 0..<Self.threads {
      workers.enter()
      Thread.detachNewThread {
        for round in 0..<Self.rounds {
          number < 2 ? module(number, round, switchboard, faults) : caller(number, round, shared, faults)
        }
        workers.leave()
      }
    }
    await withCheckedContinuation { done in workers.notify(queue: .global()) { done.resume() } }
    #expect(faults.all == [])
    shared.unregisterAllRouteSchemes()
    #expect(switchboard.table.isEmpty)
    for number in 0..<2 { #expect(!shared.routes(forScheme: "m\(number)").shouldFallbackToGlobalRoutes) }
  }

  /// A module that is loaded, routed to and removed.
  private func module(_ number: Int, _ round: Int, _ switchboard: Switchboard, _ faults: Faults) {
    do {
      let context = switchboard.context(
        for: try ModuleDeclaration(
          identifier: "com.example.m\(number).\(round)",
          routes: ["m\(number)://page/:a(/:b)", "*://page\(number)/*"]))
      let jlRoutes = JLRouter(context)
      jlRoutes.onFailure = { faults.add("\($0)") }
      let routes = jlRoutes.routes(forScheme: "m\(number)")
      let target = Target(round)
      try routes.addRoute("/page/:a(/:b)") { parameters in
        if parameters["a"] as? String != "1" { faults.add("\(parameters)") }
        return parameters["b"] as? String != "declined"
      }
      try routes.addRoute("/page/:a", priority: 1, handler: JLRRouteHandler.handlerBlock(forWeakTarget: target))
      try jlRoutes.global().addRoute("/page\(number)/*", handler: nil)
      routes.shouldFallbackToGlobalRoutes = true
      if !jlRoutes.routeURL("m\(number)://page/1") { faults.add("nothing has handled it") }
      if !jlRoutes.routeURL("m\(number)://always") { faults.add("it did not fall back") }
      if jlRoutes.routeURL("m\(number)://page/1/declined") { faults.add("it was not declined") }
      if routes.routes.map(\.pattern) != ["/page/:a", "/page/:a/:b", "/page/:a"] { faults.add("\(routes.routes)") }
      if round.isMultiple(of: 3) {
        routes.removeRoute(withPattern: "/page/:a(/:b)")
        if routes.routes.count != 1 { faults.add("\(routes.routes)") }
      }
      switchboard.removeAll(ownedBy: context.owner)
      if !jlRoutes.allRoutes.isEmpty { faults.add("it stayed") }
      withExtendedLifetime(target) {}
    } catch { faults.add("\(error)") }
  }

  private func caller(_ number: Int, _ round: Int, _ shared: JLRouter, _ faults: Faults) {
    let module = number % 2
    if !shared.routeURL("tests://always/\(round)") { faults.add("the host's route was missing") }
    for url in [
      "m\(module)://page/1", "m\(module)://page/1/2", "m\(module)://page/1/declined", "https://x.org/page\(module)/a",
    ] {
      _ = shared.canRouteURL(url)
      _ = shared.routeURL(url, withParameters: ["round": round])
      _ = shared.global().routeURL(url)
    }
    if shared.routeURL("m\(module)://page/1/declined") { faults.add("a declined URL was handled") }
    let own = shared.allRoutes
    if own.keys.contains("m\(module)") { faults.add("the host has a module's routes") }
    guard number == 2 else { return }
    // The host changes its settings and routes meanwhile.
    shared.alwaysTreatsHostAsPathComponent = false
    shared.plusDecoding = round.isMultiple(of: 2) ? .everywhere : .never
    let host = shared.routes(forScheme: "host")
    host["/own(/:x)"] = JLRRouteHandlerBlock { _ in true }
    if !shared.routeURL("host://own/1") { faults.add("the host's own route was missing") }
    host["/own(/:x)"] = nil
  }

  private final class Target: JLRRouteHandlerTarget {
    let round: Int
    init(_ round: Int) { self.round = round }
    func handleRoute(withParameters parameters: JLRRouteHandlerBlock.Parameters) -> Bool {
      parameters["a"] as? String == "1"
    }
  }
}
