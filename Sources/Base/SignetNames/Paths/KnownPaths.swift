package import SignetBase

/// The paths of an archive's entries, and of the directories that they lie in. All spellings of a path share one key.
package struct KnownPaths {
  private struct Known {
    let path: String
    /// Whether the path has an entry of its own.
    var isEntry: Bool
    let isDirectory: Bool
  }

  private var known: [FoldedPath: Known] = [:]
  private var folding = PathFolding()

  /// The number of paths, including directories that have no entry of their own.
  package var count: Int { known.count }
  /// The directory that was noted last, which is often the next entry's, too.
  private var last: String?

  /// - Parameter count: the number of entries, within the limits for archives.
  package init(count: Int) { known.reserveCapacity(count) }

  /// Adds an entry.
  ///
  /// - Throws: `archive.duplicate-path`, `archive.path-conflict`, `path.case-collision`.
  package mutating func note(_ entry: String, isDirectory: Bool) throws(SignetError) {
    try note(entry, folding.folded(entry), isDirectory: isDirectory)
  }

  /// Adds an entry that another program made.
  ///
  /// - Throws: what ``note(_:isDirectory:)`` throws.
  package mutating func note(_ entry: ListedName, isDirectory: Bool) throws(SignetError) {
    // Every program takes d//x and d/./x for d/x.
    let plain = ListedName(entry.plain)
    try note(plain.text, folding.folded(plain), isDirectory: isDirectory)
  }

  private mutating func note(_ entry: String, _ key: FoldedPath, isDirectory: Bool) throws(SignetError) {
    if let other = known[key] {
      guard other.path.isExactly(entry) else { throw Self.collision(entry, other.path) }
      guard !other.isEntry else { throw SignetError(.archiveDuplicatePath, entry, "occurs twice") }
      // Other entries lie in it already.
      guard isDirectory else { throw Self.conflict(entry, entry) }
    }
    known[key] = Known(path: entry, isEntry: true, isDirectory: isDirectory)
    let directory = EntryPath.parent(of: entry)
    if let directory, let last, last.isExactly(directory) { return }
    var next = directory
    // The parent of a folded path is the folded form of its parent.
    var nextKey = key.parent
    while let parent = next, let key = nextKey {
      if let other = known[key] {
        guard other.path.isExactly(parent) else { throw Self.collision(parent, other.path) }
        guard other.isDirectory else { throw Self.conflict(entry, parent) }
        // All directories above this one were noted with it.
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
