public import SignetBase

/// A file of metadata that was read, whose signatures nobody has checked (specification, section 4.2.1).
public struct UnverifiedMetadata<Role: MetadataRole>: Sendable {
  /// The bytes of the file, as they were received.
  public let bytes: [UInt8]
  /// The signatures.
  public let signatures: RoleSignatures
  /// The value of `signed`.
  let signed: JSONValue
  /// The canonical form of `signed`, over which signatures are made.
  let message: [UInt8]
  /// The name of the file, for messages.
  let name: String

  /// The nesting that is read. A `custom` field may nest as it likes; five levels are the format's own.
  private static var depth: Int { 64 }
  /// A value takes 8 bytes or more in honest metadata, so that memory stays in proportion to the size.
  private static var bytesPerValue: Int { 8 }
  /// The number of values that a short file may have, too.
  private static var fewValues: Int { 2000 }

  /// Reads a file of metadata as far as checking its signatures takes. The role is not looked at.
  ///
  /// - Parameters:
  ///   - bytes: the content of the file.
  ///   - name: the name of the file, for messages.
  /// - Throws: `tuf.malformed`, with the fault as its cause; `tuf.not-canonical`, `tuf.duplicate-signature`.
  public init(_ bytes: [UInt8], name: String = "\(Role.typeName).json") throws(SignetError) {
    self.bytes = bytes
    self.name = name
    do throws(SignetError) {
      let limits = JSONLimits(
        size: bytes.count, depth: Self.depth, values: Self.fewValues + bytes.count / Self.bytesPerValue)
      var object = try JSONObject(JSONReader.read(bytes, limits: limits), "metadata", unknownField: .tufMalformed)
      signed = try object.required("signed")
      guard object.has("signatures") else {
        throw SignetError(.jsonMissingField, object.path(of: "signatures"), "is missing")
      }
      signatures = try RoleSignatures(object.objects("signatures", atMost: .max))
      message = try OLPCJSON.encode(signed)
    } catch {
      throw Self.named(error, name)
    }
  }

  /// The role, which anybody may have written. It is for showing and for signing, never for trusting.
  ///
  /// - Throws: `tuf.malformed`, with the fault as its cause; `tuf.wrong-type`, `tuf.spec-version`, `tuf.role-name`,
  ///   `tuf.duplicate-role`.
  public func uncheckedRole() throws(SignetError) -> Role {
    do throws(SignetError) { return try Role(json: signed) } catch { throw Self.named(error, name) }
  }

  /// The error with the name of the file.
  private static func named(_ error: SignetError, _ name: String) -> SignetError {
    guard !Set.aboutJSON.contains(error.code) else {
      return SignetError(
        .tufMalformed, name, "is not metadata of the role \(Role.typeName)", cause: error,
        hint: "use another mirror, or ask the owner of the repository")
    }
    guard Set.aboutTUF.contains(error.code) else { return error }
    return error.about(error.object == "JSON" ? name : "\(name), \(error.object)")
  }

  /// Checks the signatures, and only then reads the role.
  ///
  /// - Parameter authority: who must have signed.
  /// - Throws: `tuf.threshold`; what ``uncheckedRole()`` throws; `crypto.failure`.
  public func verified(by authority: RoleAuthority) throws(SignetError) -> VerifiedMetadata<Role> {
    try authority.check(signatures, over: message, of: name)
    return VerifiedMetadata(bytes: bytes, role: try uncheckedRole(), name: name)
  }
}

/// Metadata that enough keys of its role have signed. Versions and expiry are not checked yet.
public struct VerifiedMetadata<Role: MetadataRole>: Sendable {
  /// The bytes of the file, as they were received.
  public let bytes: [UInt8]
  /// The role.
  public let role: Role
  /// The name of the file, for messages.
  let name: String

  fileprivate init(bytes: [UInt8], role: Role, name: String) {
    self.bytes = bytes
    self.role = role
    self.name = name
  }

  /// Checks that the metadata has one version.
  ///
  /// - Throws: `tuf.wrong-version`.
  func check(version: Int, _ why: String) throws(SignetError) {
    guard role.version == version else {
      throw SignetError(
        .tufWrongVersion, name, "has another version than \(why)", expected: "\(version)", found: "\(role.version)")
    }
  }

  /// Whether the metadata is valid at a time (section 5: "the expiration timestamp MUST be higher").
  func isFresh(at time: UnixTime) -> Bool { role.expires > time }

  /// Checks that the metadata has not expired.
  ///
  /// - Throws: `tuf.expired`.
  func checkFresh(at time: UnixTime) throws(SignetError) {
    guard isFresh(at: time) else {
      throw SignetError(
        .tufExpired, name, "has expired: somebody may be holding newer metadata back",
        expected: "metadata that is valid after \(time)", found: "valid until \(role.expires)",
        hint: "check the clock; if it is right, use another mirror or ask the owner of the repository")
    }
  }
}
