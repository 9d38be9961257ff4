import Foundation
import HSLinkFace
import PluginKit
import Testing

/// Many threads on one host. Under the thread sanitizer it tells races, too.
@Suite("many threads call through HSLinkClass") struct HSConcurrencyTests {
  private static let threads = 6
  private static let rounds = 200

  @Test(
    "each block is called once and with one of three answers, while modules come and go", .timeLimit(.minutes(60)))
  func comingAndGoing() async throws {
    let switchboard = Switchboard()
    let faults = Faults()
    let workers = DispatchGroup()
    for number in 0..<Self.threads {
      workers.enter()
      Thread.detachNewThread {
        for round in 0..<Self.rounds {
          number < 2 ? module(number, round, switchboard, faults) : caller(number, round, switchboard, faults)
        }
        workers.leave()
      }
    }
    await withCheckedContinuation { done in workers.notify(queue: .global()) { done.resume() } }
    #expect(faults.all == [])
    #expect(switchboard.table.isEmpty)
  }

  private func module(_ number: Int, _ round: Int, _ switchboard: Switchboard, _ faults: Faults) {
    do {
      let context = switchboard.context(
        for: try ModuleDeclaration(
          identifier: "com.example.m\(number).\(round)",
          targets: ["C\(number)": ["itself": false, "echo": false, "class.version": false]]))
      let link = HSLinkClass(context)
      try link.supply("C\(number)", make: { Object() }) { methods in
        methods.add("itself") { object in { object } }
        methods.add("echo:") { _ in { $0 } }
        methods.addClass("version") { round }
      }
      let (one, other) = (
        link.callObject(class: "C\(number)", method: "itself"), link.callObject(class: "C\(number)", method: "itself")
      )
      if one.value as? Object === other.value as? Object { faults.add("an object was used twice") }
      if link.callClass(class: "C\(number)", method: "version").value as? Int != round {
        faults.add("another version")
      }
      switchboard.removeAll(ownedBy: context.owner)
      if link.callObject(class: "C\(number)", method: "itself").classIsLoad { faults.add("it stayed") }
    } catch { faults.add("\(error)") }
  }

  private func caller(_ number: Int, _ round: Int, _ switchboard: Switchboard, _ faults: Faults) {
    let link = HSLinkClass(switchboard)
    let name = "C\(number % 2)"
    var told = 0
    link.callObject(class: name, method: "echo:", param: round) { value, performSuccess, classIsLoad in
      told += 1
      let isRight = performSuccess ? value as? Int == round && classIsLoad : value == nil && !classIsLoad
      if !isRight { faults.add("echo gave \(String(describing: value)), \(performSuccess), \(classIsLoad)") }
    }
    link.callObject(class: name, method: "nothing") { value, performSuccess, _ in
      told += 1
      if value != nil || performSuccess { faults.add("nothing gave \(String(describing: value))") }
    }
    link.callClass(class: name, method: "version") { value, performSuccess, _ in
      told += 1
      if performSuccess != (value is Int) { faults.add("version gave \(String(describing: value))") }
    }
    if told != 3 { faults.add("\(told) blocks were called") }
  }

  private final class Object: Sendable {}

  private final class Faults: @unchecked Sendable {
    private let lock = NSLock()
    private var texts: [String] = []

    func add(_ text: String) { lock.withLock { texts.append(text) } }
    var all: [String] { lock.withLock { texts } }
  }
}
