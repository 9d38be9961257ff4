public import SignetBase
public import SignetCrypto
package import SignetSystem

/// Everything that a directory holds, sorted by the bytes of the paths.
///
/// `urn:signet:directory:v1` signs a listing.
///
/// Every listing that exists is sound. Its paths are safe, every entry lies in a directory of the listing, no two
/// paths differ only by case, and no link leads out of the directory.
public struct DirectoryListing: Hashable, Sendable {
  /// The maximum number of entries.
  public static let entryLimit = 20_000
  /// How much of a directory is scanned before it is refused.
  package static let scanLimits = DirectoryScan.Limits(
    entries: entryLimit, pathLength: EntryPath.lengthLimit, depth: EntryPath.depthLimit)

  /// The entries, sorted by the bytes of their paths. The directory itself has no entry.
  public let entries: [Entry]
  /// The SHA-256 of the listing's canonical JSON text.
  public let digest: Digest

  /// One entry of a directory.
  public struct Entry: Hashable, Sendable {
    /// The path relative to the directory, with slashes between the names.
    public let path: String
    /// The type of the entry, with the properties of that type.
    public let content: Content

    /// An entry at a path.
    package init(path: String, content: Content) {
      self.path = path
      self.content = content
    }
  }

  /// The type of an entry, with the properties of that type.
  public enum Content: Hashable, Sendable {
    /// A regular file.
    case file(mode: FileMode, size: Int, sha256: Digest)
    /// A directory.
    case directory(mode: FileMode)
    /// A symbolic link. Its permissions have no meaning: Linux reports 0777 for every link.
    case symbolicLink(target: String)
  }

  /// Creates a listing from sorted entries.
  ///
  /// - Throws: `directory.entry-count`, `directory.unsorted`, `directory.duplicate-path`,
  ///   `directory.missing-parent`, `directory.parent-not-directory`, `path.…`.
  package init(_ entries: [Entry]) throws(SignetError) {
    guard entries.count <= Self.entryLimit else {
      throw SignetError(
        .directoryEntryCount, "listing", "has too many entries", expected: "at most \(Self.entryLimit)",
        found: "\(entries.count)")
    }
    try Self.checkEntries(entries)
    self.entries = entries
    digest = try Digest.of(try CanonicalJSON.write(Self.json(entries)), .sha256)
  }

  /// Checks every rule except the count.
  package static func checkEntries(_ entries: [Entry]) throws(SignetError) {
    var isDirectory: [String: Bool] = [:]
    var folding = PathFolding()
    var folded: [FoldedPath: String] = [:]
    var previous: String?
    for entry in entries {
      try EntryPath.check(entry.path)
      try checkOrder(previous, entry.path)
      previous = entry.path
      if let parent = EntryPath.parent(of: entry.path) { try checkParent(entry.path, parent, isDirectory[parent]) }
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
      throw SignetError(.directoryDuplicatePath, path, "is listed twice")
    }
    throw SignetError(
      .directoryUnsorted, path, "is out of order in the listing", expected: "an order by bytes",
      found: "behind \(previous)")
  }

  private static func checkParent(_ path: String, _ parent: String, _ isDirectory: Bool?) throws(SignetError) {
    guard let isDirectory else {
      throw SignetError(
        .directoryMissingParent, path, "has a parent that is not in the listing", expected: parent)
    }
    guard isDirectory else {
      throw SignetError(
        .directoryParentNotDirectory, path, "has a parent that is not a directory", found: parent)
    }
  }

  /// The total size of the files in bytes. It is capped at `Int.max`, because a listing without the data can claim
  /// any size.
  public var size: Int {
    entries.reduce(0) { total, entry in
      guard case .file(_, let size, _) = entry.content else { return total }
      let sum = total.addingReportingOverflow(size)
      return sum.overflow ? .max : sum.partialValue
    }
  }

  /// The entry with this path, or nil.
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

/// The JSON form: a list with one object for each entry.
///
/// An object has `path` and `type`, and `mode`, `size`, `sha256` and `target` where its type has them.
extension DirectoryListing {
  /// Reads the canonical JSON text of a listing.
  ///
  /// - Throws: `statement.malformed`, `statement.not-canonical`, `statement.unknown-field`,
  ///   `statement.digest-length`, `statement.digest-form`, `directory.…`, `path.…`, `crypto.failure`.
  public init(json: [UInt8]) throws(SignetError) {
    let value: JSONValue
    do throws(SignetError) {
      value = try CanonicalJSON.read(json, limits: .payload)
    } catch {
      let code: SignetError.Code = error.code == .jsonNotCanonical ? .statementNotCanonical : .statementMalformed
      throw SignetError(code, "listing", "is not canonical JSON", cause: error)
    }
    do throws(SignetError) {
      try self.init(value, "listing")
    } catch  where error.code == .jsonWrongValue || error.code == .jsonMissingField {
      throw SignetError(
        .statementMalformed, error.object, error.message, expected: error.expected, found: error.found)
    }
  }

  /// Creates a listing from a parsed value at a place in a document.
  init(_ value: JSONValue, _ place: String) throws(SignetError) {
    guard case .array(let values) = value.content else {
      throw SignetError(.jsonWrongValue, place, "has the wrong type", expected: "a list", found: value.kind)
    }
    // The count is checked before any entry is decoded.
    guard values.count <= Self.entryLimit else {
      throw SignetError(
        .directoryEntryCount, place, "has too many entries", expected: "at most \(Self.entryLimit)",
        found: "\(values.count)")
    }
    var entries: [Entry] = []
    entries.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      entries.append(
        try Entry(JSONObject(value, "\(place)[\(index)]", unknownField: .statementUnknownField)))
    }
    try self.init(entries)
  }

  /// The canonical JSON text, which the digest covers.
  ///
  /// - Throws: nothing in practice, since the only numbers in a listing are sizes.
  public func canonicalBytes() throws(SignetError) -> [UInt8] { try CanonicalJSON.write(json) }

  /// The listing as a statement contains it.
  public var json: JSONValue { Self.json(entries) }

  static func json(_ entries: [Entry]) -> JSONValue { .array(entries.map(\.json)) }
}

extension DirectoryListing.Entry {
  /// The names of the entry types in a statement.
  enum Kind: String {
    case file, directory, symlink
  }

  package init(_ object: JSONObject) throws(SignetError) {
    var object = object
    path = try object.string("path")
    let name = try object.string("type")
    guard let kind = Kind(rawValue: name), kind.rawValue.isExactly(name) else {
      throw object.wrong("type", "file, directory or symlink", name)
    }
    switch kind {
    case .file:
      content = .file(
        mode: try Self.mode(&object), size: try object.count("size"), sha256: try object.sha256("sha256"))
    case .directory: content = .directory(mode: try Self.mode(&object))
    case .symlink: content = .symbolicLink(target: try object.string("target"))
    }
    try object.finish()
  }

  private static func mode(_ object: inout JSONObject) throws(SignetError) -> FileMode {
    let text = try object.string("mode")
    guard let bits = FileMode.octal(text) else { throw object.wrong("mode", "four octal digits", text) }
    guard let mode = FileMode(bits: bits) else {
      throw SignetError(
        .directorySpecialMode, object.path(of: "mode"), "has bits other than permissions", expected: "0000 to 0777",
        found: text)
    }
    return mode
  }

  /// The JSON form. Its members are in canonical order already, which saves sorting them.
  var json: JSONValue {
    switch content {
    case .file(let mode, let size, let sha256):
      .object(
        ("mode", .string("\(mode)")), ("path", .string(path)), ("sha256", .string(sha256.hex)),
        ("size", .integer(size)), ("type", .string(Kind.file.rawValue)))
    case .directory(let mode):
      .object(
        ("mode", .string("\(mode)")), ("path", .string(path)), ("type", .string(Kind.directory.rawValue)))
    case .symbolicLink(let target):
      .object(
        ("path", .string(path)), ("target", .string(target)), ("type", .string(Kind.symlink.rawValue)))
    }
  }
}
