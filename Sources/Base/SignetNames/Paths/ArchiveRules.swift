package import SignetBase

/// The rules that all entries of an archive must keep together, in any format: each path means one thing on every
/// system, nothing lies inside a file or a link, and nothing leads out.
package enum ArchiveRules {
  /// Checks the rules for a list of paths with what is there.
  ///
  /// Directories need no entry of their own, because many programs leave them out.
  ///
  /// - Throws: `archive.empty`, `archive.entry-count`, `archive.duplicate-path`, `archive.path-conflict`,
  ///   `archive.size`, `path.…`.
  package static func check(
    _ entries: some Collection<(String, EntryContent)>, _ limits: ArchiveLimits
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
      // A directory that only paths name is created like any other, and 64 of them could lie above each entry.
      guard known.count <= limits.entries else {
        throw SignetError(
          .archiveEntryCount, "archive", "has too many entries, with the directories that they lie in",
          expected: "at most \(limits.entries)", found: "\(known.count) or more")
      }
    }
  }

  /// Checks that there are not too many entries, before anything is made from them.
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
