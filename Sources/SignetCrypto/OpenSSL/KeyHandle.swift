internal import CLibCrypto
internal import SignetBase

/// The owner of one `EVP_PKEY`.
@safe final class KeyHandle: @unchecked Sendable {
  // Sendable: the key is not changed after it was made, and OpenSSL lets threads share keys they only read
  // (openssl-threads(7)).
  let pointer: OpaquePointer

  init(takingOwnershipOf pointer: OpaquePointer) { unsafe self.pointer = pointer }

  deinit { unsafe EVP_PKEY_free(pointer) }

  /// The handle of a public key, whose point lies on its curve.
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
