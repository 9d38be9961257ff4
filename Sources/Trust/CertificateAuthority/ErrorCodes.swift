package import SignetBase

extension SignetError.Code {
  /// A name that no certificate can have.
  package static let authorityName = Self("authority.name", .failure)
  /// A request for a certificate that is damaged, or that nobody has signed with the key in it.
  package static let authorityRequest = Self("authority.request", .refusal)
  /// A time or a purpose for which the authority cannot certify anything.
  package static let authorityTerms = Self("authority.terms", .failure)
  /// The list of what an authority has issued is damaged, or is another authority's.
  package static let authorityList = Self("authority.list", .failure)
  /// A private key that is not that of the authority's certificate, or is damaged.
  package static let authorityKey = Self("authority.key", .failure)
  /// A certificate that the authority has not issued.
  package static let authorityUnknown = Self("authority.unknown", .failure)
}
