public import SignetBase

/// For how long the metadata of a repository is valid, in days.
///
/// An attacker who holds clients back can do so until what they have expires. Offline roles live long, because people
/// must sign them; the timestamp lives as long as its owner may fail to refresh it.
public struct RoleLifetimes: Sendable {
  /// A new root.
  public var root = 365
  /// The top-level targets, and the roles of publishers.
  public var targets = 365
  /// A snapshot.
  public var snapshot = 21
  /// A timestamp.
  public var timestamp = 7

  /// Creates the usual lifetimes, which can then be changed.
  public init() {}

  /// The time that is a number of days later.
  public static func end(_ days: Int, from time: UnixTime) -> UnixTime {
    UnixTime(seconds: time.seconds + Int64(days) * 86_400)
  }

  /// Whether people should renew a role that was signed offline: it ends within 30 days, or within a quarter of its
  /// lifetime if that is less. It takes days to gather signatures.
  func isNearEnd(_ expires: UnixTime, living days: Int, at time: UnixTime) -> Bool {
    expires < Self.end(min(30, days / 4), from: time)
  }

  /// Whether a snapshot is replaced although nothing else has changed: it would not outlive two more timestamps.
  func isNearExpiry(_ snapshot: SnapshotRole, at time: UnixTime) -> Bool {
    snapshot.expires < Self.end(2 * timestamp, from: time)
  }
}
