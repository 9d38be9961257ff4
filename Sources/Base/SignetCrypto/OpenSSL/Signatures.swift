internal import CLibCrypto
public import SignetBase

extension PublicKey {
  /// Checks a signature over a message with the one algorithm that belongs to the key.
  ///
  /// - Parameters:
  ///   - signature: 64 bytes for Ed25519, as many bytes as the modulus for RSA, DER for ECDSA.
  ///   - message: the signed message, which is hashed here if the algorithm hashes.
  public func verify(_ signature: [UInt8], over message: [UInt8]) -> SignatureCheck {
    switch algorithm {
    case .p256: guard ECDSASignature.isWellFormed(signature, .p256) else { return .invalid }
    case .p384: guard ECDSASignature.isWellFormed(signature, .p384) else { return .invalid }
    case .p521: guard ECDSASignature.isWellFormed(signature, .p521) else { return .invalid }
    case .ed25519, .rsa: break
    }
    do throws(SignetError) {
      let context = try VerifyingContext(handle, algorithm)
      return try context.verify(signature, message) ? .valid : .invalid
    } catch {
      return .couldNotCheck(error)
    }
  }

  /// Checks a signature of RSASSA-PSS with SHA-256 in the message and in MGF1, and salt of any length (RFC 8017, section
  /// 8.1), as other formats than Signet's use it.
  ///
  /// Keys of Signet's own signatures sign by one algorithm alone. The caller must know the scheme from a trusted source,
  /// never from the signature.
  ///
  /// - Returns: false also for keys that are not RSA, and for bytes that are not a signature.
  /// - Throws: `crypto.failure`.
  package func verifyPSS(_ signature: [UInt8], over message: [UInt8]) throws(SignetError) -> Bool {
    try handle.verifies(signature, over: message, .rsaPSS(.sha256, salt: Int(RSA_PSS_SALTLEN_AUTO)))
  }
}

/// The context for checking one signature.
@safe private struct VerifyingContext: ~Copyable {
  private let pointer: OpaquePointer

  init(_ key: KeyHandle, _ algorithm: KeyAlgorithm) throws(SignetError) {
    unsafe pointer = try Self.start(key, algorithm)
  }

  deinit { unsafe EVP_MD_CTX_free(pointer) }

  private static func start(_ key: KeyHandle, _ algorithm: KeyAlgorithm) throws(SignetError) -> OpaquePointer {
    let library = try unsafe LibraryContext.shared().pointer
    ERR_clear_error()
    guard let context = unsafe EVP_MD_CTX_new() else { throw .openSSL("EVP_MD_CTX_new") }
    // The default padding of RSA is PKCS#1 v1.5.
    let digest = algorithm.digest?.rawValue
    guard unsafe EVP_DigestVerifyInit_ex(context, nil, digest, library, nil, key.pointer, nil) == 1 else {
      unsafe EVP_MD_CTX_free(context)
      throw .openSSL("EVP_DigestVerifyInit_ex")
    }
    return unsafe context
  }

  func verify(_ signature: [UInt8], _ message: [UInt8]) throws(SignetError) -> Bool {
    let result = unsafe EVP_DigestVerify(pointer, signature, signature.count, message, message.count)
    switch result {
    case 1: return true
    case 0:
      ERR_clear_error()
      return false
    default:
      let failure = OpenSSLFailure.drained("EVP_DigestVerify")
      // FIPS 186-5, section 6.4.2: if the sum of the two points is the point at infinity, the signature is invalid.
      // OpenSSL reports this as an error, but such a signature must not get a different verdict.
      if failure.names(library: ERR_LIB_EC, reason: EC_R_POINT_AT_INFINITY) { return false }
      throw SignetError(.cryptoFailure, "OpenSSL", "the signature could not be checked", cause: failure)
    }
  }
}

/// The form of an ECDSA signature: `SEQUENCE { INTEGER r, INTEGER s }` in DER (RFC 3279, section 2.2.3).
///
/// For bytes of another form OpenSSL answers "could not check"; here they are simply not a signature.
enum ECDSASignature {
  static func isWellFormed(_ signature: [UInt8], _ curve: EllipticCurve) -> Bool {
    var outer = DERReader(signature)
    guard var numbers = outer.sequence(), outer.isAtEnd, let r = numbers.unsignedInteger(),
      let s = numbers.unsignedInteger(), numbers.isAtEnd
    else { return false }
    return [r, s].allSatisfy { (1...curve.coordinateSize).contains($0.count) }
  }
}

/// The result of checking a signature, of which only ``valid`` is a success.
///
/// There are three values because OpenSSL has three, and confusing them has let forgeries pass (CVE-2008-5077).
public enum SignatureCheck: Sendable {
  /// The key made this signature over this message.
  case valid
  /// The key did not make this signature over this message.
  case invalid
  /// The check failed: the fault is in the library, not in the signature.
  case couldNotCheck(SignetError)
}
