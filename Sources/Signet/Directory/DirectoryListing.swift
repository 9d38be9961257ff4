public import SignetArchive
internal import SignetBase
public import SignetCrypto

/// Everything a directory holds, sorted by the bytes of the paths: what `urn:signet:directory:v1` signs.
///
/// A listing that exists is sound: paths are safe, every entry lies in a directory of the listing, no two paths differ
/// only by case, no link leads out.
public struct DirectoryListing: Hashable, Sendable {
  /// Entries at most.
  public static let entryLimit = 20_000

  /// The entries, sorted by the bytes of their paths. The directory itself is none of them.
  public let entries: [Entry]
  /// SHA-256 of the canonical JSON text of the listing.
  public let digest: Digest

  /// Something in a directory.
  public struct Entry: Hashable, Sendable {
    /// The path from the directory, with slashes between the names.
    public let path: String
    /// What it is.
    public let content: Content
  }

  /// What an entry is.
  public enum Content: Hashable, Sendable {
    /// A regular file.
    case file(mode: FileMode, size: Int, sha256: Digest)
    /// A directory.
    case directory(mode: FileMode)
    /// A symbolic link. Its permissions mean nothing: Linux has 0777 for all of them.
    case symbolicLink(target: String)
  }

  /// Takes sorted entries.
  ///
  /// - Throws: `directory.entry-count`, `directory.unsorted`, `directory.duplicate-path`,
  ///   `directory.missing-parent`, `directory.parent-not-directory`, `path.…`.
  init(_ entries: [Entry]) throws(SignetError) {
    guard entries.count <= Self.entryLimit else {
      throw SignetError(
        .directoryEntryCount, "listing", "has too many entries", expected: "at most \(Self.entryLimit)",
        found: "\(entries.count)")
    }
    try Self.check(entries)
    self.entries = entries
    digest = try Digest.of(try CanonicalJSON.write(Self.json(entries)), .sha256)
  }

  /// Makes sure of everything but the count.
  static func check(_ entries: [Entry]) throws(SignetError) {
    var isDirectory: [String: Bool] = [:]
    var folding = PathFolding()
    var folded: [FoldedPath: String] = [:]
    var previous: String?
    for entry in entries {
      try EntryPath.check(entry.path)
      try checkOrder(previous, entry.path)
      previous = entry.path
      if let parent = EntryPath.parent(of: entry.path) { try check(entry.path, parent, isDirectory[parent]) }
      if let other = folded.updateValue(entry.path, forKey: folding.folded(entry.path)) {
        throw SignetError(
          .pathCaseCollision, entry.path, "differs from another path only by case", found: other,
          hint: "rename one of them")
      }
      switch entry.content {
      case .directory: isDirectory[entry.path] = true
      case .file: isDirectory[entry.path] = false
      case .symbolicLink(let target):
        try EntryPath.check(target: target, ofLinkAt: entry.path)
        isDirectory[entry.path] = false
      }
    }
  }

  private static func checkOrder(_ previous: String?, _ path: String) throws(SignetError) {
    guard let previous, !previous.precedesInBytes(path) else { return }
    guard !previous.isExactly(path) else {
      throw SignetError(.directoryDuplicatePath, path, "stands twice in the listing")
    }
    throw SignetError(
      .directoryUnsorted, path, "is not where it belongs in the listing", expected: "an order by bytes",
      found: "behind \(previous)")
  }

  private static func check(_ path: String, _ parent: String, _ isDirectory: Bool?) throws(SignetError) {
    guard let isDirectory else {
      throw SignetError(
        .directoryMissingParent, path, "lies in a directory that is not in the listing", expected: parent)
    }
    guard isDirectory else {
      throw SignetError(
        .directoryParentNotDirectory, path, "lies in something that is no directory", found: parent)
    }
  }

  /// How many bytes the files have in all; at most `Int.max`, since files without data can claim any size.
  public var size: Int {
    entries.reduce(0) { total, entry in
      guard case .file(_, let size, _) = entry.content else { return total }
      let sum = total.addingReportingOverflow(size)
      return sum.overflow ? .max : sum.partialValue
    }
  }

  /// The entry of a path; nil when there is none.
  public subscript(path: String) -> Entry? {
    var range = entries.indices
    while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
      let found = entries[middle]
      if found.path.isExactly(path) { return found }
      range = found.path.precedesInBytes(path) ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }
}
