internal import CBenchCrypto

/// One Ed25519 signature checked with OpenSSL and nothing else; the key is parsed beforehand.
@safe final class BareVerification {
  private let key: OpaquePointer
  private let signature: [UInt8]
  private let message: [UInt8]

  /// - Parameter publicKey: a SubjectPublicKeyInfo in DER.
  init(publicKey: [UInt8], signature: [UInt8], message: [UInt8]) throws {
    let key = unsafe publicKey.withUnsafeBufferPointer { bytes in
      var cursor = bytes.baseAddress
      return unsafe d2i_PUBKEY(nil, &cursor, bytes.count)
    }
    guard let key = unsafe key else { throw BenchFailure(message: "d2i_PUBKEY failed") }
    unsafe self.key = key
    self.signature = signature
    self.message = message
  }

  deinit { unsafe EVP_PKEY_free(key) }

  /// How many bytes are signed.
  var messageSize: Int { message.count }

  /// Checks the signature once.
  func run() throws {
    guard let context = unsafe EVP_MD_CTX_new() else { throw BenchFailure(message: "EVP_MD_CTX_new failed") }
    defer { unsafe EVP_MD_CTX_free(context) }
    guard unsafe EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1,
      unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    else { throw BenchFailure(message: "the signature does not hold") }
  }
}
