internal import CLibCrypto
package import SignetBase
internal import SignetCrypto
internal import SignetNames

extension PrivateKey {
  /// Signs a message with the one algorithm that belongs to the key.
  ///
  /// - Throws: `crypto.failure`.
  package func sign(_ message: [UInt8]) throws(SignetError) -> [UInt8] {
    // The default padding of RSA is PKCS#1 v1.5.
    try SigningContext(handle, publicKey.algorithm.digest).sign(message)
  }

  /// Signs a message by RSASSA-PSS with SHA-256, and with salt as long as the digest, 32 bytes (RFC 8017, section 8.1).
  /// Other formats than Signet's use it.
  ///
  /// - Throws: `key.unsupported` for keys that are not RSA; `crypto.failure`.
  package func signPSS(_ message: [UInt8]) throws(SignetError) -> [UInt8] {
    guard case .rsa = publicKey.algorithm else {
      throw SignetError(
        .keyUnsupported, "key", "cannot sign by RSASSA-PSS", expected: "an RSA key",
        found: publicKey.algorithm.description)
    }
    let context = try SigningContext(handle, .sha256)
    try context.usePSS()
    return try context.sign(message)
  }
}

/// The context for making one signature.
@safe struct SigningContext: ~Copyable {
  private let pointer: OpaquePointer
  /// What belongs to the scheme, and to ``pointer``.
  private let parameters: OpaquePointer?

  init(_ key: KeyHandle, _ digest: DigestAlgorithm?) throws(SignetError) {
    let library = try unsafe LibraryContext.shared().pointer
    ERR_clear_error()
    guard let context = unsafe EVP_MD_CTX_new() else { throw .openSSL("EVP_MD_CTX_new") }
    var parameters: OpaquePointer?
    guard unsafe EVP_DigestSignInit_ex(context, &parameters, digest?.rawValue, library, nil, key.pointer, nil) == 1
    else {
      unsafe EVP_MD_CTX_free(context)
      throw .openSSL("EVP_DigestSignInit_ex")
    }
    unsafe pointer = context
    unsafe self.parameters = parameters
  }

  deinit { unsafe EVP_MD_CTX_free(pointer) }

  /// Chooses RSASSA-PSS, with salt as long as the digest.
  func usePSS() throws(SignetError) {
    guard unsafe EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1,
      unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, Int32(RSA_PSS_SALTLEN_DIGEST)) == 1
    else { throw .openSSL("EVP_PKEY_CTX_set_rsa_padding") }
  }

  func sign(_ message: [UInt8]) throws(SignetError) -> [UInt8] {
    var count = 0
    guard unsafe EVP_DigestSign(pointer, nil, &count, message, message.count) == 1 else {
      throw .openSSL("EVP_DigestSign")
    }
    var signature = [UInt8](repeating: 0, count: count)
    guard unsafe EVP_DigestSign(pointer, &signature, &count, message, message.count) == 1 else {
      throw .openSSL("EVP_DigestSign")
    }
    return Array(signature.prefix(count))
  }
}
