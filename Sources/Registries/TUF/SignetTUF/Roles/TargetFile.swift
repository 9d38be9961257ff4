public import SignetBase
internal import SignetCrypto

/// A file that a targets role offers: an entry of TARGETS (specification, section 4.5).
public struct TargetFile: Sendable {
  /// The path of the target, by which it is asked for.
  public let path: String
  /// The length in bytes.
  public let length: Int
  /// The hashes.
  public let hashes: FileHashes
  /// What the repository says of the target to applications; the framework gives it no meaning.
  public let custom: JSONValue?
  /// The fields that are not known.
  public let unknown: [JSONValue.Member]

  /// Creates the entry of a target.
  public init(path: String, length: Int, hashes: FileHashes, custom: JSONValue? = nil) {
    self.path = path
    self.length = length
    self.hashes = hashes
    self.custom = custom
    unknown = []
  }

  init(path: String, _ value: JSONValue) throws(SignetError) {
    do throws(SignetError) {
      // There may be many thousands, so the path is put into an error's text only if there is an error.
      var object = try JSONObject(value, "target", unknownField: .tufMalformed)
      length = try object.count("length")
      guard object.has("hashes") else {
        throw SignetError(.jsonMissingField, object.path(of: "hashes"), "is missing")
      }
      hashes = try FileHashes(from: &object)
      custom = object.optional("custom")
      if let custom, custom.kind != "an object" { throw object.wrong("custom", "an object", custom.kind) }
      unknown = object.rest
    } catch {
      throw error.about("\(error.object) of \(path.display)")
    }
    self.path = path
  }

  /// The entry as JSON.
  public var json: JSONValue {
    .object([("length", .integer(length)), ("hashes", hashes.json), ("custom", custom)], and: unknown)
  }

  /// The URL paths under which a repository has the target (section 6.2): the path itself, or with consistent
  /// snapshots one for each hash, `DIR/HASH.NAME`.
  public func urlPaths(isConsistent: Bool) -> [String] {
    guard isConsistent else { return [PercentEncoding.urlPath(path)] }
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
    return hashes.entries.map { PercentEncoding.urlPath(path[..<end] + "\($0.hex)." + path[end...]) }
  }

  /// The URL path that is asked for.
  ///
  /// - Throws: `tuf.unknown-hash` if it would be named by a hash that cannot be checked.
  package func urlPath(isConsistent: Bool) throws(SignetError) -> String {
    guard isConsistent else { return PercentEncoding.urlPath(path) }
    let known = TargetFile(
      path: path, length: length, hashes: FileHashes(hashes.known.compactMap { Digest($0.algorithm, hex: $0.hex) }))
    guard let first = known.urlPaths(isConsistent: true).first else {
      throw SignetError(
        .tufUnknownHash, path.display, "has no hash that is known", expected: "sha256, sha384 or sha512",
        found: hashes.entries.map(\.algorithm.display).joined(separator: ", "))
    }
    return first
  }
}
