internal import CLibCrypto
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// Generating, reading and writing private keys; OpenSSL wipes its own copies when it frees them.
extension KeyHandle {
  static func generate(_ kind: PrivateKey.Kind) throws(SignetError) -> KeyHandle {
    let context = try unsafe LibraryContext.shared().pointer
    ERR_clear_error()
    let pointer =
      switch kind {
      case .ed25519: unsafe signet_keygen_ed25519(context)
      case .rsa3072: unsafe signet_keygen_rsa(context, 3072)
      case .rsa4096: unsafe signet_keygen_rsa(context, 4096)
      case .p256: unsafe signet_keygen_ec(context, EllipticCurve.p256.groupName)
      case .p384: unsafe signet_keygen_ec(context, EllipticCurve.p384.groupName)
      }
    guard let pointer = unsafe pointer else { throw .openSSL("EVP_PKEY_Q_keygen") }
    return unsafe KeyHandle(takingOwnershipOf: pointer)
  }

  /// Reads an unencrypted private key. Its structure is checked first, and that nothing follows it.
  static func decode(_ der: SecretBytes, _ form: KeyForm) throws(SignetError) -> KeyHandle {
    try PrivateKeyStructure.check(der, form)
    let context = try unsafe LibraryContext.shared().pointer
    ERR_clear_error()
    let pointer = unsafe der.withUnsafeBytes { bytes -> OpaquePointer? in
      var cursor = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      switch form {
      case .rsa: return unsafe d2i_PrivateKey_ex(EVP_PKEY_RSA, nil, &cursor, bytes.count, context, nil)
      case .ec: return unsafe d2i_PrivateKey_ex(EVP_PKEY_EC, nil, &cursor, bytes.count, context, nil)
      default:
        guard let info = unsafe d2i_PKCS8_PRIV_KEY_INFO(nil, &cursor, bytes.count) else { return nil }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        return unsafe EVP_PKCS82PKEY_ex(info, context, nil)
      }
    }
    guard let pointer = unsafe pointer else {
      throw SignetError(
        .keyMalformed, "key", "does not hold a private key that can be read",
        cause: OpenSSLFailure.drained("d2i_PrivateKey"))
    }
    return unsafe KeyHandle(takingOwnershipOf: pointer)
  }

  /// Opens an EncryptedPrivateKeyInfo whose parameters have been checked.
  static func decrypt(_ der: SecretBytes, _ passphrase: SecretBytes) throws(SignetError) -> KeyHandle {
    let context = try unsafe LibraryContext.shared().pointer
    ERR_clear_error()
    let envelope = unsafe der.withUnsafeBytes { bytes -> OpaquePointer? in
      var cursor = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      return unsafe d2i_X509_SIG(nil, &cursor, bytes.count)
    }
    guard let envelope = unsafe envelope else {
      throw SignetError(
        .keyMalformed, "key", "is not a valid encrypted private key", cause: OpenSSLFailure.drained("d2i_X509_SIG"))
    }
    defer { unsafe X509_SIG_free(envelope) }
    let info = unsafe passphrase.withUnsafeBytes { text in
      unsafe PKCS8_decrypt_ex(
        envelope, text.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(text.count), context, nil)
    }
    guard let info = unsafe info else {
      // The only sign is bad padding after decryption, so a wrong passphrase and a damaged file look alike.
      throw SignetError(
        .keyPassphraseWrong, "key", "cannot be opened: the passphrase is wrong, or the file is damaged",
        cause: OpenSSLFailure.drained("PKCS8_decrypt_ex"), hint: "give the passphrase that the key was encrypted with"
      )
    }
    defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
    let plain = try unsafe encode("i2d_PKCS8_PRIV_KEY_INFO") { unsafe i2d_PKCS8_PRIV_KEY_INFO(info, $0) }
    return try decode(plain, .pkcs8)
  }

  /// The key as a PrivateKeyInfo in DER.
  func pkcs8() throws(SignetError) -> SecretBytes {
    ERR_clear_error()
    guard let info = unsafe EVP_PKEY2PKCS8(pointer) else { throw .openSSL("EVP_PKEY2PKCS8") }
    defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
    return try unsafe Self.encode("i2d_PKCS8_PRIV_KEY_INFO") { unsafe i2d_PKCS8_PRIV_KEY_INFO(info, $0) }
  }

  /// The key as an EncryptedPrivateKeyInfo in DER, as ``PrivateKey/encrypted(with:)`` describes it.
  func encryptedPKCS8(_ passphrase: SecretBytes) throws(SignetError) -> SecretBytes {
    let context = try unsafe LibraryContext.shared().pointer
    ERR_clear_error()
    guard let info = unsafe EVP_PKEY2PKCS8(pointer) else { throw .openSSL("EVP_PKEY2PKCS8") }
    defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
    // The number of rounds is OWASP's recommendation for PBKDF2-HMAC-SHA256; without a salt OpenSSL uses a random
    // one.
    let scheme = unsafe PKCS5_pbe2_set_iv_ex(
      EVP_aes_256_cbc(), 600_000, nil, 16, nil, NID_hmacWithSHA256, context)
    guard let scheme = unsafe scheme else { throw .openSSL("PKCS5_pbe2_set_iv_ex") }
    let envelope = unsafe passphrase.withUnsafeBytes { text in
      unsafe PKCS8_set0_pbe_ex(
        text.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(text.count), info, scheme, context, nil)
    }
    guard let envelope = unsafe envelope else {
      unsafe X509_ALGOR_free(scheme)
      throw .openSSL("PKCS8_set0_pbe_ex")
    }
    defer { unsafe X509_SIG_free(envelope) }
    return try unsafe Self.encode("i2d_X509_SIG") { unsafe i2d_X509_SIG(envelope, $0) }
  }

  /// Returns the output of an `i2d` function, in memory that is wiped.
  private static func encode(
    _ operation: String, _ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
  ) throws(SignetError) -> SecretBytes {
    let count = write(nil)
    guard count > 0 else { throw .openSSL(operation) }
    return try unsafe SecretBytes(capacity: Int(count)) { (memory) throws(SignetError) -> Int in
      var cursor = unsafe memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
      guard unsafe write(&cursor) == count else { throw .openSSL(operation) }
      return Int(count)
    }
  }
}

extension KeyHandle {
  /// The public half in DER.
  func subjectPublicKeyInfo() throws(SignetError) -> [UInt8] {
    ERR_clear_error()
    let count = unsafe i2d_PUBKEY(pointer, nil)
    guard count > 0 else { throw .openSSL("i2d_PUBKEY") }
    var bytes = [UInt8](repeating: 0, count: Int(count))
    let written = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      var cursor = buffer.baseAddress
      return unsafe i2d_PUBKEY(pointer, &cursor)
    }
    guard written == count else { throw .openSSL("i2d_PUBKEY") }
    return bytes
  }
}
