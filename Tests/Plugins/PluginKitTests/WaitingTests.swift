import CSignetPlugin
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import PluginKit

/// Who waits for handlers keeps no thread that these need, and no longer than it wants to.
@Suite("waiting for handlers", .serialized) struct WaitingTests {
  /// More tasks than there are threads for them, and at least eight.
  private var many: Int { max(8, ProcessInfo.processInfo.activeProcessorCount * 4) }

  private func failures(_ body: @escaping @Sendable (Int) async throws -> Any?) async -> [String] {
    await withTaskGroup(of: String?.self) { group in
      for number in 0..<many {
        group.addTask {
          do {
            _ = try await body(number)
            return nil
          } catch { return "\(error)" }
        }
      }
      return await group.reduce(into: []) { if let failure = $1 { $0.append(failure) } }
    }
  }

  @Test(
    "more tasks than there are threads for them open a route whose handler is a task, or waits for one: none of them times out"
  )
  func tasks() async throws {
    let switchboard = Switchboard()
    let router = switchboard.router
    try router.register(
      RoutePattern("a://task"), owner: .host,
      task: { _ in
        await Task.yield()
        try await Task.sleep(for: .milliseconds(1))
        return 1
      })
    // It keeps its thread, which is the task's, until the other handler has answered.
    try router.register(RoutePattern("a://waits"), owner: .host) { _ in
      try router.open("a://task", limit: .seconds(600))
    }
    try router.register(
      RoutePattern("a://replies"), owner: .host,
      replying: { _, reply in
        do { reply.answer(try router.open("a://waits", limit: .seconds(600))) } catch { reply.fail(error) }
      })
    try switchboard.targets.register("T", owner: .host, make: { true }) { actions in
      actions.add("waits") { _, _ in try router.open("a://task", limit: .seconds(600)) }
    }
    try switchboard.services.provide((any Slow).self, owner: .host, lifetime: .perCall) {
      _ = try router.open("a://task", limit: .seconds(600))
      return Made()
    }
    for url in ["a://task", "a://waits", "a://replies"] {
      #expect(await failures { _ in try await router.open(url, limit: .seconds(600)) } == [], "\(url)")
    }
    #expect(await failures { _ in try await switchboard.targets.perform("waits", on: "T") } == [])
    #expect(await failures { _ in try await switchboard.services.instance(of: (any Slow).self) } == [])
    _ = try switchboard.notifications.observe("n", owner: .host) { _ in
      _ = try? router.open("a://task", limit: .seconds(600))
    }
    #expect(await failures { _ in try await switchboard.notifications.post("n") } == [])
  }

  @Test("a handler in C that does not return keeps who waits for it no longer than the limit, and no other module")
  func limits() throws {
    let switchboard = Switchboard()
    let declaration = try ModuleDeclaration(
      identifier: "com.example.stuck", routes: ["ui://stuck"], targets: ["Stuck": ["go": false]])
    try switchboard.enter(
      { _, plugin in
        plugin?.pointee.did_load = { _, host in
          let table = host!.pointee
          let handler: signet_handler = { _, _, _ in
            begun.wrappingAdd(1, ordering: .relaxed)
            gate.wait()
          }
          let text = { (string: StaticString) in
            signet_text(
              bytes: UnsafeRawPointer(string.utf8Start).assumingMemoryBound(to: CChar.self),
              count: string.utf8CodeUnitCount)
          }
          guard table.register_route(table.context, text("ui://stuck"), 0, 0, handler, nil, nil) == SIGNET_OK else {
            return Int32(SIGNET_ERROR_FAILED)
          }
          return table.register_action(table.context, text("Stuck"), text("go"), 0, handler, nil, nil)
        }
        return Int32(SIGNET_OK)
      }, declaration)
    try switchboard.router.register(
      RoutePattern("ui://fine"), owner: .module("com.example.fine"), replying: { $1.answer("fine") })
    // Each of the module's threads is in the handler, and stays there.
    for _ in 0..<HandlerThreads.moduleLimit { switchboard.router.open("ui://stuck", limit: .seconds(3600)) { _ in } }
    while begun.load(ordering: .relaxed) < HandlerThreads.moduleLimit { usleep(1000) }
    for _ in 0...HandlerThreads.moduleLimit {
      expectPluginError(.routeTimeout) { try switchboard.router.open("ui://stuck", limit: .milliseconds(1)) }
      expectPluginError(.routeTimeout) { try switchboard.targets.perform("go", on: "Stuck", limit: .milliseconds(1)) }
    }
    #expect(try switchboard.router.open("ui://fine", limit: .seconds(600)) as? String == "fine")
    // Telling who waits does not wait for the handler.
    let told = DispatchSemaphore(value: 0)
    switchboard.router.open("ui://stuck", limit: .milliseconds(1)) { _ in told.signal() }
    told.wait()
    #expect(begun.load(ordering: .relaxed) == HandlerThreads.moduleLimit)
    // What nobody waits for any more is not begun late: of all those that waited for a thread none runs. Threads take what waits in
    // its order, so by the time that another handler of the module has answered all before it were taken.
    gate.open()
    try switchboard.router.register(
      RoutePattern("ui://after"), owner: .module("com.example.stuck"), replying: { $1.answer("after") })
    for _ in 0..<HandlerThreads.moduleLimit {
      #expect(try switchboard.router.open("ui://after", limit: .seconds(3600)) as? String == "after")
    }
    #expect(begun.load(ordering: .relaxed) == HandlerThreads.moduleLimit)
  }

  @Test("beyond a thousand handlers that wait for a thread no other is begun")
  func busy() throws {
    let router = Router()
    let own = Gate()
    let owner = ModuleOwner.module("com.example.busy")
    try router.register(RoutePattern("a://stuck"), owner: owner, replying: { _, _ in own.wait() })
    let codes = Codes()
    let count = HandlerThreads.moduleLimit + HandlerThreads.waitingLimit + 100
    for _ in 0..<count {
      router.open("a://stuck", limit: .seconds(3600)) { answer in
        if case .failure(let error) = answer { codes.add(error.code) }
      }
    }
    #expect(codes.count(of: .routeBusy) >= 100)
    #expect(codes.count(of: .routeBusy) <= 100 + HandlerThreads.moduleLimit)
    own.open()
    // All that were begun let go of their reply.
    while codes.total < count { usleep(1000) }
    #expect(codes.count(of: .routeNoAnswer) + codes.count(of: .routeBusy) == count)
  }
}

private protocol Slow: Sendable {}
private struct Made: Slow {}

/// Opened once, for all.
private final class Gate: @unchecked Sendable {
  private let condition = NSCondition()
  private var isOpen = false
  func wait() { condition.withLock { while !isOpen { condition.wait() } } }
  func open() {
    condition.withLock {
      isOpen = true
      condition.broadcast()
    }
  }
}
private let gate = Gate()
/// How often the handler in C was called.
private let begun = Atomic(0)

private final class Codes: @unchecked Sendable {
  private let lock = NSLock()
  private var codes: [PluginError.Code: Int] = [:]
  func add(_ code: PluginError.Code) { lock.withLock { codes[code, default: 0] += 1 } }
  func count(of code: PluginError.Code) -> Int { lock.withLock { codes[code] ?? 0 } }
  var total: Int { lock.withLock { codes.values.reduce(0, +) } }
}
