import Foundation
import PluginKit
import SignetBase

/// A service that all threads want to provide; one at a time can.
protocol ContestedService: AnyObject, Sendable {
  var owner: String { get }
}

private final class ContestedProvider: ContestedService {
  let owner: String
  init(_ owner: String) { self.owner = owner }
}

/// One thread: in each round it fills a module of its own, uses it and what the others have, and removes it.
struct SwitchboardWorker: Sendable {
  /// Opens of a round that have to be answered.
  static let opensOfRound = 8
  /// Ends a worker that hangs; no open takes a second by itself.
  private static let limit = Duration.seconds(3600)

  private let number: Int
  private let switchboard: Switchboard
  private let tally: Tally
  private let opens: DispatchGroup

  init(number: Int, _ switchboard: Switchboard, _ tally: Tally, _ opens: DispatchGroup) {
    self.number = number
    self.switchboard = switchboard
    self.tally = tally
    self.opens = opens
  }

  func run(_ round: Int) {
    let name = "m.\(number).\(round)"
    do {
      let context = switchboard.context(
        for: try ModuleDeclaration(
          identifier: name,
          routes: ["value", "task", "reply", "twice", "never", "held"].map { "ui://\(name)/\($0)/:id" },
          targets: ["T\(number)": ["act": false]], services: ["ContestedService"]))
      try register(context, name)
      open(name, round)
      try useServices(context, name)
      try observe(context, name)
      race(round)
      switchboard.removeAll(ownedBy: context.owner)
      checkNothingIsLeft(context, name)
    } catch { tally.fault("\(name): \(error)") }
  }

  private func register(_ context: ModuleContext, _ name: String) throws {
    try context.register(route: "ui://\(name)/value/:id") { "\(name)/\($0["id"] ?? "")" }
    try context.register(route: "ui://\(name)/task/:id", task: { "\(name)/\($0["id"] ?? "")" })
    try context.register(route: "ui://\(name)/reply/:id") { request, reply in
      DispatchQueue.global().async { reply.answer("\(name)/\(request["id"] ?? "")") }
    }
    try context.register(route: "ui://\(name)/twice/:id") { request, reply in
      for _ in 0..<2 { DispatchQueue.global().async { reply.answer("\(name)/\(request["id"] ?? "")") } }
      reply.answer("\(name)/\(request["id"] ?? "")")
    }
    try context.register(route: "ui://\(name)/never/:id") { _, _ in }
    try context.register(route: "ui://\(name)/held/:id") { [tally] _, reply in tally.hold(reply, name) }
    try context.register(target: "T\(number)", make: { name }) { actions in
      actions.add("act") { name, _ in name }
    }
  }

  private func open(_ name: String, _ round: Int) {
    let router = switchboard.router
    for kind in ["value", "task", "reply", "twice"] {
      let answer = Result { () throws(PluginError) in try router.open("ui://\(name)/\(kind)/7", limit: Self.limit) }
      tally.answered("\(name) \(kind) waits")
      if (try? answer.get()) as? String != "\(name)/7" { tally.fault("\(name)/\(kind): \(answer)") }
    }
    opens.enter()
    router.open("ui://\(name)/twice/7", limit: Self.limit) { [tally, opens] answer in
      tally.answered("\(name) is told")
      switch answer {
      case .success(let value): if value as? String != "\(name)/7" { tally.fault("\(name) is told \(answer)") }
      // The handler is called on another thread. By then the module may be gone, and its handlers decline.
      case .failure(let error):
        if error.code != .routeNotFound { tally.fault("\(name) is told \(answer)") }
      }
      opens.leave()
    }
    opens.enter()
    let task = Task { [tally, opens] in
      do throws(PluginError) {
        let value = try await router.open("ui://\(name)/task/7", limit: Self.limit) as? String
        if value != "\(name)/7" { tally.fault("\(name): \(value ?? "nothing")") }
      } catch {
        // By then the route may be gone.
        if ![.routeCancelled, .routeNotFound].contains(error.code) { tally.fault("\(name): \(error)") }
      }
      tally.answered("\(name) awaits")
      opens.leave()
    }
    if round % 3 == 0 { task.cancel() }
    for (kind, code) in [("never", PluginError.Code.routeNoAnswer), ("held", .routeTimeout)] {
      do throws(PluginError) {
        let value = try router.open("ui://\(name)/\(kind)/7", limit: kind == "held" ? .milliseconds(2) : Self.limit)
        tally.fault("\(name)/\(kind): \(String(describing: value))")
      } catch {
        if error.code != code { tally.fault("\(name)/\(kind): \(error)") }
      }
      tally.answered("\(name) \(kind)")
    }
    // What others have may be there or not; if it is, it is theirs.
    let other = "m.\((number + 1) % 8).\(round)"
    if let value = router.object(for: "ui://\(other)/value/8") as? String, value != "\(other)/8" {
      tally.fault("\(other): \(value)")
    }
    if tally.answersLate(name) { tally.fault("\(name): a late answer counts") }
  }

  private func useServices(_ context: ModuleContext, _ name: String) throws {
    let value = try context.perform("act", on: "T\(number)") as? String
    if value != name { tally.fault("\(name): the target of \(value ?? "nobody")") }
    do throws(PluginError) {
      try context.provide((any ContestedService).self) { ContestedProvider(name) }
    } catch {
      if error.code != .serviceConflict { throw error }
      return
    }
    let service = context.resolve((any ContestedService).self)
    let again = context.resolve((any ContestedService).self)
    if service?.owner != name || service !== again {
      tally.fault("\(name): the service of \(service?.owner ?? "nobody")")
    }
  }

  private func observe(_ context: ModuleContext, _ name: String) throws {
    let token = try context.observe(notification: name) { [tally] _ in tally.hear(name) }
    try context.observe(notification: nil) { [tally] _ in tally.hear("any") }
    try context.observe(.willTerminate) { [tally] _ in tally.hear("event") }
    try context.post(name)
    try context.post("willTerminate")
    if tally.count(name) != 1 { tally.fault("\(name) was heard \(tally.count(name)) times") }
    token.cancel()
    try context.post(name)
    if tally.count(name) != 1 { tally.fault("\(name) was heard after its end") }
  }

  /// Two threads on one module: one fills it, the other removes it.
  private func race(_ round: Int) {
    let name = "race.\(number / 2).\(round)"
    let owner = ModuleOwner.module(name)
    guard number % 2 == 0 else { return switchboard.removeAll(ownedBy: owner) }
    do throws(PluginError) {
      for part in 0..<4 {
        try switchboard.router.register(try RoutePattern("ui://\(name)/\(part)(/:x)"), owner: owner) { _ in nil }
        _ = try switchboard.notifications.observe(owner: owner) { [tally] _ in tally.hear("any") }
        try switchboard.targets.register("R\(number).\(round).\(part)", owner: owner, make: { 0 }) { actions in
          actions.add("act") { _, _ in 0 }
        }
      }
    } catch {
      if error.code != .moduleRemoved { tally.fault("\(name): \(error)") }
    }
    // Who comes last removes it, for good.
    switchboard.removeAll(ownedBy: owner)
    if switchboard.table.contains(where: { $0.owner == name }) { tally.fault("\(name) left something") }
  }

  private func checkNothingIsLeft(_ context: ModuleContext, _ name: String) {
    let left = switchboard.table.filter { $0.owner == name }
    if !left.isEmpty { tally.fault("\(name) left \(left)") }
    if switchboard.router.canOpen("ui://\(name)/value/7") { tally.fault("\(name) can be opened") }
    if context.resolve((any ContestedService).self)?.owner == name { tally.fault("\(name) provides its service") }
    do throws(PluginError) {
      try context.register(route: "ui://\(name)/value/:id") { _ in nil }
      tally.fault("\(name) registers after its end")
    } catch {
      if error.code != .moduleRemoved { tally.fault("\(name): \(error)") }
    }
  }
}

/// What happened on all threads.
final class Tally: @unchecked Sendable {
  private let lock = NSLock()
  private var answerCounts: [String: Int] = [:]
  private var heardCounts: [String: Int] = [:]
  private var messages: [String] = []
  private var replies: [String: RouteReply] = [:]

  func answered(_ open: String) { lock.withLock { answerCounts[open, default: 0] += 1 } }
  func hear(_ name: String) { lock.withLock { heardCounts[name, default: 0] += 1 } }
  func fault(_ message: String) { lock.withLock { messages.append(message) } }
  func hold(_ reply: RouteReply, _ name: String) { lock.withLock { replies[name] = reply } }
  func count(_ name: String) -> Int { lock.withLock { heardCounts[name] ?? 0 } }

  var answers: [String: Int] { lock.withLock { answerCounts } }
  var heard: [String: Int] { lock.withLock { heardCounts } }
  var faults: [String] { lock.withLock { messages } }

  /// Answers what was held back, and says whether anybody waited for it. Where the time was over before the handler began, nothing was.
  func answersLate(_ name: String) -> Bool {
    lock.withLock { replies.removeValue(forKey: name) }?.answer("late") ?? false
  }
}
