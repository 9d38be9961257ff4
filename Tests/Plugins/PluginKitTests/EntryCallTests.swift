import CSignetPlugin
import Dispatch
import PluginKit
import Testing

/// A text of C that lives as long as the process.
private func text(_ string: StaticString) -> signet_text {
  signet_text(
    bytes: UnsafeRawPointer(string.utf8Start).assumingMemoryBound(to: CChar.self), count: string.utf8CodeUnitCount)
}

/// What the functions of C below have to say, and what they were told.
private let heard = Heard()
/// Told of each completion.
private let completed = DispatchSemaphore(value: 0)
private nonisolated(unsafe) var table: UnsafePointer<signet_host>?

private func string(_ text: signet_text) -> String {
  String(decoding: UnsafeRawBufferPointer(start: text.bytes, count: text.count), as: UTF8.self)
}

@Suite("Calls of a plugin in C", .serialized) struct EntryCallTests {
  /// Enters a module of C that registers nothing yet, and gives its table.
  private func enter(_ switchboard: Switchboard) throws -> signet_host {
    try switchboard.enter(
      { _, plugin in
        plugin?.pointee.did_load = { _, host in
          table = host
          return Int32(SIGNET_OK)
        }
        return Int32(SIGNET_OK)
      },
      ModuleDeclaration(
        identifier: "com.example.c", routes: ["ui://c"], targets: ["C": ["known": false, "slow": false]],
        services: ["Table"]))
    return try #require(table).pointee
  }

  private let completion: signet_completion = { user, status, value in
    heard.add(
      "\(status) \(value.map { Int($0.pointee.kind) == SIGNET_TEXT ? string($0.pointee.as.text) : "-" } ?? "-")")
    completed.signal()
  }

  /// What completions have heard since, once there are this many.
  private func results(_ count: Int, _ body: () -> Void) -> [String] {
    let before = heard.all.count
    body()
    for _ in 0..<count { completed.wait() }
    return Array(heard.all.dropFirst(before))
  }

  @Test("a plugin in C calls without waiting, within a limit of its own")
  func calls() throws {
    let switchboard = Switchboard()
    let host = try enter(switchboard)
    try switchboard.targets.register("T", owner: .host, make: { 0 }) { actions in
      actions.add("now") { _, input in "\(input.sender) \(input.text("k") ?? "")" }
      actions.add("later", task: { _, _ in "later" })
      actions.add(
        "endless",
        task: { _, _ in
          try await Task.sleep(for: .seconds(3600))
          return nil
        })
    }
    var value = signet_named_value(name: text("k"), value: signet_value())
    value.value.kind = UInt32(SIGNET_TEXT)
    value.value.as.text = text("v")
    let now = results(1) {
      #expect(host.call(host.context, text("T"), text("now"), &value, 1, 0, completion, nil) == SIGNET_OK)
    }
    #expect(now == ["0 com.example.c v"])
    let later = results(1) {
      #expect(host.call(host.context, text("T"), text("later"), nil, 0, .max, completion, nil) == SIGNET_OK)
    }
    #expect(later == ["0 later"])
    let endless = results(1) {
      #expect(host.call(host.context, text("T"), text("endless"), nil, 0, 5, completion, nil) == SIGNET_OK)
    }
    #expect(endless.count == 1 && endless[0].hasPrefix("\(SIGNET_ERROR_TIMEOUT) route.timeout"))
    let missing = results(1) {
      #expect(host.call(host.context, text("Nope"), text("x"), nil, 0, 0, completion, nil) == SIGNET_OK)
    }
    #expect(missing.count == 1 && missing[0].hasPrefix("\(SIGNET_ERROR_NOT_FOUND) target.not-found"))
    #expect(host.call(nil, text("T"), text("now"), nil, 0, 0, completion, nil) == SIGNET_ERROR_ARGUMENT)
    #expect(host.call(host.context, text("T"), text("now"), nil, 1, 0, completion, nil) == SIGNET_ERROR_ARGUMENT)
    #expect(host.has_target(host.context, text("T")) == 1 && host.has_target(host.context, text("Nope")) == 0)
    #expect(host.has_target(nil, text("T")) == 0)
  }

  @Test("a fallback in C gets the name of the action and who calls; a URL reaches it by declared actions alone")
  func fallback() throws {
    let switchboard = Switchboard()
    let host = try enter(switchboard)
    let fallback: signet_handler = { _, request, reply in
      let host = table!.pointee
      heard.add("\(string(host.request_action(request))) of [\(string(host.request_sender(request)))]")
      _ = host.reply(host.context, reply, nil)
    }
    #expect(
      host.register_fallback(host.context, text("Other"), fallback, nil, { _ in heard.add("released") })
        == SIGNET_ERROR_UNDECLARED)
    #expect(heard.all.last == "released")
    #expect(host.register_fallback(host.context, text("C"), nil, nil, nil) == SIGNET_ERROR_ARGUMENT)
    #expect(host.register_fallback(host.context, text("C"), fallback, nil, nil) == SIGNET_OK)
    #expect(host.register_fallback(host.context, text("C"), fallback, nil, nil) == SIGNET_ERROR_CONFLICT)
    let before = heard.all.count
    let other = switchboard.context(for: try ModuleDeclaration(identifier: "com.example.other"))
    _ = try other.perform("anything", on: "C", limit: .seconds(3600))
    _ = try switchboard.targets.perform("a://C/known", limit: .seconds(3600))
    expectPluginError(.actionNotFound) { try switchboard.targets.perform("a://C/anything") }
    #expect(Array(heard.all.dropFirst(before)) == ["anything of [com.example.other]", "known of []"])
    #expect(switchboard.table.map(\.pattern) == ["C.*"])
    // The limit of the caller holds for C, too.
    let silent: signet_handler = { _, _, _ in }
    #expect(host.register_action(host.context, text("C"), text("slow"), 0, silent, nil, nil) == SIGNET_OK)
    expectPluginError(.routeTimeout) { try other.perform("slow", on: "C", limit: .milliseconds(5)) }
  }

  @Test("a plugin in C learns who opens its URL, withdraws its service, and asks before it starts events")
  func theRest() throws {
    let switchboard = Switchboard()
    let host = try enter(switchboard)
    let handler: signet_handler = { _, request, reply in
      let host = table!.pointee
      var answer = signet_value()
      answer.kind = UInt32(SIGNET_TEXT)
      answer.as.text = host.request_sender(request)
      #expect(host.request_action(request).count == 0)
      _ = host.reply(host.context, reply, &answer)
    }
    #expect(host.register_route(host.context, text("ui://c"), 0, 0, handler, nil, nil) == SIGNET_OK)
    let other = switchboard.context(for: try ModuleDeclaration(identifier: "com.example.other"))
    #expect(try other.open("ui://c", limit: .seconds(3600)) as? String == "com.example.other")
    #expect(try switchboard.router.open("ui://c", limit: .seconds(3600)) as? String == "")
    #expect(host.request_sender(nil).count == 0 && host.request_action(nil).count == 0)

    #expect(host.withdraw_service(host.context, text("Table")) == SIGNET_ERROR_NOT_FOUND)
    #expect(host.provide_service(host.context, text("Table"), UnsafeRawPointer(bitPattern: 8)) == SIGNET_OK)
    // A service of C is none of Swift.
    #expect(other.resolve(named: "Table", as: String.self) == nil)
    #expect(host.withdraw_service(host.context, text("Table")) == SIGNET_OK)
    #expect(host.find_service(host.context, text("Table")) == nil)
    #expect(host.withdraw_service(nil, text("Table")) == SIGNET_ERROR_ARGUMENT)

    #expect(host.start_events(host.context) == SIGNET_ERROR_FAILED && !switchboard.events.isRunning)
    switchboard.allowEventControl { $0.identifier == "com.example.c" }
    #expect(host.start_events(host.context) == SIGNET_OK && switchboard.events.isRunning)
    #expect(host.stop_events(host.context) == SIGNET_OK && !switchboard.events.isRunning)
    #expect(host.start_events(nil) == SIGNET_ERROR_ARGUMENT && host.stop_events(nil) == SIGNET_ERROR_ARGUMENT)
    switchboard.removeAll(ownedBy: .module("com.example.c"))
    #expect(host.start_events(host.context) == SIGNET_ERROR_UNDECLARED)
  }
}
