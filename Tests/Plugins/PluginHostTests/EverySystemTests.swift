import Foundation
import TestSupport
import Testing

@testable import HostTestSupport

#if os(Linux)
  /// One module that answers the calls of every system, and a host that asks by all of them.
  @Suite("Every system in one host", .slow, .serialized, .timeLimit(.minutes(60))) struct EverySystemTests {
    private static let systems = [
      "Small", "JLRoutes", "MGJRouter", "PTRouter", "PACore", "CTMediator", "CTMediator, by URL", "HSLinkClass",
      "protocol",
      "notification",
    ]

    private static func answers(_ answer: String) -> String { systems.map { "\($0): \(answer)\n" }.joined() }

    @Test(
      "CS1 CS2 CS3 CS4 CS5: the use case runs through every face, and removing or refusing the module clears it from all"
    )
    func everySystem() async throws {
      let fixture = try await FixtureHost("debug")
      let folder = try TemporaryFolder()
      let made = try Shell.run(
        "signet keygen --out publisher --no-passphrase && signet pack \(fixture.modules)/answer --out answer.zip"
          + " && signet sign answer.zip --key publisher --attach && signet trust init trust.json"
          + " && signet trust add trust.json --name publisher --key publisher.pub --modules 'com.example.*'"
          + " && signet store install answer.zip --store modules --policy trust.json", in: folder.path)
      try #require(made.status == 0, "\(made.output)\(made.errors)")
      // Small's manifest. The application was set up before: a new one would begin without fetched modules.
      let manifest = try Shell.run(
        #"mkdir app documents && echo '{"SMHostVersion":"1.0"}' > documents/small.json"#
          + #" && echo '{"version":"1.0.0","bundles":[{"uri":"c2","pkg":"com.example.answer","type":"app"}]}' > app/bundle.json"#
          + " && signet sign app/bundle.json --host-manifest com.example.host --sequence 1 --key publisher",
        in: folder.path)
      try #require(manifest.status == 0, "\(manifest.output)\(manifest.errors)")
      func run() async throws -> Program {
        try await FixtureBuilds.run("\(fixture.products)/AnswerHost", [], in: folder.path)
      }
      let first = try await run()
      #expect(
        first.output == Self.answers("BJHL5岁啦") + "removed com.example.answer\nleft: 0\n" + Self.answers("nothing"),
        "\(first.errors)")
      #expect(first.status == 0)

      // One byte of the module is changed: no system reaches it.
      let library = try #require(
        FileManager.default.enumerator(atPath: folder.file("modules"))?.compactMap { $0 as? String }
          .first { $0.hasSuffix(".so") })
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: folder.file("modules/\(library)"))
      var bytes = try folder.read("modules/\(library)")
      bytes[bytes.count / 2] ^= 1
      try folder.write("modules/\(library)", bytes)
      let refused = try await run()
      #expect(refused.output == "refused: store.damaged\n" + Self.answers("nothing"), "\(refused.errors)")
      #expect(refused.status == 0)
    }
  }
#endif
