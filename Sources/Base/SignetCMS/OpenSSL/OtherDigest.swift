internal import CLibCrypto
package import SignetBase
internal import SignetCrypto

/// A hash function that Signet signs nothing with, and that lists of checksums and other programs' signatures have.
@safe package final class OtherDigest {
  private let context: OpaquePointer
  private let byteCount: Int
  /// Whether a digest can have any length.
  private let isEndless: Bool

  /// What OpenSSL calls the functions, by the number of bytes of their digests.
  private static let names = [
    28: ["SHA2-224", "SHA2-512/224", "SHA3-224"], 32: ["SHA3-256", "SHA2-512/256", "BLAKE2S-256", "SM3"],
    48: ["SHA3-384"], 64: ["SHA3-512"],
  ]

  /// All functions whose digests have so many bytes, as far as this machine has them.
  ///
  /// - Throws: `crypto.failure`.
  package static func functions(of byteCount: Int) throws(SignetError) -> [OtherDigest] {
    var functions: [OtherDigest] = []
    for name in names[byteCount] ?? [] {
      if let function = try OtherDigest(name, byteCount) { functions.append(function) }
    }
    return functions
  }

  /// The functions whose digests can have any length, with so many bytes of them, as far as this machine has them. A shorter
  /// digest is the beginning of a longer one (FIPS 202, section 6.2).
  ///
  /// - Throws: `crypto.failure`.
  package static func endless(upTo byteCount: Int) throws(SignetError) -> [OtherDigest] {
    var functions: [OtherDigest] = []
    for name in ["SHAKE-128", "SHAKE-256"] {
      if let function = try OtherDigest(name, byteCount, isEndless: true) { functions.append(function) }
    }
    return functions
  }

  /// The SHA-1 of bytes, which may name something that is known already, and proves nothing.
  ///
  /// - Throws: `crypto.failure`, also where only approved functions may be used.
  package static func sha1(_ bytes: [UInt8]) throws(SignetError) -> [UInt8] {
    guard let function = try OtherDigest("SHA1", 20) else { throw .openSSL("EVP_MD_fetch") }
    try function.update(bytes)
    return try function.finish()
  }

  /// A function over whose digests other programs sign.
  package enum Named: String, Sendable {
    /// BLAKE2b with 64 bytes and no key (RFC 7693).
    case blake2b = "BLAKE2B-512"
    case sha384 = "SHA2-384"
    case sha512 = "SHA2-512"
  }

  /// - Throws: `crypto.failure`, also where only approved functions may be used.
  package static func named(_ function: Named) throws(SignetError) -> OtherDigest {
    guard let made = try OtherDigest(function.rawValue, function == .sha384 ? 48 : 64) else {
      throw .openSSL("EVP_MD_fetch")
    }
    return made
  }

  private init?(_ name: String, _ byteCount: Int, isEndless: Bool = false) throws(SignetError) {
    let library = try LibraryContext.shared()
    ERR_clear_error()
    // Where only approved functions may be used, there are fewer.
    guard let function = unsafe EVP_MD_fetch(library.pointer, name, nil) else { return nil }
    defer { unsafe EVP_MD_free(function) }
    guard let context = unsafe EVP_MD_CTX_new() else { throw .openSSL("EVP_MD_CTX_new") }
    guard unsafe EVP_DigestInit_ex2(context, function, nil) == 1 else {
      unsafe EVP_MD_CTX_free(context)
      throw .openSSL("EVP_DigestInit_ex2")
    }
    unsafe self.context = unsafe context
    self.byteCount = byteCount
    self.isEndless = isEndless
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  /// Adds bytes to the input.
  ///
  /// - Throws: `crypto.failure`.
  package func update(_ bytes: [UInt8]) throws(SignetError) {
    let done = unsafe bytes.withUnsafeBytes { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    guard done == 1 else { throw .openSSL("EVP_DigestUpdate") }
  }

  /// Ends the input and returns the digest. It is called once.
  ///
  /// - Throws: `crypto.failure`.
  package func finish() throws(SignetError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    let done = unsafe bytes.withUnsafeMutableBufferPointer {
      unsafe isEndless
        ? EVP_DigestFinalXOF(context, $0.baseAddress, $0.count) : EVP_DigestFinal_ex(context, $0.baseAddress, nil)
    }
    guard done == 1 else { throw .openSSL(isEndless ? "EVP_DigestFinalXOF" : "EVP_DigestFinal_ex") }
    return bytes
  }
}
