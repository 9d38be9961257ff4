/// How much JSON is read before it is refused.
public struct JSONLimits: Sendable {
  /// Bytes of text.
  public var size: Int
  /// Lists and objects inside each other.
  public var depth: Int
  /// Values in all, so that memory stays in proportion: `[[],[],…]` takes 3 bytes a value as text and 40 in memory.
  public var values: Int

  /// A payload: 8 MiB (docs/format.md, section 2); a statement nests 5 deep, other people's predicates a little more;
  /// 20,000 entries of 6 fields each, and room.
  public static let payload = JSONLimits(size: 8 << 20, depth: 32, values: 200_000)
  /// A bundle: a payload of 8 MiB in base64 and 1 MiB for certificates, timestamps and log entries.
  public static let bundle = JSONLimits(size: 12 << 20, depth: 16, values: 10_000)

  /// A trust policy: 100 entries with a few certificates of 2 KiB each, revocation lists of some 100 KiB, 1000
  /// revocations, and room.
  public static let policy = JSONLimits(size: 8 << 20, depth: 8, values: 20_000)

  /// A module's description: a thousand routes of a hundred bytes, as many actions, and room. It stands in a payload, so
  /// it is small beside one.
  public static let moduleDescription = JSONLimits(size: 1 << 20, depth: 8, values: 200_000)

  /// Limits of one's own.
  public init(size: Int, depth: Int, values: Int) {
    self.size = size
    self.depth = depth
    self.values = values
  }
}
