import Foundation
import Signet
import SignetAddresses
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import HTTPTestSupport
@testable import HostTestSupport
@testable import ModuleFetch
@testable import ModuleStore
@testable import PluginHost

/// What was being fetched when a process ended.
@Suite("downloads and the next start", .serialized) struct DownloadRestartTests {
  private func whole(_ bytes: [UInt8]) -> [RawServer.Step] { [.file(bytes.count), .send(bytes)] }

  @Test("PA15: what was fetched whole when the process ended is verified and installed at the next start")
  func nextStart() async throws {
    let workshop = try FetchWorkshop()
    try await leave(workshop)
    #expect(workshop.files == ["archive", "note.json", "signature"])
    let host = try workshop.host()
    let events = host.events
    #expect(await host.start().map(\.sequence) == [1])
    let told = await story(events) { $0.status == .loaded }
    #expect(
      told.compactMap(\.status) == [.downloaded, .verifying, .installing, .installed, .loading, .loaded])
    #expect(workshop.files.isEmpty)
  }

  /// Fetches everything, as a host whose process ends before it installs.
  private func leave(_ workshop: FetchWorkshop, _ change: (inout [UInt8]) -> Void = { _ in }) async throws {
    var bytes = workshop.archive
    change(&bytes)
    let given = bytes
    let server = try workshop.server { _ in whole(given) }
    let host = try workshop.host()
    let item = try workshop.item(server)
    let downloads = try #require(try host.context.store.downloads(makes: true))
    let folder = try DownloadFolder(of: item.identifier, in: downloads)
    let note = try folder.begin(item, at: ModuleWorkshop.time)
    try await Task.detached {
      let fetcher = try #require(host.context.configuration.fetcher)
      _ = try fetcher.fetch(note, in: folder, FetchSignal(), progress: FetchProgress { _, _ in })
    }.value
  }

  @Test("PA15: at the next start it is refused for the same reasons, and removed")
  func refusedAtNextStart() async throws {
    let workshop = try FetchWorkshop()
    try await leave(workshop) { $0[$0.count / 2] ^= 1 }
    let host = try workshop.host()
    #expect(await host.start().isEmpty)
    #expect(host.refusals.map(\.reason.code) == [.digestMismatch])
    #expect(host.status(of: try workshop.identifier) == .refused)
    #expect(workshop.files.isEmpty)
  }

  @Test("PA15: under another policy, or with a note of another module, it is refused")
  func otherPolicy() async throws {
    let workshop = try FetchWorkshop()
    try await leave(workshop)
    let other = try PrivateKey.generate(.ed25519)
    let stranger = try workshop.workshop.host(workshop.workshop.policy([other.publicKey]))
    #expect(await stranger.start().isEmpty)
    #expect(stranger.refusals.map(\.reason.code) == [.signerUntrusted])
    #expect(workshop.files.isEmpty)
    try await leave(workshop)
    let moved = workshop.workshop.path + "/downloads/com.example.moved"
    try FileManager.default.moveItem(atPath: workshop.place, toPath: moved)
    let host = try workshop.host()
    #expect(await host.start().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: moved))
  }

  @Test("what was fetched in part is kept for a week")
  func stale() async throws {
    let workshop = try FetchWorkshop()
    let bytes = workshop.archive
    let server = try workshop.server { _ in [.file(bytes.count), .send(Array(bytes.prefix(1000)))] }
    let item = try workshop.item(server)
    await expectFetch(.fetchLength, try workshop.host { $0.fetcher?.limits.retries = 0 }, item)
    let begun = ModuleWorkshop.time.seconds
    func start(_ seconds: Int64) throws {
      try workshop.host { $0.clock = .fixed(UnixTime(seconds: begun + seconds)) }.takeStock()
    }
    try start(7 * 86_400 - 1)
    #expect(workshop.files == ["note.json", "partial"])
    try start(7 * 86_400)
    #expect(workshop.files.isEmpty)
  }

  /// It waits as long for a lock as a host does: five minutes.
  @Test(
    "an archive that is as good as it was, when the store was the reason, is kept for the next start", .waits)
  func kept() async throws {
    let workshop = try FetchWorkshop()
    let other = try FetchWorkshop.make("com.example.first", workshop.workshop)
    let bytes = workshop.archive
    let server = try workshop.server { _ in whole(bytes) }
    let first = try RawServer { request in
      whole(request.line.hasPrefix("GET /bundle ") ? other.bundle : other.archive)
    }
    let item = try DownloadItem(
      identifier("com.example.first"), version: #require(SemanticVersion("1.0.1")), url: first.url(),
      signature: first.url("/bundle"))
    try await workshop.host().download(item)
    let host = try workshop.host()
    do {
      let lock = try StoreLock(.change, of: Directory(opening: workshop.workshop.path))
      await expectFetch(.storeLocked, host, try workshop.item(server))
      withExtendedLifetime(lock) {}
    }
    #expect(workshop.files == ["archive", "note.json", "signature"])
    #expect(try await workshop.host().start().count == 2)
    #expect(server.requests.count == 2)
    #expect(workshop.files.isEmpty)
  }
}
