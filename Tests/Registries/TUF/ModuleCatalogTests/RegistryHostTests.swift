import Foundation
import ModuleCatalog
import ModuleFetch
import ModuleStore
import PluginKit
import Signet
import SignetAddresses
import SignetBase
import SignetCrypto
import SignetSystem
import SignetTUF
import TUFFetch
import TestSupport
import Testing

@testable import HTTPTestSupport
@testable import HostTestSupport
@testable import ModuleRegistry
@testable import PluginHost
@testable import RegistryTestSupport

/// A host that takes its modules from a registry on an HTTP server.
@Suite(.serialized) struct RegistryHostTests {
  /// A server that has the files of a registry, and may be told to have other bytes.
  private func server(
    _ fixture: RegistryFixture, _ change: @escaping @Sendable (String) -> [UInt8]? = { _ in nil }
  ) throws -> RawServer {
    let root = fixture.folder.file("registry")
    return try RawServer { request in
      let path = request.line.split(separator: " ").dropFirst().first.map(String.init) ?? "/"
      let bytes = change(path) ?? FileManager.default.contents(atPath: root + path).map { Array($0) }
      guard let bytes else { return [.head("404 Not Found")] }
      return [.file(bytes.count, tag: nil), .send(bytes)]
    }
  }

  private func catalog(_ fixture: RegistryFixture, _ servers: RawServer...) throws -> ModuleCatalog {
    try ModuleCatalog(
      folder: fixture.catalog().folder,
      mirrors: servers.map { server in
        RepositoryMirror(
          metadata: try HTTPSource(server.url("/metadata/")), targets: try HTTPSource(server.url("/targets/")))
      })
  }

  private func host(
    _ fixture: RegistryFixture, _ registry: ModuleCatalog?, trusting key: PublicKey? = nil,
    under policy: TrustPolicy? = nil, _ change: (inout PluginHost.Configuration) -> Void = { _ in }
  ) throws -> PluginHost {
    var configuration = PluginHost.Configuration()
    configuration.clock = .fixed(RegistryFixture.now)
    configuration.fetcher = .http()
    configuration.fetcher?.limits.retries = 0
    configuration.registry = registry
    change(&configuration)
    return try PluginHost(
      policy: policy ?? TrustPolicy(trusting: [key ?? fixture.publisher.publicKey]),
      store: fixture.folder.file("store"), configuration: configuration)
  }

  private func version(_ text: String) throws -> SemanticVersion { try #require(SemanticVersion(text)) }

  private func expect<Value>(
    _ code: SignetError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws(SignetError) -> Value
  ) async {
    do throws(SignetError) {
      _ = try await body()
      Issue.record("nothing was thrown, expected \(code)", sourceLocation: sourceLocation)
    } catch {
      #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    }
  }

  @Test("PA12: a host gets the store's list, the availability and the modules from verified metadata")
  func use() async throws {
    let player = try RegistryFixture.player
    let fixture = try RegistryFixture()
    try fixture.push(
      fixture.module("com.example.player", "1.0.0", 1), fixture.module("com.example.other", "2.0.0", 1))
    let server = try server(fixture)
    let host = try host(fixture, catalog(fixture, server))
    await expect(.tufNotFound) { () throws(SignetError) in try await host.offers() }
    #expect(try await host.refreshOffers().isEmpty)
    let list = try await host.offers()
    #expect(
      list.map { "\($0.module.identifier) \($0.module.version)" } == [
        "com.example.other 2.0.0", "com.example.player 1.0.0",
      ])
    #expect(list.map(\.availability) == [.notInstalled, .notInstalled])
    #expect(try await host.availability(of: player) == .notInstalled)
    let installed = try await host.download(player)
    #expect(installed.module == player && installed.sequence == 1)
    #expect(try await host.load(player).resource("a") == Array("hello".utf8))
    #expect(try await host.availability(of: player) == .installed(version("1.0.0")))
    // The news of all modules come with one refresh.
    _ = try await host.download(#require(ModuleIdentifier("com.example.other")))
    try fixture.push(
      fixture.module("com.example.player", "1.1.0", 2), fixture.module("com.example.other", "2.1.0", 2))
    #expect(try await host.availability(of: player) == .installed(version("1.0.0")))
    let before = server.requests.count
    let updates = try await host.refreshOffers()
    #expect(
      updates.map { "\($0.module.identifier) \($0.module.version)" } == [
        "com.example.other 2.1.0", "com.example.player 1.1.0",
      ])
    let old = try [version("2.0.0"), version("1.0.0")]
    #expect(updates.map(\.availability) == old.map { .updateAvailable(installed: $0) })
    // The next root, the timestamp, the snapshot, the publisher's metadata and two indexes.
    #expect(server.requests.count - before == 6)
    #expect(try await host.refreshOffers().count == 2)
    #expect(server.requests.count - before == 8)
    #expect(try await host.download(player).sequence == 2)
    #expect(try await host.availability(of: player) == .installed(version("1.1.0")))
    let nothing = try identifier("com.example.nothing")
    await expect(.hostNotOffered) { () throws(SignetError) in try await host.download(nothing) }
  }

  @Test("what the registry offers is still refused by the host's policy, and what it no longer offers still loads")
  func policy() async throws {
    let player = try RegistryFixture.player
    let fixture = try RegistryFixture()
    try fixture.push(fixture.module())
    let server = try server(fixture)
    // The one who decides what loads does not trust the registry's publisher.
    let stranger = try PrivateKey.generate(.ed25519)
    let careful = try host(fixture, catalog(fixture, server), trusting: stranger.publicKey)
    try await careful.refreshOffers()
    await expect(.signerUntrusted) { () throws(SignetError) in try await careful.download(player) }
    #expect(careful.installedVersion(of: player) == nil)
    let host = try PluginHost(
      policy: TrustPolicy(trusting: [fixture.publisher.publicKey]), store: fixture.folder.file("other-store"),
      configuration: {
        var configuration = PluginHost.Configuration()
        configuration.clock = .fixed(RegistryFixture.now)
        configuration.fetcher = .http()
        configuration.registry = try catalog(fixture, server)
        return configuration
      }())
    try await host.refreshOffers()
    _ = try await host.download(player)
    let log = HostLog(host)
    _ = try fixture.registry.yank(
      "com.example.player", "1.0.0", because: "loses settings", signedBy: [fixture.publisher],
      online: [fixture.online])
    #expect(try await host.refreshOffers().isEmpty)
    #expect(try await host.offer(of: player) == nil)
    #expect(log.notices == [.hostWithdrawn])
    #expect(try await host.load(player).release.sequence == 1)
  }

  @Test("a release by another signer is refused, unless the publisher has pushed a waiver by the one before")
  func waived() async throws {
    let player = try RegistryFixture.player
    let fixture = try RegistryFixture()
    let second = try PrivateKey.generate(.ed25519)
    try fixture.registry.rotate(
      "example", KeyRotation(adding: [second.publicKey], removing: [], threshold: nil, identities: nil))
    try fixture.sign(fixture.targets, fixture.publisher, second)
    try fixture.refresh()
    try fixture.push(fixture.module())
    let server = try server(fixture)
    let policy = try TrustPolicy(trusting: [fixture.publisher.publicKey, second.publicKey])
    let host = try host(fixture, catalog(fixture, server), under: policy)
    let log = HostLog(host)
    try await host.refreshOffers()
    _ = try await host.download(player)
    // Two releases by the second signer: one alone, one with a statement by the first.
    try fixture.push(fixture.module("com.example.player", "1.1.0", 2, by: second))
    #expect(try await host.refreshOffers().map(\.module.sequence) == [2])
    await expect(.continuitySigner) { () throws(SignetError) in try await host.download(player) }
    #expect(try host.installedVersion(of: player) == version("1.0.0"))
    let path = try fixture.module("com.example.player", "1.2.0", 3, by: second)
    let module = try ModuleToSign(.file(RegularFile(opening: path)))
    try fixture.write(Signer(second).waive(module, reason: "moved").text, to: path + ".waiver")
    try fixture.push(path)
    try await host.refreshOffers()
    await expect(.continuitySigner) { () throws(SignetError) in try await host.download(player) }
    let other = try fixture.module("com.example.player", "1.3.0", 4, by: second)
    let next = try ModuleToSign(.file(RegularFile(opening: other)))
    try fixture.write(Signer(fixture.publisher).waive(next, reason: "moved").text, to: other + ".waiver")
    try fixture.push(other)
    // The list of all modules fetches no waiver.
    _ = try await host.offers()
    #expect(!server.requests.contains { $0.line.contains("1.3.0/") && $0.line.contains(".waiver") })
    try await host.refreshOffers()
    #expect(try await host.download(player).sequence == 4)
    #expect(log.notices.contains(.continuitySigner))
  }

  @Test("a host is offered no release that is younger than its policy's minimum age, unless what it has is revoked")
  func ages() async throws {
    let player = try RegistryFixture.player
    let fixture = try RegistryFixture()
    try fixture.push(fixture.module())
    let server = try server(fixture)
    func host(_ seconds: Int64, revoking sequence: Int? = nil) throws -> PluginHost {
      var terms = TrustPolicy.Terms()
      terms.minimumAge = MinimumAge("1h")
      terms.revocations = sequence.map { [Revocation(.sequence(player, $0), reason: "flaw")] } ?? []
      let entry = try TrustEntry("a", .key(fixture.publisher.publicKey), scope: .everything)
      return try self.host(fixture, catalog(fixture, server), under: TrustPolicy(entries: [entry], terms: terms)) {
        $0.clock = .fixed(UnixTime(seconds: RegistryFixture.now.seconds + seconds))
      }
    }
    let early = try host(3_599)
    try await early.refreshOffers()
    #expect(try await early.offer(of: player) == nil)
    #expect(try await early.offers().isEmpty)
    await expect(.hostNotOffered) { () throws(SignetError) in try await early.download(player) }
    let late = try host(3_600)
    try await late.refreshOffers()
    #expect(try await late.download(player).sequence == 1)
    try await late.refreshOffers()
    // The registry's clock is fixed, so the next release is as old. Nobody who has looked since believes that.
    try fixture.push(fixture.module("com.example.player", "1.1.0", 2))
    #expect(try await late.refreshOffers().isEmpty)
    let patient = try host(3_599)
    try await patient.refreshOffers()
    #expect(try await patient.offer(of: player)?.module.sequence == 1)
    let revoking = try host(3_599, revoking: 1)
    try await revoking.refreshOffers()
    #expect(try await revoking.offer(of: player)?.module.sequence == 2)
  }

  @Test("a mirror with other bytes, and one that has none, are left for the next and told")
  func mirrors() async throws {
    let player = try RegistryFixture.player
    let fixture = try RegistryFixture()
    try fixture.push(fixture.module())
    let good = try server(fixture)
    let liar = try server(fixture) { $0.hasSuffix(".module.zip") ? Array("other".utf8) : nil }
    let empty = try RawServer { _ in [.head("404 Not Found")] }
    let host = try host(fixture, catalog(fixture, empty, liar, good))
    let log = HostLog(host)
    try await host.refreshOffers()
    #expect(try await host.download(player).sequence == 1)
    #expect(log.notices.contains(.tufNotFound) && log.notices.contains(.fetchStatus))
    #expect(log.notices.contains(.fetchLength))
    #expect(good.requests.contains { $0.line.contains(".module.zip ") })
  }

  @Test("a publisher at fault keeps a host from no module of the others")
  func others() async throws {
    let player = try RegistryFixture.player
    let fixture = try RegistryFixture()
    let mallory = try PrivateKey.generate(.ed25519)
    try fixture.add("mallory", ["com.mallory.**"], mallory)
    try fixture.sign(fixture.targets, mallory)
    try fixture.refresh()
    try fixture.push(fixture.module())
    try fixture.push(fixture.module("com.mallory.tool", by: mallory), by: "mallory", key: mallory)
    // A module of the longest name that there is.
    let label = String(repeating: "a", count: 63)
    let long = "com.example.\(label).\(label).\(label).\(String(repeating: "b", count: 255 - 12 - 3 * 64))"
    try fixture.push(fixture.module(long))
    let server = try server(fixture)
    let host = try host(fixture, catalog(fixture, server), trusting: mallory.publicKey)
    try await host.refreshOffers()
    _ = try await host.download(identifier("com.mallory.tool"))
    // An index that nobody can read, signed by its publisher.
    try fixture.draftIndex("{}", of: "com.mallory.other", by: "mallory", signedBy: mallory)
    try fixture.refresh()
    let log = HostLog(host)
    #expect(try await host.refreshOffers().isEmpty)
    #expect(
      try await host.offers().map { "\($0.module.identifier)" }.sorted()
        == [long, "com.example.player", "com.mallory.tool"].sorted())
    #expect(log.notices == [.repoIndex])
    // Metadata that the mirror does not have.
    let file = try #require(
      try FileManager.default.contentsOfDirectory(atPath: fixture.folder.file("registry/metadata"))
        .filter { $0.hasSuffix(".mallory.json") }.max())
    try FileManager.default.removeItem(atPath: fixture.folder.file("registry/metadata/\(file)"))
    let fresh = try self.host(fixture, catalog(fixture, server)) { _ in }
    let freshLog = HostLog(fresh)
    try await fresh.refreshOffers()
    #expect(try await fresh.offers().map { "\($0.module.identifier)" }.contains("com.example.player"))
    #expect(freshLog.notices.contains(.tufNotFound))
    #expect(try await fresh.availability(of: player) == .notInstalled)
  }

  @Test("a host is offered only what it can use")
  func usable() async throws {
    let player = try RegistryFixture.player
    let fixture = try RegistryFixture()
    func push(_ version: String, _ sequence: Int, _ fields: String = "") throws {
      try fixture.push(fixture.module("com.example.player", version, sequence, fields: fields))
    }
    try push("1.0.0", 1)
    try push("1.1.0", 2, #", "requires": {"host": ">=2.0.0"}"#)
    try push("1.2.0-beta", 3)
    let server = try server(fixture)
    let old = try host(fixture, catalog(fixture, server)) { $0.version = SemanticVersion("1.0.0") }
    try await old.refreshOffers()
    #expect(try await old.offer(of: player)?.module.sequence == 1)
    let silent = try host(fixture, catalog(fixture, server))
    try await silent.refreshOffers()
    #expect(try await silent.offer(of: player)?.module.sequence == 1)
    let new = try host(fixture, catalog(fixture, server)) { $0.version = SemanticVersion("2.0.0") }
    try await new.refreshOffers()
    #expect(try await new.offer(of: player)?.module.sequence == 2)
    // Whoever has a prerelease gets the next one.
    let beta = try await new.download(new.registryItem(of: player, sequence: 3))
    #expect(beta.sequence == 3)
    try push("1.2.0-beta.2", 4)
    #expect(try await new.refreshOffers().map(\.module.sequence) == [4])
  }

  @Test("without a registry, and with metadata that has expired, nothing is offered")
  func nothing() async throws {
    let player = try RegistryFixture.player
    let fixture = try RegistryFixture()
    try fixture.push(fixture.module())
    let host = try host(fixture, nil)
    await expect(.hostNoRegistry) { () throws(SignetError) in try await host.refreshOffers() }
    await expect(.hostNoRegistry) { () throws(SignetError) in try await host.download(player) }
    let server = try server(fixture)
    let catalog = try catalog(fixture, server)
    _ = try catalog.refreshed(at: RegistryFixture.now)
    #expect(try catalog.stored(at: RegistryFixture.now).modules().map { "\($0)" } == ["com.example.player"])
    let late = UnixTime(seconds: RegistryFixture.now.seconds + 8 * 86_400)
    expectError(.tufExpired) { _ = try catalog.stored(at: late) }
    expectError(.tufExpired) { _ = try catalog.refreshed(at: late) }
    // An index that has not changed is fetched once, and one that was changed on this machine counts for nothing.
    let offers = try catalog.stored(at: RegistryFixture.now)
    let before = server.requests.count
    #expect(try offers.releases(of: player).count == 1)
    #expect(try offers.releases(of: player).count == 1)
    #expect(server.requests.count - before == 1)
    try Data("{}".utf8).write(to: URL(fileURLWithPath: catalog.folder.path + "/indexes/com.example.player.json"))
    #expect(try offers.releases(of: player).count == 1)
    #expect(server.requests.count - before == 2)
  }
}

extension PluginHost {
  /// The item of a release, whether or not the host would choose it.
  fileprivate func registryItem(of module: ModuleIdentifier, sequence: Int) throws -> DownloadItem {
    let offers = try #require(context.configuration.registry).stored(at: RegistryFixture.now)
    return try #require(try offers.releases(of: module).first { $0.module.sequence == sequence }?.items.first)
  }
}
