import Foundation
import Keyless
import Signet
import SignetBase
import TestSupport
import Testing

@testable import HostTestSupport
@testable import PluginHost

@Suite("modules that an identity has signed") struct IdentityHostTests {
  private func policy(_ repository: String? = nil) throws -> TrustPolicy {
    let json = try repository.map { try IdentityModule.policy(repository: $0) } ?? IdentityModule.policy()
    return try TrustPolicy(json: json, with: .all)
  }

  @Test("a host installs and loads what a trusted workflow has signed, now and at its next start, without a network")
  func trusted() throws {
    let workshop = try ModuleWorkshop()
    let player = try identifier("com.example.player")
    let host = try workshop.host(policy())
    #expect(try host.install(IdentityModule.archive).module == player)
    #expect(try host.load(player).resource("assets/greeting") == Array("hello\n".utf8))
    let later = try workshop.host(policy())
    later.start()
    #expect(later.refusals.isEmpty)
    #expect(try later.load(player).resource("assets/greeting") == Array("hello\n".utf8))
  }

  @Test("another repository's workflow, a policy of keys alone, and a changed module are refused")
  func refused() throws {
    let workshop = try ModuleWorkshop()
    let strangers = try workshop.host(policy("https://github.com/example/other"))
    expectError(.keylessIdentity) { _ = try strangers.install(IdentityModule.archive) }
    expectError(.signerCertificate) { _ = try workshop.host().install(IdentityModule.archive) }
    let copy = workshop.folder.file("player.zip")
    for name in ["", ".sigstore.json"] {
      try FileManager.default.copyItem(atPath: IdentityModule.archive + name, toPath: copy + name)
    }
    try flip(copy) { $0 - 1 }
    let error = #expect(throws: SignetError.self) { _ = try workshop.host(policy()).install(copy) }
    #expect(
      error.map { $0.code != .keylessIdentity && $0.code != .signerCertificate } ?? false,
      "\(String(describing: error))")
    #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.path).allSatisfy { !$0.contains("player") })
  }

  @Test("a module whose identity the policy trusts no longer is refused at the next start")
  func revoked() throws {
    let workshop = try ModuleWorkshop()
    _ = try workshop.host(policy()).install(IdentityModule.archive)
    let later = try workshop.host(policy("https://github.com/example/other"))
    later.start()
    #expect(later.refusals.map(\.reason.code) == [.keylessIdentity])
    expectError(.keylessIdentity) { _ = try later.load(identifier("com.example.player")) }
  }
}
