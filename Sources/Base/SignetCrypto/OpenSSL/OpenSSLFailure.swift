internal import CLibCrypto
package import SignetBase

/// A failed call of OpenSSL, with its whole error queue, oldest entry first.
public struct OpenSSLFailure: Error, Sendable, CustomStringConvertible {
  /// The function that failed.
  public let operation: String
  /// One line for each entry, in OpenSSL's words; empty if it gave no reason.
  public let reasons: [String]
  /// The packed error code of each entry.
  let codes: [UInt]

  /// The operation and every reason.
  public var description: String {
    reasons.isEmpty ? "\(operation) failed" : "\(operation) failed: \(reasons.joined(separator: "; "))"
  }

  /// Takes the calling thread's whole queue, so that nothing of it is left for the next caller.
  package static func drained(_ operation: String) -> OpenSSLFailure {
    var reasons: [String] = []
    var codes: [UInt] = []
    while case let code = ERR_get_error(), code != 0 {
      var text = [CChar](repeating: 0, count: 256)
      unsafe ERR_error_string_n(code, &text, text.count)
      let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      reasons.append(String(decoding: bytes, as: UTF8.self))
      codes.append(code)
    }
    return OpenSSLFailure(operation: operation, reasons: reasons, codes: codes)
  }
}

extension OpenSSLFailure {
  /// Whether the queue contains this reason of this part of the library.
  func names(library: Int32, reason: Int32) -> Bool {
    codes.contains { ERR_GET_LIB($0) == library && ERR_GET_REASON($0) == reason }
  }
}

extension SignetError {
  /// A failure that no input should cause: out of memory, or an OpenSSL without the algorithm.
  package static func openSSL(_ operation: String) -> SignetError {
    SignetError(
      .cryptoFailure, "OpenSSL", "the cryptographic library failed",
      cause: OpenSSLFailure.drained(operation),
      hint: "check that OpenSSL 3.0 or later is installed and complete")
  }
}

/// OpenSSL as Signet uses it: a separate library context with the default provider, and without a configuration file.
///
/// A configuration file can name code to load (`OPENSSL_CONF`, dynamic providers, engines). A verifier that reads one
/// runs code that it has not verified. `OPENSSL_INIT_NO_LOAD_CONFIG` must come before any other use of the library,
/// so every use goes through ``shared()``.
///
/// That setting belongs to the process, not to the context. A host that wants its own OpenSSL configured (with a FIPS
/// provider, for example) initialises OpenSSL before it first uses Signet.
@safe package struct LibraryContext: @unchecked Sendable {
  // Sendable: threads may share an OSSL_LIB_CTX and fetched algorithms (openssl-threads(7)); they live as long as the
  // process.
  package let pointer: OpaquePointer
  let sha256: OpaquePointer
  private static let result = Result<LibraryContext, SignetError>(catching: make)

  /// The only context of the process.
  ///
  /// - Throws: `crypto.failure` if OpenSSL lacks a required feature.
  package static func shared() throws(SignetError) -> LibraryContext { try result.get() }

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
