/// The events of an application's life, each under the name of the notification that tells of it.
///
/// ```swift
/// let events = EventBus(notifications)
/// let token = try events.observe(.didBecomeActive, owner: .host) { _ in resume() }   // may come before start
/// events.start(events: EventBus.lifeCycle.merging(["orientationChanged": AppEvent("orientation")]) { $1 })
/// notifications.post("didBecomeActive")
/// ```
public final class EventBus: Sendable {
  /// The notification of each event of an application's life is called like the event.
  public static let lifeCycle: [String: AppEvent] = Dictionary(
    uniqueKeysWithValues: AppEvent.lifeCycle.map { ($0.rawValue, $0) })

  private let notifications: NotificationBus
  /// Only events go through it, so that no name of an event is one of a notification.
  private let events = NotificationBus()
  private let tokens = ReadWriteLock<[ObservationToken]?>(nil)

  /// Makes a bus that does not run yet.
  ///
  /// - Parameter notifications: whose notifications become events.
  public init(_ notifications: NotificationBus) { self.notifications = notifications }

  deinit { stop() }

  /// Whether notifications become events.
  public var isRunning: Bool { tokens.read { $0 != nil } }

  /// Lets notifications become events from now on.
  ///
  /// - Parameter events: the event of each notification.
  /// - Returns: false when it ran already; then nothing changes.
  @discardableResult public func start(events map: [String: AppEvent] = EventBus.lifeCycle) -> Bool {
    tokens.write { tokens in
      guard tokens == nil else { return false }
      // In one order for all: two names of one event are heard in it.
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

  /// Stops: no notification becomes an event any more. Observers stay, and hear of what comes after the next start.
  ///
  /// - Returns: false when it did not run.
  @discardableResult public func stop() -> Bool {
    let old = tokens.write { $0.take() }
    for token in old ?? [] { token.cancel() }
    return old != nil
  }

  /// Calls this for an event, now or before the bus runs.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - owner: whose the observer is.
  ///   - handler: gets the notification's values, on the thread of whoever posted it.
  /// - Returns: what ends it; dropping it ends nothing.
  /// - Throws: `module.removed`.
  public func observe(
    _ event: AppEvent, owner: ModuleOwner, handler: @escaping @Sendable ([String: any Sendable]) -> Void
  ) throws(PluginError) -> ObservationToken {
    try events.observe(event.rawValue, owner: owner) { handler($0.userInfo) }
  }

  /// Removes all observers of an owner.
  public func removeAll(ownedBy owner: ModuleOwner) { events.removeAll(ownedBy: owner) }

  func close(_ owner: ModuleOwner) { events.close(owner) }

  /// Whose observers there are, and of which events, in the order in which they came.
  var entries: [(owner: ModuleOwner, name: String?)] { events.entries }
}

/// An event of an application's life, or one of your own: `AppEvent("orientation")`.
public struct AppEvent: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// Its name.
  public let rawValue: String

  /// Makes an event of its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Makes an event of its name.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// Its name.
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

/// What ends an observation. It goes on when the token is let go of: its owner's end ends it, too.
public final class ObservationToken: Sendable {
  private let end: ReadWriteLock<(@Sendable () -> Void)?>

  init(_ end: @escaping @Sendable () -> Void) { self.end = ReadWriteLock(end) }

  /// Ends the observation. When it returns no call begins any more; one on another thread may still be under way.
  public func cancel() { end.write { $0.take() }?() }

  /// Ends the observation for whoever has taken the observer away already.
  func silence() { end.write { $0 = nil } }

  /// Whether it has ended.
  public var isCancelled: Bool { end.read { $0 == nil } }
}
