package import SignetBase
internal import SignetCrypto

/// What a SLSA verification summary v1 says: who has verified an artifact, against which policy, and the result.
///
/// slsa.dev/spec/v1.1/verification_summary. Fields that decide nothing here are not read, as its parsing rules want.
package struct SummaryPredicate: Sendable {
  /// The result: `PASSED` or `FAILED`.
  package let result: String
  /// The verifier's ID.
  package let verifier: String
  /// What the verifier has taken the artifact for.
  package let resource: String
  /// The SHA-256 of the policy; nil if the statement does not give it.
  package let policySHA256: String?
  /// The levels that were verified.
  package let levels: [String]
  /// The statements of publishers that were verified; nil if the summary does not say.
  ///
  /// This is the field `signet_statements` of Signet's gate. A digest alone does not say what was verified: the same
  /// bytes may be signed as a file and as a module, and a file may have the bytes of a directory's listing.
  package let statements: [VerifiedStatement]?
  /// The place of each field, for messages.
  package let places: Places

  /// A publisher's statement that was verified.
  package struct VerifiedStatement: Hashable, Sendable {
    /// The type of its predicate.
    package let type: String
    /// The SHA-256 of its payload, exactly as it was signed.
    package let payload: Digest

    package init(type: String, payload: Digest) {
      self.type = type
      self.payload = payload
    }

    /// The element of the list.
    package var json: JSONValue {
      .object(("predicateType", .string(type)), ("digest", .object(("sha256", .string(payload.hex)))))
    }
  }

  /// The name of the field with the publishers' statements. SLSA asks for the producer's name in front.
  package static let statementsField = "signet_statements"

  /// The places of the fields in the statement.
  package struct Places: Sendable {
    package let result: String
    package let verifier: String
    package let resource: String
    package let policySHA256: String
    package let levels: String
  }

  /// The type of the statements.
  package static let type = PredicateType("https://slsa.dev/verification_summary/v1")
  /// The label in the name of a summary's file: `tool.vsa.sigstore.json`.
  package static let label = "vsa"
  /// The verifier's ID of Signet's gate, unless its user gives another one.
  package static let gate = "urn:signet:gate"
  /// The result of an artifact that may be used.
  package static let passed = "PASSED"
  /// The level of an artifact whose verification has failed.
  package static let failedLevel = "FAILED"
  /// The maximum number of statements: one for each bundle of an artifact.
  private static let statementLimit = SignatureSource.bundleLimit
  /// A statement has a level for each track, and a few properties.
  package static let levelLimit = 100

  /// Reads a predicate.
  ///
  /// - Throws: `json.…` if a field is missing or has another type.
  package init(_ predicate: JSONObject) throws(SignetError) {
    var object = predicate
    result = try object.string("verificationResult")
    levels = try object.strings("verifiedLevels", atMost: Self.levelLimit)
    var verifier = try object.object("verifier")
    self.verifier = try verifier.string("id")
    resource = try object.string("resourceUri")
    var policy = try object.object("policy")
    var digests = try policy.optionalObject("digest")
    policySHA256 = try digests?.optionalString("sha256")
    statements = try Self.statements(&object)
    places = Places(
      result: object.path(of: "verificationResult"), verifier: verifier.path(of: "id"),
      resource: object.path(of: "resourceUri"), policySHA256: "\(policy.path).digest.sha256",
      levels: object.path(of: "verifiedLevels"))
  }

  private static func statements(_ object: inout JSONObject) throws(SignetError) -> [VerifiedStatement]? {
    guard object.has(statementsField) else { return nil }
    var statements: [VerifiedStatement] = []
    for var each in try object.objects(statementsField, atMost: statementLimit) {
      let type = try each.string("predicateType")
      var digest = try each.object("digest")
      statements.append(VerifiedStatement(type: type, payload: try digest.sha256("sha256")))
    }
    return statements
  }

  /// The demanded levels that were not verified.
  package func missing(of demanded: [String]) -> [String] {
    demanded.filter { level in !levels.contains { SLSALevel.includes($0, level) } }
  }

  /// Whether a level says that the verification has failed, whatever the result says.
  package var hasFailedLevel: Bool { levels.contains { $0.isExactly(Self.failedLevel) } }
}
