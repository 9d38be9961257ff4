import Foundation
import PTRouterFace
import PluginKit
import Testing

@testable import PTTestSupport

extension PTAppEventBus {
  /// An event of one's own, as a category of the original has it.
  fileprivate var didChangeStatusBarOrientation: PTAppEvent { self["orientation"] }
}

@Suite("PTAppEventBus") struct PTEventTests {
  private static func events(_ bus: PTAppEventBus) -> [PTAppEvent] {
    [
      bus.didEnterBackground, bus.willEnterForeground, bus.didFinishLaunch, bus.didBecomeActive, bus.willResignActive,
      bus.didReceiveMemoryWarning, bus.willTerminate, bus.significantTimeChange,
    ]
  }

  private static let names = [
    "didEnterBackground", "willEnterForeground", "didFinishLaunch", "didBecomeActive", "willResignActive",
    "didReceiveMemoryWarning", "willTerminate", "significantTimeChange",
  ]

  @Test("PT13 D21: each of the eight notifications reaches the observers of its event once, and no others")
  func eight() async throws {
    let switchboard = Switchboard()
    let host = PTAppEventBus(switchboard)
    let module = PTAppEventBus(try context(switchboard))
    let heard = Heard()
    #expect(PTAppEventBus.defaultNotificationMap == Dictionary(uniqueKeysWithValues: Self.names.map { ($0, $0) }))
    #expect(Self.events(host).map(\.keyPath) == Self.names)
    try host.start()
    for (user, bus) in [("host", host), ("module", module)] {
      for event in Self.events(bus) {
        try event.observe { values in heard.add("\(user) \(event.keyPath) \(values["n"] ?? "")") }
      }
    }
    for (number, name) in Self.names.enumerated() {
      heard.clear()
      try await switchboard.notifications.post(name, userInfo: ["n": number])
      #expect(heard.all == ["host \(name) \(number)", "module \(name) \(number)"])
    }
    heard.clear()
    try await switchboard.notifications.post("other")
    #expect(heard.all.isEmpty)
    // A token ends an observation, and a module takes its own with it.
    let token = try host.willTerminate.observe { _ in heard.add("token") }
    token.cancel()
    switchboard.removeAll(ownedBy: .module("com.example.a"))
    try await switchboard.notifications.post("willTerminate")
    #expect(heard.all == ["host willTerminate "])
    expectPluginError(.moduleRemoved) { try module.willTerminate.observe { _ in } }
  }

  @Test("PT14: an event that belongs to no bus cannot be observed")
  func noOwner() throws {
    let event = PTAppEvent("didBecomeActive")
    #expect(event.owner == nil)
    let error = expectPluginError(.eventNoOwner) { try event.observe { _ in } }
    #expect(error?.object == "didBecomeActive")
    let bus = PTAppEventBus(Switchboard())
    #expect(bus.didBecomeActive.owner != nil)
    try bus.didBecomeActive.observe { _ in }
  }

  @Test("PT15: an event of one's own reaches its observers, and not those of another one")
  func ownEvents() async throws {
    let switchboard = Switchboard()
    let bus = PTAppEventBus(switchboard)
    let heard = Heard()
    var map = PTAppEventBus.defaultNotificationMap
    map["UIApplicationWillChangeStatusBarOrientationNotification"] = "orientation"
    try bus.start(notificationMap: map)
    try bus.didChangeStatusBarOrientation.observe { heard.add("orientation \($0["to"] ?? "")") }
    try bus.didBecomeActive.observe { _ in heard.add("active") }
    try await switchboard.notifications.post(
      "UIApplicationWillChangeStatusBarOrientationNotification", userInfo: ["to": "left"])
    #expect(heard.all == ["orientation left"])
    // The name of the event is no notification.
    try await switchboard.notifications.post("orientation")
    #expect(heard.all.count == 1)
    try await switchboard.notifications.post("didBecomeActive")
    #expect(heard.all == ["orientation left", "active"])
  }

  @Test("PT16 D21 D22: observers come before the start, in order; a second start changes nothing; stop stops all")
  func startAndStop() async throws {
    let switchboard = Switchboard()
    let bus = PTAppEventBus(switchboard)
    let heard = Heard()
    for number in 1...3 {
      for event in Self.events(bus) { try event.observe { _ in heard.add("\(event.keyPath) \(number)") } }
    }
    func postAll() async throws -> [String] {
      heard.clear()
      for name in Self.names { try await switchboard.notifications.post(name) }
      return heard.all
    }
    let all = Self.names.flatMap { name in (1...3).map { "\(name) \($0)" } }
    #expect(!bus.isRunning)
    #expect(try await postAll().isEmpty)
    #expect(try bus.start())
    #expect(bus.isRunning)
    #expect(try !bus.start())
    #expect(try !bus.start(notificationMap: ["other": "didBecomeActive"]))
    #expect(try await postAll() == all)
    try await switchboard.notifications.post("other")
    #expect(heard.all == all)
    #expect(try bus.stop())
    #expect(!bus.isRunning)
    #expect(try await postAll().isEmpty)
    #expect(try !bus.stop())
    #expect(try bus.start())
    #expect(try await postAll() == all)
  }

  @Test("PT16: a module starts and stops the bus only if the host lets it")
  func control() throws {
    let switchboard = Switchboard()
    let module = PTAppEventBus(try context(switchboard))
    expectPluginError(.eventControl) { try module.start() }
    expectPluginError(.eventControl) { try module.stop() }
    #expect(!module.isRunning && !PTAppEventBus(switchboard).isRunning)
    switchboard.allowEventControl { $0.identifier == "com.example.a" }
    #expect(try module.start())
    #expect(module.isRunning && PTAppEventBus(switchboard).isRunning)
    #expect(try !PTAppEventBus(switchboard).start())
    #expect(try module.stop())
    #expect(!module.isRunning)
  }
}
