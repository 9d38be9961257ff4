package import SignetBase

/// What must hold for all entries of an archive together, whatever the format: each path means one thing on every
/// system, nothing lies in a file or a link, nothing leads out.
package enum ArchiveRules {
  /// Makes sure of it.
  ///
  /// Directories need no entry of their own: many programs leave them out.
  ///
  /// - Throws: `archive.empty`, `archive.entry-count`, `archive.duplicate-path`, `archive.path-conflict`,
  ///   `archive.size`, `path.…`.
  package static func check(_ entries: [ArchiveEntry], _ limits: ArchiveLimits) throws(SignetError) {
    try check(entries.lazy.map { ($0.path, $0.content) }, limits)
  }

  /// The same for whatever lists entries of an archive.
  package static func check(
    _ entries: some Collection<(String, ArchiveEntry.Content)>, _ limits: ArchiveLimits
  ) throws(SignetError) {
    guard !entries.isEmpty else {
      throw SignetError(.archiveEmpty, "archive", "has no entries", expected: "one entry or more")
    }
    try checkCount(entries.count, limits)
    var total = 0
    var known = KnownPaths(count: entries.count)
    for (path, content) in entries {
      try EntryPath.check(path)
      try EntryPath.checkPortable(path)
      switch content {
      case .file(let size): try add(size, of: path, to: &total, limits)
      case .symbolicLink(let target):
        try EntryPath.check(target: target, ofLinkAt: path)
        try EntryPath.checkPortable(target: target, ofLinkAt: path)
      case .directory: break
      }
      try known.note(path, isDirectory: content == .directory)
      // A directory that only paths name is made like any other, and 64 of them could lie above each entry.
      guard known.count <= limits.entries else {
        throw SignetError(
          .archiveEntryCount, "archive", "has too many entries, with the directories that they lie in",
          expected: "at most \(limits.entries)", found: "\(known.count) or more")
      }
    }
  }

  /// Makes sure that there are not too many entries, before anything is made of them.
  package static func checkCount(_ count: Int, _ limits: ArchiveLimits) throws(SignetError) {
    guard count <= limits.entries else {
      throw SignetError(
        .archiveEntryCount, "archive", "has too many entries", expected: "at most \(limits.entries)",
        found: "\(count)")
    }
  }

  private static func add(
    _ size: Int, of path: String, to total: inout Int, _ limits: ArchiveLimits
  ) throws(SignetError) {
    guard size <= limits.fileSize else {
      throw SignetError(
        .archiveSize, path, "is too large", expected: "at most \(limits.fileSize) bytes", found: "\(size) bytes")
    }
    total += size
    guard total <= limits.totalSize else {
      throw SignetError(
        .archiveSize, "archive", "is too large when unpacked", expected: "at most \(limits.totalSize) bytes in all",
        found: "\(total) bytes with \(path)")
    }
  }
}

/// How much an archive may hold; nothing of it is unpacked when it claims more, or turns out to have more.
public struct ArchiveLimits: Hashable, Sendable {
  /// Entries at most, with the directories that only their paths name: the bound of a statement's contents
  /// (docs/format.md, section 2), and of the directory that comes of it.
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
