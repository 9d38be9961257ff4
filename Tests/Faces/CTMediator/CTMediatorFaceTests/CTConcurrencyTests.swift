import CTMediatorFace
import Foundation
import PluginKit
import Testing

/// Many threads on one host. Under the thread sanitizer it tells races, too.
@Suite("many threads call through CTMediator") struct CTConcurrencyTests {
  private static let threads = 6
  private static let rounds = 200

  @Test("each call reaches its module whole or not at all, while modules come and go", .timeLimit(.minutes(60)))
  func comingAndGoing() async throws {
    let switchboard = Switchboard()
    let faults = Heard()
    try CT(switchboard).onNoTarget { info in
      if info.count != 3 { faults.add("told \(info.keys)") }
    }
    let shared = CTMediator(switchboard)
    let workers = DispatchGroup()
    for number in 0..<Self.threads {
      workers.enter()
      Thread.detachNewThread {
        for round in 0..<Self.rounds {
          number < 2 ? module(number, round, switchboard, faults) : caller(number, round, switchboard, shared, faults)
        }
        workers.leave()
      }
    }
    await withCheckedContinuation { done in workers.notify(queue: .global()) { done.resume() } }
    #expect(faults.all == [])
    #expect(switchboard.table.isEmpty)
  }

  /// A module that is loaded, called and removed.
  private func module(_ number: Int, _ round: Int, _ switchboard: Switchboard, _ faults: Heard) {
    do {
      let context = switchboard.context(
        for: try ModuleDeclaration(
          identifier: "com.example.m\(number).\(round)", targets: ["T\(number)": ["self": false, "nope": false]]))
      try CT(context).register("T\(number)", make: { Instance(round) }) {
        $0.add("Action_self:") { instance, _ in instance }
      }
      let own = CTMediator(context)
      let first = own.performTarget("T\(number)", action: "self", shouldCacheTarget: true) as? Instance
      if first?.round != round { faults.add("module \(number) of round \(round) got \(first?.round ?? -1)") }
      if own.performTarget("T\(number)", action: "self") as? Instance !== first { faults.add("nothing was cached") }
      switchboard.removeAll(ownedBy: context.owner)
      if CT(context).check("T\(number)") { faults.add("it stayed") }
    } catch { faults.add("\(error)") }
  }

  private func caller(
    _ number: Int, _ round: Int, _ switchboard: Switchboard, _ shared: CTMediator, _ faults: Heard
  ) {
    let target = "T\(number % 2)"
    let fleeting = CTMediator(switchboard)
    for mediator in [shared, fleeting, CT(switchboard)] {
      switch mediator.outcome(target: target, action: "self", shouldCacheTarget: round.isMultiple(of: 2)) {
      case .success(let result): if !(result is Instance) { faults.add("got \(String(describing: result))") }
      case .failure(let error): if error.code != .targetNotFound { faults.add("\(error)") }
      }
      switch mediator.outcome(of: "aaa://\(target)/nope") {
      case .success(let result): faults.add("got \(String(describing: result))")
      case .failure(let error):
        if ![.targetNotFound, .actionNotFound].contains(error.code) { faults.add("\(error)") }
      }
      if round.isMultiple(of: 5) { mediator.releaseCachedTarget(withFullTargetName: "Target_" + target) }
    }
  }

  private final class Instance: Sendable {
    let round: Int
    init(_ round: Int) { self.round = round }
  }
}
