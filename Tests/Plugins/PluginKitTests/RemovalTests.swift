import Dispatch
import Testing

@testable import PluginKit

@Suite("Handlers that have not begun when their module is removed") struct RemovalTests {
  private let switchboard = Switchboard()
  private let began = Heard()
  private let answers = Heard()

  /// - Parameter name: tells modules of several tests apart: their threads are those of the process.
  private func module(_ name: String) throws -> ModuleContext {
    switchboard.context(
      for: try ModuleDeclaration(
        identifier: "com.example.\(name)", routes: ["ui://blocks", "ui://:form"],
        targets: ["T": ["reply": false, "task": false, "main": false]]))
  }

  private func note(_ name: String) -> @Sendable (RouteAnswer) -> Void {
    { [answers] answer in
      if case .failure(let error) = answer { answers.add("\(name) \(error.code)") } else { answers.add(name) }
    }
  }

  private func register(_ module: ModuleContext) throws {
    try module.register(target: "T", make: { [began] in began }) { actions in
      actions.add("reply") { began, _, reply in
        began.add("action")
        reply.answer()
      }
      actions.add("task", task: { began, _ in began.add("action") })
      actions.addOnMain("main") { began, _ in began.add("action") }
    }
  }

  @Test("on the main actor they do not begin any more") @MainActor
  func main() async throws {
    let module = try module("main")
    try register(module)
    try module.register(route: "ui://:form", onMain: { [began] _ in began.add("route") })
    // The caller is on no thread of the main actor, which this test keeps until both are waited for.
    DispatchQueue.global().sync {
      switchboard.router.open("ui://main", completion: note("route"))
      switchboard.targets.perform("main", on: "T", completion: note("action"))
    }
    switchboard.removeAll(ownedBy: module.owner)
    while answers.all.count < 2 { await Task.yield() }
    #expect(began.all.isEmpty)
    #expect(answers.all.sorted() == ["action target.not-found", "route route.not-found"])
  }

  @Test("in the line for a thread they do not begin any more, and the next route is asked", arguments: [false, true])
  func threads(isTask: Bool) async throws {
    let module = try module(isTask ? "tasks" : "replies")
    let gate = DispatchSemaphore(value: 0)
    let blocked = Heard()
    try register(module)
    try module.register(route: "ui://blocks") { _, reply in
      blocked.add("blocked")
      gate.wait()
      reply.answer()
    }
    if isTask {
      try module.register(route: "ui://:form", task: { [began] _ in began.add("route") })
    } else {
      try module.register(route: "ui://:form") { [began] _, reply in
        began.add("route")
        reply.answer()
      }
    }
    try switchboard.router.register(RoutePattern("ui://*"), owner: .host) { _ in "the host's" }
    // As many as the module has threads.
    for _ in 0..<16 { switchboard.router.open("ui://blocks") { _ in } }
    while blocked.all.count < 16 { await Task.yield() }
    switchboard.router.open("ui://form", completion: note("route"))
    switchboard.targets.perform(isTask ? "task" : "reply", on: "T", completion: note("action"))
    switchboard.removeAll(ownedBy: module.owner)
    for _ in 0..<16 { gate.signal() }
    while answers.all.count < 2 { await Task.yield() }
    #expect(began.all.isEmpty)
    #expect(answers.all.sorted() == ["action target.not-found", "route"])
  }

  @Test("a target that waits for a thread to be made on is not made any more")
  func instances() async throws {
    let module = try module("line")
    let gate = DispatchSemaphore(value: 0)
    let blocked = Heard()
    try module.register(
      target: "T",
      make: { [began] in
        began.add("made")
        return true
      }
    ) { $0.add("task", task: { _, _ in nil }) }
    try module.register(route: "ui://blocks") { _, reply in
      blocked.add("blocked")
      gate.wait()
      reply.answer()
    }
    for _ in 0..<16 { switchboard.router.open("ui://blocks") { _ in } }
    while blocked.all.count < 16 { await Task.yield() }
    // The line is full as soon as the task stands in it, too.
    for _ in 1..<HandlerThreads.waitingLimit { switchboard.router.open("ui://blocks") { _ in } }
    let threads = HandlerThreads.of(module.owner)
    #expect(threads.hasRoom)
    let call = Task { [switchboard] in try await switchboard.targets.perform("task", on: "T") }
    while threads.hasRoom { await Task.yield() }
    switchboard.removeAll(ownedBy: module.owner)
    for _ in 0..<16 { gate.signal() }
    let answer = await call.result
    expectPluginError(.targetNotFound) { try answer.get() }
    #expect(began.all.isEmpty && blocked.all.count == 16)
  }
}
