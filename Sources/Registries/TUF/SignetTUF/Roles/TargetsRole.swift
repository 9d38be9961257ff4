public import SignetBase

/// A targets role, the top-level one or a delegated one: which files it offers, and whom it delegates paths to
/// (specification, section 4.5).
public struct TargetsRole: MetadataRole {
  /// The text of `_type`.
  public static let typeName = "targets"

  /// What all roles have.
  public var header: RoleHeader
  /// The targets, sorted by the bytes of their paths.
  public private(set) var targets: [TargetFile]
  /// The delegations, if there are any.
  public var delegations: Delegations?

  /// Creates a role.
  ///
  /// - Parameters:
  ///   - version: the version of the metadata, 1 or more.
  ///   - expires: the time from which the metadata is no longer valid.
  ///   - targets: the targets in any order; of several with one path, the last one counts.
  ///   - delegations: to whom the role delegates; nil if to nobody.
  public init(version: Int, expires: UnixTime, targets: [TargetFile] = [], delegations: Delegations? = nil) {
    header = RoleHeader(version: version, expires: expires)
    self.targets = []
    self.delegations = delegations
    for target in targets.sorted(by: { $0.path.precedesInBytes($1.path) }) { insert(target) }
  }

  /// Reads the value of `signed`.
  ///
  /// - Throws: `tuf.wrong-type`, `tuf.spec-version`, `tuf.role-name`, `tuf.duplicate-role`, and `json.…`
  ///   for another form.
  public init(json: JSONValue) throws(SignetError) {
    let body: (targets: [TargetFile], delegations: Delegations?)
    (header, body) = try RoleHeader.read(json, type: Self.typeName) { object throws(SignetError) in
      var targets: [TargetFile] = []
      for member in try object.members("targets") {
        targets.append(try TargetFile(path: member.name, member.value))
      }
      guard var delegations = try object.optionalObject("delegations") else { return (targets, nil) }
      return (targets, try Delegations(from: &delegations))
    }
    targets = body.targets.sorted { $0.path.precedesInBytes($1.path) }
    delegations = body.delegations
  }

  /// The value of `signed`, with the unknown fields.
  public var json: JSONValue {
    json([
      ("targets", JSONValue(.object(targets.map { JSONValue.Member($0.path, $0.json) }))),
      ("delegations", delegations?.json),
    ])
  }

  /// The target with a path; nil if the role does not offer it.
  public func target(_ path: String) -> TargetFile? {
    let place = place(of: path)
    return place < targets.count && targets[place].path.isExactly(path) ? targets[place] : nil
  }

  /// Adds a target, in place of one with the same path.
  public mutating func insert(_ target: TargetFile) {
    remove(target.path)
    targets.insert(target, at: place(of: target.path))
  }

  /// Removes a target; a missing one counts as removed.
  public mutating func remove(_ path: String) {
    let place = place(of: path)
    if place < targets.count, targets[place].path.isExactly(path) { targets.remove(at: place) }
  }

  /// The place of a path, or the one where it would stand.
  private func place(of path: String) -> Int {
    var range = 0..<targets.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if targets[middle].path.precedesInBytes(path) {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound
  }
}
