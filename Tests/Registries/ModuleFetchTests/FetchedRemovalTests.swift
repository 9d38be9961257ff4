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

/// Downloads that name no release, and what becomes of what was fetched.
@Suite("what was fetched", .serialized) struct FetchedRemovalTests {
  @Test("whatever release is there is fetched for an item that names none; progress is told, and only of its module")
  func anyRelease() async throws {
    let workshop = try FetchWorkshop(sequence: 3, size: 700_000)
    let bytes = workshop.archive
    let server = try workshop.server { _ in [.file(bytes.count), .send(bytes)] }
    let host = try workshop.host()
    let item = try DownloadItem(
      anyReleaseOf: workshop.identifier, url: server.url(), signature: server.url("/bundle"))
    #expect(host.availability(of: item) == .notInstalled)
    #expect(host.installedSequence(of: item.identifier) == nil)
    let heard = Monitor<[Int]>([])
    let installed = try await host.download(item) { received, whole in
      #expect(whole == bytes.count)
      heard.withLock { $0.append(received) }
    }
    #expect(installed.sequence == 3)
    let received = heard.withLock { $0 }
    #expect(received == received.sorted() && received.last == bytes.count)
    host.context.records.tell(.progress(item.identifier, received: 1, of: 2))
    #expect(heard.withLock { $0.count } == received.count, "it is over")
    let version = try #require(SemanticVersion("1.0.3"))
    #expect(host.availability(of: item) == .updateAvailable(installed: version))
    #expect(host.availability(of: try workshop.item(server, sequence: 3)) == .installed(version))
    #expect(host.installedSequence(of: item.identifier) == 3)
    // Other modules' archives are not this module's.
    let other = try DownloadItem(
      anyReleaseOf: identifier("com.example.other"), url: server.url(), signature: server.url("/bundle"))
    await expectFetch(.moduleIdentifierMismatch, host, other)
  }

  @Test("what is there of an archive is removed on request, and not while it is fetched")
  func discard() async throws {
    let workshop = try FetchWorkshop()
    let bytes = workshop.archive
    let gate = RawServer.Gate()
    let server = try workshop.server { request in
      request.number == 0
        ? [.file(bytes.count), .send(Array(bytes.prefix(100_000))), .wait(gate), .reset]
        : [.head("404 Not Found")]
    }
    let host = try workshop.host()
    let module = try workshop.identifier
    try host.discardDownload(of: module)
    let item = try workshop.item(server)
    let download = Task { await expectFetch(.fetchStatus, host, item) }
    try await eventually { (workshop.received ?? 0) > 0 }
    expectError(.fetchBusy) { try host.discardDownload(of: module) }
    gate.open()
    _ = await download.value
    #expect(!workshop.files.isEmpty)
    try host.discardDownload(of: module)
    #expect(workshop.files.isEmpty)
  }

  @Test("what was fetched is removed with what is there of archives; what ships with the host stays, and the floors")
  func removeFetched() async throws {
    let workshop = try FetchWorkshop("com.example.shipped", size: 1000)
    let folder = try TemporaryFolder()
    try folder.write("a.zip", workshop.archive)
    try folder.write("a.zip.sigstore.json", workshop.bundle)
    let host = try workshop.host { $0.embedded = folder.path }
    await host.start()
    let shipped = try workshop.identifier
    let update = try workshop.release(2)
    let other = try FetchWorkshop.make("com.example.fetched", workshop.workshop)
    for (name, release) in [("u.zip", update), ("o.zip", other)] {
      try folder.write(name, release.archive)
      try folder.write(name + ".sigstore.json", release.bundle)
      try await host.install(folder.file(name))
      try FileManager.default.removeItem(atPath: folder.file(name))
    }
    try await host.load(shipped)
    #expect(host.installedSequence(of: shipped) == 2)
    let fetched = try identifier("com.example.fetched")
    #expect(try await host.removeFetched() == [fetched, shipped])
    #expect(host.status(of: fetched) == .none && !host.isInstalled(fetched))
    #expect(host.installedSequence(of: shipped) == 1)
    #expect(host.loaded(shipped)?.sequence == 2, "what is in use stays so")
    #expect(try await host.removeFetched().isEmpty)
    #expect(try host.context.store.floors()[shipped]?.sequence == 2)
  }
}
