import Foundation
import PluginKit
import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import SignetSystem
import Synchronization
import TestSupport
import Testing

@testable import HostTestSupport
@testable import ModuleStore
@testable import PluginHost

@Suite("what tasks ask of a host keeps none of their threads") struct HostAwaitingTests {
  /// More tasks than there are threads for them, and at least eight.
  private var many: Int { max(8, ProcessInfo.processInfo.activeProcessorCount * 4) }

  @Test("more tasks than there are threads for them open a route whose handler is a task: none of them times out")
  func opening() async throws {
    let host = try ModuleWorkshop().host()
    try host.switchboard.router.register(
      RoutePattern("ui://slow"), owner: .host,
      task: { _ in
        await Task.yield()
        return "slow"
      })
    let failures = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<many {
        group.addTask {
          do {
            return try await host.open("ui://slow", limit: .seconds(600)) as? String == "slow" ? nil : "nothing"
          } catch { return "\(error)" }
        }
      }
      return await group.reduce(into: [String]()) { if let failure = $1 { $0.append(failure) } }
    }
    #expect(failures == [])
  }

  @Test("of what keeps its thread so much is done at once as is to be, in its order, and all tasks go on meanwhile")
  func width() async {
    let work = BlockingWork(width: 2)
    let log = WorkLog()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<many {
        group.addTask {
          await work.run {
            log.begin()
            // What is waited for is a task: with its thread kept it would never run.
            let done = DispatchSemaphore(value: 0)
            Task { done.signal() }
            done.wait()
            log.end()
          }
          _ = number
        }
      }
    }
    #expect(log.most <= 2)
    #expect(log.count == many)
  }

  @Test("starting, installing and loading in tasks is what it is on threads")
  func same() async throws {
    let workshop = try ModuleWorkshop()
    let host = try workshop.host()
    let path = workshop.folder.file("missing.zip")
    do throws(SignetError) {
      try await host.install(path)
      Issue.record("was installed")
    } catch { #expect(error.code == .fileMissing) }
    let module = try identifier("com.example.missing")
    do throws(SignetError) {
      try await host.load(module)
      Issue.record("was loaded")
    } catch { #expect(error.code == .storeNotInstalled) }
    #expect(await host.start().isEmpty)
    await host.takeStock()
    do throws(SignetError) {
      _ = try await host.manifest(user: nil, embedded: path)
      Issue.record("was read")
    } catch { #expect(error.code == .hostIdentifier) }
  }

  /// A module without code that is installed.
  private func install(_ name: String, _ workshop: ModuleWorkshop, on host: PluginHost) async throws
    -> ModuleIdentifier
  {
    let source = try TemporaryFolder()
    try source.write(
      "module.json",
      Array("{\"identifier\": \"com.example.\(name)\", \"version\": \"1.0.0\", \"sequence\": 1}".utf8))
    let path = workshop.folder.file("\(name).zip")
    _ = try ModulePacker().pack(.directory(Directory(opening: source.path)), to: path, as: .zip)
    try workshop.write(workshop.sign(path), beside: path)
    return try await host.install(path).module
  }

  @Test(
    "that the host is well, and what is decided by hand, waits for no installation and no load",
    .timeLimit(.minutes(60)))
  func beside() async throws {
    let workshop = try ModuleWorkshop()
    let time = Mutex(ModuleWorkshop.time.seconds + 86_400)
    let host = try workshop.host {
      $0.clock = VerificationClock { UnixTime(seconds: time.withLock { $0 }) }
      $0.trial = .seconds(36_000)
    }
    let module = try await install("beside", workshop, on: host)
    let release = try await host.load(module).release
    time.withLock { $0 -= 86_400 }
    // All threads for what takes long are taken, until the end of the test.
    let busy = Busy()
    for work in [host.context.loading, host.installing, host.installing] { Task { await work.run { busy.begin() } } }
    defer { busy.end() }
    try await eventually { busy.count == 1 + PluginHost.installWidth }
    func hasRunWell() throws -> Bool? { try host.context.store.storedState().modules[module]?.release(1)?.hasRunWell }
    #expect(try hasRunWell() == false)
    await host.markHealthy()
    #expect(try hasRunWell() == true)
    for _ in 0..<2 { try host.context.store.noteCrash(of: release) }
    #expect(try await host.retry(module) == [1])
    #expect(try host.context.store.setAside(module).isEmpty)
    #expect(try await host.retry(module) == [])
    #expect(host.context.store.clockWarning()?.code == .clockRollback)
    try await host.resetLatestTime()
    #expect(host.context.store.clockWarning() == nil)
  }

  @Test("in a store that somebody else changes, what is decided by hand is refused in tasks as on threads")
  func locked() async throws {
    let workshop = try ModuleWorkshop()
    let host = try workshop.host { $0.trial = .seconds(36_000) }
    let log = HostLog(host)
    let module = try await install("locked", workshop, on: host)
    let release = try await host.load(module).release
    for _ in 0..<2 { try host.context.store.noteCrash(of: release) }
    let lock = try StoreLock(.change, of: host.context.store.root.directory)
    do throws(SignetError) {
      try await host.retry(module)
      Issue.record("was retried")
    } catch { #expect(error.code == .storeLocked) }
    do throws(SignetError) {
      try await host.resetLatestTime()
      Issue.record("was reset")
    } catch { #expect(error.code == .storeLocked) }
    // The host can say that it is well all the same.
    await host.markHealthy()
    #expect(log.notices == [.storeLocked])
    withExtendedLifetime(lock) {}
  }
}

/// Work that goes on until it is told to end.
private final class Busy: Sendable {
  private let begun = Mutex(0)
  private let gate = DispatchSemaphore(value: 0)
  var count: Int { begun.withLock { $0 } }
  func begin() {
    begun.withLock { $0 += 1 }
    gate.wait()
    gate.signal()
  }
  func end() { gate.signal() }
}

private final class WorkLog: @unchecked Sendable {
  private let lock = NSLock()
  private var now = 0
  private(set) var most = 0
  private(set) var count = 0
  func begin() {
    lock.withLock {
      now += 1
      most = max(most, now)
    }
  }
  func end() {
    lock.withLock {
      now -= 1
      count += 1
    }
  }
}
