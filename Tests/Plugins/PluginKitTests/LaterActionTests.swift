import Dispatch
import PluginKit
import Testing

/// Far more than anything here takes, so that no busy machine is too slow.
private let patience = Duration.seconds(3600)

@Suite("Actions that answer later, and those of the main actor") struct LaterActionTests {
  private struct Broken: Error {}

  /// Keeps the reply of the last call.
  private final class Kept: @unchecked Sendable {
    private let queue = DispatchQueue(label: "kept")
    private var last: RouteReply?
    var reply: RouteReply? {
      get { queue.sync { last } }
      set { queue.sync { last = newValue } }
    }
  }

  private let kept = Kept()

  private func targets() throws -> Targets {
    let (targets, kept) = (Targets(), kept)
    try targets.register("T", owner: .module("com.example.t"), make: { "instance" }) { actions in
      actions.add(
        "task",
        task: { instance, input in
          await Task.yield()
          return "\(instance) \(input.text("k") ?? "")"
        })
      actions.add("reply") { instance, input, reply in
        DispatchQueue.global().async { reply.answer("\(instance) replies \(input.text("k") ?? "")") }
      }
      actions.add("local", isLocal: true, task: { _, _ in "local" })
      actions.add("double", taking: Int.self, task: { _, number in number * 2 })
      actions.add(
        "endless",
        task: { _, _ in
          try await Task.sleep(for: patience)
          return nil
        })
      actions.add("kept") { _, _, reply in kept.reply = reply }
      actions.add("none") { _, _, _ in }
      actions.add("breaks", task: { _, _ in throw Broken() })
      actions.add("fails") { _, _, reply in reply.fail(Broken()) }
      actions.add("refuses", task: { _, _ in throw PluginError(PluginError.Code("my.code"), "x", "is refused") })
    }
    return targets
  }

  @Test("an action that declines has given no answer, because there is no other one to ask")
  func declining() async throws {
    let targets = Targets()
    try targets.register("T", owner: .host, make: { 1 }) { actions in
      actions.add("declines") { _, _, reply in reply.decline() }
    }
    func declined() {
      expectPluginError(.routeNoAnswer) { try targets.perform("declines", on: "T", limit: patience) }
    }
    declined()
    do throws(PluginError) {
      let answer = try await targets.perform("declines", on: "T", limit: patience)
      Issue.record("\(String(describing: answer))")
    } catch { #expect(error.code == .routeNoAnswer) }
    let answer: RouteAnswer = await withCheckedContinuation { done in
      targets.perform("declines", on: "T", limit: patience) { done.resume(returning: $0) }
    }
    expectPluginError(.routeNoAnswer) { try answer.get() }
  }

  @Test("a task and a reply answer callers that wait on a thread")
  func threads() throws {
    let targets = try targets()
    #expect(try targets.perform("task", on: "T", with: ["k": "v"], limit: patience) as? String == "instance v")
    #expect(try targets.perform("a://T/task?k=u", limit: patience) as? String == "instance u")
    #expect(
      try targets.perform("reply", on: "T", with: ["k": "v"], limit: patience) as? String == "instance replies v")
    #expect(try targets.perform("double", on: "T", value: 21, limit: patience) as? Int == 42)
    expectPluginError(.actionType) { try targets.perform("double", on: "T", value: "21", limit: patience) }
    expectPluginError(.actionType) { try targets.perform("reply", on: "T", value: 1, limit: patience) }
    #expect(try targets.perform("local", on: "T", limit: patience) as? String == "local")
    expectPluginError(.actionLocal) { try targets.perform("a://T/local", limit: patience) }
    expectPluginError(.actionLocal) { try targets.perform("a://T/double?value=1", limit: patience) }
  }

  @Test("a task and a reply answer callers that are tasks, and those that pass a closure")
  func tasks() async throws {
    let targets = try targets()
    #expect(try await targets.perform("task", on: "T", with: ["k": "v"], limit: patience) as? String == "instance v")
    #expect(try await targets.perform("reply", on: "T", limit: patience, as: String.self) == "instance replies ")
    #expect(try await targets.perform("double", on: "T", value: 4, limit: patience) as? Int == 8)
    let answer: RouteAnswer = await withCheckedContinuation { done in
      targets.perform("task", on: "T", with: ["k": "w"], limit: patience) { done.resume(returning: $0) }
    }
    #expect(try answer.get() as? String == "instance w")
    let heard = Heard()
    targets.perform("nope", on: "T") { answer in
      if case .failure(let error) = answer { heard.add("\(error.code)") }
    }
    #expect(heard.all == ["action.not-found"])
  }

  @Test("a limit ends the wait for an action, on a thread, in a task and for a closure")
  func limits() async throws {
    let targets = try targets()
    for action in ["endless", "kept"] {
      expectPluginError(.routeTimeout) { try Self.sync(targets, action, .milliseconds(5)) }
      #expect(await Self.awaited(targets, action, .milliseconds(5)) == .routeTimeout)
      let answer: RouteAnswer = await withCheckedContinuation { done in
        targets.perform(action, on: "T", limit: .milliseconds(5)) { done.resume(returning: $0) }
      }
      expectPluginError(.routeTimeout) { try answer.get() }
    }
    // An answer after the limit no longer counts.
    #expect(kept.reply?.answer("late") == false)
    expectPluginError(.routeNoAnswer) { try Self.sync(targets, "none", patience) }
  }

  private static func sync(_ targets: Targets, _ action: String, _ limit: Duration) throws -> (any Sendable)? {
    try targets.perform(action, on: "T", limit: limit)
  }

  /// The code with which an action fails that a task awaits.
  private static func awaited(
    _ targets: Targets, _ action: String, on target: String = "T", _ limit: Duration
  ) async -> PluginError.Code? {
    do throws(PluginError) {
      _ = try await targets.perform(action, on: target, limit: limit)
      return nil
    } catch { return error.code }
  }

  @Test("a task that is cancelled no longer waits for an action, and the action's task is cancelled")
  func cancelled() async throws {
    let targets = Targets()
    let began = AsyncStream<Void>.makeStream()
    let ended = AsyncStream<Bool>.makeStream()
    try targets.register("T", owner: .host, make: { 0 }) { actions in
      actions.add(
        "endless",
        task: { _, _ in
          began.continuation.yield()
          do { try await Task.sleep(for: patience) } catch { ended.continuation.yield(Task.isCancelled) }
          return nil
        })
    }
    let task = Task { await Self.awaited(targets, "endless", patience) }
    for await _ in began.stream { break }
    task.cancel()
    #expect(await task.value == .routeCancelled)
    for await isCancelled in ended.stream {
      #expect(isCancelled)
      break
    }
  }

  @Test("errors of an action are its own, however it answers")
  func errors() async throws {
    let targets = try targets()
    for action in ["breaks", "fails"] {
      expectPluginError(.actionFailed) { try Self.sync(targets, action, patience) }
      #expect(await Self.awaited(targets, action, patience) == .actionFailed)
    }
    expectPluginError(PluginError.Code("my.code")) { try Self.sync(targets, "refuses", patience) }
  }

  @Test("a fallback that is a task answers for every action that the target lacks")
  func fallback() async throws {
    let targets = Targets()
    try targets.register("T", owner: .host, make: { "kept" }) { actions in
      actions.notFound(task: { instance, name, input in "\(instance) \(name) \(input.text("k") ?? "")" })
    }
    #expect(
      try await targets.perform("other", on: "T", with: ["k": "v"], keepsTarget: true, limit: patience) as? String
        == "kept other v")
    #expect(try await targets.perform("a://T/more?k=w", limit: patience) as? String == "kept more w")
  }

  @Test("other threads and tasks reach the main actor's actions")
  func onMain() async throws {
    let targets = Targets()
    try targets.register("Screen", owner: .host, makeOnMain: { Screen() }) { actions in
      actions.addOnMain("show") { screen, input in screen.show(input.text("k") ?? "") }
      actions.addMainOnly("draw") { screen, input in screen.draw(input) }
    }
    #expect(
      try await targets.perform("show", on: "Screen", with: ["k": "a"], limit: patience) as? String == "shows a")
    let answer: RouteAnswer = await withCheckedContinuation { done in
      DispatchQueue.global().async {
        targets.perform("show", on: "Screen", with: ["k": "b"], limit: patience) { done.resume(returning: $0) }
      }
    }
    #expect(try answer.get() as? String == "shows b")
    let text: String? = await withCheckedContinuation { done in
      DispatchQueue.global().async {
        done.resume(returning: (try? targets.perform("show", on: "Screen", limit: patience)) as? String)
      }
    }
    #expect(text == "shows ")
    #expect(await Self.awaited(targets, "draw", on: "Screen", patience) == .actionMainActor)
    expectPluginError(.actionLocal) { try Self.url(targets, "a://Screen/draw") }
  }

  private static func url(_ targets: Targets, _ url: String) throws -> (any Sendable)? { try targets.perform(url) }

  @Test("the main actor calls at once, with values and results that stay there")
  @MainActor func fromMain() throws {
    let targets = Targets()
    let canvas = Canvas()
    try targets.register("Screen", owner: .host, makeOnMain: { Screen() }) { actions in
      actions.addOnMain("show") { screen, input in screen.show(input.text("k") ?? "") }
      actions.addMainOnly("draw") { screen, input in screen.draw(input) }
      actions.addMainOnly("sender") { _, input in "\(input.sender)" }
      actions.add("later", task: { _, _ in nil })
    }
    let drawn = try targets.performOnMain("draw", on: "Screen", with: MainInput(["canvas": canvas])) as? Canvas
    #expect(drawn === canvas && canvas.strokes == 1)
    #expect(try targets.performOnMain("show", on: "Screen", with: ["k": "c"] as ActionInput) as? String == "shows c")
    // The thread of the main actor does not wait for itself.
    #expect(try targets.perform("show", on: "Screen", with: ["k": "d"]) as? String == "shows d")
    #expect(try targets.performOnMain("sender", on: "Screen", with: [:] as ActionInput) as? String == "host")
    expectPluginError(.actionMainActor) { try targets.performOnMain("later", on: "Screen", with: [:] as ActionInput) }
    expectPluginError(.actionMainActor) {
      try targets.performOnMain("show", on: "Screen", with: MainInput(["canvas": canvas]))
    }
    expectPluginError(.actionNotFound) {
      try targets.performOnMain("nope", on: "Screen", with: MainInput(["canvas": canvas]))
    }
    let switchboard = Switchboard()
    let module = switchboard.context(
      for: try ModuleDeclaration(identifier: "com.example.m", targets: ["Own": ["who": true]]))
    try module.register(target: "Own", makeOnMain: { Screen() }) { actions in
      actions.addMainOnly("who") { _, input in "\(input.sender)" }
    }
    #expect(try module.performOnMain("who", on: "Own", with: MainInput()) as? String == "com.example.m")
    #expect(try switchboard.targets.performOnMain("who", on: "Own", with: MainInput()) as? String == "host")
  }
}

/// Something that the main actor alone may touch.
private final class Canvas { var strokes = 0 }

@MainActor private final class Screen {
  func show(_ text: String) -> String { "shows \(text)" }

  func draw(_ input: MainInput) -> Canvas? {
    let canvas = input.value("canvas", as: Canvas.self)
    canvas?.strokes += 1
    return canvas
  }
}
