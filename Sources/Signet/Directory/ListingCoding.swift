internal import SignetArchive
public import SignetBase
internal import SignetCrypto

/// A listing as a list of JSON objects, one an entry: `path`, `type`, and `mode`, `size`, `sha256`, `target` where the
/// type has them.
extension DirectoryListing {
  /// Reads the canonical JSON text of a listing.
  ///
  /// - Throws: `statement.malformed`, `statement.not-canonical`, `statement.unknown-field`, `statement.digest-length`,
  ///   `statement.digest-form`, `directory.…`, `path.…`.
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

  /// Takes a value that was read, found at a place of a document.
  init(_ value: JSONValue, _ place: String) throws(SignetError) {
    guard case .array(let values) = value.content else {
      throw SignetError(.jsonWrongValue, place, "is of the wrong kind", expected: "a list", found: value.kind)
    }
    // Before anything is made of them.
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

  /// The canonical JSON text: what the digest is over.
  ///
  /// - Throws: nothing in practice; a listing has no numbers but sizes.
  public func canonicalBytes() throws(SignetError) -> [UInt8] { try CanonicalJSON.write(json) }

  /// The listing as it stands in a statement.
  public var json: JSONValue { Self.json(entries) }

  static func json(_ entries: [Entry]) -> JSONValue { .array(entries.map(\.json)) }
}

extension DirectoryListing.Entry {
  /// How a statement spells what an entry is.
  enum Kind: String {
    case file, directory, symlink
  }

  init(_ object: JSONObject) throws(SignetError) {
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
        .directorySpecialMode, object.path(of: "mode"), "has more than permissions", expected: "0000 to 0777",
        found: text)
    }
    return mode
  }

  /// The members in their canonical order, which saves sorting them.
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
