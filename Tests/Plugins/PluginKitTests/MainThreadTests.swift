import Foundation
import PluginKit
import TestSupport
import Testing

@Suite("The main thread") struct MainThreadTests {
  private static let program =
    URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent().path
    + "/MainThreadProgram"

  #if os(Linux)
    @Test("PT3: on the main thread, handlers that need it answer while it waits; a limit ends every other wait")
    func blocked() async throws {
      let result = try await FixtureBuilds.run(Self.program, [])
      let twice = ["queue, main", "actor, main", "later, main", "away, elsewhere", "task, main", "text, main"]
      var lines = (twice + ["actor, main", "last, main"]).flatMap { line in [line, line] }
      lines += [
        "route.timeout", "view of parent, main", "view of nobody, main", "view of nobody, main; text, main",
        "text, main", "away, elsewhere", "route.timeout",
      ]
      #expect(result.output.split(separator: "\n").map(String.init) == lines)
      #expect(result.status == 0 && result.errors == "")
    }
  #endif

  /// No thread but the main actor's may see it.
  private final class View {
    let name: String
    init(_ name: String) { self.name = name }
  }

  @Test("a handler on the main actor gives and takes values that are not Sendable there, and boxes elsewhere")
  func values() async throws {
    let router = Router()
    try router.register(
      RoutePattern("a://view/:name"), owner: .host,
      onMain: { request in
        let parent = request.mainValues["parent"] as? View
        return View((parent?.name ?? "") + (request.text("name") ?? ""))
      })
    try await MainActor.run {
      _ = try Self.onMain(router)
    }
    #expect(try await Self.onMainLater(router) == "bc")
    let box = try #require(try await router.open("a://view/d", limit: .seconds(3600)) as? MainActorValue)
    #expect(await MainActor.run { (box.value as? View)?.name } == "d")
    let answer = await withCheckedContinuation { continuation in
      router.open("a://view/e", limit: .seconds(3600)) { continuation.resume(returning: $0) }
    }
    let other = try #require(try answer.get() as? MainActorValue)
    #expect(await MainActor.run { (other.value as? View)?.name } == "e")
  }

  @MainActor private static func onMain(_ router: Router) throws {
    let view = try router.openOnMain("a://view/a", mainInfo: ["parent": View("x")]) as? View
    #expect(view?.name == "xa")
  }

  @MainActor private static func onMainLater(_ router: Router) async throws -> String? {
    (try await router.openOnMain("a://view/c", mainInfo: ["parent": View("b")]) as? View)?.name
  }

  @Test("texts, numbers, Booleans and bytes of a handler on the main actor need no box")
  func simpleValues() async throws {
    let router = Router()
    let values: [String: any Sendable] = ["b": true, "i": 7, "d": 1.5, "s": "x", "y": [1, 2] as [UInt8]]
    for (name, value) in values {
      try router.register(RoutePattern("a://\(name)"), owner: .host, onMain: { _ in value })
      let answer = try await router.open("a://\(name)", limit: .seconds(3600))
      #expect("\(try #require(answer))" == "\(value)")
    }
    try router.register(RoutePattern("a://none"), owner: .host, onMain: { _ in nil })
    #expect(try await router.open("a://none", limit: .seconds(3600)) == nil)
  }

  @Test("all other handlers can be opened on the main actor, too, with its values for none of them")
  func otherHandlers() async throws {
    let router = Router()
    try router.register(RoutePattern("a://value"), owner: .host) { "\($0.userInfo["k"] ?? "")" }
    try router.register(RoutePattern("a://task"), owner: .host, task: { "\($0.userInfo["k"] ?? "")" })
    try router.register(RoutePattern("a://reply"), owner: .host) { request, reply in
      reply.answer("\(request.userInfo["k"] ?? "")")
    }
    try router.register(RoutePattern("a://fails"), owner: .host, onMain: { _ in throw CancellationError() })
    for url in ["a://value", "a://task", "a://reply"] {
      #expect(try await Self.open(router, url) == "7")
    }
    for url in ["a://fails", "a://none"] {
      do {
        _ = try await Self.open(router, url)
        Issue.record("\(url) has an answer")
      } catch {
        #expect((error as? PluginError)?.code == (url == "a://none" ? .routeNotFound : .routeFailed))
      }
    }
  }

  @MainActor private static func open(_ router: Router, _ url: String) async throws -> String? {
    try await router.openOnMain(url, userInfo: ["k": 7], mainInfo: ["view": View("")], limit: .seconds(3600))
      as? String
  }
}
