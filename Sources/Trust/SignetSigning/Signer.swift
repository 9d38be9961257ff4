public import SignetBase
public import SignetCrypto
public import SignetKeys
public import SignetSystem
public import SignetVerify

/// A signer that signs statements with one key. It returns no signature that it has not verified itself.
public struct Signer: Sendable {
  private let key: PrivateKey
  private let chain: SigningChain?
  /// RSA keys with fewer bits do not sign: no policy accepts them by default.
  private static let leastRSABits = 3072

  /// The public half of the key.
  public var publicKey: PublicKey { key.publicKey }

  /// Creates a signer for a key.
  ///
  /// - Parameters:
  ///   - key: the key to sign with.
  ///   - certificates: the key's certificate and its issuers', in any order. With them, a verifier that trusts one of
  ///     the issuers can verify the signature, and one that trusts the bare key cannot.
  /// - Throws: `signing.weak-key` for RSA below 3072 bits, `signing.certificate-mismatch`,
  ///   `signing.certificate-chain`.
  public init(_ key: PrivateKey, certificates: [Certificate] = []) throws(SignetError) {
    if case .rsa(let bits) = key.publicKey.algorithm, bits < Self.leastRSABits {
      throw SignetError(
        .signingWeakKey, "\(key.publicKey.id)", "is too weak to sign with", expected: "RSA with 3072 bits or more",
        found: "\(bits) bits", hint: "make a new key: signet keygen --out PATH")
    }
    self.key = key
    chain = certificates.isEmpty ? nil : try SigningChain(certificates, for: key.publicKey)
  }

  /// Checks that a verifier could accept signatures with the signer's certificates, by the rules of verification.
  ///
  /// - Parameter time: the time of signing. A certificate that has ended is refused: verifiers look at their own time.
  /// - Returns: what is unwise about the certificates, such as one that is not valid yet; nil if nothing is, or if
  ///   the signer has no certificates.
  /// - Throws: `chain.…` for a certificate that no verifier accepts, such as `chain.not-code-signing`;
  ///   `signing.certificate-chain` if the issuers' certificates are not those of the key's certificate;
  ///   `certificate.malformed`, `crypto.failure`.
  public func checkCertificates(at time: UnixTime) throws(SignetError) -> SignetError? {
    try chain?.check(at: time) ?? nil
  }

  /// Signs an artifact as a file or as a directory.
  ///
  /// A file is signed by its flat and its tree digest, from one pass over the bytes. A directory is signed by the
  /// listing of everything in it.
  ///
  /// - Throws: for a directory `path.…`, `directory.…`, `envelope.payload-size`; for both `file.changed`,
  ///   `file.unreadable`, `file.read-failed`, `crypto.failure`, `signing.self-check`.
  public func sign(
    _ artifact: Artifact, _ claims: FileClaims, progress: ProgressCounter? = nil
  ) throws(SignetError) -> SigstoreBundle {
    try sign(Statement(about: artifact, claims, progress: progress))
  }

  /// Adds another signature to a signed statement, over exactly the same payload bytes.
  ///
  /// The statement must be Signet's own file statement, or for a directory its directory statement. It must be about
  /// this artifact under this name and hold at `time`. Its content is compared with the artifact before it is signed.
  /// The others' signatures are not verified, because their keys are not known here.
  ///
  /// - Throws: `signature.missing` if there are no bundles, `bundle.payloads-differ`, `signing.other-statement`,
  ///   `signing.twice`, `statement.expired`, `digest.mismatch`, `directory.…`, and what `sign(_:_:progress:)`
  ///   throws.
  public func addSignature(
    to bundles: [SigstoreBundle], of artifact: Artifact, named name: String, at time: UnixTime,
    progress: ProgressCounter? = nil
  ) throws(SignetError) -> SigstoreBundle {
    let common = CommonPayload(name: name, kind: artifact.directory == nil ? .file : .directory, time: time)
    return try addSignature(to: bundles, over: try common.payload(of: bundles, about: artifact, progress), name)
  }

  /// Signs the payload that bundles share, unless this key has already signed it.
  func addSignature(
    to bundles: [SigstoreBundle], over payload: [UInt8], _ name: String
  ) throws(SignetError) -> SigstoreBundle {
    for bundle in bundles {
      switch publicKey.verify(bundle.envelope.signature, over: Envelope.preAuthenticationEncoding(of: payload)) {
      case .valid:
        throw SignetError(
          .signingTwice, name, "is already signed by this key", found: "\(publicKey.id)",
          hint: "sign with another key, or replace the signature")
      case .invalid: continue
      case .couldNotCheck(let error): throw error
      }
    }
    return try sign(payload: payload)
  }

  /// Adds a signature to those of a file's bundles that a verifier may accept. Which these are is found by what they state:
  /// their keys are not known here. They may be about other bytes, or have expired, or be this key's own and wrong.
  ///
  /// - Returns: the others' bundles, and this signer's. It signs what the first of them states, if there is one: signatures
  ///   over several statements never add up.
  /// - Throws: `bundle.count` if no further one is read; what ``addSignature(to:of:named:at:progress:)`` throws.
  package func signatures(
    addedTo bundles: [SigstoreBundle], ofFile bytes: [UInt8], named name: String, at time: UnixTime
  ) throws(SignetError) -> [SigstoreBundle] {
    let (artifact, common) = (Artifact.bytes(bytes), CommonPayload(name: name, kind: .file, time: time))
    let others = bundles.filter { !isOwn($0) && common.isOf($0, about: artifact) }
    guard let payload = others.first?.envelope.payload else {
      return [try sign(artifact, FileClaims(name: name, signedAt: time))]
    }
    guard others.count < SignatureSource.bundleLimit else {
      throw SignetError(
        .bundleCount, name, "has the maximum number of signatures",
        expected: "fewer than \(SignatureSource.bundleLimit)", found: "\(others.count)")
    }
    return others + [try addSignature(to: others.filter { $0.envelope.payload == payload }, over: payload, name)]
  }

  /// Signs a statement of another program's type about an artifact.
  ///
  /// - Parameters:
  ///   - predicate: what the statement says: an object without fractions.
  ///   - type: the type that gives the predicate its meaning.
  ///   - name: what the statement calls the artifact: a name, or a path from a release's folder.
  ///   - digests: the artifact's SHA-256; for a directory, that of its listing; for an archive with signatures in it
  ///     also the one without them. Each gets a subject of the same name.
  /// - Throws: `statement.predicate-type` for one of Signet's own types, whose statements are made of what was read;
  ///   `statement.digest-algorithm`, `signing.name`, `statement.malformed`, `json.number`, `envelope.payload-size`,
  ///   `crypto.failure`, `signing.self-check`.
  package func sign(
    _ predicate: JSONValue, of type: PredicateType, about name: String, digests: [Digest]
  ) throws(SignetError) -> SigstoreBundle {
    try sign(predicate, of: type, about: digests.map { (name, $0) })
  }

  /// Signs a statement of another program's type about several artifacts.
  ///
  /// - Parameters:
  ///   - predicate: what the statement says: an object without fractions.
  ///   - type: the type that gives the predicate its meaning.
  ///   - subjects: what the statement calls each artifact, and its SHA-256.
  /// - Throws: what ``sign(_:of:about:digests:)`` throws.
  package func sign(
    _ predicate: JSONValue, of type: PredicateType, about subjects: [(name: String, digest: Digest)]
  ) throws(SignetError) -> SigstoreBundle {
    let name = subjects.first?.name ?? "statement"
    guard !type.isOwn else {
      throw SignetError(
        .statementPredicateType, name, "cannot have a statement of one of Signet's own types here",
        expected: "a type of another program than Signet", found: type.uri)
    }
    guard !subjects.isEmpty, subjects.allSatisfy({ $0.digest.algorithm == .sha256 }) else {
      throw SignetError(
        .statementDigestAlgorithm, name, "has no digest, or one of another kind", expected: "sha256",
        found: subjects.map(\.digest.algorithm.rawValue).joined(separator: ", "))
    }
    if let other = subjects.first(where: { $0.name.isEmpty || $0.name.utf8.contains(0) })?.name {
      throw SignetError(
        .signingName, other, "cannot be the name of an artifact in a statement", expected: "a name without NUL")
    }
    return try sign(Statement(foreign: type, about: subjects, predicate))
  }

  /// Signs a statement, after checking that it reads back unchanged.
  package func sign(_ statement: Statement) throws(SignetError) -> SigstoreBundle {
    try sign(payload: statement.payload())
  }

  func sign(payload: [UInt8]) throws(SignetError) -> SigstoreBundle {
    let message = Envelope.preAuthenticationEncoding(of: payload)
    let signature = try key.sign(message)
    switch publicKey.verify(signature, over: message) {
    case .valid:
      return SigstoreBundle(payload: payload, signature: signature, key: publicKey.id, material: chain?.material)
    case .invalid:
      throw selfCheck(
        "made a signature that does not verify",
        hint: "the key file may be damaged: its private and public halves do not match")
    case .couldNotCheck(let error): throw error
    }
  }

  /// Whether a bundle names this signer, by the same key or the same certificates. This proves nothing.
  func isOwn(_ bundle: SigstoreBundle) -> Bool {
    switch bundle.material {
    case .publicKey(let hint): chain == nil && publicKey.id.matches(hint)
    case .certificate(let der): chain?.certificates.map(\.der) == [der]
    case .certificateChain(let chain): self.chain?.certificates.map(\.der) == chain
    }
  }

  private func selfCheck(_ message: String, hint: String) -> SignetError {
    SignetError(.signingSelfCheck, "\(publicKey.id)", message, hint: hint)
  }

  /// The claims of a statement about a file or a directory, besides its digests.
  public struct FileClaims: Sendable {
    /// What the statement calls the file or directory.
    public let name: String
    /// When the statement is made.
    public let signedAt: UnixTime
    /// The time after which the statement no longer holds; nil if it holds until it is revoked.
    public let notAfter: UnixTime?

    /// Creates the claims about a file or directory.
    ///
    /// - Parameters:
    ///   - name: a name, or the path from a release's folder, such as `linux/tool`.
    ///   - signedAt: when the statement is made.
    ///   - notAfter: the time after which the statement no longer holds; nil if it holds until it is revoked.
    /// - Throws: `signing.name` if no artifact can have that name; `signing.not-after` if the statement would end before
    ///   it is made.
    public init(name: String, signedAt: UnixTime, notAfter: UnixTime? = nil) throws(SignetError) {
      guard SubjectName.isPath(name) else {
        throw SignetError(
          .signingName, name, "cannot be the name of an artifact in a statement",
          expected: "a name of 1 to 255 bytes, or a path from the release's folder")
      }
      if let notAfter, notAfter <= signedAt {
        throw SignetError(
          .signingNotAfter, name, "would have a statement that has already expired",
          expected: "an end after \(signedAt)",
          found: "\(notAfter)", hint: "give a later end")
      }
      self.name = name
      self.signedAt = signedAt
      self.notAfter = notAfter
    }
  }
}
