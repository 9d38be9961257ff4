public import SignetBase
public import SignetCrypto
internal import SignetKeys
internal import SignetSystem

/// A key object of The Update Framework (specification, section 4.2.2), with all its fields.
///
/// A key of an unknown type is kept, but verifies nothing: other people's keys must not make a file unreadable.
public struct TUFKey: Sendable {
  /// The key ID: SHA-256 over the canonical form of the whole object, in hexadecimal.
  public let id: String
  /// The `keytype`, such as `ed25519`; empty if the object has none.
  public let type: String
  /// The `scheme`, such as `rsassa-pss-sha256`; empty if the object has none.
  public let scheme: String
  /// The object as it was read, unknown fields included.
  public let json: JSONValue
  /// The public key with the scheme by which it verifies, or why it verifies nothing.
  public let use: Use

  /// Whether a key can verify signatures.
  public enum Use: Sendable {
    /// It verifies by this scheme.
    case verifies(PublicKey, SignatureScheme)
    /// It verifies nothing, for this reason.
    case unusable(String)
  }

  /// Reads a key object.
  ///
  /// A key that is not supported, or whose numbers must not be used, is ``Use/unusable(_:)``.
  ///
  /// - Throws: `tuf.not-canonical` if the object has no canonical form; `crypto.failure`.
  public init(json: JSONValue) throws(SignetError) {
    self.json = json
    id = try Digest.of(OLPCJSON.encode(json), .sha256).hex
    let type = json.text("keytype")
    let scheme = json.text("scheme")
    self.type = type ?? ""
    self.scheme = scheme ?? ""
    guard let type, let scheme, let value = json.member("keyval")?.text("public") else {
      use = .unusable("it has no type, scheme or public value")
      return
    }
    guard let known = SignatureScheme(type: type, name: scheme) else {
      use = .unusable("its type \(type.display) with scheme \(scheme.display) is not supported")
      return
    }
    do throws(SignetError) {
      let key = try Self.publicKey(value, known)
      if known.fits(key.algorithm) {
        use = .verifies(key, known)
      } else {
        use = .unusable("it is \(key.algorithm), which does not fit its scheme \(scheme.display)")
      }
    } catch  where error.code != .cryptoFailure {
      use = .unusable("it \(error.message)")
    }
  }

  /// Whether a name is the key's ID: of the whole object or, as some repositories compute it, of what the key is, without the
  /// fields that are not known. Either names one key alone.
  ///
  /// - Throws: `tuf.not-canonical`; `crypto.failure`.
  func isNamed(_ name: String) throws(SignetError) -> Bool {
    guard !id.isExactly(name) else { return true }
    let known = JSONValue.object(
      ("keytype", json.member("keytype")), ("scheme", json.member("scheme")), ("keyval", json.member("keyval")))
    return try Digest.of(OLPCJSON.encode(known), .sha256).hex.isExactly(name)
  }

  /// Makes the key object of a public key, with the recommended type and scheme.
  ///
  /// RSA keys sign by RSASSA-PSS.
  ///
  /// - Throws: `crypto.failure`.
  public init(_ key: PublicKey) throws(SignetError) {
    let scheme: SignatureScheme
    let value: String
    switch key.algorithm {
    case .ed25519: (scheme, value) = (.ed25519, Hexadecimal.encode(Array(key.der.suffix(32))))
    case .p256: (scheme, value) = (.ecdsaP256, key.pem)
    case .p384: (scheme, value) = (.ecdsaP384, key.pem)
    case .p521: (scheme, value) = (.ecdsaP521, key.pem)
    case .rsa: (scheme, value) = (.rsaPSS, key.pem)
    }
    try self.init(
      json: .object(
        ("keytype", .string(scheme.keyType)), ("scheme", .string(scheme.rawValue)),
        ("keyval", .object(("public", .string(value))))))
  }

  /// Checks a signature.
  ///
  /// - Returns: false also for a key that is unusable.
  /// - Throws: `crypto.failure`.
  public func verifies(_ signature: [UInt8], over message: [UInt8]) throws(SignetError) -> Bool {
    guard case .verifies(let key, let scheme) = use else { return false }
    return try scheme.verifies(signature, over: message, by: key)
  }

  /// ECDSA keys come in PEM; the oldest roots have the bare point. Ed25519 keys are bare.
  private static func publicKey(_ value: String, _ scheme: SignatureScheme) throws(SignetError) -> PublicKey {
    if scheme == .ed25519 {
      guard let bytes = Hexadecimal.decodeEither(value) else {
        throw SignetError(.keyMalformed, "key", "is not hexadecimal")
      }
      return try PublicKey(ed25519: bytes)
    }
    if scheme == .ecdsaP256, let point = Hexadecimal.decodeEither(value) { return try PublicKey(p256: point) }
    return try PublicKey(file: SecretBytes(Array(value.utf8)))
  }
}

/// The signature schemes of The Update Framework that are supported (specification, section 4.2.2, and the names that
/// securesystemslib has given to more).
public enum SignatureScheme: String, Sendable, CaseIterable {
  /// Ed25519 (RFC 8032).
  case ed25519
  /// ECDSA over P-256 with SHA-256; signatures are in DER.
  case ecdsaP256 = "ecdsa-sha2-nistp256"
  /// ECDSA over P-384 with SHA-384; signatures are in DER.
  case ecdsaP384 = "ecdsa-sha2-nistp384"
  /// ECDSA over P-521 with SHA-512; signatures are in DER.
  case ecdsaP521 = "ecdsa-sha2-nistp521"
  /// RSASSA-PSS with SHA-256, MGF1 with SHA-256, and salt of any length; 32 bytes are written.
  case rsaPSS = "rsassa-pss-sha256"
  /// RSASSA-PKCS1-v1_5 with SHA-256.
  case rsaPKCS1 = "rsa-pkcs1v15-sha256"

  /// The scheme of a key object; nil if it is not supported, or does not belong to the type.
  init?(type: String, name: String) {
    guard let scheme = Self(rawValue: name) else { return nil }
    // Old repositories name the scheme as the type of ECDSA keys.
    let isOwn = type.isExactly(scheme.keyType) || scheme.keyType == "ecdsa" && type.isExactly(name)
    guard isOwn else { return nil }
    self = scheme
  }

  /// The `keytype` of keys that sign by the scheme.
  public var keyType: String {
    switch self {
    case .ed25519: "ed25519"
    case .ecdsaP256, .ecdsaP384, .ecdsaP521: "ecdsa"
    case .rsaPSS, .rsaPKCS1: "rsa"
    }
  }

  func fits(_ algorithm: KeyAlgorithm) -> Bool {
    switch (self, algorithm) {
    case (.ed25519, .ed25519), (.ecdsaP256, .p256), (.ecdsaP384, .p384), (.ecdsaP521, .p521), (.rsaPSS, .rsa),
      (.rsaPKCS1, .rsa):
      true
    default: false
    }
  }

  func verifies(
    _ signature: [UInt8], over message: [UInt8], by key: PublicKey
  ) throws(SignetError) -> Bool {
    if self == .rsaPSS { return try key.verifyPSS(signature, over: message) }
    switch key.verify(signature, over: message) {
    case .valid: return true
    case .invalid: return false
    case .couldNotCheck(let error): throw error
    }
  }

  /// Signs a message.
  ///
  /// - Throws: `crypto.failure`.
  func sign(_ message: [UInt8], with key: PrivateKey) throws(SignetError) -> [UInt8] {
    self == .rsaPSS ? try key.signPSS(message) : try key.sign(message)
  }
}
