import TestSupport
import Testing

#if os(Linux)
  @Suite("A host and its plugins, as packages of their own", .slow, .serialized, .timeLimit(.minutes(60)))
  struct FixtureTests {
    /// As a release it finds all that it needs in either host.
    private static func copy() async throws -> String {
      try await RouterFixture.build("PluginCopy", Extent.buildsReleases ? "release" : "debug")
    }

    @Test(
      "CS1 CS2 CS3 CS4 CS5: routes, actions, casts, services and events cross images, and a copy of PluginKit is told",
      arguments: Extent.buildsReleases ? ["debug", "release"] : ["debug"])
    func crossing(_ configuration: String) async throws {
      let fixture = RouterFixture.self
      let host = try await fixture.build("Host", configuration)
      let swift = try await fixture.build("PluginSwift", configuration)
      let c = try await fixture.build("PluginC", configuration)
      let copy = try await Self.copy()
      let result = try await RouterFixture.host(
        host, ["\(swift)/libGuide.so", "\(c)/libDesk.so", "\(c)/libAsker.so", "\(copy)/libCopy.so"])
      #expect(result.output == (try RouterFixture.expected))
      #expect(result.status == 0)
      #expect(result.errors == "")
    }

    @Test("plugins in C need the header and a compiler for C")
    func header() async throws {
      let folder = try TemporaryFolder()
      let desk = try RouterFixture.compile("Desk", in: folder)
      let asker = try RouterFixture.compile("Asker", in: folder)
      let fixture = RouterFixture.self
      let host = try await fixture.build("Host", "debug")
      let swift = try await fixture.build("PluginSwift", "debug")
      let copy = try await Self.copy()
      let result = try await RouterFixture.host(host, ["\(swift)/libGuide.so", desk, asker, "\(copy)/libCopy.so"])
      #expect(result.output == (try RouterFixture.expected))
      #expect(result.status == 0)
    }
  }
#endif
