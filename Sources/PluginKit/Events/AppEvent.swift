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
