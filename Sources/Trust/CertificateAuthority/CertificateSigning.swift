internal import SignetBase
internal import SignetCrypto
internal import SignetKeys

/// Signing of certificates, requests and revocation lists (RFC 5280, section 4.1.1).
enum CertificateSigning {
  /// The AlgorithmIdentifier of the signatures that a key makes.
  static func algorithm(of key: PublicKey) -> [UInt8] {
    func name(_ content: [UInt8]) -> [UInt8] { DERWriter.element(DERElement.objectIdentifier, content) }
    let ecdsa: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03]
    return switch key.algorithm {
    case .ed25519: DERWriter.sequence(name([0x2b, 0x65, 0x70]))
    case .p256: DERWriter.sequence(name(ecdsa + [2]))
    case .p384: DERWriter.sequence(name(ecdsa + [3]))
    case .p521: DERWriter.sequence(name(ecdsa + [4]))
    case .rsa: DERWriter.sequence(name(OID.pkcs(1, 11).content), DERWriter.element(DERElement.null, []))
    }
  }

  /// The signed structure: the body, the algorithm, and the signature over the body, which is verified at once.
  ///
  /// - Throws: `authority.key`, `crypto.failure`.
  static func sign(_ body: [UInt8], by key: PrivateKey) throws(SignetError) -> [UInt8] {
    let signature = try key.sign(body)
    switch key.publicKey.verify(signature, over: body) {
    case .valid: break
    case .invalid:
      throw SignetError(
        .authorityKey, "\(key.publicKey.id)", "made a signature that does not verify",
        hint: "the key file may be damaged: its private and public halves do not match")
    case .couldNotCheck(let error): throw error
    }
    return DERWriter.sequence(body, algorithm(of: key.publicKey), DERWriter.bitString(signature))
  }

  /// The identifier of a key: the first 160 bits of the SHA-256 of its bits (RFC 7093, section 2, method 1).
  ///
  /// - Throws: `crypto.failure`.
  static func identifier(of publicKeyInfo: [UInt8]) throws(SignetError) -> [UInt8] {
    var outer = DERReader(publicKeyInfo)
    var fields = outer.sequence()
    _ = fields?.sequence()
    let bits = fields?.bitString() ?? publicKeyInfo
    return Array(try Digest.of(bits, .sha256).bytes.prefix(20))
  }
}

extension DERReader {
  /// The next Extensions, as elements in DER.
  mutating func extensionList() -> [[UInt8]]? {
    guard var list = sequence() else { return nil }
    var extensions: [[UInt8]] = []
    while !list.isAtEnd {
      guard extensions.count < 32, let item = list.encoded(DERElement.sequence) else { return nil }
      extensions.append(item)
    }
    return extensions
  }
}
