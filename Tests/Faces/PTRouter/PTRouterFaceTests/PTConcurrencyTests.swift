import Dispatch
import Foundation
import PTLaunchFace
import PluginKit
import TestSupport
import Testing

@testable import PTTestSupport

/// Threads on one switchboard, with modules that come and go. Under the thread sanitizer it tells races, too.
@Suite("many threads use PTRouter's names") struct PTConcurrencyTests {
  private static let threads = 8
  private static let rounds = Sanitizer.isThread ? 15 : 40

  private static func work(_ number: Int, _ round: Int, _ switchboard: Switchboard, _ faults: Heard) throws {
    let identifier = "com.example.m\(number)"
    let scheme = "m\(number)"
    let owner = ModuleOwner.module(identifier)
    let module = try context(
      switchboard, identifier, routes: ["\(scheme)://page", "\(scheme)://*"],
      targets: ["Launch\(number)": ["initializeWhenLaunch"], "Page\(number)": ["initWithParam_"]],
      services: ["User\(number)"])
    let (router, classes, bus) = (PTRouter(module), PTInvocationHelper(module), PTAppEventBus(module))
    let heard = Heard()
    try router.registerURL("\(scheme)://page") { url, callback in callback(url.params["n"] as? Int == round) }
    try router.registerURL("\(scheme)://") { _, callback in DispatchQueue.global().async { callback(false) } }
    try classes.registerClass(
      "Launch\(number)", make: { true },
      methods: PTMethods {
        $0.add("initializeWhenLaunch") { _ in
          heard.add("launch")
          return nil
        }
      })
    try classes.registerClass(
      "Page\(number)", make: { true }, methods: PTMethods { $0.add("initWithParam:") { _, _ in Anything() } })
    try module.provide(named: "User\(number)") { Anything() }
    try bus.didBecomeActive.observe { _ in heard.add("active") }
    guard router.openURL("\(scheme)://page", param: ["n": round], limit: patience) else {
      return faults.add("\(scheme)://page is not opened")
    }
    if router.openURL("\(scheme)://other", limit: patience) { faults.add("\(scheme)://other is opened") }
    // Others may be on their way out: the answer is one of two.
    let next = (number + 1) % threads
    _ = PTRouter(switchboard).openURL("m\(next)://page", param: ["n": round], limit: patience)
    let helper = PTAppLaunchHelper(
      switchboard,
      .inProgram([
        "AutoInitialize.plist": try plist(["classes": ["Launch\(number)", "Launch\(next)"]]),
        "AutoRegistURL.plist": try plist(["Host://p\(number)": ["controller": "Page\(number)"]]),
        "DataModules.plist": try plist(["Container\(number)": "User\(number)"]),
      ]))
    let report = try helper.autoInitModule()
    if report.entries.first?.error != nil { faults.add("Launch\(number): \(report.entries)") }
    if !heard.all.contains("launch") { faults.add("Launch\(number) was not called") }
    try helper.autoRegistURL()
    try helper.autoRegistDataModules()
    let container = PTModuleContainer("Container\(number)", Anything.self, switchboard)
    if container.module() == nil { faults.add("Container\(number) is empty") }
    switchboard.removeAll(ownedBy: owner)
    if router.openURL("\(scheme)://page", param: ["n": round], limit: patience) { faults.add("\(scheme) is opened") }
    if container.module() != nil { faults.add("Container\(number) is not empty") }
    let left = heard.all.count
    try switchboard.notifications.post("didBecomeActive")
    if heard.all.count != left { faults.add("an observer of \(identifier) is called") }
    switchboard.readmit(module: identifier)
  }

  @Test("nothing of a module that was removed stays, and every other call is answered", .timeLimit(.minutes(60)))
  func everythingAtOnce() async throws {
    let switchboard = Switchboard()
    try PTAppEventBus(switchboard).start()
    let faults = Heard()
    let group = DispatchGroup()
    for number in 0..<Self.threads {
      group.enter()
      Thread.detachNewThread {
        for round in 0..<Self.rounds {
          do { try Self.work(number, round, switchboard, faults) } catch { faults.add("\(error)") }
        }
        group.leave()
      }
    }
    await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
    #expect(faults.all.isEmpty, "\(faults.all.prefix(5))")
    try PTAppEventBus(switchboard).stop()
    #expect(switchboard.table.allSatisfy { $0.owner == "host" })
    switchboard.removeAll(ownedBy: .host)
    #expect(switchboard.table.isEmpty)
  }
}
