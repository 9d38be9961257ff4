import CSignetPlugin
import Foundation
import PluginKit
import Testing

private final class Thing: Sendable {}

/// A number that another thread reads.
private final class Round: @unchecked Sendable {
  private let lock = NSLock()
  private var value = 0

  var number: Int {
    get { lock.withLock { value } }
    set { lock.withLock { value = newValue } }
  }
}

@Suite("A module that was removed, and comes again") struct AdmissionTests {
  private let declaration: ModuleDeclaration
  private let switchboard = Switchboard()

  init() throws {
    declaration = try ModuleDeclaration(
      identifier: "com.example.m", routes: ["ui://m"], targets: ["T": ["act": false]],
      services: ["AgeGreeter", "Named"], pages: ["", "Detail"])
  }

  /// Registers one thing of each kind.
  private func fill(_ context: ModuleContext, _ heard: Heard, _ name: String) throws {
    try context.register(route: "ui://m") { _ in name }
    try context.register(target: "T", make: { name }) { $0.add("act") { name, _ in name } }
    try context.provide((any AgeGreeter).self) { Greeting() }
    try context.provide(named: "Named") { name }
    try context.observe(notification: "n") { _ in heard.add("\(name) note") }
    try context.observe(.didBecomeActive) { _ in heard.add("\(name) event") }
    try context.register(page: "Detail") { _ in Page(name) }
    #expect(context.presenter.push(Page("\(name) page")))
  }

  /// Checks that a context registers nothing, whatever the kind, and leaves the screen alone.
  private func checkClosed(_ context: ModuleContext) throws {
    expectPluginError(.moduleRemoved) { try context.register(route: "ui://m") { _ in nil } }
    expectPluginError(.moduleRemoved) {
      try context.register(target: "T", make: { 1 }) { $0.add("act") { _, _ in nil } }
    }
    expectPluginError(.moduleRemoved) { try context.provide((any AgeGreeter).self) { Greeting() } }
    expectPluginError(.moduleRemoved) { try context.provide((any AgeGreeter).self, object: Greeting()) }
    expectPluginError(.moduleRemoved) { try context.provide((any AgeGreeter).self, weak: Greeting()) }
    expectPluginError(.moduleRemoved) { try context.provide(named: "Named") { 1 } }
    expectPluginError(.moduleRemoved) { try context.observe(notification: nil) { _ in } }
    expectPluginError(.moduleRemoved) { try context.observe(.willTerminate) { _ in } }
    let thing = Thing()
    expectPluginError(.moduleRemoved) { try context.observe(notification: nil, for: thing) { _ in } }
    expectPluginError(.moduleRemoved) { try context.observe(.willTerminate, for: thing) { _ in } }
    expectPluginError(.moduleRemoved) { try context.register(page: "") { _ in Page("late") } }
    expectPluginError(.moduleRemoved) { try context.answerMissing { _ in 1 } }
    expectPluginError(.moduleRemoved) { try context.startEvents() }
    #expect(!context.presenter.push(Page("late")) && !context.presenter.present(Page("late")))
    #expect(context.presenter.open(Page("late")) == nil && !context.presenter.pop())
    #expect(!context.presenter.alert(Alert("late")) && !context.presenter.dismiss())
    #expect(!context.release("T") && !context.withdraw((any AgeGreeter).self) && !context.withdraw(named: "Named"))
    #expect(!context.remove(page: "Detail"))
  }

  @Test("CS5: a new context registers again, and the one from before the removal stays closed, for each kind")
  func again() throws {
    let heard = Heard()
    let old = switchboard.context(for: declaration)
    try fill(old, heard, "old")
    switchboard.removeAll(ownedBy: old.owner)
    #expect(switchboard.table.isEmpty && switchboard.presenter.state.pages.isEmpty)
    try checkClosed(old)
    let between = switchboard.context(for: declaration)
    try checkClosed(between)

    switchboard.readmit(module: "com.example.m")
    try checkClosed(between)
    let new = switchboard.context(for: declaration)
    #expect(new.owner == old.owner && new.owner == .module("com.example.m"))
    try fill(new, heard, "new")
    try checkClosed(old)
    switchboard.events.start()
    #expect(try switchboard.router.open("ui://m") as? String == "new")
    #expect(try switchboard.targets.perform("act", on: "T") as? String == "new")
    #expect(switchboard.services.resolve((any AgeGreeter).self) != nil)
    #expect(switchboard.services.resolve(named: "Named", as: String.self) == "new")
    try switchboard.notifications.post("n")
    try switchboard.notifications.post("didBecomeActive")
    #expect(heard.all == ["new note", "new event"])
    #expect(try switchboard.pages.make("Detail", of: new.owner).title == "new")
    #expect(switchboard.presenter.state.tabs == [["new page"]])

    // Both contexts end with the next removal.
    switchboard.removeAll(ownedBy: .module("com.example.m"))
    #expect(switchboard.table.isEmpty && switchboard.presenter.state.pages.isEmpty)
    try checkClosed(old)
    try checkClosed(new)
  }

  @Test("a module that was not removed, and is readmitted, goes on by a new context alone")
  func readmitted() throws {
    let old = switchboard.context(for: declaration)
    try old.register(target: "T", make: { 1 }) { $0.add("act") { _, _ in "old" } }
    switchboard.readmit(module: "com.example.m")
    try checkClosed(old)
    #expect(try switchboard.targets.perform("act", on: "T") as? String == "old")
    let new = switchboard.context(for: declaration)
    try new.register(page: "") { _ in Page("new") }
    // The host registers for a module as long as it is there.
    try switchboard.services.provide(named: "Named", owner: .module("com.example.m")) { 1 }
    switchboard.removeAll(ownedBy: old.owner)
    #expect(switchboard.table.isEmpty)
    expectPluginError(.moduleRemoved) {
      try switchboard.services.provide(named: "Named", owner: .module("com.example.m"), object: 1, as: Int.self)
    }
    switchboard.readmit(module: "com.example.m")
    try switchboard.services.provide(named: "Named", owner: .module("com.example.m"), object: 1, as: Int.self)
  }

  @Test("a page of before the removal is not shown afterwards, even by others")
  func oldPage() throws {
    let old = switchboard.context(for: declaration)
    let page = old.page("old")
    switchboard.removeAll(ownedBy: old.owner)
    switchboard.readmit(module: "com.example.m")
    let new = switchboard.context(for: declaration)
    #expect(!switchboard.presenter.push(page) && !new.presenter.present(page))
    #expect(switchboard.presenter.push(new.page("new")))
    #expect(switchboard.presenter.state.top == "new")
  }

  @Test("code that was entered is not entered again, but the host can register for its module")
  func entered() throws {
    func enter() throws {
      try switchboard.enter(
        { _, plugin in
          plugin?.pointee.did_load = { _, _ in Int32(SIGNET_OK) }
          return Int32(SIGNET_OK)
        }, declaration)
    }
    try enter()
    switchboard.removeAll(ownedBy: .module("com.example.m"))
    try checkClosed(switchboard.context(for: declaration))
    switchboard.readmit(module: "com.example.m")
    expectPluginError(.moduleEntered) { try enter() }
    try switchboard.context(for: declaration).register(route: "ui://m") { _ in nil }
  }

  @Test("G6: a refused module has no routes, targets, services, observers and pages, and nobody else has its names")
  func refused() throws {
    let module = ModuleOwner.module("com.example.refused")
    switchboard.router.refuse([try RoutePattern("ui://m")], of: module, because: "digest.mismatch")
    switchboard.refuse(targets: ["T"], services: ["AgeGreeter", "Named"], of: module, because: "digest.mismatch")
    let other = switchboard.context(for: declaration)
    try other.register(route: "ui://m") { _ in nil }
    expectPluginError(.routeModuleRefused) { try switchboard.router.open("ui://m") }
    expectPluginError(.targetModuleRefused) { try other.perform("act", on: "T") }
    #expect(!other.hasTarget("T"))
    expectPluginError(.targetConflict) {
      try other.register(target: "T", make: { 1 }) { $0.add("act") { _, _ in nil } }
    }
    expectPluginError(.serviceConflict) { try other.provide((any AgeGreeter).self) { Greeting() } }
    expectPluginError(.serviceConflict) { try other.provide(named: "Named") { 1 } }
    #expect(other.resolve((any AgeGreeter).self) == nil && other.resolve(named: "Named", as: Int.self) == nil)
    expectPluginError(.pageModuleRefused) { try other.makePage("Detail", of: "com.example.refused") }
    // What it would have observed, nobody hears.
    #expect(switchboard.table.map(\.owner) == ["com.example.m"])

    switchboard.accept(module)
    try other.provide((any AgeGreeter).self) { Greeting() }
    try other.register(target: "T", make: { 1 }) { $0.add("act") { _, _ in nil } }
    expectPluginError(.pageNotFound) { try other.makePage("Detail", of: "com.example.refused") }
  }

  @Test(
    "a module is removed in one step: no thread sees a part of it gone and another still there",
    .timeLimit(.minutes(60)))
  func oneStep() throws {
    let switchboard = switchboard
    let module = ModuleOwner.module("com.example.m")
    let faults = Heard()
    let round = Round()
    let looks = Round()
    let isOver = Flag()
    let order: [TableEntry.Kind] = [.route, .action, .service, .notification, .event, .page]
    Thread.detachNewThread {
      while !isOver.isSet {
        // Until it is complete, a module has what was registered first. Then everything goes at once.
        let found = Set(switchboard.table.map(\.kind))
        if found != Set(order.prefix(found.count)) { faults.add("\(found)") }
        let number = round.number
        func isThere() -> [Bool] {
          [
            switchboard.targets.hasTarget("T\(number)"), switchboard.router.canOpen("ui://m/\(number)"),
            switchboard.pages.hasPage("P\(number)", of: module),
          ]
        }
        // Once it was complete, what is gone first is gone with everything that is looked at after it.
        guard isThere() == [true, true, true] else { continue }
        let later = isThere()
        if later != later.sorted(by: { $0 && !$1 }) { faults.add("\(number) \(later)") }
        looks.number = number + 1
      }
      isOver.end()
    }
    for number in 0..<300 {
      let context = switchboard.context(
        for: try ModuleDeclaration(
          identifier: "com.example.m", routes: ["ui://m/\(number)"], targets: ["T\(number)": ["act": false]],
          services: ["AgeGreeter"], pages: ["P\(number)"]))
      round.number = number
      try context.register(route: "ui://m/\(number)") { _ in nil }
      try context.register(target: "T\(number)", make: { 1 }) { $0.add("act") { _, _ in nil } }
      try context.provide((any AgeGreeter).self) { Greeting() }
      try context.observe(notification: "n") { _ in }
      try context.observe(.willTerminate) { _ in }
      try context.register(page: "P\(number)") { _ in Page("x") }
      #expect(switchboard.table.map(\.kind) == order)
      // The other thread has seen all of it, and looks again while it is removed.
      while looks.number <= number { Thread.sleep(forTimeInterval: 0.0001) }
      switchboard.removeAll(ownedBy: context.owner)
      switchboard.readmit(module: "com.example.m")
    }
    isOver.set()
    #expect(faults.all.isEmpty, "\(faults.all.prefix(3))")
  }

  @Test("what is told about a removal may call back into every table")
  func callingBack() throws {
    final class Probe: Sendable {
      let end: @Sendable () -> Void
      init(_ end: @escaping @Sendable () -> Void) { self.end = end }
      deinit { end() }
    }
    let switchboard = switchboard
    let heard = Heard()
    let context = switchboard.context(for: declaration)
    @Sendable func look(_ name: String) {
      heard.add("\(name) \(switchboard.table.count) \(switchboard.presenter.state.pages.count)")
    }
    do {
      let probe = Probe { look("gone") }
      try context.register(target: "T", make: { 1 }) { $0.add("act") { _, _ in withExtendedLifetime(probe) {} } }
    }
    #expect(context.presenter.push(Page("p")) { _ in look("closed") })
    context.presenter.alert(Alert("sure?", choices: ["yes"])) { look("chosen \($0)") }
    switchboard.presenter.onChange { _ in look("changed") }
    switchboard.removeAll(ownedBy: context.owner)
    #expect(heard.all.sorted() == ["changed 0 0", "chosen 0 0 0", "closed 0 0", "gone 0 0"])
  }
}
