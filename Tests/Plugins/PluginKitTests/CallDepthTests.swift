import CSignetPlugin
import Foundation
import PluginKit
import TestSupport
import Testing

/// Calls within each other, by whatever way: each in a process of its own, since what is wrong here is a stack that overflows.
@Suite("calls within each other come to an end") struct CallDepthTests {
  @Test("actions that call each other")
  func actions() async {
    await #expect(processExitsWith: .success) {
      let targets = Targets()
      let calls = Counter()
      try targets.register("Ping", owner: .host, make: { true }) { actions in
        actions.add("go") { _, _ in
          calls.add()
          return try targets.perform("x://Pong/go")
        }
      }
      try targets.register("Pong", owner: .host, make: { true }) { actions in
        actions.add("go") { _, _ in
          calls.add()
          return try targets.perform("go", on: "Ping")
        }
      }
      // In the 64th there is no room for making the target.
      try end(.actionTooDeep, calls, after: 63) { _ = try targets.perform("go", on: "Ping") }
    }
  }

  @Test("observers that post to each other, also by events")
  func notifications() async {
    await #expect(processExitsWith: .success) {
      let switchboard = Switchboard()
      let calls = Counter()
      let failures = Failures()
      @Sendable func post(_ name: String) {
        do {
          try switchboard.notifications.post(name)
          calls.add()
        } catch { failures.keep(error) }
      }
      _ = try switchboard.events.observe(.didBecomeActive, owner: .host) { _ in post("back") }
      _ = try switchboard.notifications.observe("back", owner: .host) { _ in post("didBecomeActive") }
      switchboard.events.start()
      post("back")
      try end(.notificationTooDeep, calls) { if let error = failures.first { throw error } }
    }
  }

  @Test("services that need another to be made, without an end")
  func services() async {
    await #expect(processExitsWith: .success) {
      let tables = (0..<100).map { _ in Services() }
      let calls = Counter()
      for (number, table) in tables.enumerated() {
        let next = tables[(number + 1) % tables.count]
        try table.provide((any Deep).self, owner: .host, lifetime: .perCall) {
          calls.add()
          guard let other = try next.instance(of: (any Deep).self) else { throw Missing() }
          return other
        }
      }
      try end(.serviceTooDeep, calls) { _ = try tables[0].instance(of: (any Deep).self) }
    }
  }

  @Test("routes, actions, observers and services count together")
  func together() async {
    await #expect(processExitsWith: .success) {
      let switchboard = Switchboard()
      let calls = Counter()
      let failures = Failures()
      try switchboard.router.register(RoutePattern("a://x"), owner: .host) { _ in
        calls.add()
        return try switchboard.targets.perform("go", on: "T")
      }
      try switchboard.targets.register("T", owner: .host, make: { true }) { actions in
        actions.add("go") { _, _ in
          calls.add()
          do throws(PluginError) { try switchboard.notifications.post("n") } catch { failures.keep(error) }
          return nil
        }
      }
      _ = try switchboard.notifications.observe("n", owner: .host) { _ in
        calls.add()
        do throws(PluginError) { _ = try switchboard.router.open("a://x") } catch { failures.keep(error) }
      }
      try switchboard.services.provide((any Deep).self, owner: .host, lifetime: .perCall) {
        calls.add()
        _ = try switchboard.router.open("a://x")
        throw Missing()
      }
      _ = try? await switchboard.services.instance(of: (any Deep).self)
      // The service, then 21 rounds of the three; what would be the 65th is a route again.
      try end(.routeTooDeep, calls) { if let error = failures.first { throw error } }
    }
  }

  @Test("pages that change what is shown when they are asked, shown or closed, or show themselves")
  func pages() async {
    await #expect(processExitsWith: .success) {
      let presenter = Presenter()
      let calls = Counter()
      func endless(_ kind: Restless.Kind) -> Page { Page("x", object: Restless(kind, presenter, calls)) }
      presenter.push("root")
      let asked = endless(.asked)
      guard presenter.push(asked), !presenter.close(asked.id), presenter.state.page(asked.id) != nil else { exit(1) }
      guard presenter.push(endless(.shown)), presenter.state.pages.count < 100 else { exit(2) }
      guard presenter.push(endless(.closed)), presenter.pop() else { exit(3) }
      guard !presenter.show(endless(.presents)) else { exit(4) }
      presenter.onChange { _ in
        calls.add()
        presenter.push("y")
      }
      presenter.push("z")
      // Closing and telling of it are two calls.
      guard (5 * 31...5 * 64).contains(calls.count) else {
        print("\(calls.count) calls")
        exit(5)
      }
    }
  }

  @Test("a plugin in C, whose handlers call the host's functions")
  func entry() async {
    await #expect(processExitsWith: .success) {
      let switchboard = Switchboard()
      let declaration = try ModuleDeclaration(
        identifier: "com.example.deep", routes: ["ui://deep"], targets: ["Deep": ["go": false]])
      try switchboard.enter(
        { _, plugin in
          plugin?.pointee.did_load = { _, host in
            let table = host!.pointee
            let user = UnsafeMutableRawPointer(mutating: host)
            let handler: signet_handler = { user, _, reply in
              entryCalls.add()
              let table = UnsafePointer<signet_host>(OpaquePointer(user!)).pointee
              let completion: signet_completion = { _, status, value in
                if status != SIGNET_OK, entryText.text.isEmpty, let text = value?.pointee.as.text,
                  let bytes = text.bytes
                {
                  entryText.set(
                    String(decoding: UnsafeRawBufferPointer(start: bytes, count: text.count), as: UTF8.self))
                }
              }
              _ = table.perform(table.context, text("Deep"), text("go"), nil, 0, completion, nil)
              _ = table.reply(table.context, reply, nil)
            }
            return table.register_action(table.context, text("Deep"), text("go"), 0, handler, user, nil)
          }
          return Int32(SIGNET_OK)
        }, declaration)
      _ = try await switchboard.targets.perform("go", on: "Deep")
      guard entryCalls.count == 64, entryText.text.hasPrefix("action.too-deep: ") else {
        print("\(entryCalls.count) calls, \(entryText.text)")
        exit(1)
      }
    }
  }
}

/// Makes sure that something fails with a code after so many calls, or ends the process.
private func end(
  _ code: PluginError.Code, _ calls: Counter, after count: Int = 64, _ body: () throws -> Void
) throws {
  do {
    try body()
    print("nothing was thrown")
    exit(1)
  } catch let error as PluginError {
    guard error.code == code, calls.count == count else {
      FileHandle.standardError.write(Data("\(calls.count) calls: \(error)\n".utf8))
      exit(2)
    }
  }
}

private protocol Deep: Sendable {}
private struct Missing: Error {}

/// A page that does to the presenter what the presenter does to it.
private struct Restless: PageController, SelfPresentingPage {
  enum Kind { case asked, shown, closed, presents }
  let kind: Kind
  let presenter: Presenter
  let calls: Counter

  init(_ kind: Kind, _ presenter: Presenter, _ calls: Counter) {
    (self.kind, self.presenter, self.calls) = (kind, presenter, calls)
  }

  private func isMeant(_ kind: Kind) -> Bool {
    guard self.kind == kind else { return false }
    calls.add()
    return true
  }

  func mayClose(_ page: Page, result: (any Sendable)?) -> Bool {
    guard isMeant(.asked) else { return true }
    presenter.close(page.id)
    return false
  }

  func didShow(_ page: Page) { if isMeant(.shown) { presenter.present(Page("next", object: self)) } }

  func didClose(_ page: Page, _ closing: PageClosing) {
    if isMeant(.closed), presenter.push(page) { presenter.pop() }
  }

  func presentSelf(_ page: Page) -> Bool { isMeant(.presents) && presenter.show(page) }
}

private let entryCalls = Counter()
private let entryText = Note()

private func text(_ string: StaticString) -> signet_text {
  signet_text(
    bytes: UnsafeRawPointer(string.utf8Start).assumingMemoryBound(to: CChar.self), count: string.utf8CodeUnitCount)
}

/// Counts on many threads.
final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var value = 0
  func add() { lock.withLock { value += 1 } }
  var count: Int { lock.withLock { value } }
}

private final class Failures: @unchecked Sendable {
  private let lock = NSLock()
  private var kept: [PluginError] = []
  func keep(_ error: PluginError) { lock.withLock { kept.append(error) } }
  var first: PluginError? { lock.withLock { kept.first } }
}

private final class Note: @unchecked Sendable {
  private let lock = NSLock()
  private var value = ""
  func set(_ text: String) { lock.withLock { value = text } }
  var text: String { lock.withLock { value } }
}
