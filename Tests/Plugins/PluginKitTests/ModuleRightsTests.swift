import PluginKit
import Testing

private final class Kept: Sendable {}

@Suite("What a module may do through its context") struct ModuleRightsTests {
  private let switchboard = Switchboard()

  private func module(
    _ name: String, targets: [String: [String: Bool]] = [:], services: [String] = [], routes: [String] = []
  ) throws -> ModuleContext {
    switchboard.context(
      for: try ModuleDeclaration(
        identifier: "com.example.\(name)", routes: routes, targets: targets, services: services))
  }

  // MARK: Targets

  @Test("CT9: a module asks whether there is a target: of a loaded module yes, of one that is refused or removed no")
  func hasTarget() throws {
    let one = try module("one", targets: ["T": ["act": false]])
    let other = try module("other")
    #expect(!other.hasTarget("T"))
    try one.register(target: "T", make: { 1 }) { $0.add("act") { _, _ in nil } }
    #expect(other.hasTarget("T") && one.hasTarget("T"))
    switchboard.removeAll(ownedBy: one.owner)
    #expect(!other.hasTarget("T"))
    switchboard.targets.refuse(["T"], of: one.owner, because: "signer.revoked")
    #expect(!other.hasTarget("T"))
  }

  @Test("CT4: a module's target with a fallback answers for actions that it lacks, and its instance stays kept")
  func notFound() throws {
    let one = try module("one", targets: ["T": ["self": false, "declared": false, "wipe": true]])
    let other = try module("other")
    try one.register(target: "T", make: { Kept() }) { actions in
      actions.add("self") { kept, _ in kept }
      actions.notFound { _, name, input in "\(name) \(input.text("k") ?? "") for \(input.sender)" }
    }
    let kept = try other.perform("self", on: "T", keepsTarget: true) as? Kept
    #expect(try other.perform("lacks", on: "T", with: ["k": "v"]) as? String == "lacks v for com.example.other")
    #expect(try switchboard.targets.perform("lacks", on: "T", with: ["k": "v"]) as? String == "lacks v for host")
    #expect(try other.perform("self", on: "T") as? Kept === kept && kept != nil)
    // A URL comes from anywhere: it reaches what the signed description names, and nothing else.
    #expect(try other.perform("a://T/declared?k=u") as? String == "declared u for com.example.other")
    expectPluginError(.actionNotFound) { try other.perform("a://T/lacks") }
    expectPluginError(.actionLocal) { try other.perform("a://T/wipe") }
  }

  @Test("the fallback for missing targets gets names and values, and its value is the answer")
  func missing() throws {
    let other = try module("other")
    switchboard.targets.answerMissing { missing in
      guard missing.target == "Nope" else { throw missing.error }
      return "\(missing.target) \(missing.action) \(missing.values["k"] ?? "") \(missing.sender)"
    }
    #expect(try other.perform("x", on: "Nope", with: ["k": 1]) as? String == "Nope x 1 com.example.other")
    #expect(try switchboard.targets.perform("a://Nope/y?k=2") as? String == "Nope y 2 host")
    #expect(try switchboard.targets.perform("x", on: "Nope", value: 7) as? String == "Nope x  host")
    expectPluginError(.targetNotFound) { try other.perform("x", on: "Else") }
    switchboard.targets.refuse(["Nope"], of: .module("com.example.gone"), because: "signer.revoked")
    expectPluginError(.targetModuleRefused) { try other.perform("x", on: "Nope") }
    switchboard.targets.refuse([], of: .module("com.example.gone"), because: "")
    // A fallback that fails is the call's failure.
    switchboard.targets.answerMissing { _ in throw CancellationError() }
    expectPluginError(.actionFailed) { try other.perform("x", on: "Nope") }
    switchboard.targets.answerMissing(nil)
    expectPluginError(.targetNotFound) { try other.perform("x", on: "Nope") }
  }

  @Test("a module's fallback answers its own calls alone, before the host's, and goes with it")
  func ownFallback() async throws {
    let (one, other) = (try module("one"), try module("other"))
    switchboard.targets.answerMissing { _ in "host" }
    try one.answerMissing { _ in "one" }
    #expect(try await one.perform("x", on: "Nope") as? String == "one")
    #expect(try await other.perform("x", on: "Nope") as? String == "host")
    #expect(try await switchboard.targets.perform("x", on: "Nope") as? String == "host")
    switchboard.removeAll(ownedBy: one.owner)
    #expect(try await one.perform("x", on: "Nope") as? String == "host")
  }

  @Test("a module releases its own target for all, and another one for itself alone")
  func release() throws {
    let one = try module("one", targets: ["T": ["self": false]])
    let (other, third) = (try module("other"), try module("third"))
    try one.register(target: "T", make: { Kept() }) { $0.add("self") { kept, _ in kept } }
    func kept(_ context: ModuleContext, keeps: Bool = true) throws -> Kept? {
      try context.perform("self", on: "T", keepsTarget: keeps) as? Kept
    }
    let first = try kept(other)
    #expect(try kept(third) === first)
    #expect(!other.release("other") && !other.release("T"))
    #expect(try kept(third, keeps: false) === first)
    #expect(third.release("T") && !third.release("T"))
    let second = try kept(other)
    #expect(second !== first)
    // Who keeps it goes: then nobody does.
    switchboard.removeAll(ownedBy: other.owner)
    let next = try kept(third)
    #expect(next !== second)
    #expect(one.release("T"))
    #expect(try kept(third, keeps: false) !== next)
    let hosts = try switchboard.targets.perform("self", on: "T", keepsTarget: true) as? Kept
    #expect(!third.release("T"))
    #expect(try kept(one, keeps: false) === hosts)
    #expect(switchboard.targets.release("T") && !switchboard.targets.release("T"))
  }

  // MARK: The caller

  @Test("a handler and an action learn who calls, in each form, and no module passes for another")
  func sender() async throws {
    let one = try module("one", targets: ["T": ["who": false]], routes: ["ui://who", "ui://who/task"])
    let other = try module("other")
    try one.register(route: "ui://who") { "\($0.sender) \($0.userInfo.keys.sorted())" }
    try one.register(route: "ui://who/task", task: { "\($0.sender)" })
    try one.register(target: "T", make: { 1 }) { actions in
      actions.add("who") { _, input in "\(input.sender) \(input.values.keys.sorted())" }
    }
    #expect(try await other.open("ui://who", userInfo: ["k": 1]) as? String == "com.example.other [\"k\"]")
    #expect(try await switchboard.router.open("ui://who") as? String == "host []")
    #expect(try await other.open("ui://who/task") as? String == "com.example.other")
    #expect(await other.object(for: "ui://who") as? String == "com.example.other []")
    let answer: RouteAnswer = await withCheckedContinuation { done in
      other.open("ui://who") { done.resume(returning: $0) }
    }
    #expect(try answer.get() as? String == "com.example.other []")
    // What looks like a mark is none.
    let forged = ["signet.sender": ModuleOwner.host as any Sendable]
    #expect(try await other.open("ui://who", userInfo: forged) as? String == "com.example.other []")
    #expect(try await switchboard.router.open("ui://who", userInfo: forged) as? String == "host []")

    #expect(try await other.perform("who", on: "T", with: ["k": 1]) as? String == "com.example.other [\"k\"]")
    #expect(try await other.perform("a://T/who?k=1") as? String == "com.example.other [\"k\"]")
    #expect(try await switchboard.targets.perform("who", on: "T") as? String == "host []")
  }

  @Test("a route with exact parameters takes a module's call, and its matcher learns who calls")
  func senderAndParameters() throws {
    let one = try module("one", routes: ["ui://exact", "ui://picky"])
    let other = try module("other")
    var exact = RouteOptions()
    exact.parameters = RouteParameters(["k"])
    try one.register(route: "ui://exact", options: exact) { "\($0.sender) \($0.userInfo.keys.sorted())" }
    var picky = RouteOptions()
    picky.matcher = { $0.sender == other.owner && $0.userInfo.isEmpty ? [:] : nil }
    try one.register(route: "ui://picky", options: picky) { "\($0.sender)" }

    #expect(try other.open("ui://exact", userInfo: ["k": 1]) as? String == "com.example.other [\"k\"]")
    expectPluginError(.routeParameters) { try other.open("ui://exact") }
    expectPluginError(.routeParameters) { try other.open("ui://exact", userInfo: ["k": 1, "l": 2]) }
    #expect(other.canOpen("ui://exact", userInfo: ["k": 1]) && !other.canOpen("ui://exact"))
    #expect(try other.match("ui://exact", userInfo: ["k": 1]).owner == one.owner)

    #expect(try other.open("ui://picky") as? String == "com.example.other")
    #expect(other.canOpen("ui://picky") && !one.canOpen("ui://picky"))
    expectPluginError(.routeNotFound) { try one.open("ui://picky") }
    expectPluginError(.routeNotFound) { try switchboard.router.open("ui://picky") }
  }

  @Test("a route on the main actor learns who calls, there and elsewhere")
  @MainActor func senderOnMain() async throws {
    let one = try module("one", routes: ["ui://main"])
    let other = try module("other")
    try one.register(route: "ui://main", onMain: { "\($0.sender) \($0.userInfo.keys.sorted())" })
    #expect(try await other.openOnMain("ui://main", userInfo: ["k": 1]) as? String == "com.example.other [\"k\"]")
    #expect(try await other.open("ui://main") as? String == "com.example.other []")
    #expect(try await switchboard.router.openOnMain("ui://main") as? String == "host []")
  }

  @Test("what a module hands on is its own call, not that of whom it got it from")
  func handedOn() throws {
    let one = try module("one", targets: ["T": ["hand": false, "who": false]])
    let other = try module("other")
    try one.register(target: "T", make: { 1 }) { actions in
      actions.add("hand") { _, input in try one.perform("who", on: "T", with: input) }
      actions.add("who") { _, input in "\(input.sender)" }
    }
    #expect(try other.perform("hand", on: "T") as? String == "com.example.one")
  }

  // MARK: Services

  @Test("a module provides objects that its description declares, and withdraws what it provides")
  func objects() throws {
    let one = try module("one", services: ["AgeGreeter"])
    let other = try module("other", services: ["AgeGreeter"])
    expectPluginError(.serviceUndeclared) { try one.provide((any First).self, object: Both()) }
    expectPluginError(.serviceNotConforming) { try one.provide((any AgeGreeter).self, object: "a text") }
    try one.provide((any AgeGreeter).self, object: Greeting())
    expectPluginError(.serviceConflict) { try other.provide((any AgeGreeter).self, object: Greeting()) }
    #expect(!other.withdraw((any AgeGreeter).self))
    #expect(other.resolve((any AgeGreeter).self) != nil)
    #expect(one.withdraw((any AgeGreeter).self) && !one.withdraw((any AgeGreeter).self))
    #expect(other.resolve((any AgeGreeter).self) == nil)
    var weak: Greeting? = Greeting()
    try other.provide((any AgeGreeter).self, weak: #require(weak))
    #expect(one.resolve((any AgeGreeter).self) != nil)
    weak = nil
    #expect(one.resolve((any AgeGreeter).self) == nil && weak == nil)
  }

  @Test("a name has one instance, which conforms to the protocol that is asked for, or there is none")
  func named() async throws {
    let one = try module("one", services: ["UserModule", "Other"])
    let other = try module("other", services: ["UserModule"])
    expectPluginError(.serviceUndeclared) { try Self.provide(one, "Undeclared") { Greeting() } }
    expectPluginError(.serviceNotConforming) {
      try one.provide(named: "UserModule", object: "a text", as: (any AgeGreeter).self)
    }
    try one.provide(named: "UserModule") { Greeting() }
    expectPluginError(.serviceConflict) { try Self.provide(other, "UserModule") { Greeting() } }
    let first = await other.resolve(named: "UserModule", as: (any AgeGreeter).self)
    #expect(first?.greet("a", 1) == "a1岁啦")
    let again = try await other.instance(named: "UserModule", as: Greeting.self)
    #expect(again === first as? Greeting)
    #expect(await other.resolve(named: "UserModule", as: (any First).self) == nil)
    do throws(PluginError) {
      _ = try await other.instance(named: "UserModule", as: (any First).self)
      Issue.record("conforms")
    } catch { #expect(error.code == .serviceNotConforming) }
    #expect(try await other.instance(named: "Nope", as: (any First).self) == nil)
    #expect(!other.withdraw(named: "UserModule") && one.withdraw(named: "UserModule"))
    try other.provide(named: "UserModule", object: Greeting(), as: (any AgeGreeter).self)
    #expect(await one.resolve(named: "UserModule", as: (any AgeGreeter).self) != nil)
    switchboard.removeAll(ownedBy: other.owner)
    #expect(await one.resolve(named: "UserModule", as: (any AgeGreeter).self) == nil)
  }

  private static func provide(
    _ context: ModuleContext, _ name: String, _ make: @escaping @Sendable () throws -> any Sendable
  ) throws {
    try context.provide(named: name, make: make)
  }

  // MARK: Events

  @Test("a module starts and stops the bus for events only if the host lets it")
  func eventControl() throws {
    let (one, other) = (try module("one"), try module("other"))
    expectPluginError(.eventControl) { try one.startEvents() }
    expectPluginError(.eventControl) { try one.stopEvents() }
    switchboard.allowEventControl { $0.identifier == "com.example.one" }
    expectPluginError(.eventControl) { try other.startEvents() }
    let heard = Heard()
    try other.observe(AppEvent("orientation")) { _ in heard.add("turned") }
    #expect(try one.startEvents(events: ["DeviceTurned": AppEvent("orientation")]))
    #expect(try !one.startEvents() && other.areEventsRunning)
    try other.post("DeviceTurned")
    expectPluginError(.eventControl) { try other.stopEvents() }
    #expect(try one.stopEvents())
    #expect(try !one.stopEvents() && !other.areEventsRunning)
    try other.post("DeviceTurned")
    #expect(heard.all == ["turned"])
    switchboard.allowEventControl(nil)
    expectPluginError(.eventControl) { try one.startEvents() }
  }

  @Test("PT14: observing without an object that observes is an error, and an observation ends with its object")
  func owners() throws {
    let one = try module("one")
    let heard = Heard()
    weak var gone: Kept?
    do {
      let kept = Kept()
      gone = kept
    }
    for missing in [nil, gone] {
      expectPluginError(.notificationNoOwner) { try one.observe(notification: "n", for: missing) { _ in } }
      expectPluginError(.eventNoOwner) { try one.observe(.didBecomeActive, for: missing) { _ in } }
      expectPluginError(.notificationNoOwner) {
        try switchboard.notifications.observe("n", owner: .host, for: missing) { _ in }
      }
      expectPluginError(.eventNoOwner) {
        try switchboard.events.observe(.didBecomeActive, owner: .host, for: missing) { _ in }
      }
    }
    #expect(switchboard.table.isEmpty)
    switchboard.events.start()
    var observer: Kept? = Kept()
    let token = try one.observe(notification: "n", for: observer) { _ in heard.add("note") }
    try one.observe(.didBecomeActive, for: observer) { _ in heard.add("event") }
    try one.post("n")
    try one.post("didBecomeActive")
    #expect(heard.all == ["note", "event"])
    observer = nil
    #expect(observer == nil)
    try one.post("n")
    try one.post("didBecomeActive")
    #expect(heard.all == ["note", "event"])
    // Nothing is left of them, neither.
    #expect(switchboard.table.isEmpty && token.isCancelled)
  }
}
