public import SignetBase
internal import SignetSystem

/// Where a verification takes its time from: always a parameter, never looked up behind the caller's back.
public struct VerificationClock: Sendable {
  package let now: @Sendable () -> UnixTime

  /// A clock of the caller's own; it is asked once a verification.
  public init(now: @escaping @Sendable () -> UnixTime) { self.now = now }

  /// The system's clock.
  public static let system = VerificationClock { SystemTime.now() }

  /// A clock that stands still: for tests, and for asking how a verification would have ended.
  public static func fixed(_ time: UnixTime) -> VerificationClock { VerificationClock { time } }
}
