public import SignetBase

/// The delegations of a targets role, the most trusted first (specification, section 4.5; TAP 15).
public struct Delegations: Sendable {
  /// The keys of all roles that are delegated to.
  public var keys: KeyRing
  /// The roles.
  public var roles: Roles
  /// The fields that are not known.
  public var unknown: [JSONValue.Member]

  /// The roles that are delegated to: one list or one set of bins (TAP 15: "Only one of succinct_roles or roles").
  public enum Roles: Sendable {
    /// Roles in the order in which they are asked.
    case listed([DelegatedRole])
    /// Hash bins.
    case succinct(SuccinctRoles)
  }

  /// Creates delegations.
  public init(keys: KeyRing, roles: Roles) {
    self.keys = keys
    self.roles = roles
    unknown = []
  }

  init(from object: inout JSONObject) throws(SignetError) {
    keys = KeyRing(members: try object.members("keys"))
    let listed = object.has("roles") ? try object.objects("roles", atMost: .max) : nil
    let bins = try object.optionalObject("succinct_roles")
    switch (listed, bins) {
    case (let listed?, nil): roles = .listed(try Self.roles(listed))
    case (nil, var bins?): roles = .succinct(try SuccinctRoles(from: &bins))
    case (nil, nil): throw SignetError(.jsonMissingField, object.path(of: "roles"), "is missing")
    case (_?, _?): throw object.wrong("roles", "either roles or succinct_roles", "both")
    }
    unknown = object.rest
  }

  private static func roles(_ objects: [JSONObject]) throws(SignetError) -> [DelegatedRole] {
    var names = Set<[UInt8]>()
    var roles: [DelegatedRole] = []
    for var object in objects {
      let role = try DelegatedRole(from: &object)
      guard names.insert(Array(role.name.utf8)).inserted else {
        throw SignetError(
          .tufDuplicateRole, object.path, "names a role that was delegated to before", expected: "each role once",
          found: role.name.display)
      }
      roles.append(role)
    }
    return roles
  }

  /// The delegations as JSON.
  public var json: JSONValue {
    let field: (String, JSONValue?) =
      switch roles {
      case .listed(let roles): ("roles", .array(roles.map(\.json)))
      case .succinct(let bins): ("succinct_roles", bins.json)
      }
    return .object([("keys", keys.json), field], and: unknown)
  }

  /// One delegation of a path: whose metadata is asked next, and who must have signed it.
  public struct Step: Sendable {
    /// Who must have signed the role's metadata.
    public let authority: RoleAuthority
    /// Whether nobody else is asked if the role and those below it do not offer the path.
    public let isTerminating: Bool
    /// The name of the role.
    public var role: String { authority.role }
  }

  /// The delegations of a path in their order, up to the first one that is terminating.
  public func steps(for path: TargetPath) -> [Step] {
    switch roles {
    case .succinct(let bins):
      // TAP 15: "All succinct hashed bin delegations will be non-terminating."
      let authority = RoleAuthority(role: bins.name(of: bins.bin(of: path)), keys: bins.keys, ring: keys)
      return [Step(authority: authority, isTerminating: false)]
    case .listed(let roles):
      var steps: [Step] = []
      for role in roles where role.covers(path) {
        steps.append(
          Step(
            authority: RoleAuthority(role: role.name, keys: role.keys, ring: keys),
            isTerminating: role.isTerminating))
        if role.isTerminating { break }
      }
      return steps
    }
  }

  /// Who must have signed the metadata of a role; nil if nothing is delegated to it.
  public func authority(of name: String) -> RoleAuthority? {
    switch roles {
    case .listed(let roles):
      return roles.first { $0.name.isExactly(name) }.map { RoleAuthority(role: name, keys: $0.keys, ring: keys) }
    case .succinct(let bins):
      let start = Array("\(bins.namePrefix)-".utf8)
      guard name.utf8.starts(with: start) else { return nil }
      let digits = String(decoding: name.utf8.dropFirst(start.count), as: UTF8.self)
      guard let bin = Int(digits, radix: 16), (0..<bins.binCount).contains(bin), bins.name(of: bin).isExactly(name)
      else { return nil }
      return RoleAuthority(role: name, keys: bins.keys, ring: keys)
    }
  }
}
