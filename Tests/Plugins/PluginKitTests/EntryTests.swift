import CSignetPlugin
import Dispatch
import PluginKit
import Testing

/// A text of C that lives as long as the process.
private func text(_ string: StaticString) -> signet_text {
  signet_text(
    bytes: UnsafeRawPointer(string.utf8Start).assumingMemoryBound(to: CChar.self), count: string.utf8CodeUnitCount)
}

private func integer(_ value: Int64) -> signet_value {
  var result = signet_value()
  result.kind = UInt32(SIGNET_INTEGER)
  result.as.integer = value
  return result
}

/// What the functions of C below have to say, and what they were told.
private let heard = Heard()

@Suite("The entry in C", .serialized) struct EntryTests {
  private func enter(_ principal: signet_principal, _ switchboard: Switchboard = Switchboard()) throws -> Switchboard
  {
    try switchboard.enter(
      principal,
      ModuleDeclaration(
        identifier: "com.example.c", routes: ["ui://c/:id"], targets: ["C": ["add": false, "late": true]],
        services: ["Table"]))
    return switchboard
  }

  @Test("a plugin that does not fit is refused, and nothing of it stays")
  func fit() throws {
    func refused(_ code: PluginError.Code, _ principal: signet_principal) {
      let switchboard = Switchboard()
      expectPluginError(code) { try enter(principal, switchboard) }
      #expect(switchboard.table.isEmpty)
    }
    refused(.pluginVersion) { _, _ in Int32(SIGNET_ERROR_VERSION) }
    refused(.pluginKitNotShared) { _, _ in Int32(SIGNET_ERROR_NOT_SHARED) }
    refused(.pluginFailed) { _, _ in 77 }
    refused(.pluginVersion) { _, _ in Int32(SIGNET_OK) }
    refused(.pluginVersion) { _, plugin in
      plugin?.pointee.version = 2
      plugin?.pointee.did_load = { _, _ in Int32(SIGNET_OK) }
      return Int32(SIGNET_OK)
    }
    refused(.pluginVersion) { _, plugin in
      plugin?.pointee.size = 16
      plugin?.pointee.did_load = { _, _ in Int32(SIGNET_OK) }
      return Int32(SIGNET_OK)
    }
    refused(.pluginFailed) { _, plugin in
      plugin?.pointee.did_load = { _, host in
        let host = host!.pointee
        let status = host.register_route(
          host.context, text("ui://c/:id"), 0, 0, { _, _, _ in }, nil, { _ in heard.add("released") })
        return status == SIGNET_OK ? Int32(SIGNET_ERROR_FAILED) : Int32(SIGNET_OK)
      }
      return Int32(SIGNET_OK)
    }
    #expect(heard.all.last == "released")
  }

  @Test(
    "a plugin in C that hands on what it was told is refused for that, and one that does not with it as the cause")
  func handedOn() throws {
    func error(_ principal: signet_principal) -> PluginError? {
      do {
        _ = try enter(principal)
        return nil
      } catch { return error as? PluginError }
    }
    let handed = error { _, plugin in
      plugin?.pointee.did_load = { _, host in
        let host = host!.pointee
        return host.register_route(
          host.context, text("ui://other"), 0, 0, { _, _, _ in }, nil, { _ in heard.add("not taken") })
      }
      return Int32(SIGNET_OK)
    }
    #expect(handed?.code == .routeUndeclared && handed?.object == "ui://other")
    #expect(heard.all.last == "not taken")
    let failed = error { _, plugin in
      plugin?.pointee.did_load = { _, host in
        let host = host!.pointee
        _ = host.register_route(host.context, text("ui://other"), 0, 0, { _, _, _ in }, nil, nil)
        return Int32(SIGNET_ERROR_FAILED)
      }
      return Int32(SIGNET_OK)
    }
    #expect(failed?.code == .pluginFailed && (failed?.cause as? PluginError)?.code == .routeUndeclared)
  }

  @Test("routes in C: values of each kind go in, answers come out, at once or later, and the first counts")
  func routes() throws {
    let switchboard = try enter { _, plugin in
      plugin?.pointee.did_load = { _, host in
        let table = host!.pointee
        return table.register_route(
          table.context, text("ui://c/:id"), 0, 0,
          { user, request, reply in
            let host = UnsafePointer<signet_host>(OpaquePointer(user!)).pointee
            let id = host.request_value(request, text("id"))
            let number = host.request_value(request, text("number"))
            let missing = host.request_value(request, text("missing"))
            #expect(
              Int(id.kind) == SIGNET_TEXT && Int(number.kind) == SIGNET_INTEGER && Int(missing.kind) == SIGNET_NONE)
            #expect(host.request_url(request).count == "ui://c/7".utf8.count)
            var answer = integer(number.as.integer + Int64(id.as.text.count))
            #expect(host.reply(host.context, reply, &answer) == 1)
            #expect(host.reply(host.context, reply, &answer) == 0)
            #expect(host.fail(host.context, reply, text("too late")) == 0)
            #expect(host.reply(host.context, 999_999, nil) == 0)
          }, UnsafeMutableRawPointer(mutating: host), nil)
      }
      return Int32(SIGNET_OK)
    }
    #expect(try switchboard.router.open("ui://c/7", userInfo: ["number": 41]) as? Int == 42)
    #expect(switchboard.table.map(\.owner) == ["com.example.c"])
  }

  @Test("a handler in C can decline, at once or later, so that the next route is asked")
  func declining() async throws {
    let switchboard = try enter { _, plugin in
      plugin?.pointee.did_load = { _, host in
        let table = host!.pointee
        return table.register_route(
          table.context, text("ui://c/:id"), 0, 0,
          { user, request, reply in
            let host = UnsafePointer<signet_host>(OpaquePointer(user!)).pointee
            guard Int(host.request_given(request, text("late")).kind) != SIGNET_NONE else {
              #expect(host.decline(host.context, reply) == 1)
              #expect(host.decline(host.context, reply) == 0 && host.reply(host.context, reply, nil) == 0)
              return
            }
            let address = UInt(bitPattern: user)
            DispatchQueue.global().async {
              let host = UnsafePointer<signet_host>(bitPattern: address)!.pointee
              #expect(host.decline(host.context, reply) == 1)
            }
          }, UnsafeMutableRawPointer(mutating: host), nil)
      }
      return Int32(SIGNET_OK)
    }
    for userInfo: [String: any Sendable] in [[:], ["late": true]] {
      do throws(PluginError) {
        try await switchboard.router.open("ui://c/7", userInfo: userInfo, limit: .seconds(3600))
        Issue.record("nobody answers")
      } catch { #expect(error.code == .routeNotFound && error.found == "1 handler that declined") }
    }
    try switchboard.router.register(RoutePattern("ui://*"), owner: .host) { _ in "next" }
    for userInfo: [String: any Sendable] in [[:], ["late": true]] {
      #expect(
        try await switchboard.router.open("ui://c/7", userInfo: userInfo, limit: .seconds(3600)) as? String == "next")
    }
  }

  @Test("what cannot be is refused by code: texts that are no UTF-8, nothing declared, twice, no handler")
  func arguments() throws {
    _ = try enter { _, plugin in
      plugin?.pointee.did_load = { _, host in
        let host = host!.pointee
        let handler: signet_handler = { _, _, _ in }
        let latin: [CChar] = [0x75, -4]
        latin.withUnsafeBufferPointer { bytes in
          let bad = signet_text(bytes: bytes.baseAddress, count: 2)
          #expect(host.register_route(host.context, bad, 0, 0, handler, nil, nil) == SIGNET_ERROR_ARGUMENT)
          #expect(host.post(host.context, bad, nil, 0) == SIGNET_ERROR_ARGUMENT)
        }
        // More than any memory has.
        let endless = signet_text(bytes: text("n").bytes, count: -1)
        #expect(host.post(host.context, endless, nil, 0) == SIGNET_ERROR_ARGUMENT)
        #expect(host.can_open(host.context, endless) == 0)
        var one = signet_named_value(name: text("v"), value: integer(1))
        #expect(host.post(host.context, text("n"), &one, -1) == SIGNET_ERROR_ARGUMENT)
        let nothing = signet_text(bytes: nil, count: 3)
        #expect(host.can_open(host.context, nothing) == 0)
        #expect(host.register_route(host.context, text("ui://c/:id"), 0, 0, nil, nil, nil) == SIGNET_ERROR_ARGUMENT)
        #expect(host.register_route(nil, text("ui://c/:id"), 0, 0, handler, nil, nil) == SIGNET_ERROR_ARGUMENT)
        #expect(host.register_route(host.context, text("ui://d"), 0, 0, handler, nil, nil) == SIGNET_ERROR_UNDECLARED)
        #expect(host.register_route(host.context, text("ui://("), 0, 0, handler, nil, nil) == SIGNET_ERROR_ARGUMENT)
        #expect(host.register_route(host.context, text("ui://c/:id"), 0, 0, handler, nil, nil) == SIGNET_OK)
        #expect(
          host.register_route(host.context, text("ui://c/:x"), 0, 0, handler, nil, nil) == SIGNET_ERROR_CONFLICT)
        #expect(host.post(host.context, text("n"), nil, 1) == SIGNET_ERROR_ARGUMENT)
        var odd = signet_named_value(name: text("v"), value: signet_value())
        odd.value.kind = 99
        #expect(host.post(host.context, text("n"), &odd, 1) == SIGNET_ERROR_ARGUMENT)
        return Int32(SIGNET_OK)
      }
      return Int32(SIGNET_OK)
    }
  }

  @Test("actions in C answer now or later; those that are declared for code alone have to be that")
  func actions() throws {
    let switchboard = try enter { _, plugin in
      plugin?.pointee.did_load = { _, host in
        let table = host!.pointee
        let user = UnsafeMutableRawPointer(mutating: host)
        let late: signet_handler = { user, _, reply in
          let host = UInt(bitPattern: user)
          DispatchQueue.global().async {
            let host = UnsafePointer<signet_host>(bitPattern: host)!.pointee
            _ = host.fail(host.context, reply, text("no way"))
          }
        }
        #expect(
          table.register_action(table.context, text("C"), text("late"), 0, late, user, nil) == SIGNET_ERROR_UNDECLARED
        )
        #expect(table.register_action(table.context, text("C"), text("late"), 1, late, user, nil) == SIGNET_OK)
        #expect(
          table.register_action(table.context, text("C"), text("late"), 1, late, user, nil) == SIGNET_ERROR_CONFLICT)
        return table.register_action(
          table.context, text("C"), text("add"), 0,
          { user, request, reply in
            let host = UnsafePointer<signet_host>(OpaquePointer(user!)).pointee
            var answer = host.request_value(request, text("value"))
            _ = host.reply(host.context, reply, &answer)
          }, user, nil)
      }
      return Int32(SIGNET_OK)
    }
    for value: any Sendable in [true, 7, 1.5, "text", [1, 2, 3] as [UInt8]] {
      let back = try switchboard.targets.perform("add", on: "C", with: ["value": value])
      #expect("\(back ?? "nothing")" == "\(value)")
    }
    let opaque = Greeting()
    let back = try switchboard.targets.perform("add", on: "C", with: ["value": opaque])
    #expect(back as? Greeting === opaque)
    #expect(try switchboard.targets.perform("x://C/add?value=z") as? String == "z")
    expectPluginError(.pluginFailed) { try switchboard.targets.perform("late", on: "C") }
    expectPluginError(.actionLocal) { try switchboard.targets.perform("x://C/late") }
  }

  @Test("services, events and calls in C")
  func theRest() throws {
    let before = heard.all.count
    let switchboard = Switchboard()
    try switchboard.router.register(RoutePattern("ui://host"), owner: .host) { "\($0.userInfo["n"] ?? 0)" }
    _ = try enter(
      { _, plugin in
        plugin?.pointee.did_load = { _, host in
          let host = host!.pointee
          #expect(host.find_service(host.context, text("Table")) == nil)
          #expect(
            host.provide_service(host.context, text("Other"), UnsafeRawPointer(bitPattern: 8))
              == SIGNET_ERROR_UNDECLARED)
          #expect(host.provide_service(host.context, text("Table"), nil) == SIGNET_ERROR_ARGUMENT)
          #expect(host.provide_service(host.context, text("Table"), UnsafeRawPointer(bitPattern: 8)) == SIGNET_OK)
          #expect(host.find_service(host.context, text("Table")) == UnsafeRawPointer(bitPattern: 8))
          var token: signet_token = 0
          let observer: signet_observer = { _, name, values, count in
            heard.add("\(name.count) \(count) \(count > 0 ? values![0].value.as.integer : 0)")
          }
          #expect(host.observe(host.context, text("note"), 0, observer, nil, nil, &token) == SIGNET_OK)
          var value = signet_named_value(name: text("v"), value: integer(5))
          #expect(host.post(host.context, text("note"), &value, 1) == SIGNET_OK)
          host.stop_observing(host.context, token)
          host.stop_observing(host.context, token)
          #expect(host.post(host.context, text("note"), nil, 0) == SIGNET_OK)
          let release: signet_release = { _ in heard.add("event released") }
          #expect(host.observe(host.context, text("didBecomeActive"), 1, observer, nil, release, nil) == SIGNET_OK)
          let completion: signet_completion = { _, status, value in
            heard.add("\(status) \(value!.pointee.as.text.count)")
          }
          var number = signet_named_value(name: text("n"), value: integer(123))
          #expect(host.can_open(host.context, text("ui://host")) == 1)
          #expect(host.open(host.context, text("ui://host"), &number, 1, completion, nil) == SIGNET_OK)
          #expect(host.open(host.context, text("ui://nobody"), nil, 0, nil, nil) == SIGNET_OK)
          let status: signet_completion = { _, status, _ in heard.add("status \(status)") }
          #expect(host.perform(host.context, text("Nope"), text("x"), nil, 0, status, nil) == SIGNET_OK)
          return Int32(SIGNET_OK)
        }
        return Int32(SIGNET_OK)
      }, switchboard)
    switchboard.events.start()
    try switchboard.notifications.post("didBecomeActive", userInfo: ["k": 9])
    switchboard.removeAll(ownedBy: .module("com.example.c"))
    #expect(
      Array(heard.all.dropFirst(before)) == [
        "4 1 5", "0 3", "status \(SIGNET_ERROR_NOT_FOUND)", "15 1 9", "event released",
      ])
  }

  @Test("a plugin in Swift enters by the same way, and why it could not register is told")
  func swift() throws {
    final class Good: Plugin {
      func moduleDidLoad(_ context: ModuleContext) throws {
        try context.register(route: "ui://c/:id") { _ in "swift" }
      }
    }
    final class Bad: Plugin {
      func moduleDidLoad(_ context: ModuleContext) throws {
        try context.register(route: "ui://c/:id") { _ in "swift" }
        try context.register(route: "ui://other") { _ in nil }
      }
    }
    let switchboard = try enter { PluginEntry.enter(Good(), $0, $1) }
    #expect(try switchboard.router.open("ui://c/1") as? String == "swift")
    let other = Switchboard()
    expectPluginError(.routeUndeclared) { try enter({ PluginEntry.enter(Bad(), $0, $1) }, other) }
    #expect(other.table.isEmpty)
    let late = try other.context(for: ModuleDeclaration(identifier: "com.example.c", routes: ["ui://c/:id"]))
    expectPluginError(.moduleRemoved) { try late.register(route: "ui://c/:id") { _ in nil } }
    expectPluginError(.pluginVersion) {
      try enter { host, plugin in
        var older = host!.pointee
        older.version = 0
        return withUnsafePointer(to: older) { PluginEntry.enter(Good(), $0, plugin) }
      }
    }
    // A host or an entry that ends before its last field.
    expectPluginError(.pluginVersion) {
      try enter { host, plugin in
        var smaller = host!.pointee
        smaller.size -= 1
        return withUnsafePointer(to: smaller) { PluginEntry.enter(Good(), $0, plugin) }
      }
    }
    expectPluginError(.pluginVersion) {
      try enter { host, plugin in
        plugin?.pointee.size = 23
        return PluginEntry.enter(Good(), host, plugin)
      }
    }
    expectPluginError(.pluginVersion) { try enter { _, plugin in PluginEntry.enter(Good(), nil, plugin) } }
    expectPluginError(.pluginKitNotShared) {
      try enter { host, plugin in
        var foreign = host!.pointee
        foreign.plugin_kit = UnsafeRawPointer(bitPattern: 16)
        return withUnsafePointer(to: foreign) { PluginEntry.enter(Good(), $0, plugin) }
      }
    }
  }
}
