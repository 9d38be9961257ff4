import Dispatch
import Foundation
import PluginKit

// A program whose main thread really waits in `open`: that of a test's process belongs to whoever runs the tests. Each
// line that it prints is one answer. Where the main thread would never be served, the limit ends the wait.

let router = Router()
let patience = Duration.seconds(3600)

if CommandLine.arguments.dropFirst().first == "ptrouter" {
  try PTRouterProgram.run()
  exit(0)
}

func register(_ pattern: String, replying: @escaping @Sendable (RouteRequest, RouteReply) -> Void) throws {
  try router.register(RoutePattern(pattern), owner: .host, replying: replying)
}

final class View {
  let name: String
  init(_ name: String) { self.name = name }
}

/// Where something runs.
func place() -> String { Thread.isMainThread ? "main" : "elsewhere" }

try register("a://queue") { _, reply in DispatchQueue.main.async { reply.answer("queue, \(place())") } }
try register("a://actor") { _, reply in Task { @MainActor in reply.answer("actor, \(place())") } }
try register("a://later") { _, reply in
  DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) {
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(50)) { reply.answer("later, \(place())") }
  }
}
try register("a://away") { _, reply in DispatchQueue.global().async { reply.answer("away, \(place())") } }
try register("a://never") { _, reply in reply.onFinish { withExtendedLifetime(reply) {} } }
try router.register(
  RoutePattern("a://task"), owner: .host,
  task: { _ in
    "task, " + (await MainActor.run { place() })
  })
try router.register(
  RoutePattern("a://view"), owner: .host,
  onMain: { request in
    // Neither this value nor that of the caller is Sendable.
    View("view of \(((request.mainValues["parent"] as? View)?.name) ?? "nobody"), \(place())")
  })
try router.register(RoutePattern("a://text"), owner: .host, onMain: { _ in "text, \(place())" })
try router.register(
  RoutePattern("a://outer"), owner: .host,
  onMain: { _ in
    // A handler on the main thread that waits itself.
    try router.open("a://actor", limit: patience)
  })
try router.register(
  RoutePattern("a://*"), owner: .host,
  onMain: { request in
    guard request.url.host == "last" else { throw RouteDeclined() }
    return "last, \(place())"
  })
try register("a://last") { _, reply in DispatchQueue.main.async { reply.decline() } }

func show(_ value: Any?) { print(value.map { "\($0)" } ?? "nothing") }

for url in ["a://queue", "a://actor", "a://later", "a://away", "a://task", "a://text", "a://outer", "a://last"] {
  show(try router.open(url, limit: patience))
  show(try router.openOnMain(url, limit: patience))
}
do throws(PluginError) { try router.open("a://never", limit: .milliseconds(20)) } catch { show(error.code) }

// Opened on the main actor, a value is as it is. Elsewhere it is in a box that only the main actor opens.
let parent = View("parent")
show((try router.openOnMain("a://view", mainInfo: ["parent": parent]) as? View)?.name)
show((try router.open("a://view", limit: patience) as? MainActorValue).flatMap { $0.value as? View }?.name)

// From another thread, while the main thread waits for that.
try register("a://elsewhere") { _, reply in
  DispatchQueue.global().async {
    do {
      let box = try router.open("a://view", limit: patience) as? MainActorValue
      let text = try router.open("a://text", limit: patience) as? String
      Task { @MainActor in reply.answer("\((box?.value as? View)?.name ?? "no view"); \(text ?? "no text")") }
    } catch { reply.fail(error) }
  }
}
show(try router.open("a://elsewhere", limit: patience))

// Code of the main queue that waits cannot be served by the queue, but needs no queue for a handler on the main actor.
DispatchQueue.main.async {
  do throws(PluginError) {
    show(try router.open("a://text", limit: patience))
    show(try router.open("a://away", limit: patience))
    try router.open("a://queue", limit: .milliseconds(50))
  } catch { show(error.code) }
  // What was asked of the queue meanwhile is not lost.
  DispatchQueue.main.async { exit(0) }
}
RunLoop.main.run()
