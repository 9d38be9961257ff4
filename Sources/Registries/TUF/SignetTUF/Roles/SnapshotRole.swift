public import SignetBase

/// The snapshot role: which versions of all targets metadata belong together (specification, section 4.4).
public struct SnapshotRole: MetadataRole {
  /// The text of `_type`.
  public static let typeName = "snapshot"

  /// What all roles have.
  public var header: RoleHeader
  /// The names of the files of metadata, such as `targets.json`, sorted by their bytes, and what is said of them.
  public private(set) var files: [(name: String, facts: FileFacts)]

  /// Creates a snapshot without files.
  public init(version: Int, expires: UnixTime) {
    header = RoleHeader(version: version, expires: expires)
    files = []
  }

  /// Reads the value of `signed`.
  ///
  /// - Throws: `tuf.wrong-type`, `tuf.spec-version`, and `json.…` for another form.
  public init(json: JSONValue) throws(SignetError) {
    (header, files) = try RoleHeader.read(json, type: Self.typeName) { object throws(SignetError) in
      var files: [(name: String, facts: FileFacts)] = []
      for member in try object.members("meta") {
        files.append((member.name, try FileFacts(member.value, of: member.name)))
      }
      return files.sorted { $0.name.precedesInBytes($1.name) }
    }
  }

  /// The value of `signed`, with the unknown fields.
  public var json: JSONValue {
    json([("meta", JSONValue(.object(files.map { JSONValue.Member($0.name, $0.facts.json) })))])
  }

  /// What is said of a role's file; nil if it is not listed.
  public subscript(role: String) -> FileFacts? {
    get {
      let name = role + ".json"
      let place = place(of: name)
      return place < files.count && files[place].name.isExactly(name) ? files[place].facts : nil
    }
    set {
      let name = role + ".json"
      let place = place(of: name)
      if place < files.count, files[place].name.isExactly(name) { files.remove(at: place) }
      if let newValue { files.insert((name, newValue), at: place) }
    }
  }

  /// The place of a name, or the one where it would stand.
  private func place(of name: String) -> Int {
    var range = 0..<files.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if files[middle].name.precedesInBytes(name) {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound
  }
}
