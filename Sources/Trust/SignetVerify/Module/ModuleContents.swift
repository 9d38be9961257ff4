public import SignetBase

/// The contents of a module's archive, entry by entry, sorted by the bytes of the paths.
///
/// `urn:signet:module:v1` signs the contents besides the archive's digest.
///
/// All contents that exist are sound. Every path means the same on every system, nothing lies inside a file or a
/// link, and no link leads out of the module. Unlike a directory's listing, contents need no entry for every
/// directory, because archives often have none.
public struct ModuleContents: Hashable, Sendable {
  /// An entry, described as in a directory's listing.
  public typealias Entry = DirectoryListing.Entry

  /// The entries, sorted by the bytes of their paths.
  public let entries: [Entry]

  /// Creates contents from sorted entries.
  ///
  /// - Throws: `directory.unsorted`, `archive.…`, `path.…`.
  package init(_ entries: [Entry]) throws(SignetError) {
    try ArchiveRules.check(entries.lazy.map { ($0.path, $0.archiveContent) }, ArchiveLimits())
    for (previous, entry) in zip(entries, entries.dropFirst())
    where !previous.path.precedesInBytes(entry.path) {
      throw SignetError(
        .directoryUnsorted, entry.path, "is out of order in the contents", expected: "an order by bytes",
        found: "behind \(previous.path)")
    }
    self.entries = entries
  }

  /// Creates contents from a parsed value at a place in a statement.
  init(_ value: JSONValue, _ place: String) throws(SignetError) {
    guard case .array(let values) = value.content else {
      throw SignetError(.jsonWrongValue, place, "has the wrong type", expected: "a list", found: value.kind)
    }
    // The count is checked before any entry is decoded.
    try ArchiveRules.checkCount(values.count, ArchiveLimits())
    var entries: [Entry] = []
    entries.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      entries.append(try Entry(JSONObject(value, "\(place)[\(index)]", unknownField: .statementUnknownField)))
    }
    try self.init(entries)
  }

  /// The contents as a statement contains them.
  public var json: JSONValue { .array(entries.map(\.json)) }

  /// The total size of the files in bytes.
  public var size: Int {
    // The rules for archives bound the sizes, so the sum cannot overflow.
    entries.reduce(0) { total, entry in if case .file(_, let size, _) = entry.content { total + size } else { total }
    }
  }

  /// The entry with this path, or nil.
  public subscript(path: String) -> Entry? {
    entries.first { $0.path.isExactly(path) }
  }
}

extension DirectoryListing.Entry {
  /// The entry's content as the rules for archives see it.
  var archiveContent: EntryContent {
    switch content {
    case .file(_, let size, _): .file(size: size)
    case .directory: .directory
    case .symbolicLink(let target): .symbolicLink(target: target)
    }
  }

}

// A module's contents once unpacked.
extension ModuleContents {

  /// What exists after unpacking, sorted by the bytes of the paths.
  ///
  /// Everything has the permissions that unpacking gives it. Directories that only the paths of other entries name
  /// are included.
  func unpacked() -> [Entry] {
    var unpacked: [Entry] = []
    var known: Set<String> = []
    for entry in entries {
      var path = entry.path
      while let parent = EntryPath.parent(of: path), known.insert(parent).inserted {
        unpacked.append(.directory(parent))
        path = parent
      }
      switch entry.content {
      case .file(let mode, let size, let sha256):
        unpacked.append(Entry(path: entry.path, content: .file(mode: mode.unpacked, size: size, sha256: sha256)))
      case .directory: if known.insert(entry.path).inserted { unpacked.append(.directory(entry.path)) }
      case .symbolicLink: unpacked.append(entry)
      }
    }
    return unpacked.sorted { $0.path.precedesInBytes($1.path) }
  }
}

extension DirectoryListing.Entry {
  fileprivate static func directory(_ path: String) -> Self {
    Self(path: path, content: .directory(mode: .unpackedDirectory))
  }
}
