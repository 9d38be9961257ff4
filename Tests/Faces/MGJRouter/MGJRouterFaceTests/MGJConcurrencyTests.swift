import Foundation
import MGJRouterFace
import PluginKit
import Testing

/// Eight threads on one switchboard. Under the thread sanitizer it tells races, too.
@Suite("MGJRouter's calls on many threads", .timeLimit(.minutes(60))) struct MGJConcurrencyTests {
  private static let threads = 8
  private static let rounds = 40
  private static let patience = Duration.seconds(3600)

  /// What happened on all threads. The thread sanitizer does not see what a Mutex does.
  private final class Tally: Sendable {
    private let state = ReadWriteLock<(faults: [String], counts: [String: Int])>(([], [:]))

    func fault(_ message: String) { state.write { $0.faults.append(message) } }
    func add(_ name: String) { state.write { $0.counts[name, default: 0] += 1 } }
    func count(_ name: String) -> Int { state.read { $0.counts[name] ?? 0 } }
    var faults: [String] { state.read { $0.faults } }
  }

  private func onThreads(_ body: @escaping @Sendable (Int) -> Void) async {
    let group = DispatchGroup()
    for thread in 0..<Self.threads {
      group.enter()
      Thread.detachNewThread {
        body(thread)
        group.leave()
      }
    }
    await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
  }

  @Test("modules come and go: each URL is served by its own module as long as that is there, and nothing stays")
  func modules() async {
    let switchboard = Switchboard()
    let tally = Tally()
    let tasks = DispatchGroup()
    await onThreads { thread in
      for round in 0..<Self.rounds {
        do { try Self.module(thread, round, switchboard, tally, tasks) } catch { tally.fault("\(thread): \(error)") }
      }
    }
    await withCheckedContinuation { done in tasks.notify(queue: .global()) { done.resume() } }
    #expect(tally.faults.isEmpty, "\(tally.faults.prefix(5))")
    #expect(tally.count("completion") == Self.threads * Self.rounds)
    #expect(tally.count("task") == Self.threads * Self.rounds)
    #expect(switchboard.table.isEmpty, "\(switchboard.table.prefix(5))")
  }

  /// One module's life.
  private static func module(
    _ thread: Int, _ round: Int, _ switchboard: Switchboard, _ tally: Tally, _ tasks: DispatchGroup
  ) throws {
    let name = "m\(thread).r\(round)"
    let context = try context(
      switchboard, name, ["mgj://\(name)", "mgj://\(name)/*", "mgj://\(name)/object/:id", "mgj://\(name)/main"])
    let (module, host) = (MGJRouter(context), MGJRouter(switchboard))
    for turn in 0..<3 {
      try module.registerURLPattern("mgj://\(name)") { parameters in
        parameters.completion?("\(name) \(turn) \(parameters.userInfo?["k"] as? Int ?? 0)")
      }
    }
    try module.registerURLPattern("mgj://\(name)/object/:the-id", allowsFallback: false) { _ in
      tally.fault("\(name): an object handler was replaced later")
    }
    try module.registerURLPattern(
      "mgj://\(name)/object/:id", allowsFallback: false, toObjectHandler: { "\(name) \($0["id"] ?? "")" })
    try module.registerURLPatternOnMain("mgj://\(name)/main", allowsFallback: false) { $0.completion?(name) }
    let error = host.openURL("mgj://\(name)/below?x=1", withUserInfo: ["k": thread], limit: patience) { result in
      tally.add("completion")
      if result as? String != "\(name) 2 \(thread)" { tally.fault("\(name): \(result ?? "nothing")") }
    }
    if let error { tally.fault("\(name): \(error)") }
    if module.object(forURL: "mgj://\(name)/object/\(round)") as? String != "\(name) \(round)" {
      tally.fault("\(name) has another object")
    }
    // What is another's may be there or not. If it is, it is that module's.
    let other = "m\((thread + 1) % threads).r\(round)"
    if let object = module.object(forURL: "mgj://\(other)/object/1") as? String, object != "\(other) 1" {
      tally.fault("\(other) has \(object)")
    }
    tasks.enter()
    Task {
      // By then the module may be gone.
      let error = await host.openURL("mgj://\(name)/main", limit: patience) { result in
        if result as? String != name { tally.fault("\(name) on the main actor: \(result ?? "nothing")") }
      }
      if let error, error.code != .routeNotFound { tally.fault("\(name) on the main actor: \(error)") }
      tally.add("task")
      tasks.leave()
    }
    if round % 2 == 0, !module.deregisterURLPattern("mgj://\(name)") { tally.fault("\(name) had no handler") }
    switchboard.removeAll(ownedBy: context.owner)
    if host.canOpenURL("mgj://\(name)") || host.object(forURL: "mgj://\(name)/object/1") != nil {
      tally.fault("\(name) is still there")
    }
    do throws(PluginError) {
      try module.registerURLPattern("mgj://\(name)") { _ in }
      tally.fault("\(name) registers after its end")
    } catch { if error.code != .moduleRemoved { tally.fault("\(name): \(error)") } }
  }

  @Test("a handler is replaced in one step: while it is, either the old or the new one serves each URL")
  func replacing() async throws {
    let switchboard = Switchboard()
    let router = MGJRouter(switchboard)
    let tally = Tally()
    let answers = ["old", "new"]
    @Sendable func register(_ answer: String, _ name: String) throws {
      try router.registerURLPattern("mgj://stays/:\(name)") { $0.completion?("\(answer) \($0[name] ?? "")") }
    }
    try register("old", "id")
    await onThreads { thread in
      for round in 0..<200 {
        do {
          if thread % 4 == 0 {
            try register(answers[round % 2], round % 3 == 0 ? "id" : "other-id")
            _ = router.canOpenURL("mgj://stays/1", matchExactly: true)
          } else {
            let error = router.openURL("mgj://stays/\(round)") { result in
              tally.add("served")
              if !answers.contains(where: { result as? String == "\($0) \(round)" }) {
                tally.fault("\(result ?? "nothing") for \(round)")
              }
            }
            if let error { tally.fault("\(error)") }
          }
        } catch { tally.fault("\(error)") }
      }
    }
    #expect(tally.faults.isEmpty, "\(tally.faults.prefix(5))")
    #expect(tally.count("served") == 6 * 200)
    #expect(switchboard.table.count == 1)
  }
}
