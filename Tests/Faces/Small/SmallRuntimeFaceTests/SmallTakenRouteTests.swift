import PluginHost
import PluginKit
import SignetBase
import TestSupport
import Testing

@testable import HostTestSupport
@testable import SmallRuntimeFace
@testable import SmallTestSupport

/// Rules of a manifest at URLs that somebody else has.
@Suite(
  "Small's rules at taken URLs", .timeLimit(.minutes(60)),
  .enabled(if: SmallWorkshop.isPossible, ModuleWorkshop.isMissing))
struct SmallTakenRouteTests {
  @Test("a rule at a URL that a module has already is told, and takes nothing from the other rules")
  func taken() async throws {
    let workshop = try SmallSetUpTests.application()
    let small = try workshop.small()
    let log = HostLog(small.host)
    let pattern = try RoutePattern("\(SmallWorkshop.base)home")
    try small.host.switchboard.router.register(pattern, owner: .module("com.example.other")) { _ in "another's" }
    #expect(try await small.setUp().count == 2)
    #expect(log.notices == [.hostDeclaration])
    // The URL stays with who had it.
    #expect(try await small.host.open("\(SmallWorkshop.base)home") as? String == "another's")
    #expect(try await small.openUri("main").page?.object is MainController)
    // The next setup says so again, and takes nothing either.
    #expect(try await small.setUp().count == 2)
    #expect(log.notices == [.hostDeclaration, .hostDeclaration])
    #expect(try await small.openUri("main").page?.object is MainController)
  }
}
