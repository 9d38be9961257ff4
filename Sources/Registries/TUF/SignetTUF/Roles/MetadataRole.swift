public import SignetBase

/// The content of one role's metadata: what stands under `signed` (specification, section 4).
///
/// A role that was read is not trusted. It can be changed, written as JSON and signed.
public protocol MetadataRole: Sendable {
  /// The text of `_type`.
  static var typeName: String { get }
  /// What all roles have.
  var header: RoleHeader { get set }
  /// Reads the role.
  ///
  /// - Parameter json: the value of `signed`.
  /// - Throws: `tuf.…` and `json.…` for what breaks the form of the role.
  init(json: JSONValue) throws(SignetError)
  /// The value of `signed`, with the unknown fields.
  var json: JSONValue { get }
}

extension MetadataRole {
  /// The version, 1 or more.
  public var version: Int {
    get { header.version }
    set { header.version = newValue }
  }

  /// The time from which the metadata is no longer valid.
  public var expires: UnixTime {
    get { header.expires }
    set { header.expires = newValue }
  }

  /// The fields of the role behind those of the header.
  func json(_ fields: [(String, JSONValue?)]) -> JSONValue {
    .object(
      [
        ("_type", .string(Self.typeName)), ("spec_version", .string(header.specVersion)),
        ("version", .integer(header.version)), ("expires", .string(header.expires.description)),
      ] + fields, and: header.unknown)
  }
}

/// What the metadata of all roles has (specification, section 4.3).
public struct RoleHeader: Sendable {
  /// The version of the specification that the metadata follows.
  public var specVersion: String
  /// The version of the metadata, 1 or more.
  public var version: Int
  /// The time from which the metadata is no longer valid.
  public var expires: UnixTime
  /// The fields that are not known.
  public var unknown: [JSONValue.Member]

  /// The version of the specification that is written.
  public static let specVersion = "1.0.34"

  /// Creates the header of a role.
  public init(version: Int, expires: UnixTime, unknown: [JSONValue.Member] = []) {
    specVersion = Self.specVersion
    self.version = version
    self.expires = expires
    self.unknown = unknown
  }

  /// Takes the fields of the header.
  ///
  /// - Throws: `tuf.wrong-type`, `tuf.spec-version`, and `json.…` for another form.
  init(from object: inout JSONObject, type expected: String) throws(SignetError) {
    let type = try object.string("_type")
    guard type.isExactly(expected) else {
      throw SignetError(
        .tufWrongType, object.path(of: "_type"), "is metadata of another role", expected: expected,
        found: type.display)
    }
    specVersion = try object.string("spec_version")
    guard Self.isSupported(specVersion) else {
      throw SignetError(
        .tufSpecVersion, object.path(of: "spec_version"), "is not supported", expected: "1.0.34, or another 1.x",
        found: specVersion.display)
    }
    version = try object.positive("version")
    let text = try object.string("expires")
    guard let time = ExpiryTime.read(text) else {
      throw object.wrong("expires", "a time such as 2030-01-01T00:00:00Z", text.display)
    }
    expires = time
    unknown = []
  }

  /// Whether a version is 1.x or 1.x.y (section 4.3 leaves the rule to the adopter; Sigstore's first roots say "1.0").
  private static func isSupported(_ version: String) -> Bool {
    let parts = version.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts[0].elementsEqual("1".utf8) else { return false }
    return parts.allSatisfy { part in
      !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
  }

  /// Reads a role: the header, then what `body` takes; what is left is unknown and kept.
  static func read<Body>(
    _ json: JSONValue, type: String, _ body: (inout JSONObject) throws(SignetError) -> Body
  ) throws(SignetError) -> (RoleHeader, Body) {
    var object = try JSONObject(json, type, unknownField: .tufMalformed)
    var header = try RoleHeader(from: &object, type: type)
    let body = try body(&object)
    header.unknown = object.rest
    return (header, body)
  }
}
