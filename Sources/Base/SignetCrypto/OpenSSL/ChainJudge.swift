internal import CLibCrypto
internal import SignetBase

/// OpenSSL's verdict on one path: a second check after the rules here.
///
/// OpenSSL checks the signatures, the names against the constraints, and the policies.
enum ChainJudge {
  /// Why OpenSSL does not accept the path, including `certificate.malformed` if it cannot read a certificate; nil if
  /// it accepts the path.
  ///
  /// Only the path decides, and no time. So each certificate keeps the first path that was accepted for it, and what
  /// leads many leaves to an anchor is judged once. Constraints and policies hold for a path as a whole, which is then
  /// judged as a whole.
  ///
  /// - Parameter path: leaf first, anchor last. OpenSSL gets nothing else, so it cannot find another path.
  /// - Throws: `crypto.failure`.
  static func objection(to path: [Certificate]) throws(SignetError) -> SignetError? {
    let accepted = path[0].storage.acceptedPath
    if accepted.holds(path) { return nil }
    var rest = path
    if path.count > 2, !path.contains(where: \.constrainsPaths) {
      if let reason = try objection(to: Array(path.dropFirst())) { return reason }
      rest = Array(path.prefix(2))
    }
    if let reason = try verdict(on: rest) { return reason }
    accepted.keep(path)
    return nil
  }

  private static func verdict(on path: [Certificate]) throws(SignetError) -> SignetError? {
    var handles: [CertificateHandle] = []
    for certificate in path {
      do throws(SignetError) {
        handles.append(try certificate.storage.handle.get(certificate.der))
      } catch {
        if error.code == .cryptoFailure { throw error }
        return error.about("certificate \(certificate)")
      }
    }
    return try withExtendedLifetime(handles) { () throws(SignetError) in
      let context = ChainContext(try LibraryContext.shared())
      try context.load(handles)
      return try context.objection(path, handles)
    }
  }
}

/// One `X509_STORE_CTX` and the objects that it borrows.
@safe private struct ChainContext: ~Copyable {
  // The pointers are nil if OpenSSL had no memory; its functions for freeing accept nil.
  private let context: OpaquePointer?
  private let untrusted: OpaquePointer?
  private let trusted: OpaquePointer?

  /// A strength of 112 bits (SSL_CTX_set_security_level(3)): RSA with 2048 bits, and digests better than SHA-1.
  ///
  /// The rules here require more; this is a safeguard in case they have a gap.
  private static let securityLevel: Int32 = 2

  init(_ library: LibraryContext) {
    ERR_clear_error()
    unsafe context = X509_STORE_CTX_new_ex(library.pointer, nil)
    unsafe untrusted = OPENSSL_sk_new_null()
    unsafe trusted = OPENSSL_sk_new_null()
  }

  func load(_ handles: [CertificateHandle]) throws(SignetError) {
    guard let context = unsafe context, let untrusted = unsafe untrusted, let trusted = unsafe trusted else {
      throw .openSSL("X509_STORE_CTX_new_ex")
    }
    for (index, handle) in handles.enumerated() where index > 0 || handles.count == 1 {
      let stack = unsafe index == handles.count - 1 ? trusted : untrusted
      guard unsafe OPENSSL_sk_push(stack, UnsafeRawPointer(handle.pointer)) > 0 else {
        throw .openSSL("OPENSSL_sk_push")
      }
    }
    guard unsafe X509_STORE_CTX_init(context, nil, handles[0].pointer, untrusted) == 1 else {
      throw .openSSL("X509_STORE_CTX_init")
    }
    unsafe X509_STORE_CTX_set0_trusted_stack(context, trusted)
    guard let parameters = unsafe X509_STORE_CTX_get0_param(context) else {
      throw .openSSL("X509_STORE_CTX_get0_param")
    }
    // OpenSSL does not check the time: it treats the last second of a validity as expired, but section 4.1.2.5
    // includes it. The rules here check the time.
    let flags =
      X509_V_FLAG_X509_STRICT | X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_POLICY_CHECK | X509_V_FLAG_NO_CHECK_TIME
    guard unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(flags)) == 1 else {
      throw .openSSL("X509_VERIFY_PARAM_set_flags")
    }
    // Policies must agree with each other, but no particular policy is wanted. Without this, OpenSSL would treat a
    // requirement for an explicit policy as one that cannot be met.
    guard unsafe X509_VERIFY_PARAM_add0_policy(parameters, OBJ_nid2obj(NID_any_policy)) == 1 else {
      throw .openSSL("X509_VERIFY_PARAM_add0_policy")
    }
    unsafe X509_VERIFY_PARAM_set_auth_level(parameters, Self.securityLevel)
    unsafe X509_VERIFY_PARAM_set_depth(parameters, Int32(ChainBudget.pathLength))
  }

  deinit {
    unsafe X509_STORE_CTX_free(context)
    unsafe OPENSSL_sk_free(untrusted)
    unsafe OPENSSL_sk_free(trusted)
  }

  func objection(_ path: [Certificate], _ handles: [CertificateHandle]) throws(SignetError) -> SignetError? {
    let result = unsafe X509_verify_cert(context)
    let status = unsafe X509_STORE_CTX_get_error(context)
    if result == 1, status == X509_V_OK {
      ERR_clear_error()
      // The chain that OpenSSL verified must be the given path, link by link.
      guard let chain = unsafe X509_STORE_CTX_get0_chain(context), unsafe Int(OPENSSL_sk_num(chain)) == handles.count,
        handles.indices.allSatisfy({ index in
          unsafe OPENSSL_sk_value(chain, Int32(index)) == UnsafeMutableRawPointer(handles[index].pointer)
        })
      else { return path[0].refusal(.chainUntrusted, "OpenSSL has found another path") }
      return nil
    }
    let depth = unsafe Int(X509_STORE_CTX_get_error_depth(context))
    let text = unsafe X509_verify_cert_error_string(Int(status)).map { unsafe String(cString: $0) }
    let queue = OpenSSLFailure.drained("X509_verify_cert")
    let failure = queue.preceded(by: text)
    guard result == 0, let code = ChainReasons.code(status), !queue.isOutOfMemory else {
      throw SignetError(.cryptoFailure, "OpenSSL", "the chain could not be checked", cause: failure)
    }
    let certificate = path.indices.contains(depth) ? path[depth] : path[0]
    return certificate.refusal(code, ChainReasons.message(code), cause: failure)
  }
}

extension OpenSSLFailure {
  /// The same failure, preceded by the reason of the chain verifier, which is not in the queue.
  fileprivate func preceded(by reason: String?) -> OpenSSLFailure {
    OpenSSLFailure(operation: operation, reasons: (reason.map { [$0] } ?? []) + reasons, codes: codes)
  }
}

/// Maps the reasons of OpenSSL's chain verification (X509_STORE_CTX_get_error(3)) to codes and messages.
enum ChainReasons {
  /// The code of a refusal; nil if the verdict says nothing about the certificates, as after a lack of memory or
  /// wrong use.
  static func code(_ reason: Int32) -> SignetError.Code? {
    switch reason {
    case X509_V_OK, X509_V_ERR_UNSPECIFIED, X509_V_ERR_OUT_OF_MEM, X509_V_ERR_INVALID_CALL, X509_V_ERR_STORE_LOOKUP:
      nil
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
      X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_CERT_UNTRUSTED, X509_V_ERR_CERT_REJECTED,
      X509_V_ERR_SUBJECT_ISSUER_MISMATCH, X509_V_ERR_AKID_SKID_MISMATCH, X509_V_ERR_AKID_ISSUER_SERIAL_MISMATCH:
      .chainUntrusted
    case X509_V_ERR_CERT_SIGNATURE_FAILURE, X509_V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE: .chainSignature
    case X509_V_ERR_CERT_CHAIN_TOO_LONG: .chainTooComplex
    case X509_V_ERR_INVALID_CA, X509_V_ERR_KEYUSAGE_NO_CERTSIGN, X509_V_ERR_CA_BCONS_NOT_CRITICAL,
      X509_V_ERR_CA_CERT_MISSING_KEY_USAGE, X509_V_ERR_PATHLEN_WITHOUT_KU_KEY_CERT_SIGN:
      .chainNotACA
    case X509_V_ERR_PATH_LENGTH_EXCEEDED: .chainPathLength
    case X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION: .chainCriticalExtension
    case X509_V_ERR_PERMITTED_VIOLATION, X509_V_ERR_EXCLUDED_VIOLATION, X509_V_ERR_SUBTREE_MINMAX,
      X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE, X509_V_ERR_UNSUPPORTED_CONSTRAINT_SYNTAX,
      X509_V_ERR_UNSUPPORTED_NAME_SYNTAX:
      .chainNameConstraints
    case X509_V_ERR_INVALID_POLICY_EXTENSION, X509_V_ERR_NO_EXPLICIT_POLICY: .chainPolicy
    case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL, X509_V_ERR_UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY,
      X509_V_ERR_EC_KEY_EXPLICIT_PARAMS:
      .chainWeakKey
    case X509_V_ERR_CA_MD_TOO_WEAK, X509_V_ERR_UNSUPPORTED_SIGNATURE_ALGORITHM: .chainWeakDigest
    case X509_V_ERR_EXTENSIONS_REQUIRE_VERSION_3: .chainVersion
    case X509_V_ERR_KU_KEY_CERT_SIGN_INVALID_FOR_NON_CA: .chainKeyUsage
    case X509_V_ERR_CERT_NOT_YET_VALID: .chainNotYetValid
    case X509_V_ERR_CERT_HAS_EXPIRED: .chainExpired
    default: .chainMalformed
    }
  }

  static func message(_ code: SignetError.Code) -> String {
    switch code {
    case .chainSignature: "was not signed by its issuer"
    case .chainUntrusted: "was not issued by the next in the chain"
    case .chainNameConstraints: "has a name that a CA above must not give"
    case .chainPolicy: "certificate policies of the chain contradict each other"
    default: "is not accepted by OpenSSL"
    }
  }
}
