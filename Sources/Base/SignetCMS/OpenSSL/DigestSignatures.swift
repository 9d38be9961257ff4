internal import CLibCrypto
package import SignetBase
package import SignetCrypto
package import SignetNames

extension KeyHandle {
  /// Checks a signature over a message of which only the digest is known.
  ///
  /// - Returns: whether the signature is valid; false also if the scheme has another digest, or none, as Ed25519.
  /// - Throws: `crypto.failure`.
  package func verifies(
    _ signature: [UInt8], over digest: Digest, _ scheme: CertificateSignatureAlgorithm.Scheme
  ) throws(SignetError) -> Bool {
    let type: String
    var salt: Int?
    switch scheme {
    case .rsa(digest.algorithm): type = "RSA"
    case .rsaPSS(digest.algorithm, let length): (type, salt) = ("RSA", length)
    case .ecdsa(digest.algorithm): type = "EC"
    default: return false
    }
    guard unsafe EVP_PKEY_is_a(pointer, type) == 1 else { return false }
    let library = try unsafe LibraryContext.shared().pointer
    ERR_clear_error()
    guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(library, pointer, nil) else {
      throw .openSSL("EVP_PKEY_CTX_new_from_pkey")
    }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    guard unsafe EVP_PKEY_verify_init(context) == 1,
      let method = unsafe EVP_MD_fetch(library, digest.algorithm.rawValue, nil)
    else { throw .openSSL("EVP_PKEY_verify_init") }
    defer { unsafe EVP_MD_free(method) }
    if let salt {
      guard unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1,
        unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(context, Int32(salt)) == 1
      else { throw .openSSL("EVP_PKEY_CTX_set_rsa_padding") }
    }
    guard unsafe EVP_PKEY_CTX_set_signature_md(context, method) == 1 else {
      throw .openSSL("EVP_PKEY_CTX_set_signature_md")
    }
    let bytes = digest.bytes
    if unsafe EVP_PKEY_verify(context, signature, signature.count, bytes, bytes.count) == 1 { return true }
    let failure = OpenSSLFailure.drained("EVP_PKEY_verify")
    if failure.isOutOfMemory { throw SignetError(.cryptoFailure, "OpenSSL", "out of memory", cause: failure) }
    return false
  }
}
