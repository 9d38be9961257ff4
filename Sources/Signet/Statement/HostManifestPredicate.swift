public import SignetBase
internal import SignetCrypto

/// What `urn:signet:host-manifest:v1` says about a host's manifest.
public struct HostManifestPredicate: Hashable, Sendable {
  /// The greatest sequence: what every JSON reader holds exactly.
  public static let sequenceLimit = 1 << 53 - 1

  /// The host the manifest is for.
  public let identifier: ModuleIdentifier
  /// Which of the host's manifests it is: grows with each.
  public let sequence: Int
  /// How many bytes the manifest has: one of another size is not read.
  public let size: Int
  /// When the signer says the statement was made: it informs, only a timestamp token proves time.
  public let signedAt: UnixTime
  /// After this the statement no longer holds; nil means that it holds until it is revoked.
  public let notAfter: UnixTime?

  /// Says something about a manifest.
  init(identifier: ModuleIdentifier, sequence: Int, size: Int, signedAt: UnixTime, notAfter: UnixTime?) {
    precondition((1...Self.sequenceLimit).contains(sequence))
    self.identifier = identifier
    self.sequence = sequence
    self.size = size
    self.signedAt = signedAt
    self.notAfter = notAfter
  }

  var json: JSONValue {
    .object(
      ("identifier", .string("\(identifier)")), ("sequence", .integer(sequence)), ("size", .integer(size)),
      ("signedAt", .string("\(signedAt)")), ("notAfter", notAfter.map { .string("\($0)") }))
  }

  init(_ object: JSONObject) throws(SignetError) {
    var object = object
    let name = try object.string("identifier")
    guard let identifier = ModuleIdentifier(name) else {
      throw object.wrong("identifier", "reverse DNS such as com.example.player", name)
    }
    self.identifier = identifier
    sequence = try object.count("sequence")
    guard sequence >= 1 else { throw object.wrong("sequence", "1 or more", "\(sequence)") }
    size = try object.count("size")
    signedAt = try object.time("signedAt")
    notAfter = try object.optionalTime("notAfter")
    try object.finish()
  }
}
