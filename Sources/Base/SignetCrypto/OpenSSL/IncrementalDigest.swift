internal import CLibCrypto
public import SignetBase

/// A hash function that takes its input in pieces.
@safe public struct IncrementalDigest: ~Copyable {
  private let algorithm: DigestAlgorithm
  private let context: OpaquePointer

  /// Starts a digest.
  ///
  /// - Throws: `crypto.failure`.
  public init(_ algorithm: DigestAlgorithm) throws(SignetError) {
    self.algorithm = algorithm
    unsafe context = try Self.start(algorithm)
  }

  private static func start(_ algorithm: DigestAlgorithm) throws(SignetError) -> OpaquePointer {
    let library = try LibraryContext.shared()
    ERR_clear_error()
    let function =
      unsafe algorithm == .sha256 ? library.sha256 : EVP_MD_fetch(library.pointer, algorithm.rawValue, nil)
    guard let function = unsafe function else { throw .openSSL("EVP_MD_fetch") }
    defer { if algorithm != .sha256 { unsafe EVP_MD_free(function) } }
    guard let context = unsafe EVP_MD_CTX_new() else { throw .openSSL("EVP_MD_CTX_new") }
    guard unsafe EVP_DigestInit_ex2(context, function, nil) == 1 else {
      unsafe EVP_MD_CTX_free(context)
      throw .openSSL("EVP_DigestInit_ex2")
    }
    return unsafe context
  }

  private init(_ algorithm: DigestAlgorithm, owning context: OpaquePointer) {
    self.algorithm = algorithm
    unsafe self.context = unsafe context
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  /// A second digest that has taken the same bytes so far.
  ///
  /// - Throws: `crypto.failure`.
  func copy() throws(SignetError) -> IncrementalDigest {
    guard let copy = unsafe EVP_MD_CTX_new() else { throw .openSSL("EVP_MD_CTX_new") }
    guard unsafe EVP_MD_CTX_copy_ex(copy, context) == 1 else {
      unsafe EVP_MD_CTX_free(copy)
      throw .openSSL("EVP_MD_CTX_copy_ex")
    }
    return unsafe IncrementalDigest(algorithm, owning: copy)
  }

  /// Adds bytes to the input of the digest.
  ///
  /// - Throws: `crypto.failure`.
  public mutating func update(_ bytes: [UInt8]) throws(SignetError) {
    let done = unsafe bytes.withUnsafeBytes { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    guard done == 1 else { throw .openSSL("EVP_DigestUpdate") }
  }

  /// Takes more bytes from memory that the caller owns.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) throws(SignetError) {
    guard unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else {
      throw .openSSL("EVP_DigestUpdate")
    }
  }

  /// Ends the digest and returns its value.
  ///
  /// - Throws: `crypto.failure`.
  public consuming func finish() throws(SignetError) -> Digest {
    var bytes = [UInt8](repeating: 0, count: algorithm.byteCount)
    let done = unsafe bytes.withUnsafeMutableBufferPointer {
      unsafe EVP_DigestFinal_ex(context, $0.baseAddress, nil)
    }
    guard done == 1 else { throw .openSSL("EVP_DigestFinal_ex") }
    return Digest(algorithm: algorithm, bytes: bytes)
  }
}
