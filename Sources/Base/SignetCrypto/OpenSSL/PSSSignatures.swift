internal import CLibCrypto
package import SignetBase

/// RSASSA-PSS with SHA-256 in the message and in MGF1 (RFC 8017, section 8.1), as other formats than Signet's use it.
///
/// Keys of Signet's own signatures sign by one algorithm alone. The caller must know the scheme from a trusted
/// source, never from the signature.
extension PublicKey {
  /// Checks a signature with salt of any length.
  ///
  /// - Returns: false also for keys that are not RSA, and for bytes that are not a signature.
  /// - Throws: `crypto.failure`.
  package func verifyPSS(_ signature: [UInt8], over message: [UInt8]) throws(SignetError) -> Bool {
    try handle.verifies(signature, over: message, .rsaPSS(.sha256, salt: Int(RSA_PSS_SALTLEN_AUTO)))
  }
}

extension PrivateKey {
  /// Signs a message with salt as long as the digest, 32 bytes.
  ///
  /// - Throws: `key.unsupported` for keys that are not RSA; `crypto.failure`.
  package func signPSS(_ message: [UInt8]) throws(SignetError) -> [UInt8] {
    guard case .rsa = publicKey.algorithm else {
      throw SignetError(
        .keyUnsupported, "key", "cannot sign by RSASSA-PSS", expected: "an RSA key",
        found: publicKey.algorithm.description)
    }
    let library = try unsafe LibraryContext.shared().pointer
    ERR_clear_error()
    guard let context = unsafe EVP_MD_CTX_new() else { throw .openSSL("EVP_MD_CTX_new") }
    defer { unsafe EVP_MD_CTX_free(context) }
    var parameters: OpaquePointer?
    guard
      unsafe EVP_DigestSignInit_ex(
        context, &parameters, DigestAlgorithm.sha256.rawValue, library, nil, handle.pointer, nil) == 1
    else { throw .openSSL("EVP_DigestSignInit_ex") }
    guard unsafe EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1,
      unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, Int32(RSA_PSS_SALTLEN_DIGEST)) == 1
    else { throw .openSSL("EVP_PKEY_CTX_set_rsa_padding") }
    var count = 0
    guard unsafe EVP_DigestSign(context, nil, &count, message, message.count) == 1 else {
      throw .openSSL("EVP_DigestSign")
    }
    var signature = [UInt8](repeating: 0, count: count)
    guard unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else {
      throw .openSSL("EVP_DigestSign")
    }
    return Array(signature.prefix(count))
  }
}
