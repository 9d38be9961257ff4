/// The limits of an archive. Nothing is unpacked from an archive that claims more, or turns out to have more.
public struct ArchiveLimits: Hashable, Sendable {
  /// The maximum number of entries, with the directories that only their paths name. It is also the limit of a
  /// statement's contents (docs/format.md, section 2), and of the unpacked directory.
  public var entries = 20_000
  /// The maximum size of one file in bytes: what a ZIP without ZIP64 can hold.
  public var fileSize = Int(UInt32.max) - 1
  /// The maximum size of all files in bytes: four of the largest files. A module is code and its resources, not a data
  /// set.
  public var totalSize = 16 << 30
  /// How many times its own size an archive, or an entry of it, may expand to. Text and pictures stay below 100, which
  /// is the limit in Apache POI; deflate itself cannot exceed 1032.
  public var ratio = 200
  /// The size in bytes up to which any ratio is accepted: a small file of nothing but spaces is not a bomb.
  public var ratioGrace = 16 << 20
  /// The maximum size in bytes of a ZIP's central directory, which is kept in memory. This is enough for 20,000 entries
  /// with 700-byte names and extra fields.
  public var directorySize = 16 << 20

  /// Creates the default limits.
  public init() {}
}
