public import SignetBase
public import SignetCrypto

/// What `urn:signet:file:v1` says about a file.
public struct FilePredicate: Hashable, Sendable {
  /// The file's size in bytes.
  public let size: Int
  /// The fs-verity digest, which can be checked on all cores.
  public let fsverity: FSVerityDigest
  /// When the signer says the statement was made: it informs, only a timestamp token proves time.
  public let signedAt: UnixTime
  /// After this the statement no longer holds; nil means that it holds until it is revoked.
  public let notAfter: UnixTime?

  /// Says something about a file.
  public init(size: Int, fsverity: FSVerityDigest, signedAt: UnixTime, notAfter: UnixTime? = nil) {
    self.size = size
    self.fsverity = fsverity
    self.signedAt = signedAt
    self.notAfter = notAfter
  }

  var json: JSONValue {
    .object(
      ("size", .integer(size)), ("fsverity", .string("\(fsverity)")), ("signedAt", .string("\(signedAt)")),
      ("notAfter", notAfter.map { .string("\($0)") }))
  }

  init(_ object: JSONObject) throws(SignetError) {
    var object = object
    size = try object.count("size")
    fsverity = try object.fsverity("fsverity")
    signedAt = try object.time("signedAt")
    notAfter = try object.optionalTime("notAfter")
    try object.finish()
  }
}
