internal import SignetBase

/// The paths of an archive's entries, and those they lie in, each under the key that all its spellings share.
struct KnownPaths {
  private struct Known {
    let path: String
    /// Whether an entry of its own said so.
    var isEntry: Bool
    let isDirectory: Bool
  }

  private var known: [FoldedPath: Known] = [:]
  private var folding = PathFolding()

  /// How many paths there are, with those of directories that have no entry of their own.
  var count: Int { known.count }
  /// The directory that was noted last, which most often is the next entry's, too.
  private var last: String?

  /// - Parameter count: how many entries there are, within the limits for archives.
  init(count: Int) { known.reserveCapacity(count) }

  /// Adds an entry.
  ///
  /// - Throws: `archive.duplicate-path`, `archive.path-conflict`, `path.case-collision`.
  mutating func note(_ entry: String, isDirectory: Bool) throws(SignetError) {
    let key = folding.folded(entry)
    if let other = known[key] {
      guard other.path.isExactly(entry) else { throw Self.collision(entry, other.path) }
      guard !other.isEntry else { throw SignetError(.archiveDuplicatePath, entry, "occurs twice") }
      // Others lie in it already.
      guard isDirectory else { throw Self.conflict(entry, entry) }
    }
    known[key] = Known(path: entry, isEntry: true, isDirectory: isDirectory)
    let directory = EntryPath.parent(of: entry)
    if let directory, let last, last.isExactly(directory) { return }
    var next = directory
    // What is folded of a path is folded of what it lies in, too.
    var nextKey = key.parent
    while let parent = next, let key = nextKey {
      if let other = known[key] {
        guard other.path.isExactly(parent) else { throw Self.collision(parent, other.path) }
        guard other.isDirectory else { throw Self.conflict(entry, parent) }
        // Whatever it lies in has been noted with it.
        break
      }
      known[key] = Known(path: parent, isEntry: false, isDirectory: true)
      next = EntryPath.parent(of: parent)
      nextKey = key.parent
    }
    last = directory
  }

  private static func collision(_ path: String, _ other: String) -> SignetError {
    SignetError(
      .pathCaseCollision, path, "differs from another path only by case", found: other, hint: "rename one of them")
  }

  private static func conflict(_ path: String, _ parent: String) -> SignetError {
    SignetError(
      .archivePathConflict, path, "has a parent that is not a directory", expected: "a directory",
      found: parent)
  }
}
