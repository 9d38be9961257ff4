public import SignetBase

/// A role to which a targets role delegates some paths (specification, section 4.5).
public struct DelegatedRole: Sendable {
  /// The name of the role.
  public var name: String
  /// The keys of the role.
  public var keys: KeyThreshold
  /// The paths that are delegated.
  public var scope: Scope
  /// Whether no later delegation is asked for a path that is in the scope.
  public var isTerminating: Bool
  /// The fields that are not known.
  public var unknown: [JSONValue.Member]

  /// The paths that a role is trusted to offer.
  public enum Scope: Sendable {
    /// The paths that one of the patterns matches.
    case paths([TargetPattern])
    /// The paths whose SHA-256 in lower-case hexadecimal begins with one of these texts.
    case hashPrefixes([String])
    /// No path: neither of the two optional fields is there.
    case none
  }

  /// Creates a delegation.
  public init(name: String, keys: KeyThreshold, scope: Scope, isTerminating: Bool = false) {
    self.name = name
    self.keys = keys
    self.scope = scope
    self.isTerminating = isTerminating
    unknown = []
  }

  init(from object: inout JSONObject) throws(SignetError) {
    name = try object.string("name")
    try Self.check(name, object.path(of: "name"))
    keys = try KeyThreshold(from: &object)
    let patterns = object.has("paths") ? try object.texts("paths") : nil
    let prefixes = object.has("path_hash_prefixes") ? try object.texts("path_hash_prefixes") : nil
    switch (patterns, prefixes) {
    case (let patterns?, nil): scope = .paths(patterns.map(TargetPattern.init))
    case (nil, let prefixes?): scope = .hashPrefixes(prefixes)
    case (nil, nil): scope = .none
    case (_?, _?): throw object.wrong("paths", "either paths or path_hash_prefixes", "both")
    }
    // The example of section 4.5 leaves the field out.
    isTerminating = try object.optionalBool("terminating") ?? false
    unknown = object.rest
  }

  /// The delegation as JSON.
  public var json: JSONValue {
    let paths: (String, JSONValue?) =
      switch scope {
      case .paths(let patterns): ("paths", .array(patterns.map { .string($0.text) }))
      case .hashPrefixes(let prefixes): ("path_hash_prefixes", .array(prefixes.map { .string($0) }))
      case .none: ("paths", nil)
      }
    return .object(
      [("name", .string(name))] + keys.fields + [paths, ("terminating", JSONValue(.bool(isTerminating)))],
      and: unknown)
  }

  /// Whether a path is delegated to the role.
  public func covers(_ path: TargetPath) -> Bool {
    switch scope {
    case .paths(let patterns): patterns.contains { $0.matches(path) }
    case .hashPrefixes(let prefixes): prefixes.contains { path.hex.starts(with: $0.utf8) }
    case .none: false
    }
  }

  /// The names of the top-level roles.
  static let topLevel = ["root", "timestamp", "snapshot", "targets"]
  /// The longest file name of common file systems (NAME_MAX), in bytes.
  private static let longestFileName = 255

  /// Checks that a delegated role may have a name.
  ///
  /// The metadata of a role called `root` would replace the trusted root in the client's folder.
  ///
  /// - Throws: `tuf.role-name`.
  public static func check(_ name: String, _ object: String = "role") throws(SignetError) {
    let isLong = PercentEncoding.roleName(name).utf8.count + ".json".utf8.count > longestFileName
    guard name.isEmpty || topLevel.contains(where: { $0.isExactly(name) }) || isLong else { return }
    throw SignetError(
      .tufRoleName, object, "is not a name for a delegated role",
      expected: "a name that is not empty, not a top-level role's, and no longer than a file name",
      found: name.display)
  }
}
