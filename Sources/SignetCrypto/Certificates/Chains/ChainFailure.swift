internal import SignetBase

/// Which of several failures to report: that of the path which came closest to being valid.
enum ChainFailure {
  /// From the least telling to the most: no path at all, a path with a forged or foreign link, a path with a link that
  /// must not be, a path that would do at another time, a path that would do had nobody revoked it.
  private static let order: [SignetError.Code] = [
    .chainUntrusted, .chainTooComplex, .chainSignature, .certificateMalformed, .chainMalformed, .chainVersion,
    .chainSerial, .chainNotACA, .chainWeakDigest, .chainWeakKey, .chainCriticalExtension, .chainPolicy,
    .chainPathLength, .chainNameConstraints, .chainNotYetValid, .chainExpired, .chainLeafIsCA, .chainKeyUsage,
    .chainNotCodeSigning, .revocationListUnsupported, .revocationListIncomplete, .revocationListIssuer,
    .revocationListSignature,
    .revocationListWeakDigest, .revocationListExpired, .chainRevoked,
    // Nothing is known of a path that could not be checked; a failing library must not look like a refusal.
    .cryptoFailure,
  ]

  /// The more telling of two failures; the first when they are alike.
  static func moreTelling(_ first: SignetError?, _ second: SignetError) -> SignetError {
    guard let first else { return second }
    return rank(second.code) > rank(first.code) ? second : first
  }

  private static func rank(_ code: SignetError.Code) -> Int { order.firstIndex(of: code) ?? 0 }
}
