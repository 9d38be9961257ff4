import Foundation
import MGJRouterFace
import PluginHost
import PluginKit
import Signet
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import HostTestSupport

/// The gate with real modules, seen through MGJRouter's calls.
@Suite(
  "MGJRouter's gate", .timeLimit(.minutes(60)),
  .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
struct MGJGateTests {
  private typealias Workshop = ModuleWorkshop
  private static let name = "com.example.beauty"

  /// A module with one route, whose handler says which module it is of.
  private func module(_ name: String = name, route: String = "mgj://beauty/:id") -> ModuleWorkshop.Module {
    Workshop.page(name, route: route, answer: name)
  }

  /// A host's calls. Whatever no module serves goes to the scheme's handler.
  private func router(_ host: PluginHost, _ calls: Calls) throws -> MGJRouter {
    let router = MGJRouter(host.switchboard)
    try router.registerURLPattern("mgj://") { calls.add("host", $0) }
    return router
  }

  /// Makes sure that no call reaches the module, and that its URLs are nobody else's.
  private func expectRefused(_ router: MGJRouter, _ calls: Calls, sourceLocation: SourceLocation = #_sourceLocation)
    async
  {
    for url in ["mgj://beauty/13", "MGJ://be%61uty/13?x=1"] {
      let before = calls.count
      let error = await router.openURL(url)
      #expect(error?.code == .routeModuleRefused, "\(url)", sourceLocation: sourceLocation)
      #expect(calls.count == before, "\(url)", sourceLocation: sourceLocation)
      #expect(!router.canOpenURL(url) && !router.canOpenURL(url, matchExactly: true), sourceLocation: sourceLocation)
      #expect(await router.object(forURL: url) == nil, sourceLocation: sourceLocation)
    }
    #expect(await router.openURL("mgj://other") == nil, sourceLocation: sourceLocation)
    #expect(calls.names.last == "host", sourceLocation: sourceLocation)
  }

  @Test("G1 G6: a trusted module's routes are opened by MGJRouter's calls, until its registrations are removed")
  func trusted() async throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let calls = Calls()
    let router = try router(host, calls)
    try await host.install(workshop.offer(module()))
    #expect(await router.openURL("mgj://beauty/13") == nil && calls.names == ["host"])
    await host.start()
    #expect(await router.openURL("mgj://beauty/13") == nil && calls.names == ["host"])
    #expect(await router.object(forURL: "mgj://beauty/13") as? String == Self.name)
    #expect(router.canOpenURL("mgj://beauty/13", matchExactly: true))
    #expect(!router.deregisterURLPattern("mgj://beauty/:id"))
    expectPluginError(.routeConflict) { try router.registerURLPattern("mgj://beauty/:other") { _ in } }
    #expect(host.unregister(try identifier(Self.name)))
    #expect(await router.object(forURL: "mgj://beauty/13") == nil)
    #expect(await router.openURL("mgj://beauty/13") == nil && calls.names == ["host", "host"])
  }

  @Test("G4 G6: the URLs of a module whose signer is not trusted are refused, and no other module serves them")
  func refused() async throws {
    let host = try await Workshop().hostRefusing(module(), heir: module("com.example.heir"))
    let calls = Calls()
    let router = try router(host, calls)
    await expectRefused(router, calls)
    #expect(!host.switchboard.table.contains { $0.owner == Self.name })
  }

  @Test("G6: an installed module of which one byte has changed is refused, and none of its code runs")
  func tampered() async throws {
    let host = try await Workshop().hostsFindingChange(in: module()).inStore
    let calls = Calls()
    let router = try router(host, calls)
    await expectRefused(router, calls)
    #expect(host.switchboard.table.map(\.owner) == ["host"])
  }

  @Test("G6: a module that registers what its description does not declare fails, and nothing of it stays")
  func undeclared() async throws {
    var greedy = module(route: "mgj://bank/:id")
    greedy.members = ", \"routes\": [\"mgj://beauty/:id\"]"
    let host = try await Workshop().hostFailing(greedy, with: .routeUndeclared)
    let calls = Calls()
    let router = try router(host, calls)
    await expectRefused(router, calls)
    #expect(await router.openURL("mgj://bank/1") == nil && calls.last?.url == "mgj://bank/1")
    #expect(host.switchboard.table.map(\.owner) == ["host"])
  }
}
