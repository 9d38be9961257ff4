internal import SignetBase
internal import SignetCrypto

/// The encryption parameters of an encrypted private key, checked before any of them is trusted.
///
/// The scheme is PBES2 (RFC 8018, section 6.2) with PBKDF2 or scrypt (RFC 7914), and AES in CBC mode. The parameters
/// decide how much work and memory it takes to open the key, so they are bounded here.
enum EncryptionScheme {
  /// The maximum number of rounds, which takes a few seconds. Signet writes 600,000 (OWASP's recommendation for
  /// PBKDF2-HMAC-SHA256).
  private static let mostRounds = 10_000_000
  /// The maximum memory of scrypt. OpenSSL refuses more unless told otherwise (SCRYPT_MAX_MEM); its own default takes
  /// 16 MiB.
  private static let mostMemory = 32 << 20
  /// The maximum number of scrypt lanes; OpenSSL writes 1. The lanes run one after the other here, so each takes as
  /// long as a whole key with one lane.
  private static let mostParallelism = 16
  private static let mostSalt = 1024

  /// 1.2.840.113549.1.5.13
  private static let pbes2: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0d]
  /// 1.2.840.113549.1.5.12
  private static let pbkdf2: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05, 0x0c]
  /// 1.3.6.1.4.1.11591.4.11
  private static let scrypt: [UInt8] = [0x2b, 0x06, 0x01, 0x04, 0x01, 0xda, 0x47, 0x04, 0x0b]
  /// 1.2.840.113549.2.N: HMAC with SHA-1, SHA-224, SHA-256, SHA-384, SHA-512.
  private static let hmacPrefix: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02]
  /// 2.16.840.1.101.3.4.1.N: AES-128-CBC, AES-192-CBC, AES-256-CBC.
  private static let aesPrefix: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01]

  /// Checks an EncryptedPrivateKeyInfo in DER.
  ///
  /// - Throws: `key.malformed`, `key.encryption-unsupported`, `key.derivation-bounds`.
  static func check(_ der: [UInt8]) throws(SignetError) {
    var outer = DERReader(der)
    guard var info = outer.sequence(), outer.isAtEnd, var scheme = info.sequence(),
      let name = scheme.objectIdentifier(), info.octetString() != nil, info.isAtEnd
    else { throw malformed }
    guard name == pbes2 else { throw unsupported("the encryption scheme is not PBES2") }
    guard var parameters = scheme.sequence(), scheme.isAtEnd, var derivation = parameters.sequence(),
      var cipher = parameters.sequence(), parameters.isAtEnd
    else { throw malformed }
    guard let cipherName = cipher.objectIdentifier(), let vector = cipher.octetString(), cipher.isAtEnd else {
      throw malformed
    }
    guard [2, 22, 42].contains(where: { cipherName == aesPrefix + [$0] }), vector.count == 16 else {
      throw unsupported("the cipher is not AES in CBC mode")
    }
    switch derivation.objectIdentifier() {
    case pbkdf2: try checkPBKDF2(&derivation)
    case scrypt: try checkScrypt(&derivation)
    default: throw unsupported("the key derivation is neither PBKDF2 nor scrypt")
    }
  }

  /// PBKDF2-params: salt, iterationCount, keyLength?, prf? (RFC 8018, appendix A.2).
  private static func checkPBKDF2(_ derivation: inout DERReader) throws(SignetError) {
    guard var parameters = derivation.sequence(), derivation.isAtEnd, let salt = parameters.octetString(),
      let rounds = parameters.unsignedInteger()
    else { throw malformed }
    guard let count = number(rounds, atMost: mostRounds), count > 0, salt.count <= mostSalt else {
      throw bounds("PBKDF2 with more than \(mostRounds) rounds or \(mostSalt) bytes of salt")
    }
    if parameters.nextTag == DERElement.integer, parameters.unsignedInteger(atMost: 32) == nil { throw malformed }
    if parameters.isAtEnd { return }
    guard var function = parameters.sequence(), parameters.isAtEnd, let name = function.objectIdentifier(),
      function.null() != nil, function.isAtEnd
    else { throw malformed }
    guard [7, 8, 9, 10, 11].contains(where: { name == hmacPrefix + [$0] }) else {
      throw unsupported("the function of PBKDF2 is not HMAC with SHA-1 or SHA-2")
    }
  }

  /// scrypt-params: salt, costParameter, blockSize, parallelizationParameter, keyLength? (RFC 7914, section 7.1).
  private static func checkScrypt(_ derivation: inout DERReader) throws(SignetError) {
    guard var parameters = derivation.sequence(), derivation.isAtEnd, let salt = parameters.octetString(),
      let cost = parameters.unsignedInteger(), let block = parameters.unsignedInteger(),
      let parallel = parameters.unsignedInteger()
    else { throw malformed }
    guard parameters.isAtEnd || parameters.unsignedInteger(atMost: 32) != nil, parameters.isAtEnd else {
      throw malformed
    }
    guard let n = number(cost, atMost: 1 << 20), n > 1, n & (n - 1) == 0, let r = number(block, atMost: 1 << 10),
      r > 0, let p = number(parallel, atMost: mostParallelism), p > 0, salt.count <= mostSalt,
      128 * r * (n + p + 2) <= mostMemory
    else {
      throw bounds("scrypt with more than 32 MiB of memory, \(mostParallelism) lanes or \(mostSalt) bytes of salt")
    }
  }

  private static func number(_ magnitude: [UInt8], atMost bound: Int) -> Int? {
    guard magnitude.count <= 7 else { return nil }
    let value = magnitude.reduce(0) { $0 << 8 | Int($1) }
    return value <= bound ? value : nil
  }

  private static var malformed: SignetError {
    SignetError(.keyMalformed, "key", "is not a valid encrypted private key", expected: "PBES2 (RFC 8018) in DER")
  }

  private static func unsupported(_ what: String) -> SignetError {
    SignetError(
      .keyEncryptionUnsupported, "key", what, expected: "PBES2 with PBKDF2 or scrypt, and AES-CBC",
      hint: "encrypt it again: openssl pkcs8 -topk8 -v2 aes-256-cbc -in OLD -out NEW")
  }

  private static func bounds(_ what: String) -> SignetError {
    SignetError(
      .keyDerivationBounds, "key", "demands too much work to derive its key", found: what,
      hint: "encrypt it again: openssl pkcs8 -topk8 -v2 aes-256-cbc -in OLD -out NEW")
  }
}
