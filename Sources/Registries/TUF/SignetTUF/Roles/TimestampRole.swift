public import SignetBase

/// The timestamp role: which snapshot is the newest (specification, section 4.6).
public struct TimestampRole: MetadataRole {
  /// The text of `_type`.
  public static let typeName = "timestamp"

  /// What all roles have.
  public var header: RoleHeader
  /// What is said of `snapshot.json`.
  public var snapshot: FileFacts

  /// Creates a timestamp.
  public init(version: Int, expires: UnixTime, snapshot: FileFacts) {
    header = RoleHeader(version: version, expires: expires)
    self.snapshot = snapshot
  }

  /// Reads the value of `signed`.
  ///
  /// - Throws: `tuf.wrong-type`, `tuf.spec-version`, and `json.…` for another form.
  public init(json: JSONValue) throws(SignetError) {
    (header, snapshot) = try RoleHeader.read(json, type: Self.typeName) { object throws(SignetError) in
      var meta = try object.object("meta")
      let facts = try FileFacts(meta.required("snapshot.json"), of: "snapshot.json")
      // Section 4.6: "this MUST only include a description of the snapshot.json file".
      if let other = meta.rest.first {
        throw object.wrong("meta", "snapshot.json alone", "\(other.name.display), too")
      }
      return facts
    }
  }

  /// The value of `signed`, with the unknown fields.
  public var json: JSONValue { json([("meta", .object(("snapshot.json", snapshot.json)))]) }
}
