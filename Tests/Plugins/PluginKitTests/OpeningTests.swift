import Dispatch
import PluginKit
import SignetBase
import Testing

@Suite("Opening") struct OpeningTests {
  struct Fault: Error {}

  private func router(
    _ replying: @escaping @Sendable (RouteRequest, RouteReply) -> Void
  ) throws -> Router {
    let router = Router()
    try router.register(RoutePattern("a://x"), owner: .host, replying: replying)
    return router
  }

  /// The form that waits: where there is a task the compiler takes the one for tasks.
  private func wait(_ router: Router, _ url: String, _ limit: Duration = .seconds(3600)) throws -> (any Sendable)? {
    try router.open(url, limit: limit)
  }

  private func code(_ body: () async throws -> Any?) async -> PluginError.Code? {
    do {
      _ = try await body()
      return nil
    } catch { return (error as? PluginError)?.code }
  }

  @Test("PT3: an answer from another thread arrives in all three forms")
  func otherThread() async throws {
    let router = try router { _, reply in DispatchQueue.global().async { reply.answer(true) } }
    #expect(try wait(router, "a://x") as? Bool == true)
    #expect(try await router.open("a://x", limit: .seconds(3600)) as? Bool == true)
    let answer = await withCheckedContinuation { continuation in
      router.open("a://x", limit: .seconds(3600)) { continuation.resume(returning: $0) }
    }
    #expect(try answer.get() as? Bool == true)
  }

  @Test("PT3: no route is an error at once, in all three forms")
  func noRoute() async throws {
    let router = Router()
    expectPluginError(.routeNotFound) { try wait(router, "a://x") }
    #expect(await code { try await router.open("a://x", limit: .seconds(3600)) } == .routeNotFound)
    let answer = await withCheckedContinuation { continuation in
      router.open("a://x", limit: .seconds(3600)) { continuation.resume(returning: $0) }
    }
    expectPluginError(.routeNotFound) { try answer.get() }
  }

  @Test("PT3: a handler that never answers ends with the limit")
  func never() async throws {
    let kept = Kept()
    let router = try router { _, reply in kept.keep(reply) }
    expectPluginError(.routeTimeout) { try wait(router, "a://x", .milliseconds(20)) }
    #expect(await code { try await router.open("a://x", limit: .milliseconds(20)) } == .routeTimeout)
    let answer = await withCheckedContinuation { continuation in
      router.open("a://x", limit: .milliseconds(20)) { continuation.resume(returning: $0) }
    }
    expectPluginError(.routeTimeout) { try answer.get() }
    // A handler whose turn comes after the limit is not called.
    while kept.replies.isEmpty { expectPluginError(.routeTimeout) { try wait(router, "a://x", .milliseconds(20)) } }
    // An answer that comes too late is nobody's.
    #expect(kept.replies.allSatisfy { !$0.answer(1) })
  }

  @Test("an answer that comes as the time ends is the answer or too late, and never lost")
  func race() throws {
    let router = try router { _, reply in DispatchQueue.global().async { reply.answer("answer") } }
    for number in 0..<2000 {
      do {
        let answer = try wait(router, "a://x", .microseconds(number % 60))
        #expect(answer as? String == "answer")
      } catch { #expect((error as? PluginError)?.code == .routeTimeout, "\(error)") }
    }
  }

  @Test(
    "limits may be whatever they like",
    arguments: [
      Duration.zero, .seconds(-1), .seconds(Int64.min), .nanoseconds(1), .seconds(1 << 33), .seconds(Int64.max),
    ])
  func limits(_ limit: Duration) async throws {
    let kept = Kept()
    let router = try router { _, reply in
      kept.keep(reply)
      reply.answer(1)
    }
    // The handler runs elsewhere: where there is no time it may come too late.
    do { #expect(try wait(router, "a://x", limit) as? Int == 1) } catch {
      #expect((error as? PluginError)?.code == .routeTimeout && limit < .seconds(1))
    }
    let answer = await withCheckedContinuation { continuation in
      router.open("a://x", limit: limit) { continuation.resume(returning: $0) }
    }
    do { #expect(try answer.get() as? Int == 1) } catch {
      #expect(error.code == .routeTimeout && limit < .seconds(1))
    }
  }

  @Test("a handler that lets go of its reply has answered")
  func dropped() async throws {
    let router = try router { _, _ in }
    expectPluginError(.routeNoAnswer) { try wait(router, "a://x") }
    #expect(await code { try await router.open("a://x", limit: .seconds(3600)) } == .routeNoAnswer)
  }

  @Test("PT3: of two answers the first counts")
  func twice() throws {
    let router = try router { _, reply in
      #expect(reply.answer("first"))
      #expect(!reply.answer("second"))
      #expect(!reply.fail(Fault()))
    }
    #expect(try router.open("a://x") as? String == "first")
  }

  @Test("what a handler throws is the answer")
  func failures() async throws {
    let router = Router()
    try router.register(RoutePattern("a://value"), owner: .host) { _ in throw Fault() }
    try router.register(RoutePattern("a://task"), owner: .host, task: { _ in throw Fault() })
    try router.register(RoutePattern("a://own"), owner: .host) { _ in
      throw PluginError(.init("page.locked"), "x", "is locked")
    }
    expectPluginError(.routeFailed) { try wait(router, "a://value") }
    #expect(await code { try await router.open("a://task", limit: .seconds(3600)) } == .routeFailed)
    expectPluginError(.init("page.locked")) { try wait(router, "a://own") }
    #expect(await router.object(for: "a://own") == nil)
  }

  @Test("cancelling ends the wait, and the task of the handler")
  func cancelling() async throws {
    let router = Router()
    let ended = AsyncStream<Bool>.makeStream()
    let begun = AsyncStream<Void>.makeStream()
    try router.register(
      RoutePattern("a://x"), owner: .host,
      task: { _ in
        begun.continuation.yield()
        do { try await Task.sleep(for: .seconds(3600)) } catch { ended.continuation.yield(Task.isCancelled) }
        return nil
      })
    let task = Task { await code { try await router.open("a://x", limit: .seconds(3600)) } }
    for await _ in begun.stream { break }
    task.cancel()
    #expect(await task.value == .routeCancelled)
    for await wasCancelled in ended.stream {
      #expect(wasCancelled)
      break
    }
    // One that is cancelled before it opens runs nothing.
    let heard = Heard()
    try router.register(RoutePattern("a://y"), owner: .host) { _ in heard.add("ran") }
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await code { try await router.open("a://y", limit: .seconds(3600)) }
    }
    #expect(await late.value == .routeCancelled)
    #expect(heard.all.isEmpty)
  }

  @Test("a handler that works for an answer is told, once, when nobody waits for it any more")
  func finishing() async throws {
    let heard = Heard()
    let kept = Kept()
    let router = try router { request, reply in
      kept.keep(reply)
      reply.onFinish { heard.add(request.text("form") ?? "") }
    }
    expectPluginError(.routeTimeout) { try wait(router, "a://x?form=timeout", .milliseconds(20)) }
    #expect(heard.all == ["timeout"])
    let task = Task { await code { try await router.open("a://x?form=cancelled", limit: .seconds(3600)) } }
    while kept.replies.count < 2 { await Task.yield() }
    task.cancel()
    #expect(await task.value == .routeCancelled)
    while heard.all.count < 2 { await Task.yield() }
    let reply = try #require(kept.replies.last)
    reply.onFinish { heard.add("at once") }
    #expect(!reply.answer())
    #expect(heard.all == ["timeout", "cancelled", "at once"])
  }

  @Test("a handler may open, register and remove")
  func reentrance() throws {
    let router = Router()
    try router.register(RoutePattern("a://outer"), owner: .host) { _ in
      let inner = try router.register(RoutePattern("a://inner"), owner: .host) { _ in "inner" }
      defer { router.remove(inner) }
      return try router.open("a://inner")
    }
    #expect(try router.open("a://outer") as? String == "inner")
    #expect(!router.canOpen("a://inner"))
  }

  @Test("G4: what belongs to a refused module is refused, whoever else would serve it")
  func refused() throws {
    let router = Router()
    for pattern in ["ui://", "ui://pay/:any"] {
      try router.register(RoutePattern(pattern), owner: .host, allowsFallback: true) { _ in pattern }
    }
    let module = ModuleOwner.module("com.example.pay")
    try router.refuse(
      [RoutePattern("ui://pay"), RoutePattern("ui://pay/:a/*")], of: module, because: "signature.invalid")
    for url in ["ui://pay", "ui://pay/x", "ui://pay/x/y?z"] {
      expectPluginError(.routeModuleRefused) { try router.open(url) }
      #expect(!router.canOpen(url))
    }
    // What nobody named for the module is not the module's.
    let root = ModuleOwner.module("com.example.root")
    try router.refuse([RoutePattern("ui://")], of: root, because: "signature.invalid")
    expectPluginError(.routeModuleRefused) { try router.open("ui://") }
    #expect(router.ran("ui://other") == "ui://")
    router.removeAll(ownedBy: module)
    #expect(router.ran("ui://pay/x") == "ui://pay/:any")
  }

  @Test(
    "G4: what a refused module declared for itself is refused where its own pattern would have been taken",
    arguments: [
      ("ui://*", "ui://home", true), ("ui://:a", "ui://home", true), ("ui://*", "ui://:a", true),
      ("ui://:a", "ui://:a.html", true), ("ui://home/*", "ui://home", true), ("ui://home/:a/*", "ui://home/:a", true),
      ("ui://home", "ui://home", false), ("ui://home", "ui://*", false), ("ui://:a.html", "ui://:a", false),
      ("ui://:a", "ui://:b", false), ("ui://*", "ui://*", false),
    ])
  func declared(_ declared: String, _ route: String, isServed: Bool) throws {
    let router = Router()
    let module = ModuleOwner.module("com.example.refused")
    try router.register(RoutePattern("ui://"), owner: .host, allowsFallback: true) { _ in "web" }
    try router.register(RoutePattern(route), owner: .module("com.example.other")) { _ in "other" }
    try router.refuse([], declared: [RoutePattern(declared)], of: module, because: "x")
    let url = route.contains("html") || declared.contains("html") ? "ui://home.html" : "ui://home"
    #expect(router.canOpen(route == "ui://home/:a" ? "ui://home/x" : url) == isServed)
    // Where it failed, and was not refused, the same place is the other's, too; a place that comes later is not.
    try router.refuse([], declared: [RoutePattern(declared)], isFailure: true, of: module, because: "x")
    let isLater = !isServed && declared != route && declared != "ui://:a"
    #expect(router.canOpen(route == "ui://home/:a" ? "ui://home/x" : url) == !isLater)
    router.removeAll(ownedBy: .module("com.example.other"))
    #expect(!router.canOpen(route == "ui://home/:a" ? "ui://home/x" : url))
    try router.register(RoutePattern(route), owner: .module("com.example.other")) { _ in "other" }
    try router.refuse([RoutePattern("ui://*")], of: module, because: "x")
    #expect(!router.canOpen(url))
    router.refuse([], of: module, because: "")
    #expect(router.canOpen(url))
  }
}

/// Replies that somebody holds on to.
private final class Kept: @unchecked Sendable {
  private let queue = DispatchQueue(label: "kept")
  private var kept: [RouteReply] = []

  func keep(_ reply: RouteReply) { queue.sync { kept.append(reply) } }
  var replies: [RouteReply] { queue.sync { kept } }
}
