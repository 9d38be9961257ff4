/// What a client takes from a repository at most, so that nobody who answers for it can fill memory, disk or time
/// (specification, section 5, the numbers W to Z).
public struct TUFLimits: Sendable {
  /// The length of a root in bytes.
  public var root = 512_000
  /// The length of a timestamp in bytes.
  public var timestamp = 16_384
  /// The length of a snapshot in bytes, where the timestamp does not state it.
  public var snapshot = 2_000_000
  /// The length of a targets role in bytes, where the snapshot does not state it.
  public var targets = 5_000_000
  /// The length of a snapshot in bytes that a timestamp may state. A thief of the online keys could state any number.
  ///
  /// A role takes 40 to 80 bytes without hashes, so this has room for 100,000 of them: PyPI plans for 16,385 (PEP 458), and
  /// a registry with a hundred publishers of a million and a half targets each has as many.
  public var statedSnapshot = 8 << 20
  /// The length of a targets role in bytes that a snapshot may state: 60,000 targets of 250 bytes. A registry divides roles
  /// of more than 1,500 targets among bins.
  public var statedTargets = 16 << 20
  /// The number of new roots in one refresh.
  public var rootRotations = 256
  /// The time for which one mirror is asked in one refresh, in seconds: about three of the longest transfers that an
  /// HTTP client allows. Each root is a transfer of its own. Without a limit a mirror could keep a client, and everybody
  /// who waits for the lock of its folder, for a day.
  public var refreshSeconds = 900
  /// The number of delegated roles that one search visits.
  public var delegatedRoles = 32
  /// The length in bytes of all roles together to which one role delegates, as far as a client reads them. They are kept
  /// in memory: 250 publishers, or bins, of 250 KB.
  public var delegatedBytes = 64 << 20

  /// The limits of python-tuf, which repositories are made for.
  public static let standard = TUFLimits()

  /// The length of any file of metadata in bytes.
  package var longestFile: Int { max(root, timestamp, snapshot, targets, statedSnapshot, statedTargets) }

  /// Creates the standard limits, which can then be changed.
  public init() {}
}
