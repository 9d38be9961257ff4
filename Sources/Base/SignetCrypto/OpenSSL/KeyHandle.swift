internal import CLibCrypto
package import SignetBase

/// The owner of one `EVP_PKEY`.
@safe package final class KeyHandle: @unchecked Sendable {
  // Sendable: the key does not change once it is made, and OpenSSL allows threads to share keys that they only read
  // (openssl-threads(7)).
  package let pointer: OpaquePointer

  package init(takingOwnershipOf pointer: OpaquePointer) { unsafe self.pointer = pointer }

  deinit { unsafe EVP_PKEY_free(pointer) }

  /// Makes the handle of a public key; the point of an elliptic curve must be on its curve.
  static func make(_ info: SubjectPublicKeyInfo) throws(SignetError) -> KeyHandle {
    let library = try LibraryContext.shared()
    ERR_clear_error()
    switch info {
    case .ed25519(let key):
      guard
        let pointer = unsafe EVP_PKEY_new_raw_public_key_ex(library.pointer, "ED25519", nil, key, key.count)
      else { throw .openSSL("EVP_PKEY_new_raw_public_key_ex") }
      return unsafe KeyHandle(takingOwnershipOf: pointer)
    case .rsa(let modulus, let exponent):
      return try KeyParameters.make("RSA", library) { parameters in
        parameters.push(OSSL_PKEY_PARAM_RSA_N, number: modulus)
          && parameters.push(OSSL_PKEY_PARAM_RSA_E, number: exponent)
      }
    case .ec(let curve, let point):
      let handle = try KeyParameters.make("EC", library) { parameters in
        parameters.push(OSSL_PKEY_PARAM_GROUP_NAME, text: curve.groupName)
          && parameters.push(OSSL_PKEY_PARAM_PUB_KEY, bytes: point)
      }
      return handle
    }
  }

  /// Checks a signature with one of the schemes of certificates and revocation lists.
  ///
  /// - Returns: whether the signature is valid; false also if the key does not belong to the scheme.
  /// - Throws: `crypto.failure`.
  package func verifies(
    _ signature: [UInt8], over message: [UInt8], _ scheme: CertificateSignatureAlgorithm.Scheme
  ) throws(SignetError) -> Bool {
    let digest: DigestAlgorithm?
    let type: String
    switch scheme {
    case .rsa(let used), .rsaPSS(let used, _): (digest, type) = (used, "RSA")
    case .ecdsa(let used): (digest, type) = (used, "EC")
    case .ed25519: (digest, type) = (nil, "ED25519")
    case .weak, .unsupported: return false
    }
    guard unsafe EVP_PKEY_is_a(pointer, type) == 1 else { return false }
    let library = try unsafe LibraryContext.shared().pointer
    ERR_clear_error()
    guard let context = unsafe EVP_MD_CTX_new() else { throw .openSSL("EVP_MD_CTX_new") }
    defer { unsafe EVP_MD_CTX_free(context) }
    var parameters: OpaquePointer?
    guard unsafe EVP_DigestVerifyInit_ex(context, &parameters, digest?.rawValue, library, nil, pointer, nil) == 1
    else { throw .openSSL("EVP_DigestVerifyInit_ex") }
    if case .rsaPSS(_, let salt) = scheme {
      guard unsafe EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1,
        unsafe EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, Int32(salt)) == 1
      else { throw .openSSL("EVP_PKEY_CTX_set_rsa_padding") }
    }
    let result = unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count)
    if result == 1 { return true }
    // A negative result means either bytes that are not a signature of this form, or a failure; the list is refused
    // in both cases.
    let failure = OpenSSLFailure.drained("EVP_DigestVerify")
    if failure.isOutOfMemory { throw SignetError(.cryptoFailure, "OpenSSL", "out of memory", cause: failure) }
    return false
  }
}

extension OpenSSLFailure {
  /// Whether the call failed because of a lack of memory, and not because of its input.
  package var isOutOfMemory: Bool {
    codes.contains { ERR_GET_REASON($0) == signet_reason_out_of_memory }
  }
}
