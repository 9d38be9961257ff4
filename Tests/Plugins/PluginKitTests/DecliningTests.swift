import Dispatch
import PluginKit
import Testing

/// How a handler answers or declines.
private enum Form: CaseIterable, Sendable {
  case value, main, task, reply, lateReply

  /// Adds a route that declines, and says that it was asked.
  func register(_ router: Router, _ pattern: String, _ heard: Heard, options: RouteOptions = RouteOptions()) throws {
    let pattern = try RoutePattern(pattern)
    switch self {
    case .value:
      try router.register(pattern, owner: .host, options: options) { _ in
        heard.add("value")
        throw RouteDeclined()
      }
    case .main:
      try router.register(
        pattern, owner: .host, options: options,
        onMain: { _ in
          heard.add("main")
          throw RouteDeclined()
        })
    case .task:
      try router.register(
        pattern, owner: .host, options: options,
        task: { _ in
          heard.add("task")
          throw RouteDeclined()
        })
    case .reply:
      try router.register(
        pattern, owner: .host, options: options,
        replying: { _, reply in
          heard.add("reply")
          #expect(reply.decline())
          #expect(!reply.answer(1) && !reply.decline() && !reply.fail(RouteDeclined()))
        })
    case .lateReply:
      try router.register(
        pattern, owner: .host, options: options,
        replying: { _, reply in
          heard.add("lateReply")
          DispatchQueue.global().async { reply.fail(RouteDeclined()) }
        })
    }
  }
}

/// The three ways of opening, and that of the main actor.
private enum Opening: CaseIterable, Sendable {
  case waiting, completion, task, onMain

  func open(_ router: Router, _ url: String) async throws -> (any Sendable)? {
    switch self {
    case .waiting: try Self.wait(router, url)
    case .completion:
      try await withCheckedContinuation { continuation in
        router.open(url, limit: .seconds(3600)) { continuation.resume(returning: $0) }
      }.get()
    case .task: try await router.open(url, limit: .seconds(3600))
    case .onMain: try await Self.openOnMain(router, url)
    }
  }

  private static func wait(_ router: Router, _ url: String) throws -> (any Sendable)? {
    try router.open(url, limit: .seconds(3600))
  }

  @MainActor private static func openOnMain(_ router: Router, _ url: String) async throws -> String? {
    try await router.openOnMain(url, limit: .seconds(3600)) as? String
  }
}

@Suite("Handlers that decline") struct DecliningTests {
  private func code(_ body: () async throws -> Any?) async -> PluginError.Code? {
    do {
      _ = try await body()
      return nil
    } catch { return (error as? PluginError)?.code }
  }

  @Test("JL6: a handler that declines passes the URL on, and one that does not keeps it")
  func chaining() throws {
    let router = Router()
    try router.register(RoutePattern("tests://return/*"), owner: .host) { _ in "next" }
    try router.register(RoutePattern("tests://return/:value"), owner: .host) { request in
      guard request.text("value") == "yes" else { throw RouteDeclined() }
      return "first"
    }
    // A handler without a value has answered, too.
    try router.register(RoutePattern("tests://nothing"), owner: .host) { _ in nil }
    try router.register(RoutePattern("tests://nothing/*"), owner: .host) { _ in "next" }
    #expect(router.ran("tests://return/yes") == "first")
    #expect(router.ran("tests://return/no") == "next")
    #expect(try router.open("tests://nothing") == nil)
  }

  @Test("every kind of handler can decline, in every form of opening", arguments: Form.allCases, Opening.allCases)
  private func forms(_ form: Form, _ opening: Opening) async throws {
    let router = Router()
    let heard = Heard()
    try form.register(router, "a://x/y", heard)
    expectPluginError(.routeNotFound) { try router.match("a://x") }
    #expect(await code { try await opening.open(router, "a://x/y") } == .routeNotFound)
    try Form.value.register(router, "a://x/:b", heard)
    try form.register(router, "a://:a/:b", heard)
    try router.register(RoutePattern("a://*"), owner: .host) { _ in "last" }
    #expect(try await opening.open(router, "a://x/y") as? String == "last")
    #expect(heard.all == ["\(form)", "\(form)", "value", "\(form)"])
  }

  @Test("the last handler answers in whatever way it does", arguments: Form.allCases, Opening.allCases)
  private func lastOnes(_ form: Form, _ opening: Opening) async throws {
    let router = Router()
    let heard = Heard()
    try form.register(router, "a://value", heard)
    try router.register(RoutePattern("a://:x"), owner: .host) { _ in "value" }
    try form.register(router, "a://main", heard)
    try router.register(
      RoutePattern("a://:x"), owner: .host, options: RouteOptions(priority: -1), onMain: { _ in "main" })
    #expect(try await opening.open(router, "a://value") as? String == "value")
    try #require(router.remove(RoutePattern("a://:x"), ownedBy: .host) == 2)
    try router.register(RoutePattern("a://:x"), owner: .host, onMain: { _ in "main" })
    #expect(try await opening.open(router, "a://main") as? String == "main")
    router.removeAll(ownedBy: .host)
    try form.register(router, "a://task", heard)
    try router.register(RoutePattern("a://:x"), owner: .host, task: { _ in "task" })
    #expect(try await opening.open(router, "a://task") as? String == "task")
    router.removeAll(ownedBy: .host)
    try form.register(router, "a://reply", heard)
    try router.register(RoutePattern("a://:x"), owner: .host) { _, reply in reply.answer("reply") }
    #expect(try await opening.open(router, "a://reply") as? String == "reply")
  }

  @Test("when all decline the error says so, and how many they were")
  func allDecline() throws {
    let router = Router()
    let heard = Heard()
    for pattern in ["a://x", "a://:y", "a://*"] { try Form.value.register(router, pattern, heard) }
    do throws(PluginError) {
      try router.open("a://x")
      Issue.record("nobody answered")
    } catch {
      #expect(error.code == .routeNotFound && error.message.contains("declined"))
      #expect(error.found == "3 handlers that declined")
    }
    // Nobody was asked: that is another message.
    do throws(PluginError) {
      try router.open("b://x")
      Issue.record("nobody answered")
    } catch { #expect(error.code == .routeNotFound && error.message == "has no route") }
  }

  @Test("any number of handlers may decline: they are not within each other", arguments: Opening.allCases)
  private func many(_ opening: Opening) async throws {
    let router = Router()
    let heard = Heard()
    let options = RouteOptions(equals: .inOrder)
    for number in 0..<300 {
      try (number % 2 == 0 ? Form.reply : .value).register(router, "a://x", heard, options: options)
    }
    try router.register(RoutePattern("a://x"), owner: .host, options: options) { _ in "last" }
    #expect(try await opening.open(router, "a://x") as? String == "last")
    #expect(heard.all.count == 300)
  }

  @Test("routes that were removed before their turn are not called, nor those that were added meanwhile")
  func changes() throws {
    let router = Router()
    let heard = Heard()
    let second = Kept<Router.Registration>()
    try router.register(RoutePattern("a://x"), owner: .host) { _ in
      heard.add("first")
      if let second = second.value { router.remove(second) }
      try router.register(RoutePattern("a://x/*"), owner: .host) { _ in heard.add("added") }
      throw RouteDeclined()
    }
    second.value = try router.register(RoutePattern("a://:a"), owner: .host) { _ in heard.add("second") }
    try router.register(RoutePattern("a://*"), owner: .host) { _ in heard.add("third") }
    try router.open("a://x")
    #expect(heard.all == ["first", "third"])
  }

  @Test("a handler that declines after the limit, or after it was cancelled, changes nothing")
  func late() async throws {
    let router = Router()
    let heard = Heard()
    let replies = Kept<RouteReply>()
    try router.register(RoutePattern("a://x"), owner: .host) { _, reply in replies.value = reply }
    try router.register(RoutePattern("a://*"), owner: .host) { _ in heard.add("next") }
    #expect(await code { try await router.open("a://x", limit: .milliseconds(20)) } == .routeTimeout)
    let answer = await withCheckedContinuation { continuation in
      router.open("a://x", limit: .milliseconds(20)) { continuation.resume(returning: $0) }
    }
    expectPluginError(.routeTimeout) { try answer.get() }
    // Before the task, which may run at once.
    replies.value = nil
    let task = Task { await code { try await router.open("a://x", limit: .seconds(3600)) } }
    while replies.value == nil { await Task.yield() }
    task.cancel()
    #expect(await task.value == .routeCancelled)
    let reply = try #require(replies.value)
    #expect(!reply.decline() && !reply.answer())
    #expect(heard.all.isEmpty)
  }

  @Test("the limit is for all handlers together")
  func limit() async throws {
    let router = Router()
    let kept = Kept<RouteReply>()
    try Form.task.register(router, "a://x", Heard())
    try router.register(RoutePattern("a://*"), owner: .host) { _, reply in kept.value = reply }
    #expect(await code { try await router.open("a://x", limit: .milliseconds(20)) } == .routeTimeout)
    let answer = await withCheckedContinuation { continuation in
      router.open("a://x", limit: .milliseconds(20)) { continuation.resume(returning: $0) }
    }
    expectPluginError(.routeTimeout) { try answer.get() }
    expectPluginError(.routeTimeout) { try Self.wait(router, "a://x", .milliseconds(20)) }
  }

  private static func wait(_ router: Router, _ url: String, _ limit: Duration) throws -> (any Sendable)? {
    try router.open(url, limit: limit)
  }

  @Test("an action that declines has given no answer")
  func action() throws {
    // Declining is for routes: nobody else has the action.
    let router = Router()
    try router.register(RoutePattern("a://x"), owner: .host) { _ in
      try router.open("a://y")
    }
    try Form.value.register(router, "a://y", Heard())
    try router.register(RoutePattern("a://*"), owner: .host) { request in
      guard request.url.host == "x" else { throw RouteDeclined() }
      return "next"
    }
    // A URL within a handler that nobody takes is not found: it does not make the handler decline.
    expectPluginError(.routeNotFound) { try router.open("a://x") }
  }

  @Test(
    "G4: what belongs to a refused module stays refused, and nothing behind it is reached by declining",
    arguments: Opening.allCases)
  private func refused(_ opening: Opening) async throws {
    let router = Router()
    let heard = Heard()
    let module = ModuleOwner.module("com.example.refused")
    try Form.value.register(router, "a://x/y", heard)
    try router.register(RoutePattern("a://*"), owner: .host) { _ in heard.add("web") }
    try router.register(RoutePattern("a://"), owner: .host, allowsFallback: true) { _ in heard.add("fallback") }
    // A declared pattern of a refused module stands between the two.
    try router.refuse([], declared: [RoutePattern("a://x/:any")], of: module, because: "x")
    #expect(await code { try await opening.open(router, "a://x/y") } == .routeModuleRefused)
    #expect(heard.all == ["value"])
    #expect(try router.matches("a://x/y").map(\.pattern.text) == ["a://x/y"])
    // Behind all: it would have been asked after the last one.
    try router.refuse([], declared: [RoutePattern("a://:a/*")], of: module, because: "x")
    #expect(await code { try await opening.open(router, "a://x/y") } == .routeModuleRefused)
    try router.refuse([], declared: [RoutePattern("a://x/y/*")], isFailure: true, of: module, because: "x")
    #expect(await code { try await opening.open(router, "a://x/y") } == .routeModuleRefused)
    // Refused while a handler runs.
    router.refuse([], of: module, because: "")
    try router.register(RoutePattern("a://late"), owner: .host) { _ in
      try router.refuse([RoutePattern("a://late")], of: module, because: "x")
      throw RouteDeclined()
    }
    #expect(await code { try await opening.open(router, "a://late") } == .routeModuleRefused)
    // What the manifest gives to it, nobody is asked for.
    try router.refuse([RoutePattern("a://x"), RoutePattern("a://x/*")], of: module, because: "x")
    #expect(await code { try await opening.open(router, "a://x/y") } == .routeModuleRefused)
    #expect(heard.all == ["value", "value", "value"])
    router.refuse([], of: module, because: "")
    #expect(try await opening.open(router, "a://x/y") == nil || opening != .onMain)
    #expect(heard.all.suffix(2) == ["value", "web"])
  }

  @Test("all matches are told in the order in which they are asked")
  func matches() throws {
    let router = try makeRouter("a://x/y", "a://x/:b", "a://:a/*", "a://x", fallback: ["a://x"])
    #expect(try router.matches("a://x/y").map(\.pattern.text) == ["a://x/y", "a://x/:b", "a://:a/*", "a://x"])
    #expect(try router.matches("a://x/y", exactly: true).map(\.pattern.text) == ["a://x/y", "a://x/:b", "a://:a/*"])
    #expect(try router.matches("a://x/y").map(\.isFallback) == [false, false, false, true])
    #expect(try router.matches("a://x/y")[1].parameters == ["b": "y"])
    expectPluginError(.routeNotFound) { try router.matches("b://x") }
  }
}

/// A value that somebody holds on to, from whatever thread.
private final class Kept<Value: Sendable>: @unchecked Sendable {
  private let queue = DispatchQueue(label: "kept")
  private var kept: Value?

  var value: Value? {
    get { queue.sync { kept } }
    set { queue.sync { kept = newValue } }
  }
}
