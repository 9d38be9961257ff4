public import SignetCrypto

/// Signs statements with one key, and gives nothing away that it has not verified itself.
public struct Signer: Sendable {
  private let key: PrivateKey
  /// RSA with fewer bits is not signed with: nobody accepts it by default.
  private static let leastRSABits = 3072

  /// The public half of the key.
  public var publicKey: PublicKey { key.publicKey }

  /// A signer for a key.
  ///
  /// - Throws: `signing.weak-key` for RSA below 3072 bits.
  public init(_ key: PrivateKey) throws(SignetError) {
    if case .rsa(let bits) = key.publicKey.algorithm, bits < Self.leastRSABits {
      throw SignetError(
        .signingWeakKey, "\(key.publicKey.id)", "is too weak to sign with", expected: "RSA with 3072 bits or more",
        found: "\(bits) bits", hint: "make a new key: signet keygen --out PATH")
    }
    self.key = key
  }

  /// What is said of a file beside its digests.
  public struct FileClaims: Sendable {
    /// What the statement calls the file.
    public let name: String
    /// When the statement is made.
    public let signedAt: UnixTime
    /// After this the statement no longer holds.
    public let notAfter: UnixTime?

    /// The claims about a file.
    ///
    /// - Throws: `signing.name` when the name is empty, a path, or has NUL in it.
    public init(name: String, signedAt: UnixTime, notAfter: UnixTime? = nil) throws(SignetError) {
      guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0),
        name.utf8.count <= 255
      else {
        throw SignetError(
          .signingName, name, "cannot be the name of a file in a statement",
          expected: "1 to 255 bytes without a slash")
      }
      self.name = name
      self.signedAt = signedAt
      self.notAfter = notAfter
    }
  }

  /// Signs an artifact as a file: its flat and its tree digest, from one pass over the bytes.
  ///
  /// - Throws: `file.changed`, `file.read-failed`, `crypto.failure`, `signing.self-check`.
  public func sign(
    _ artifact: Artifact, _ claims: FileClaims, progress: ProgressCounter? = nil
  ) throws(SignetError) -> Bundle {
    let digests = try artifact.digests(progress: progress)
    let predicate = FilePredicate(
      size: digests.size, fsverity: digests.fsverity, signedAt: claims.signedAt, notAfter: claims.notAfter)
    return try sign(Statement(file: claims.name, digest: digests.sha256, predicate))
  }

  /// Signs a statement.
  ///
  /// - Throws: `json.number`, `crypto.failure`, `signing.self-check`.
  public func sign(_ statement: Statement) throws(SignetError) -> Bundle {
    try sign(payload: statement.canonicalBytes())
  }

  /// Adds a signature to a statement that others have signed: over the very same payload bytes.
  ///
  /// The statement must be a file statement of ours about this artifact under this name; what it says is checked
  /// against the artifact before it is signed. Whether the others' signatures hold is not: their keys are not known
  /// here.
  ///
  /// - Throws: `signing.other-statement`, `signing.twice`, `digest.mismatch`, and what ``sign(_:_:progress:)`` throws.
  public func addSignature(
    to bundles: [Bundle], of artifact: Artifact, named name: String, progress: ProgressCounter? = nil
  ) throws(SignetError) -> Bundle {
    let payload = try CommonPayload.of(bundles, about: artifact, named: name, progress)
    for bundle in bundles {
      if case .valid = publicKey.check(
        bundle.envelope.signature, over: Envelope.preAuthenticationEncoding(of: payload))
      {
        throw SignetError(
          .signingTwice, name, "is signed by this key already", found: "\(publicKey.id)",
          hint: "sign with another key, or anew")
      }
    }
    return try sign(payload: payload)
  }

  private func sign(payload: [UInt8]) throws(SignetError) -> Bundle {
    let message = Envelope.preAuthenticationEncoding(of: payload)
    let signature = try key.sign(message)
    switch publicKey.check(signature, over: message) {
    case .valid: return Bundle(payload: payload, signature: signature, key: publicKey.id)
    case .invalid:
      throw SignetError(
        .signingSelfCheck, "\(publicKey.id)", "made a signature that does not verify",
        hint: "the key file may be damaged: its private and public halves do not match")
    case .couldNotCheck(let error): throw error
    }
  }
}
