public import SignetBase
public import SignetCrypto
internal import SignetVerify

/// A statement by which the owner of a key introduces the next one, in a bundle (docs/format.md, section 9.8).
///
/// Every rotation that exists is signed by the key that it leads away from, and accepted by the key that it leads to: nobody can
/// introduce another signer's key as an own one. Whether somebody trusts the first key is another matter.
public struct RotationStatement: Sendable {
  /// The key that signs the statement.
  public let from: PublicKey
  /// The key that is introduced.
  public let to: PublicKey
  /// The position in the signer's lineage: 1 for the first key that was introduced.
  public let number: Int
  /// When signatures by the new key begin to count.
  public let since: UnixTime
  /// The last second at which signatures by the old key count.
  public let until: UnixTime
  /// The digest of the statement before; nil for the first one.
  let previous: Digest?
  /// The digest of this statement.
  let digest: Digest
  /// The bundle's canonical JSON.
  public let bundle: [UInt8]

  /// The type of the statement. No artifact's statement has it.
  package static let predicateType = "urn:signet:rotation:v1"
  /// The type of the same statement as the key that is introduced signs it. It stands nowhere: only its signature does.
  package static let acceptanceType = "urn:signet:rotation-acceptance:v1"
  static let statementType = "https://in-toto.io/Statement/v1"

  /// Reads a bundle, and checks its signature.
  ///
  /// - Throws: `lineage.malformed`, `lineage.signature`; `crypto.failure`.
  public init(bundle json: [UInt8]) throws(SignetError) {
    let (bundle, content, acceptance): (SigstoreBundle, Content, [UInt8])
    do throws(SignetError) {
      bundle = try SigstoreBundle(json: json)
      guard case .publicKey = bundle.material else { throw Self.malformed("has a certificate in the place of a key") }
      (content, acceptance) = try Content.read(bundle.envelope.payload)
    } catch {
      if [.lineageMalformed, .lineageCycle, .cryptoFailure].contains(error.code) { throw error }
      throw SignetError(
        .lineageMalformed, "rotation", "cannot be read",
        expected: "a bundle with a statement of \(Self.predicateType)",
        cause: error, hint: Self.hint)
    }
    (from, to, number) = (content.from, content.to, content.number)
    (since, until, previous) = (content.since, content.until, content.previous)
    // Nothing else of the bundle is kept: anybody may have added it.
    let envelope = bundle.envelope
    self.bundle = try SigstoreBundle(
      payload: envelope.payload, signature: envelope.signature, key: content.from.id
    ).canonicalBytes()
    digest = try Digest.of(envelope.payload, .sha256)
    try Self.check(
      bundle.envelope.signature, of: envelope.payload, by: from, "rotation \(number)",
      "is not signed by the key that it leads away from")
    try Self.check(
      acceptance, of: content.acceptedPayload(), by: to, "rotation \(number)",
      "is not accepted by the key that it introduces")
  }

  private static func check(
    _ signature: [UInt8], of payload: [UInt8], by key: PublicKey, _ object: String, _ problem: String
  ) throws(SignetError) {
    switch key.verify(signature, over: Envelope.preAuthenticationEncoding(of: payload)) {
    case .valid: break
    case .couldNotCheck(let error): throw error
    case .invalid: throw SignetError(.lineageSignature, object, problem, expected: "\(key.id)", hint: hint)
    }
  }

  private static let hint = "get the lineage from the publisher again"

  static func malformed(_ what: String, found: String? = nil) -> SignetError {
    SignetError(.lineageMalformed, "rotation", what, found: found, hint: hint)
  }
}

extension RotationStatement: Hashable {
  /// Rotations are equal if they state the same. Their signatures may differ, as those of most algorithms do.
  public static func == (left: RotationStatement, right: RotationStatement) -> Bool { left.digest == right.digest }
  /// Hashes the digest of what is stated.
  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

extension RotationStatement {
  /// What a rotation states.
  struct Content {
    let from: PublicKey
    let to: PublicKey
    let number: Int
    let previous: Digest?
    let since: UnixTime
    let until: UnixTime

    init(
      from: PublicKey, to: PublicKey, number: Int, previous: Digest?, since: UnixTime, until: UnixTime
    ) throws(SignetError) {
      (self.from, self.to, self.number) = (from, to, number)
      (self.previous, self.since, self.until) = (previous, since, until)
      guard from != to else {
        throw SignetError(.lineageCycle, "rotation", "introduces the key that signs it", found: "\(to.id)")
      }
      guard since <= until else {
        throw malformed("lets the old key end before the new one begins", found: "\(until), before \(since)")
      }
      guard (previous == nil) == (number == 1), number >= 1 else {
        throw malformed("does not name the statement before it, or is not the first", found: "\(number)")
      }
    }

    /// Reads a payload, which has one form.
    ///
    /// - Returns: what it states, and the signature by which the key that is introduced accepts that.
    static func read(_ payload: [UInt8]) throws(SignetError) -> (Content, acceptance: [UInt8]) {
      let value = try JSONReader.read(payload, limits: .payload)
      var object = try JSONObject(value, "rotation", unknownField: .lineageMalformed)
      let (type, predicateType) = (try object.string("_type"), try object.string("predicateType"))
      guard type.isExactly(statementType), predicateType.isExactly(RotationStatement.predicateType) else {
        throw malformed("is a statement of another type", found: predicateType)
      }
      _ = try object.array("subject")
      var predicate = try object.object("predicate")
      let (from, to) = (try predicate.key("from"), try predicate.key("to"))
      let previous = try predicate.optionalString("previous")
      let digest = previous.flatMap { Digest(.sha256, hex: $0) }
      guard (previous == nil) == (digest == nil) else { throw malformed("has a damaged digest", found: previous) }
      let content = try Content(
        from: from, to: to, number: try predicate.sequence("number"), previous: digest,
        since: try predicate.time("since"), until: try predicate.time("until"))
      let acceptance = try Base64.decode(try predicate.string("acceptance"))
      try predicate.finish()
      try object.finish()
      // What it is about, and that it is written in no other way.
      guard try content.payload(acceptance: acceptance) == payload else {
        throw malformed("is not canonical, or is about another key")
      }
      return (content, acceptance)
    }

    /// The statement in canonical JSON. It is about the key that is introduced.
    func payload(acceptance: [UInt8]) throws(SignetError) -> [UInt8] {
      try written(as: RotationStatement.predicateType, acceptance)
    }

    /// What the key that is introduced signs: the same statement, of another type.
    func acceptedPayload() throws(SignetError) -> [UInt8] {
      try written(as: RotationStatement.acceptanceType, nil)
    }

    private func written(as predicateType: String, _ acceptance: [UInt8]?) throws(SignetError) -> [UInt8] {
      let subject = JSONValue.object(
        ("name", .string("\(to.id)")),
        ("digest", .object(("sha256", .string(try Digest.of(to.der, .sha256).hex)))))
      return try CanonicalJSON.write(
        .object(
          ("_type", .string(statementType)), ("subject", .array([subject])),
          ("predicateType", .string(predicateType)),
          (
            "predicate",
            .object(
              ("from", .string(Base64.encode(from.der))), ("to", .string(Base64.encode(to.der))),
              ("number", .integer(number)), ("previous", previous.map { .string($0.hex) }),
              ("since", .string("\(since)")), ("until", .string("\(until)")),
              ("acceptance", acceptance.map { .string(Base64.encode($0)) }))
          )))
    }
  }
}
