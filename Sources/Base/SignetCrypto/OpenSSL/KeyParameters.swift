internal import CLibCrypto
internal import SignetBase

/// Builds a public key from numbers (EVP_PKEY_fromdata(3)).
///
/// This is faster and stricter than OpenSSL's decoders, which guess the format of their input. OSSL_PARAM_BLD keeps
/// pointers to all names and values that it is given, so this type owns copies of them.
@safe struct KeyParameters: ~Copyable {
  private let builder: OpaquePointer
  private var numbers: [OpaquePointer]
  private var copies: [UnsafeMutableRawPointer]

  private init(_ builder: OpaquePointer) {
    unsafe self.builder = builder
    unsafe numbers = []
    unsafe copies = []
  }

  deinit {
    unsafe OSSL_PARAM_BLD_free(builder)
    for index in unsafe numbers.indices { unsafe BN_free(numbers[index]) }
    for index in unsafe copies.indices { unsafe copies[index].deallocate() }
  }

  /// Makes a key of the named type from the parameters that `fill` adds.
  ///
  /// - Throws: `key.malformed` if OpenSSL does not accept the numbers, for example a point that is not on its curve;
  ///   `crypto.failure`.
  static func make(
    _ type: String, _ library: LibraryContext, _ fill: (inout KeyParameters) -> Bool
  ) throws(SignetError) -> KeyHandle {
    guard let builder = unsafe OSSL_PARAM_BLD_new() else { throw .openSSL("OSSL_PARAM_BLD_new") }
    var parameters = unsafe KeyParameters(builder)
    guard fill(&parameters) else { throw .openSSL("OSSL_PARAM_BLD_push") }
    return try parameters.key(type, library)
  }

  private borrowing func key(_ type: String, _ library: LibraryContext) throws(SignetError) -> KeyHandle {
    guard let list = unsafe OSSL_PARAM_BLD_to_param(builder) else { throw .openSSL("OSSL_PARAM_BLD_to_param") }
    defer { unsafe OSSL_PARAM_free(list) }
    guard let context = unsafe EVP_PKEY_CTX_new_from_name(library.pointer, type, nil) else {
      throw .openSSL("EVP_PKEY_CTX_new_from_name")
    }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    guard unsafe EVP_PKEY_fromdata_init(context) == 1 else { throw .openSSL("EVP_PKEY_fromdata_init") }
    var key: OpaquePointer?
    guard unsafe EVP_PKEY_fromdata(context, &key, Int32(signet_public_key), list) == 1, let key = unsafe key else {
      throw SignetError(
        .keyMalformed, "key", "does not hold the numbers of a public key",
        cause: OpenSSLFailure.drained("EVP_PKEY_fromdata"))
    }
    return unsafe KeyHandle(takingOwnershipOf: key)
  }

  mutating func push(_ name: String, number: [UInt8]) -> Bool {
    guard let value = unsafe BN_bin2bn(number, Int32(number.count), nil) else { return false }
    unsafe numbers.append(value)
    return unsafe OSSL_PARAM_BLD_push_BN(builder, keep(name), value) == 1
  }

  mutating func push(_ name: String, text: String) -> Bool {
    unsafe OSSL_PARAM_BLD_push_utf8_string(builder, keep(name), keep(text), text.utf8.count) == 1
  }

  mutating func push(_ name: String, bytes: [UInt8]) -> Bool {
    unsafe OSSL_PARAM_BLD_push_octet_string(builder, keep(name), keep(bytes), bytes.count) == 1
  }

  private mutating func keep(_ text: String) -> UnsafePointer<CChar> {
    unsafe UnsafePointer(keep(Array(text.utf8) + [0]).assumingMemoryBound(to: CChar.self))
  }

  private mutating func keep(_ bytes: [UInt8]) -> UnsafeMutableRawPointer {
    let copy = UnsafeMutableRawPointer.allocate(byteCount: max(bytes.count, 1), alignment: 8)
    unsafe copy.copyMemory(from: bytes, byteCount: bytes.count)
    unsafe copies.append(copy)
    return unsafe copy
  }
}
