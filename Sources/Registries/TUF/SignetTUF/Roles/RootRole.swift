public import SignetBase

/// The root role: who may sign which top-level role (specification, section 4.3).
public struct RootRole: MetadataRole {
  /// The text of `_type`.
  public static let typeName = "root"

  /// What all roles have.
  public var header: RoleHeader
  /// Whether files have their version or hash in front of their names (section 6.2).
  public var consistentSnapshot: Bool
  /// All keys of the top-level roles.
  public var keys: KeyRing
  /// The keys of the root itself.
  public var root: KeyThreshold
  /// The keys of the timestamp.
  public var timestamp: KeyThreshold
  /// The keys of the snapshot.
  public var snapshot: KeyThreshold
  /// The keys of the top-level targets.
  public var targets: KeyThreshold
  /// Other entries of `roles`, such as `mirrors`.
  public var otherRoles: [JSONValue.Member]

  /// Creates a root.
  public init(
    version: Int, expires: UnixTime, consistentSnapshot: Bool = true, keys: KeyRing, root: KeyThreshold,
    timestamp: KeyThreshold, snapshot: KeyThreshold, targets: KeyThreshold
  ) {
    header = RoleHeader(version: version, expires: expires)
    self.consistentSnapshot = consistentSnapshot
    self.keys = keys
    self.root = root
    self.timestamp = timestamp
    self.snapshot = snapshot
    self.targets = targets
    otherRoles = []
  }

  /// Reads the value of `signed`.
  ///
  /// - Throws: `tuf.wrong-type`, `tuf.spec-version`, and `json.…` for another form.
  public init(json: JSONValue) throws(SignetError) {
    let body: (isConsistent: Bool?, keys: [JSONValue.Member], roles: Roles)
    (header, body) = try RoleHeader.read(json, type: Self.typeName) { object throws(SignetError) in
      let isConsistent = try object.optionalBool("consistent_snapshot")
      let keys = try object.members("keys")
      var roles = try object.object("roles")
      return (isConsistent, keys, try Roles(from: &roles))
    }
    // Old metadata leaves the field out (section 4.3).
    consistentSnapshot = body.isConsistent ?? false
    keys = KeyRing(members: body.keys)
    root = body.roles.root
    timestamp = body.roles.timestamp
    snapshot = body.roles.snapshot
    targets = body.roles.targets
    otherRoles = body.roles.others
  }

  private struct Roles {
    let root: KeyThreshold
    let timestamp: KeyThreshold
    let snapshot: KeyThreshold
    let targets: KeyThreshold
    let others: [JSONValue.Member]

    init(from roles: inout JSONObject) throws(SignetError) {
      root = try Self.role("root", &roles)
      timestamp = try Self.role("timestamp", &roles)
      snapshot = try Self.role("snapshot", &roles)
      targets = try Self.role("targets", &roles)
      others = roles.rest
    }

    private static func role(_ name: String, _ roles: inout JSONObject) throws(SignetError) -> KeyThreshold {
      var object = try roles.object(name)
      var keys = try KeyThreshold(from: &object)
      keys.unknown = object.rest
      return keys
    }
  }

  /// The value of `signed`, with the unknown fields.
  public var json: JSONValue {
    func role(_ name: String, _ keys: KeyThreshold) -> JSONValue.Member {
      JSONValue.Member(name, .object(keys.fields, and: keys.unknown))
    }
    let roles =
      [role("root", root), role("timestamp", timestamp), role("snapshot", snapshot), role("targets", targets)]
      + otherRoles
    return json([
      ("consistent_snapshot", JSONValue(.bool(consistentSnapshot))), ("keys", keys.json),
      ("roles", JSONValue(.object(roles))),
    ])
  }

  /// Who must sign the root itself.
  public var rootAuthority: RoleAuthority { RoleAuthority(role: "root", keys: root, ring: keys) }
  /// Who must sign the timestamp.
  public var timestampAuthority: RoleAuthority { RoleAuthority(role: "timestamp", keys: timestamp, ring: keys) }
  /// Who must sign the snapshot.
  public var snapshotAuthority: RoleAuthority { RoleAuthority(role: "snapshot", keys: snapshot, ring: keys) }
  /// Who must sign the top-level targets.
  public var targetsAuthority: RoleAuthority { RoleAuthority(role: "targets", keys: targets, ring: keys) }
}
