import Foundation
import TestSupport
import Testing

@testable import HostTestSupport

#if os(Linux)
  @Suite(
    "The sample host and modules, as packages of their own", .slow, .serialized, .timeLimit(.minutes(60)),
    .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
  struct FixtureHostTests {
    @Test(
      "PA13 PA10 G1: modules are taken from a store, used and upgraded, and what is not right is refused with its reason",
      arguments: FixtureHost.configurations)
    func story(_ configuration: String) async throws {
      let host = try await FixtureHost(configuration)
      let folder = try TemporaryFolder()
      try await host.prepare(in: folder)
      let first = try await host.run("script.txt", catalogue: "catalogue.json", in: folder)
      #expect(FixtureHost.masked(first.output) == (try Repository.text("Fixtures/Host/expected.txt")))
      #expect(first.errors == "")
      #expect(first.status == 0)
      let later = try await host.run("later.txt", catalogue: "bad.json", in: folder)
      #expect(FixtureHost.masked(later.output) == (try Repository.text("Fixtures/Host/expected-later.txt")))
      #expect(later.errors == "")
      #expect(later.status == 0)
    }

    @Test("a host whose symbols nobody sees would not share its PluginKit, and is told when it starts")
    func hidden() async throws {
      let folder = try TemporaryFolder()
      let host = try await FixtureHost("debug")
      try await host.prepare(in: folder)
      let result = try await host.linkHidden(in: folder)
      #expect(result.errors.hasPrefix("host.pluginkit-not-shared: the program: "))
      #expect(result.status == 2)
    }

    @Test("PA13: the store's screen passes its own tests")
    func screen() async throws {
      let result = try await FixtureHost("debug").ownTests()
      #expect(result.status == 0, "\(result.output)\(result.errors)")
      #expect((result.output + result.errors).contains("PA13"))
    }
  }
#endif
