import PluginKit
import Testing

@Suite("Notifications and events") struct EventTests {
  private final class Thing: Sendable {}

  @Test("CS4: all observers hear, in their order; one that is gone does not")
  func order() throws {
    let bus = NotificationBus()
    let heard = Heard()
    let first = try bus.observe("n", owner: .host) { _ in heard.add("first") }
    _ = try bus.observe(owner: .host) { heard.add("any \($0.name)") }
    _ = try bus.observe("n", owner: .host) { heard.add("last \($0.userInfo["k"] ?? "")") }
    try bus.post("n", userInfo: ["k": 1])
    try bus.post("other")
    #expect(heard.all == ["first", "any n", "last 1", "any other"])
    first.cancel()
    first.cancel()
    #expect(first.isCancelled)
    heard.clear()
    try bus.post("n")
    #expect(heard.all == ["any n", "last "])
  }

  @Test("CS4: an observer can hear of one object alone")
  func objects() throws {
    let bus = NotificationBus()
    let heard = Heard()
    let (mine, other) = (Thing(), Thing())
    _ = try bus.observe("n", object: mine, owner: .host) { _ in heard.add("mine") }
    try bus.post("n", object: other)
    try bus.post("n")
    try bus.post("n", object: mine)
    #expect(heard.all == ["mine"])
    // Objects come and go at one address: none of them is the one that is gone.
    var gone: Thing? = Thing()
    _ = try bus.observe("n", object: gone, owner: .host) { _ in heard.add("another") }
    gone = nil
    #expect(gone == nil)
    for _ in 0..<1000 { try bus.post("n", object: Thing()) }
    try bus.post("n")
    #expect(heard.all == ["mine"])
  }

  @Test("CS4: handlers may post, observe and end observations, also of those who would hear next")
  func during() throws {
    let bus = NotificationBus()
    let heard = Heard()
    let tokens = TokenBox()
    _ = try bus.observe("n", owner: .host) { _ in
      heard.add("first")
      tokens.token?.cancel()
      try? bus.post("inner")
      tokens.late = try? bus.observe("n", owner: .host) { _ in heard.add("late") }
    }
    tokens.token = try bus.observe("n", owner: .host) { _ in heard.add("second") }
    _ = try bus.observe("inner", owner: .host) { _ in heard.add("inner") }
    try bus.post("n")
    #expect(heard.all == ["first", "inner"])
  }

  @Test("CS4, CS5: observers of a module that is removed while a notification is delivered are not called any more")
  func removedDuring() throws {
    let bus = NotificationBus()
    let heard = Heard()
    let module = ModuleOwner.module("com.example.m")
    _ = try bus.observe("n", owner: .host) { _ in
      heard.add("first")
      bus.removeAll(ownedBy: module)
    }
    _ = try bus.observe("n", owner: module) { _ in heard.add("removed") }
    _ = try bus.observe("n", owner: .host) { _ in heard.add("last") }
    try bus.post("n")
    #expect(heard.all == ["first", "last"])
  }

  @Test("PT13: each event reaches its own observers, once", arguments: AppEvent.lifeCycle)
  func lifeCycle(_ event: AppEvent) throws {
    let notifications = NotificationBus()
    let events = EventBus(notifications)
    let heard = Heard()
    for known in AppEvent.lifeCycle { _ = try events.observe(known, owner: .host) { _ in heard.add("\(known)") } }
    #expect(events.start())
    try notifications.post(event.rawValue)
    #expect(heard.all == ["\(event)"])
  }

  @Test("PT15: events of one's own")
  func custom() throws {
    let notifications = NotificationBus()
    let events = EventBus(notifications)
    let heard = Heard()
    let orientation = AppEvent("orientation")
    _ = try events.observe(orientation, owner: .host) { heard.add("\($0["to"] ?? "")") }
    _ = try events.observe(.didBecomeActive, owner: .host) { _ in heard.add("active") }
    events.start(events: EventBus.lifeCycle.merging(["DeviceTurned": orientation]) { $1 })
    try notifications.post("DeviceTurned", userInfo: ["to": "landscape"])
    #expect(heard.all == ["landscape"])
  }

  @Test("PT16, D21, D22: started twice is started once, stopped is stopped, and observers may come before the start")
  func startAndStop() throws {
    let notifications = NotificationBus()
    let events = EventBus(notifications)
    let heard = Heard()
    for event in AppEvent.lifeCycle { _ = try events.observe(event, owner: .host) { _ in heard.add("\(event)") } }
    try notifications.post("didBecomeActive")
    #expect(heard.all.isEmpty && !events.isRunning)
    #expect(events.start())
    #expect(!events.start() && events.isRunning)
    try notifications.post("didBecomeActive")
    #expect(heard.all == ["didBecomeActive"])
    #expect(events.stop())
    #expect(!events.stop() && !events.isRunning)
    for event in AppEvent.lifeCycle { try notifications.post(event.rawValue) }
    #expect(heard.all == ["didBecomeActive"])
    events.start()
    try notifications.post("willTerminate")
    #expect(heard.all == ["didBecomeActive", "willTerminate"])
  }
}

private final class TokenBox: @unchecked Sendable {
  var token: ObservationToken?
  var late: ObservationToken?
}
