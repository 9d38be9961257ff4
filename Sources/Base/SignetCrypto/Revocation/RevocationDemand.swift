/// What must be known about the revocation of a path's certificates.
public enum RevocationDemand: String, Hashable, Sendable, CaseIterable {
  /// Of each certificate, by a list or a response that is current.
  case required
  /// What is known must be current. A certificate of which nothing is known is accepted.
  case current
  /// Lists and responses count as if they were current, so that a certificate that was revoked since is accepted.
  case staleAllowed = "stale-allowed"
}
