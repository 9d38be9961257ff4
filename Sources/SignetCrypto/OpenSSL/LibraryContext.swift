internal import CLibCrypto
internal import SignetBase

/// OpenSSL as Signet uses it: a library context of its own with the default provider, and no configuration file.
///
/// A configuration file can name code to load (`OPENSSL_CONF`, dynamic providers, engines); a verifier that reads one
/// runs code it has not verified. `OPENSSL_INIT_NO_LOAD_CONFIG` must come before anything else touches the library,
/// so every use goes through ``shared()``.
///
/// That choice is the process's, not the context's: a host that wants its own OpenSSL configured (a FIPS provider, say)
/// initialises OpenSSL before it first uses Signet.
@safe struct LibraryContext: @unchecked Sendable {
  // An OSSL_LIB_CTX and fetched algorithms may be shared between threads (openssl-threads(7)); they live as long as
  // the process.
  let pointer: OpaquePointer
  let sha256: OpaquePointer
  private static let result = Result<LibraryContext, SignetError>(catching: make)

  /// The one context of the process.
  ///
  /// - Throws: `crypto.failure` when OpenSSL lacks what it needs.
  static func shared() throws(SignetError) -> LibraryContext { try result.get() }

  private static func make() throws(SignetError) -> LibraryContext {
    ERR_clear_error()
    guard OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil) == 1 else {
      throw .openSSL("OPENSSL_init_crypto")
    }
    guard let context = unsafe OSSL_LIB_CTX_new() else { throw .openSSL("OSSL_LIB_CTX_new") }
    guard unsafe OSSL_PROVIDER_load(context, "default") != nil else { throw .openSSL("OSSL_PROVIDER_load") }
    guard let sha256 = unsafe EVP_MD_fetch(context, "SHA256", nil) else { throw .openSSL("EVP_MD_fetch") }
    return unsafe LibraryContext(pointer: context, sha256: sha256)
  }
}
