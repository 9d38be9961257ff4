internal import CLibCrypto
internal import SignetBase

/// What the reasons of OpenSSL's chain verification (X509_STORE_CTX_get_error(3)) are called here.
enum ChainReasons {
  /// The code of a refusal; nil when the verdict says nothing about the certificates: no memory, wrong use.
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
