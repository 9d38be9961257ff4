import Foundation
import JLRoutesFace
import ModuleStore
import PluginHost
import PluginKit
import Signet
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import HostTestSupport

/// The gate, seen through JLRoutes' names: what is refused is reached by none of them.
@Suite(
  "JLRoutes' gate", .timeLimit(.minutes(60)), .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
struct JLGateTests {
  private typealias Workshop = ModuleWorkshop
  private static let name = "com.example.desk"
  private static let urls = [
    "desk://page", "desk:/page", "desk:page", "desk:///page", "DESK://page/", "desk://page?q=1#a=b",
    "desk://www.example.com/page",
  ]
  private static let globalURLs = [
    "tests://bank/7", "tests:/bank/7", "/bank/7", "bank/7", "//bank/7", "https://www.example.com/bank/7",
  ]

  /// A module in C with a route of a scheme and one for every scheme.
  ///
  /// - Parameter more: further statements of its principal.
  private static func desk(_ identifier: String = name, more: String = "") -> Workshop.Module {
    let source = """
      #include "signet_plugin.h"
      static const signet_host *kept;
      static void show(void *user, const signet_request *request, signet_reply reply) {
        signet_value value = {SIGNET_BOOLEAN, 0, {1}};
        kept->reply(kept->context, reply, &value);
      }

      """
    let body = """
      kept = host;
      int32_t status = host->register_route(host->context, signet_text_of("desk://page"), 0, 0, show, 0, 0);
      if (!status) status = host->register_route(host->context, signet_text_of("*://bank/:id"), 0, 0, show, 0, 0);
      \(more)
      return status;
      """
    return Workshop.Module(
      identifier: identifier,
      main: .init(source: Workshop.constructor(identifier) + source + Workshop.principal(body: body)),
      members: #", "routes": ["desk://page", "*://bank/:id"]"#)
  }

  /// A host's calls, with routes that would take everything.
  private func greedy(_ host: PluginHost) throws -> JLProbe {
    let probe = JLProbe(JLRouter(host.switchboard))
    try probe.add("/*", "/page", "/:any/:id", priority: .max)
    try probe.add("/*", priority: 1)
    probe.jlRoutes.routes(forScheme: "desk").shouldFallbackToGlobalRoutes = true
    probe.jlRoutes.global().unmatchedURLHandler = { [weak probe] _, url, _ in probe?.note(["unmatched": url]) }
    return probe
  }

  /// Makes sure that the module's URLs are refused, however they are written and whoever is asked.
  private func expectRefused(
    _ probe: JLProbe, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let jlRoutes = probe.jlRoutes
    for url in Self.urls + Self.globalURLs {
      for routes in [nil, jlRoutes.global(), jlRoutes.routes(forScheme: "desk"), jlRoutes.routes(forScheme: "other")]
      {
        // The routes of a scheme are asked about a path: the module's own path in no other scheme is not the module's.
        if Self.globalURLs.contains(url), let routes, routes.scheme != JLRoutesGlobalRoutesScheme { continue }
        let isRouted =
          if let routes { await routes.routeURL(url) } else { await jlRoutes.routeURL(url) }
        #expect(!isRouted, "\(url) in \(routes?.scheme ?? "its own")", sourceLocation: sourceLocation)
        #expect(
          probe.codes == [.routeModuleRefused], "\(url) in \(routes?.scheme ?? "its own")",
          sourceLocation: sourceLocation)
        #expect(probe.parameters == nil, "\(url)", sourceLocation: sourceLocation)
        #expect(!(routes?.canRouteURL(url) ?? jlRoutes.canRouteURL(url)), sourceLocation: sourceLocation)
      }
    }
  }

  @Test("G6 JL8: a module that is verified and loaded is reached, and once it is removed it is not")
  func loaded() async throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let probe = JLProbe(JLRouter(host.switchboard))
    let jlRoutes = probe.jlRoutes
    jlRoutes.global().unmatchedURLHandler = { [weak probe] _, url, _ in probe?.note(["unmatched": url]) }
    let module = try await host.install(workshop.offer(Self.desk())).module
    func expectAbsent() async {
      for url in Self.urls + Self.globalURLs {
        #expect(!jlRoutes.canRouteURL(url), "\(url)")
        #expect(await !jlRoutes.routeURL(url), "\(url)")
        #expect(probe.parameters?["unmatched"] as? String == url)
      }
      #expect(probe.codes.isEmpty)
    }
    // It is installed, and not yet loaded.
    await expectAbsent()
    try await host.load(module)
    for url in Self.urls + Self.globalURLs {
      #expect(jlRoutes.canRouteURL(url), "\(url)")
      #expect(await jlRoutes.routeURL(url), "\(url)")
    }
    // They are the module's, and the host neither lists nor removes them.
    #expect(jlRoutes.allRoutes.isEmpty)
    jlRoutes.unregisterAllRouteSchemes()
    jlRoutes.routes(forScheme: "desk").removeRoute(withPattern: "/page")
    #expect(await jlRoutes.routeURL("desk://page"))
    jlRoutes.global().unmatchedURLHandler = { [weak probe] _, url, _ in probe?.note(["unmatched": url]) }
    #expect(host.unregister(module))
    await expectAbsent()
  }

  @Test("G6 G4: the URLs of a module that is refused are refused, and are nobody else's")
  func refused() async throws {
    let host = try await Workshop().hostRefusing(Self.desk(), heir: Self.desk("com.example.heir"))
    await expectRefused(try greedy(host))
  }

  @Test("G6: nothing of a module that was tampered with is reached, in its archive or where it is installed")
  func tampered() async throws {
    let hosts = try await Workshop().hostsFindingChange(in: Self.desk())
    for url in Self.urls + Self.globalURLs {
      #expect(!JLRouter(hosts.inArchive.switchboard).canRouteURL(url), "\(url)")
    }
    await expectRefused(try greedy(hosts.inStore))
  }

  @Test(
    "G6: a module that wants a route that it does not declare has none at all",
    arguments: ["desk://other", "*://page", "*://bank/:id/more", "tests://bank/:id", "desk://page/*", "*://*"])
  func undeclared(_ pattern: String) async throws {
    let statement =
      #"if (!status) status = host->register_route(host->context, signet_text_of("\#(pattern)"), 0, 0, show, 0, 0);"#
    let host = try await Workshop().hostFailing(Self.desk(more: statement), with: .routeUndeclared)
    await expectRefused(try greedy(host))
  }
}
