import Foundation
import PluginKit
import TestSupport
import Testing

private func residentPages() -> Int {
  let statm = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
  return Int(statm.split(separator: " ").dropFirst().first ?? "0") ?? 0
}

@Suite("what grows has an end") struct BoundTests {
  @Test(
    "what was answered leaves nothing behind, however long it could have taken", .slow,
    .disabled(if: Sanitizer.isAddress || Sanitizer.isThread, "a sanitizer keeps what was let go of"))
  func timers() async {
    await #expect(processExitsWith: .success) {
      let router = Router()
      try router.register(RoutePattern("a://x"), owner: .host, replying: { $1.answer() })
      func open(_ count: Int) { for _ in 0..<count { router.open("a://x", limit: .seconds(86_400)) { _ in } } }
      open(20_000)
      let before = residentPages()
      open(Extent.isWhole ? 200_000 : 50_000)
      let growth = (residentPages() - before) * 4096
      // A record of each would take more.
      exit(growth < (Extent.isWhole ? 16 << 20 : 4 << 20) ? 0 : 1)
    }
  }

  @Test("routes that open each other have an end that is no crash")
  func recursion() async {
    await #expect(processExitsWith: .success) {
      let router = Router()
      try router.register(RoutePattern("a://x"), owner: .host) { _ in try router.open("a://y") }
      try router.register(RoutePattern("a://y"), owner: .host) { _ in try router.open("a://x") }
      try router.register(
        RoutePattern("a://z"), owner: .host,
        replying: { _, reply in
          router.open("a://z") { answer in
            do { reply.answer(try answer.get()) } catch { reply.fail(error) }
          }
        })
      try router.register(RoutePattern("a://task"), owner: .host, task: { _ in try await router.open("a://task") })
      try router.register(RoutePattern("a://answered"), owner: .host) { _ in
        router.open("a://answered") { answer in
          if case .failure(let error) = answer, error.code == .routeTooDeep { exit(0) }
        }
        return nil
      }
      for url in ["a://x", "a://z", "a://task"] {
        do throws(PluginError) {
          try await router.open(url, limit: .seconds(600))
          exit(1)
        } catch { if error.code != .routeTooDeep { exit(2) } }
      }
      // Nobody is told at first; the deepest one is, and ends this process.
      router.open("a://answered") { _ in }
      exit(3)
    }
  }

  @Test("tasks that handlers leave behind, one after the other, are not within each other")
  func chain() async throws {
    // Three times as many as may be within each other. Each waits until others give it a thread, for as long as that takes.
    let (count, patience) = (192, Duration.seconds(1 << 30))
    let router = Router()
    let (stream, ended) = AsyncStream<String>.makeStream()
    try router.register(RoutePattern("a://tick/:n"), owner: .host) { request in
      let number = Int(request.text("n") ?? "") ?? 0
      guard number < count else { return ended.yield("last") }
      Task {
        // The handler that left it behind may return later than it begins.
        if number % 10 == 0 { await Task.yield() }
        do {
          try await router.open("a://tick/\(number + 1)", limit: patience)
        } catch {
          ended.yield("\(number): \(error)")
        }
      }
      return nil
    }
    try await router.open("a://tick/0", limit: patience)
    for await text in stream {
      #expect(text == "last")
      break
    }
  }

  @Test("what patterns grow to when they are read is bounded, each and all together")
  func amplification() throws {
    func route(_ number: Int, parts: Int) -> String {
      let optional = (0..<5).map { "(/o\($0))" }.joined()
      return "ui://r\(number)/" + Array(repeating: "a", count: parts).joined(separator: "/") + optional
    }
    expectPluginError(.patternTooLong) { try RoutePattern(route(0, parts: 57)) }
    // 32 ways with 16 parts and 2.5 more in the middle are more than 512; with 12 they are 496.
    expectPluginError(.patternTooLong) { try RoutePattern(route(0, parts: 15)) }
    _ = try RoutePattern(route(0, parts: 12))
    _ = try ModuleDeclaration(identifier: "com.example.m", routes: (0..<33).map { route($0, parts: 12) })
    expectPluginError(.patternTooLong) {
      try ModuleDeclaration(identifier: "com.example.m", routes: (0..<34).map { route($0, parts: 12) })
    }
  }

  @Test("limits next to the greatest that there is")
  func greatLimits() throws {
    let router = Router()
    try router.register(RoutePattern("a://x"), owner: .host, replying: { _, reply in reply.answer(1) })
    for limit in [Duration.seconds((1 << 33) - 1), .seconds((1 << 33) - 1) + .nanoseconds(999_999_999)] {
      #expect(try router.open("a://x", limit: limit) as? Int == 1)
    }
    // Whether an answer is there at once is a matter of luck.
    do throws(PluginError) { #expect(try router.open("a://x", limit: .nanoseconds(0)) as? Int == 1) } catch {
      #expect(error.code == .routeTimeout)
    }
  }
}
