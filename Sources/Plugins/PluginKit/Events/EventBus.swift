/// A bus that turns notifications into events of the application's life.
///
/// ```swift
/// let events = EventBus(notifications)
/// let token = try events.observe(.didBecomeActive, owner: .host) { _ in resume() }   // may come before start
/// events.start(events: EventBus.lifeCycle.merging(["orientationChanged": AppEvent("orientation")]) { $1 })
/// notifications.post("didBecomeActive")
/// ```
public final class EventBus: Sendable {
  /// The default map: each event of an application's life comes from the notification of the same name.
  public static let lifeCycle: [String: AppEvent] = Dictionary(
    uniqueKeysWithValues: AppEvent.lifeCycle.map { ($0.rawValue, $0) })

  private let notifications: NotificationBus
  /// A bus for events only, so that names of events and of notifications cannot collide.
  fileprivate let events = NotificationBus()
  private let tokens = ReadWriteLock<[ObservationToken]?>(nil)

  /// Makes a bus that does not run yet.
  ///
  /// - Parameter notifications: the bus whose notifications become events.
  public init(_ notifications: NotificationBus) { self.notifications = notifications }

  deinit { stop() }

  /// Whether notifications become events.
  public var isRunning: Bool { tokens.read { $0 != nil } }

  /// Starts turning notifications into events.
  ///
  /// - Parameter map: the event of each notification.
  /// - Returns: false if the bus was running already; then nothing changes.
  @discardableResult public func start(events map: [String: AppEvent] = EventBus.lifeCycle) -> Bool {
    tokens.write { tokens in
      guard tokens == nil else { return false }
      // Sorted, so that the order is always the same, also for two notifications of one event.
      tokens = map.sorted { $0.key < $1.key }.map { name, event in
        notifications.relay(name) { [events] notification in
          events.tell(
            PluginNotification(
              name: event.rawValue, object: notification.object, userInfo: notification.userInfo))
        }
      }
      return true
    }
  }

  /// Stops turning notifications into events. Observers stay, and are called again after the next start.
  ///
  /// - Returns: false if the bus was not running.
  @discardableResult public func stop() -> Bool {
    let old = tokens.write { $0.take() }
    for token in old ?? [] { token.cancel() }
    return old != nil
  }

  /// Calls a handler for an event. Observers may be added before the bus runs.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - owner: the owner of the observer.
  ///   - handler: receives the notification's values, on the thread that delivers it.
  /// - Returns: a token that ends the observation. Releasing the token does not end it.
  /// - Throws: `module.removed`.
  public func observe(
    _ event: AppEvent, owner: ModuleOwner, handler: @escaping @Sendable ([String: any Sendable]) -> Void
  ) throws(PluginError) -> ObservationToken {
    try events.observe(event.rawValue, owner: owner) { handler($0.userInfo) }
  }

  /// Calls a handler for an event as long as an object exists that observes. Observers may be added before the bus runs.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - owner: the owner of the observer.
  ///   - observer: the object that observes. It is not retained. Once it is gone, the observation has ended.
  ///   - handler: receives the notification's values, on the thread that delivers it.
  /// - Returns: a token that ends the observation. Releasing the token does not end it.
  /// - Throws: `event.no-owner` if there is no object that observes; `module.removed`.
  public func observe(
    _ event: AppEvent, owner: ModuleOwner, for observer: (any AnyObject & Sendable)?,
    handler: @escaping @Sendable ([String: any Sendable]) -> Void
  ) throws(PluginError) -> ObservationToken {
    guard let observer else { throw NotificationBus.noOwner(.eventNoOwner, event.rawValue) }
    return try events.observe(event.rawValue, owner: owner, for: observer) { handler($0.userInfo) }
  }

  /// Removes all observers of an owner.
  public func removeAll(ownedBy owner: ModuleOwner) { events.removeAll(ownedBy: owner) }
}

extension EventBus: OwnedTable {
  func remove(then next: () -> Removal) -> Removal { events.remove(then: next) }

  func readmit(_ owner: ModuleOwner) { events.readmit(owner) }

  func list(then next: () -> [TableEntry]) -> [TableEntry] { events.list(as: .event, then: next) }
}

/// An event of an application's life, or one of your own: `AppEvent("orientation")`.
public struct AppEvent: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The name of the event.
  public let rawValue: String

  /// Makes an event with this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Makes an event with this name.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// The name of the event.
  public var description: String { rawValue }

  /// The application went to the background.
  public static let didEnterBackground = Self("didEnterBackground")
  /// The application is about to come back to the foreground.
  public static let willEnterForeground = Self("willEnterForeground")
  /// The application has started.
  public static let didFinishLaunch = Self("didFinishLaunch")
  /// The application takes input now.
  public static let didBecomeActive = Self("didBecomeActive")
  /// The application is about to take no input for a while.
  public static let willResignActive = Self("willResignActive")
  /// The system is short of memory.
  public static let didReceiveMemoryWarning = Self("didReceiveMemoryWarning")
  /// The application is about to end.
  public static let willTerminate = Self("willTerminate")
  /// The clock was set, or another day began.
  public static let significantTimeChange = Self("significantTimeChange")

  /// The events of every application's life.
  public static let lifeCycle: [AppEvent] = [
    .didEnterBackground, .willEnterForeground, .didFinishLaunch, .didBecomeActive, .willResignActive,
    .didReceiveMemoryWarning, .willTerminate, .significantTimeChange,
  ]
}
