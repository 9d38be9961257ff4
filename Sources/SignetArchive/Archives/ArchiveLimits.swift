/// How much an archive may hold; nothing of it is unpacked when it claims more, or turns out to have more.
public struct ArchiveLimits: Hashable, Sendable {
  /// Entries at most, with the directories that only their paths name: the bound of a statement's contents (section 3
  /// of the design), and of the directory that comes of it.
  public var entries = 20_000
  /// Bytes of a single file at most: what a ZIP without ZIP64 can hold.
  public var fileSize = Int(UInt32.max) - 1
  /// Bytes of all files at most: four of the largest files; a module is code and its resources, not a data set.
  public var totalSize = 16 << 30
  /// How many times its own size an archive, or an entry of it, may expand. Text and pictures stay below 100, where
  /// Apache POI draws the line; deflate itself cannot pass 1032.
  public var ratio = 200
  /// What may expand without regard to the ratio: a small file of nothing but spaces is no bomb.
  public var ratioGrace = 16 << 20
  /// Bytes of a ZIP's central directory at most, which is kept in memory: 20,000 entries with 700-byte names and extras.
  public var directorySize = 16 << 20

  /// The limits that hold unless others are asked for.
  public init() {}
}
