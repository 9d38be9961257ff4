import Foundation
import Signet
import SignetAddresses
import SignetBase
import SignetCrypto
import Synchronization
import TestSupport
import Testing

@testable import HTTPTestSupport
@testable import HostTestSupport
@testable import ModuleFetch
@testable import ModuleStore
@testable import PluginHost

@Suite("downloads do not keep each other waiting", .serialized) struct FairnessTests {
  private func item(_ number: Int, _ server: RawServer) throws -> DownloadItem {
    try DownloadItem(
      identifier("com.example.fair-\(number)"), version: #require(SemanticVersion("1.0.1")),
      url: server.url("/\(number)"),
      signature: server.url("/b\(number)"))
  }

  private func outcome(_ host: PluginHost, _ item: DownloadItem) async -> Downloads.Outcome {
    do throws(SignetError) { return .success(try await host.download(item)) } catch { return .failure(error) }
  }

  @Test(
    "six slow servers give their places to another that waits, whatever they are slow at, and go on behind it",
    .timeLimit(.minutes(60)), arguments: ["head", "bytes", "answer"])
  func slow(_ kind: String) async throws {
    let made = try FetchWorkshop("com.example.fair-0", size: 1000)
    let others = try (1..<7).map { try FetchWorkshop.make("com.example.fair-\($0)", made.workshop) }
    let releases = [(made.archive, made.bundle)] + others
    // Until the gate opens a slow server says nothing, or a head and some bytes.
    let gate = RawServer.Gate()
    defer { gate.open() }
    let servers = try (0..<7).map { number in
      let (archive, bundle) = releases[number]
      return try RawServer { request in
        if request.line.hasPrefix("GET /b") { return [.file(bundle.count, tag: nil), .send(bundle)] }
        let first = request["Range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0
        let head = first > 0 ? RawServer.Step.part(first, of: archive.count) : .file(archive.count)
        let body = Array(archive[first...])
        if number == 6 { return [head, .send(body)] }
        return switch kind {
        case "answer": [.wait(gate), head, .send(body)]
        case "head": [head, .wait(gate), .send(body)]
        default:
          [
            head, .send(Array(body.prefix(first > 0 ? 0 : 100))), .wait(gate),
            .send(Array(body.dropFirst(first > 0 ? 0 : 100))),
          ]
        }
      }
    }
    let clock = TurnClock()
    let host = try made.host {
      $0.turnClock = clock.now
      // The test says how long the servers are silent. Nothing fails meanwhile, so nothing is tried again.
      $0.fetcher?.limits.stalledSeconds = 0
      $0.fetcher?.limits.connectSeconds = 0
      $0.fetcher?.limits.retries = 0
    }
    var slow: [Task<Downloads.Outcome, Never>] = []
    for number in 0..<6 {
      let item = try item(number, servers[number])
      slow.append(Task { await outcome(host, item) })
    }
    func content(_ name: String, of number: Int) -> Data {
      FileManager.default.contents(atPath: "\(made.workshop.path)/downloads/com.example.fair-\(number)/\(name)")
        ?? Data()
    }
    // By then each has come as far as it comes.
    try await eventually {
      (0..<6).allSatisfy { number in
        switch kind {
        case "answer": !servers[number].requests.isEmpty
        case "head": content("note.json", of: number).contains(Data("\"tag\"".utf8))
        default: content("partial", of: number).count == 100
        }
      }
    }
    let last = try item(6, servers[6])
    let quick = Task { await outcome(host, last) }
    try await eventually { host.downloads.waiting(for: last.identifier) == 1 }
    // As long as they are not slow for their time of thirty seconds, nobody gives a place away.
    clock.advance(by: .seconds(29))
    #expect(servers[6].requests.isEmpty)
    #expect(servers.prefix(6).allSatisfy { $0.requests.count == 1 })
    clock.advance(by: .seconds(2))
    #expect(try await quick.value.get().sequence == 1)
    #expect(servers[6].requests.map(\.line) == ["GET /6 HTTP/1.1", "GET /b6 HTTP/1.1"])
    let waiting = try (0..<6).map { try item($0, servers[$0]).identifier }
    #expect(waiting.allSatisfy { host.downloads.waiting(for: $0) == 1 })
    #expect(waiting.allSatisfy { host.status(of: $0) == .downloading })
    gate.open()
    for task in slow { #expect(try await task.value.get().sequence == 1) }
    #expect(host.modules.count == 7)
    // Each gave its place away once at most, one of them at least.
    let requests = servers.prefix(6).map { $0.requests.filter { !$0.line.hasPrefix("GET /b") } }
    #expect(requests.allSatisfy { (1...2).contains($0.count) })
    let again = requests.filter { $0.count == 2 }.map { $0[1]["Range"] }
    #expect(!again.isEmpty)
    // It went on where it was.
    #expect(again.allSatisfy { $0 == (kind == "bytes" ? "bytes=100-" : nil) })
  }

  @Test("who waits for its turn and is given up has the status that it had before")
  func givenUp() async throws {
    let workshop = try FetchWorkshop(size: 1000)
    let server = try RawServer { _ in [.head("503 Service Unavailable")] }
    let host = try workshop.host {
      $0.fetcher?.limits.firstDelay = 3_600_000
      $0.fetcher?.limits.longestDelay = 3_600_000
      $0.fetcher?.limits.totalSeconds = 36_000_000
    }
    let item = try workshop.item(server)
    let task = Task { await outcome(host, item) }
    try await eventually { server.requests.count == 1 && workshop.files == ["note.json", "partial"] }
    task.cancel()
    expectError(.fetchCancelled) { [outcome = await task.value] in _ = try outcome.get() }
    #expect(host.status(of: item.identifier) == ModuleStatus.none)
    #expect(server.requests.count == 1)
  }

  @Test("of one server four transfers are under way; others come first, and who has had fewest")
  func queue() throws {
    var queue = DownloadQueue(perOrigin: 4)
    let now = ContinuousClock.now
    func module(_ name: String) throws -> ModuleIdentifier { try identifier("com.example.\(name)") }
    for number in 0..<8 { queue.append(try module("a\(number)"), "http://a:80", ready: now) }
    queue.append(try module("b"), "http://b:80", ready: now)
    queue.append(try module("c"), "http://c:80", ready: now)
    var order: [String] = []
    while let next = queue.next(at: now) { order.append("\(next)") }
    #expect(order == ["a0", "b", "c", "a1", "a2", "a3"].map { "com.example.\($0)" })
    // All places are taken: one of b would let one of a begin; one of a does so, too, in its own place.
    #expect(!queue.isAnotherWaiting(for: "http://b:80", at: now))
    #expect(queue.isAnotherWaiting(for: "http://a:80", at: now))
    queue.append(try module("d"), "http://d:80", ready: now + .seconds(60))
    #expect(!queue.isAnotherWaiting(for: "http://b:80", at: now))
    #expect(queue.isAnotherWaiting(for: "http://b:80", at: now + .seconds(60)))
    #expect(queue.nextReady(after: now) == now + .seconds(60))
    queue.end("http://a:80")
    #expect(queue.next(at: now).map { "\($0)" } == "com.example.a4")
    #expect(queue.remove(try module("d")))
    #expect(!queue.remove(try module("d")))
    #expect(queue.nextReady(after: now) == nil)
    #expect(queue.removeAll().count == 3)
  }

  @Test("what is kept of transfers is bounded in number and bytes, and the oldest goes first")
  func kept() async throws {
    let workshop = try FetchWorkshop(size: 1000)
    let server = try RawServer { _ in [.file(5000), .send([UInt8](repeating: 1, count: 1000))] }
    var limits = ArchiveFetcher.Limits()
    limits.retries = 0
    limits.keptDownloads = 8
    limits.keptBytes = 1 << 20
    let host = try workshop.host { [limits] in $0.fetcher?.limits = limits }
    for number in 0..<60 { await expectFetch(.fetchLength, host, try item(number, server)) }
    let place = workshop.workshop.path + "/downloads"
    func names() throws -> Set<String> {
      Set(try FileManager.default.contentsOfDirectory(atPath: place)).subtracting(["lock"])
    }
    #expect(try names() == Set((52..<60).map { "com.example.fair-\($0)" }))
    // Fewer bytes than eight have: the next start takes them away, the oldest first.
    limits.keptBytes = 5000
    try await workshop.host { [limits] in $0.fetcher?.limits = limits }.takeStock()
    let left = try names()
    #expect(left.isSubset(of: (52..<60).map { "com.example.fair-\($0)" }))
    #expect(left.contains("com.example.fair-59"))
    #expect((1...4).contains(left.count))
    // What is under way is no part of it.
    limits.keptDownloads = 0
    let gate = RawServer.Gate()
    let other = try workshop.server { [bytes = workshop.archive] _ in
      [.file(bytes.count), .send(Array(bytes.prefix(500))), .wait(gate), .send(Array(bytes.dropFirst(500)))]
    }
    let strict = try workshop.host { [limits] in $0.fetcher?.limits = limits }
    let mine = try workshop.item(other)
    let task = Task { await outcome(strict, mine) }
    try await eventually { workshop.received == 500 }
    await expectFetch(.fetchLength, strict, try item(3, server))
    #expect(try names() == [workshop.name])
    gate.open()
    #expect(try await task.value.get().sequence == 1)
    #expect(try names().isEmpty)
  }
}

/// A clock that stands still until a test sets it forward.
private final class TurnClock: Sendable {
  private let time = Mutex(ContinuousClock.now)

  @Sendable func now() -> ContinuousClock.Instant { time.withLock { $0 } }

  func advance(by duration: Duration) { time.withLock { $0 += duration } }
}
