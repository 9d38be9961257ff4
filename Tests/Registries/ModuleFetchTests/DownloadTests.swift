import Foundation
import Signet
import SignetAddresses
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import HTTPTestSupport
@testable import HostTestSupport
@testable import ModuleFetch
@testable import ModuleStore
@testable import PluginHost

/// Rows of the runtime that is taken over: what is downloaded, by whom, and what becomes of it.
@Suite("downloads", .serialized) struct DownloadTests {
  private typealias Step = RawServer.Step

  private func whole(_ bytes: [UInt8]) -> [RawServer.Step] { [.file(bytes.count), .send(bytes)] }

  @Test("PA7: a module is downloading, downloaded, verified, installed, in this order, and the bytes add up")
  func statuses() async throws {
    let workshop = try FetchWorkshop(size: 700_000)
    let bytes = workshop.archive
    let server = try workshop.server { _ in whole(bytes) }
    let host = try workshop.host()
    let events = host.events
    #expect(host.status(of: try workshop.identifier) == .none)
    let installed = try await host.download(workshop.item(server))
    #expect(installed.module == (try workshop.identifier))
    #expect(installed.sequence == 1)
    let told = await story(events) { $0.status == .installed }
    #expect(told.compactMap(\.status) == [.downloading, .downloaded, .verifying, .installing, .installed])
    let received = told.compactMap(\.received)
    #expect(received.first == 0)
    #expect(received.last == bytes.count)
    #expect(received == received.sorted())
    #expect((3...102).contains(received.count))
    for case .progress(let module, _, let whole) in told {
      #expect(module == installed.module)
      #expect(whole == bytes.count)
    }
    #expect(try await host.load(installed.module).resource("data") == patternBytes(700_000, seed: 1))
    #expect(workshop.files.isEmpty)
  }

  @Test("a host without a fetcher fetches nothing, and makes no folder for it")
  func noFetcher() async throws {
    let workshop = try FetchWorkshop(size: 1000)
    let host = try workshop.host { $0.fetcher = nil }
    let item = try workshop.item(url: "http://127.0.0.1:1/m.zip?secret", signature: nil)
    let error = await expectFetch(.fetchUnavailable, host, item)
    #expect(error?.object == "http://127.0.0.1:1/m.zip")
    #expect(host.status(of: item.identifier) == .none)
    #expect(workshop.files.isEmpty)
  }

  @Test("PA7: a cut gives back what was there before")
  func cut() async throws {
    let workshop = try FetchWorkshop()
    let bytes = workshop.archive
    let update = try workshop.release(2)
    let server = try workshop.server { request in
      request.line.hasPrefix("GET /update ") ? [.file(update.archive.count), .send([1, 2, 3])] : whole(bytes)
    }
    let host = try workshop.host { $0.fetcher?.limits.retries = 0 }
    let item = try workshop.item(url: server.url("/update"), signature: nil, sequence: 2)
    let events = host.events
    await expectFetch(.fetchLength, host, item)
    #expect(host.status(of: item.identifier) == .none)
    let told = await story(events) { if case .notice = $0 { true } else { false } }
    #expect(told.compactMap(\.status) == [.downloading, .none])
    #expect(told.compactMap(\.received) == [0])
    try await host.download(workshop.item(server))
    await expectFetch(.fetchLength, host, item)
    #expect(host.status(of: item.identifier) == .installed)
    // One that is in use stays so meanwhile.
    try await host.load(item.identifier)
    await expectFetch(.fetchLength, host, item)
    #expect(host.status(of: item.identifier) == .loaded)
    #expect(host.loaded(item.identifier)?.sequence == 1)
  }

  @Test("a module that is refused stays so, with its reason, when what might mend it cannot be fetched")
  func refusedBefore() async throws {
    let workshop = try FetchWorkshop()
    let bytes = workshop.archive
    let server = try workshop.server { request in
      request.number == 0 ? whole(bytes) : [.head("404 Not Found")]
    }
    let host = try workshop.host()
    await expectFetch(.signatureMissing, host, try workshop.item(server, signed: false))
    await expectFetch(.fetchStatus, host, try workshop.item(server))
    #expect(host.status(of: try workshop.identifier) == .refused)
    #expect(host.reason(of: try workshop.identifier)?.code == .signatureMissing)
  }

  @Test("D16: a bad archive leaves the release that is installed as it is, and is removed")
  func bad() async throws {
    let workshop = try FetchWorkshop()
    let (bytes, bundle) = (workshop.archive, workshop.bundle)
    var update = try workshop.release(2)
    update.archive[update.archive.count / 2] ^= 1
    let bad = update
    let server = try RawServer { request in
      switch request.line.split(separator: " ")[1] {
      case "/update": whole(bad.archive)
      case "/update-bundle": whole(bad.bundle)
      case "/bundle": whole(bundle)
      default: whole(bytes)
      }
    }
    let host = try workshop.host()
    try await host.download(workshop.item(server))
    let item = try workshop.item(
      url: server.url("/update"), signature: server.url("/update-bundle"), sequence: 2)
    await expectFetch(.digestMismatch, host, item)
    #expect(host.status(of: item.identifier) == .installed)
    #expect(host.refusals.map(\.reason.code) == [.digestMismatch])
    #expect(host.refusals.map(\.source) == [server.url("/update")])
    #expect(workshop.files.isEmpty)
    #expect(try await host.load(item.identifier).sequence == 1)
  }

  @Test(
    "PA10 D17: an update of a module that is in use is there at the next start, and nothing is left of the transfer")
  func update() async throws {
    let workshop = try FetchWorkshop()
    let (bytes, bundle) = (workshop.archive, workshop.bundle)
    let update = try workshop.release(2)
    let server = try RawServer { request in
      switch request.line.split(separator: " ")[1] {
      case "/update": whole(update.archive)
      case "/update-bundle": whole(update.bundle)
      case "/bundle": whole(bundle)
      default: whole(bytes)
      }
    }
    let host = try workshop.host()
    try await host.download(workshop.item(server))
    await host.start()
    let item = try workshop.item(
      url: server.url("/update"), signature: server.url("/update-bundle"), sequence: 2)
    #expect(try await host.download(item).sequence == 2)
    #expect(host.downloads.waiting(for: item.identifier) == 0)
    #expect(host.loaded(item.identifier)?.sequence == 1)
    #expect(try await workshop.host().start().map(\.sequence) == [2])
    // An older one in its place is refused.
    await expectFetch(.policyRollback, try workshop.host(), try workshop.item(server))
  }

  @Test("a signature's URL that libcurl refuses is refused before anything is fetched")
  func signatureURL() async throws {
    let workshop = try FetchWorkshop()
    let server = try workshop.server { _ in [] }
    // The plain rules of DownloadURL take this address.
    let item = try workshop.item(url: server.url(), signature: "http://[1::2::3]/x")
    await expectFetch(.fetchURL, try workshop.host(), item)
    #expect(server.requests.isEmpty)
  }

  @Test("a host's hold of the store lives as long as the work of its transfers, so that it keeps the releases")
  func lifetime() throws {
    let workshop = try FetchWorkshop()
    let item = try workshop.item(url: "http://127.0.0.1:1/", signature: nil)
    weak var gone: HostContext?
    var work: Downloads.Work?
    do {
      let host = try workshop.host()
      gone = host.context
      work = FetchedModules(host.context).work(for: item, by: .http())
    }
    withExtendedLifetime(work) { #expect(gone != nil) }
    work = nil
    #expect(gone == nil)
  }

  @Test("PA11: two who want one module share one transfer; one who gives up does not end it for the other")
  func shared() async throws {
    let workshop = try FetchWorkshop()
    let (bytes, gate) = (workshop.archive, RawServer.Gate())
    let server = try workshop.server { _ in
      [.file(bytes.count), .send(Array(bytes.prefix(1000))), .wait(gate), .send(Array(bytes.dropFirst(1000)))]
    }
    let host = try workshop.host()
    let item = try workshop.item(server)
    let tasks = (0..<3).map { _ in Task { () async -> Downloads.Outcome in await outcome(host, item) } }
    try await eventually { host.downloads.waiting(for: item.identifier) == 3 && server.requests.count == 1 }
    tasks[1].cancel()
    expectError(.fetchCancelled) { [outcome = await tasks[1].value] in _ = try outcome.get() }
    // Something else of the module has to wait for its turn.
    await expectFetch(.fetchBusy, host, try workshop.item(url: server.url("/other"), signature: nil))
    gate.open()
    #expect(try await tasks[0].value.get().sequence == 1)
    #expect(try await tasks[2].value.get().sequence == 1)
    #expect(server.requests.count == 2)
    #expect(host.downloads.waiting(for: item.identifier) == 0)
  }

  private func outcome(_ host: PluginHost, _ item: DownloadItem) async -> Downloads.Outcome {
    do throws(SignetError) { return .success(try await host.download(item)) } catch { return .failure(error) }
  }

  @Test("when nobody waits any more the transfer ends, and what is there of it is gone on with")
  func cancelled() async throws {
    let workshop = try FetchWorkshop()
    let bytes = workshop.archive
    let server = try workshop.server { request in
      guard request.number > 0 else { return [.file(bytes.count), .send(Array(bytes.prefix(100_000))), .hold] }
      return [.part(100_000, of: bytes.count), .send(Array(bytes.dropFirst(100_000)))]
    }
    let host = try workshop.host()
    let item = try workshop.item(server)
    let events = host.events
    let task = Task { await outcome(host, item) }
    try await eventually { workshop.received == 100_000 }
    task.cancel()
    expectError(.fetchCancelled) { [outcome = await task.value] in _ = try outcome.get() }
    #expect(host.status(of: item.identifier) == .none)
    #expect(workshop.received == 100_000)
    let told = await story(events) { $0.status == ModuleStatus.none }
    #expect(told.compactMap(\.status) == [.downloading, .none])
    #expect(try await host.download(item).sequence == 1)
    #expect(server.requests[1]["Range"] == "bytes=100000-")
    // Who is cancelled before it begins waits for nothing.
    let count = server.requests.count
    let late = Task { () async -> Downloads.Outcome in
      withUnsafeCurrentTask { $0?.cancel() }
      return await outcome(host, item)
    }
    expectError(.fetchCancelled) { [outcome = await late.value] in _ = try outcome.get() }
    #expect(server.requests.count == count)
  }

  @Test("somebody who comes while a transfer is being given up gets the module all the same", .slow)
  func renewed() async throws {
    let workshop = try FetchWorkshop()
    let bytes = workshop.archive
    let host = try workshop.host()
    // Sometimes the transfer has noticed already, sometimes not, and sometimes it just does.
    for _ in 0..<20 {
      let gate = RawServer.Gate()
      let server = try workshop.server { _ in
        [.file(bytes.count), .send(Array(bytes.prefix(1000))), .wait(gate), .send(Array(bytes.dropFirst(1000)))]
      }
      let item = try workshop.item(server)
      let first = Task { await outcome(host, item) }
      try await eventually { !server.requests.isEmpty }
      first.cancel()
      let second = Task { await outcome(host, item) }
      gate.open()
      #expect(try await second.value.get().sequence == 1)
      _ = await first.value
    }
  }

  @Test("of two hosts of a store one fetches a module at a time", .slow)
  func twoHosts() async throws {
    let workshop = try FetchWorkshop()
    let (bytes, gate) = (workshop.archive, RawServer.Gate())
    let server = try workshop.server { _ in [.file(bytes.count), .wait(gate), .send(bytes)] }
    let (host, other) = (try workshop.host(), try workshop.host())
    let item = try workshop.item(server)
    let first = Task { await outcome(host, item) }
    try await eventually { server.requests.count == 1 }
    await expectFetch(.fetchBusy, other, item)
    // Another module is another matter, and what is being fetched is nothing that was left behind.
    await other.takeStock()
    #expect(other.status(of: item.identifier) == .none)
    gate.open()
    #expect(try await first.value.get().sequence == 1)
    #expect(try await other.download(item).sequence == 1)
  }

  @Test("more modules than there are transfers at once are all fetched")
  func many() async throws {
    let made = try FetchWorkshop("com.example.many-0", size: 1000)
    let others = try (1..<20).map { number in
      try FetchWorkshop.make("com.example.many-\(number)", made.workshop)
    }
    let releases = [(made.archive, made.bundle)] + others
    let server = try RawServer { request in
      let path = request.line.split(separator: " ")[1].split(separator: "/")
      guard path.count == 2, let number = Int(path[1]), releases.indices.contains(number) else {
        return [.head("404 Not Found")]
      }
      return whole(path[0] == "m" ? releases[number].0 : releases[number].1)
    }
    let host = try made.host()
    let items = try releases.indices.map { number in
      try DownloadItem(
        identifier("com.example.many-\(number)"), version: #require(SemanticVersion("1.0.1")),
        url: server.url("/m/\(number)"), signature: server.url("/b/\(number)"))
    }
    await withTaskGroup(of: Downloads.Outcome.self) { group in
      for item in items { group.addTask { await outcome(host, item) } }
      for await outcome in group { #expect(throws: Never.self) { try outcome.get() } }
    }
    #expect(host.modules.count == 20)
    #expect(Set(host.modules.values) == [.installed])
  }

  @Test("who is cancelled before a transfer begins does not wait for those that keep it from beginning")
  func cancelledInQueue() async throws {
    let workshop = try FetchWorkshop(size: 1000)
    let gate = RawServer.Gate()
    let server = try RawServer { _ in [.file(5000), .wait(gate), .reset] }
    let host = try workshop.host {
      $0.fetcher?.limits.retries = 0
      $0.fetcher?.limits.perOrigin = 6
    }
    let items = try (0..<7).map {
      try DownloadItem(
        identifier("com.example.queued-\($0)"), version: #require(SemanticVersion("1.0.1")), url: server.url("/\($0)")
      )
    }
    let tasks = items.prefix(6).map { item in Task { await outcome(host, item) } }
    try await eventually { server.requests.count == 6 }
    let late = Task { await outcome(host, items[6]) }
    try await eventually { host.downloads.waiting(for: items[6].identifier) == 1 }
    late.cancel()
    expectError(.fetchCancelled) { [outcome = await late.value] in _ = try outcome.get() }
    #expect(host.downloads.waiting(for: items[6].identifier) == 0)
    #expect(server.requests.count == 6)
    gate.open()
    for task in tasks { _ = await task.value }
    #expect(server.requests.count == 6)
  }
}
