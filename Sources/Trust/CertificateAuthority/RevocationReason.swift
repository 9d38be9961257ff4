/// Why a certificate is revoked (CRLReason: RFC 5280, section 5.3.1).
package enum RevocationReason: String, Sendable, CaseIterable {
  case unspecified
  /// Others may have the key: what it has signed since an unknown time counts no longer.
  case keyCompromise = "key-compromise"
  /// The names in the certificate are no longer the holder's.
  case affiliationChanged = "affiliation-changed"
  /// Another certificate takes its place.
  case superseded
  /// It is no longer needed.
  case cessation = "cessation-of-operation"

  /// The number in an entry; nil for the reason that is not written.
  var code: UInt8? {
    switch self {
    case .unspecified: nil
    case .keyCompromise: 1
    case .affiliationChanged: 3
    case .superseded: 4
    case .cessation: 5
    }
  }
}
