import Foundation
import PluginKit
import Testing

/// Eight threads on one switchboard. Under the thread sanitizer it tells races, too: `make sanitize`.
@Suite("many threads on one switchboard") struct SwitchboardConcurrencyTests {
  private static let threads = 8
  private static let rounds = 40

  @Test("every open has one answer, and nothing of a module that was removed stays", .timeLimit(.minutes(60)))
  func everythingAtOnce() async throws {
    let switchboard = Switchboard()
    switchboard.events.start()
    let tally = Tally()
    let opens = DispatchGroup()
    let workers = DispatchGroup()
    for thread in 0..<Self.threads {
      workers.enter()
      let worker = SwitchboardWorker(number: thread, switchboard, tally, opens)
      Thread.detachNewThread {
        for round in 0..<Self.rounds { worker.run(round) }
        workers.leave()
      }
    }
    await withCheckedContinuation { done in workers.notify(queue: .global()) { done.resume() } }
    await withCheckedContinuation { done in opens.notify(queue: .global()) { done.resume() } }

    #expect(tally.faults.isEmpty, "\(tally.faults.prefix(5))")
    let answers = tally.answers
    #expect(answers.count == Self.threads * Self.rounds * SwitchboardWorker.opensOfRound)
    #expect(answers.values.allSatisfy { $0 == 1 }, "\(answers.filter { $0.value != 1 }.prefix(5))")
    #expect(await switchboard.services.resolve((any ContestedService).self) == nil)
    let heard = tally.heard
    for name in ["ping", "willTerminate"] { try await switchboard.notifications.post(name) }
    #expect(tally.heard == heard, "an observer of a module that was removed is called")
    // The bus itself observes notifications.
    switchboard.events.stop()
    #expect(switchboard.table.isEmpty, "\(switchboard.table.prefix(5))")
  }

  @Test(
    "opening goes on while the table changes, and finds what was there before and after", .timeLimit(.minutes(60)))
  func readsAndWrites() async throws {
    let switchboard = Switchboard()
    try switchboard.router.register(RoutePattern("ui://stays/:id"), owner: .host) { $0["id"] }
    let tally = Tally()
    let group = DispatchGroup()
    for thread in 0..<Self.threads {
      group.enter()
      Thread.detachNewThread {
        for round in 0..<200 {
          if thread % 4 == 0 {
            let owner = ModuleOwner.module("m.\(thread)")
            // A parameter with a suffix is looked at before the one that stays; it takes other URLs alone.
            _ = try? switchboard.router.register(
              RoutePattern("ui://stays/:id.t\(thread)"), owner: owner, priority: round % 3
            ) { _ in "other" }
            _ = try? switchboard.router.register(
              RoutePattern("ui://stays/:id/\(round)"), owner: owner, allowsFallback: true
            ) { _ in "other" }
            switchboard.router.removeAll(ownedBy: owner)
          } else {
            let value = switchboard.router.object(for: "ui://stays/\(round)") as? String
            if value != "\(round)" { tally.fault("ui://stays/\(round) gave \(value ?? "nothing")") }
            if !switchboard.router.canOpen("ui://stays/x", exactly: true) { tally.fault("ui://stays/x is gone") }
          }
        }
        group.leave()
      }
    }
    await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
    #expect(tally.faults.isEmpty, "\(tally.faults.prefix(5))")
    #expect(switchboard.table.map(\.pattern) == ["ui://stays/:id"])
  }
}
