public import PluginKit

/// The bus that turns notifications into events of the application's life.
///
/// ```swift
/// let bus = PTAppEventBus(context)
/// try bus.didBecomeActive.observe { _ in resume() }
/// ```
///
/// It is the host's bus of PluginKit. Observers can come before the start. They are called one after the other, in the
/// order of registration, on the thread that posts. The host starts the bus; a module may do so if the host lets it.
public struct PTAppEventBus: Sendable {
  private let user: PTUser

  /// Makes the bus of a module.
  public init(_ context: ModuleContext) { user = .module(context) }

  /// Makes the bus of a host.
  public init(_ switchboard: Switchboard) { user = .host(switchboard) }

  /// The event of each notification: eight, each with the notification of the same name.
  public static var defaultNotificationMap: [String: String] { EventBus.lifeCycle.mapValues(\.rawValue) }

  /// Starts with the eight events.
  ///
  /// - Returns: false if the bus was running already; then nothing changes.
  /// - Throws: `event.control` if the host does not let the module; `module.removed`.
  @discardableResult public func start() throws(PluginError) -> Bool {
    try start(notificationMap: Self.defaultNotificationMap)
  }

  /// Starts with other events.
  ///
  /// - Parameter map: the name of the event of each notification.
  /// - Returns: false if the bus was running already; then nothing changes.
  /// - Throws: `event.control` if the host does not let the module; `module.removed`.
  @discardableResult public func start(notificationMap map: [String: String]) throws(PluginError) -> Bool {
    let events = map.mapValues { AppEvent($0) }
    return switch user {
    case .host(let board): board.events.start(events: events)
    case .module(let context): try context.startEvents(events: events)
    }
  }

  /// Stops all events. Observers stay for the next start.
  ///
  /// - Returns: false if the bus was not running.
  /// - Throws: `event.control` if the host does not let the module; `module.removed`.
  @discardableResult public func stop() throws(PluginError) -> Bool {
    switch user {
    case .host(let board): board.events.stop()
    case .module(let context): try context.stopEvents()
    }
  }

  /// Whether notifications become events.
  public var isRunning: Bool {
    switch user {
    case .host(let board): board.events.isRunning
    case .module(let context): context.areEventsRunning
    }
  }

  /// The event with a name, such as one of your own.
  public subscript(name: String) -> PTAppEvent { PTAppEvent(AppEvent(name), owner: self) }

  /// The application went to the background.
  public var didEnterBackground: PTAppEvent { PTAppEvent(.didEnterBackground, owner: self) }
  /// The application is about to come back to the foreground.
  public var willEnterForeground: PTAppEvent { PTAppEvent(.willEnterForeground, owner: self) }
  /// The application has started.
  public var didFinishLaunch: PTAppEvent { PTAppEvent(.didFinishLaunch, owner: self) }
  /// The application takes input now.
  public var didBecomeActive: PTAppEvent { PTAppEvent(.didBecomeActive, owner: self) }
  /// The application is about to take no input for a while.
  public var willResignActive: PTAppEvent { PTAppEvent(.willResignActive, owner: self) }
  /// The system is short of memory.
  public var didReceiveMemoryWarning: PTAppEvent { PTAppEvent(.didReceiveMemoryWarning, owner: self) }
  /// The application is about to end.
  public var willTerminate: PTAppEvent { PTAppEvent(.willTerminate, owner: self) }
  /// The clock was set, or another day began.
  public var significantTimeChange: PTAppEvent { PTAppEvent(.significantTimeChange, owner: self) }

  fileprivate func observe(
    _ event: AppEvent, _ block: @escaping @Sendable ([String: any Sendable]) -> Void
  ) throws(PluginError) -> ObservationToken {
    switch user {
    case .host(let board): try board.events.observe(event, owner: .host, handler: block)
    case .module(let context): try context.observe(event, handler: block)
    }
  }
}

/// An event of a bus.
public struct PTAppEvent: Sendable {
  /// The name of the event.
  public let keyPath: String
  /// The bus that has the event; nil for an event of no bus.
  public let owner: PTAppEventBus?

  fileprivate init(_ event: AppEvent, owner: PTAppEventBus) {
    keyPath = event.rawValue
    self.owner = owner
  }

  /// Makes an event of no bus, which cannot be observed.
  public init(_ keyPath: String) {
    self.keyPath = keyPath
    owner = nil
  }

  /// Calls a block at each event, with the values of its notification.
  ///
  /// - Returns: a token that ends the observation. Releasing it does not end it.
  /// - Throws: `event.no-owner` for an event of no bus; `module.removed`.
  @discardableResult public func observe(
    _ block: @escaping @Sendable (_ values: [String: any Sendable]) -> Void
  ) throws(PluginError) -> ObservationToken {
    guard let owner else {
      throw PluginError(
        .eventNoOwner, PluginURL.shown(keyPath), "belongs to no bus", expected: "an event of a PTAppEventBus",
        hint: "observe bus.didBecomeActive, or bus[name]")
    }
    return try owner.observe(AppEvent(keyPath), block)
  }
}
