package import SignetCrypto

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
    var known: [String: Known] = [:]
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
      try note(path, isDirectory: content == .directory, &known)
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
        .archiveSize, "archive", "holds too much", expected: "at most \(limits.totalSize) bytes in all",
        found: "\(total) bytes with \(path)")
    }
  }

  /// A path that an entry has or lies in, under the key that all its spellings share.
  private struct Known {
    let path: String
    /// Whether an entry of its own said so.
    var isEntry: Bool
    let isDirectory: Bool
  }

  private static func note(
    _ entry: String, isDirectory: Bool, _ known: inout [String: Known]
  ) throws(SignetError) {
    let key = EntryPath.folded(entry)
    if let other = known[key] {
      guard other.path.isExactly(entry) else { throw collision(entry, other.path) }
      guard !other.isEntry else { throw SignetError(.archiveDuplicatePath, entry, "stands twice") }
      // Others lie in it already.
      guard isDirectory else { throw conflict(entry, entry) }
    }
    known[key] = Known(path: entry, isEntry: true, isDirectory: isDirectory)
    var path = entry
    while let parent = EntryPath.parent(of: path) {
      let key = EntryPath.folded(parent)
      if let other = known[key] {
        guard other.path.isExactly(parent) else { throw collision(parent, other.path) }
        guard other.isDirectory else { throw conflict(entry, parent) }
        // Whatever it lies in has been noted with it.
        break
      }
      known[key] = Known(path: parent, isEntry: false, isDirectory: true)
      path = parent
    }
  }

  private static func collision(_ path: String, _ other: String) -> SignetError {
    SignetError(
      .pathCaseCollision, path, "differs from another path only by case", found: other, hint: "rename one of them")
  }

  private static func conflict(_ path: String, _ parent: String) -> SignetError {
    SignetError(
      .archivePathConflict, path, "lies in something that is no directory", expected: "a directory",
      found: parent)
  }
}
