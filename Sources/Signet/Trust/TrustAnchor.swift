public import SignetBase
public import SignetCrypto

/// Whom an entry of a policy trusts: a key, or whoever a certificate names.
public struct TrustAnchor: Hashable, Sendable {
  let kind: Kind

  enum Kind: Hashable, Sendable {
    case key(PublicKey)
    case authority(Authority)
    case sameSigner(Certificate, issuers: [Certificate])
    case sameAuthority(Certificate, issuer: Certificate)
  }

  /// An authority, and those it certifies who are trusted.
  struct Authority: Hashable, Sendable {
    let certificates: [Certificate]
    let intermediates: [Certificate]
    /// Nil for whoever the authority certifies.
    let identities: [SignerIdentity]?
  }

  /// The owner of a bare key.
  public static func key(_ key: PublicKey) -> TrustAnchor { TrustAnchor(kind: .key(key)) }

  /// Those whom an authority certifies under these names. Each name counts as a signer of its own.
  ///
  /// - Parameters:
  ///   - certificates: the authority's: roots or intermediates.
  ///   - intermediates: more certificates for building chains; they are not trusted themselves.
  ///   - identities: the names; at least one.
  /// - Throws: `policy.entry` when there is no certificate or no name, and for a name that stands twice.
  public static func authority(
    _ certificates: [Certificate], intermediates: [Certificate] = [], identities: [SignerIdentity]
  ) throws(SignetError) -> TrustAnchor {
    guard !identities.isEmpty else {
      throw SignetError(
        .policyEntry, "authority", "names nobody", expected: "at least one identity, or an explicit anyLeaf")
    }
    // Whoever has it and two keys would count as two signers.
    for (index, identity) in identities.enumerated() where identities[..<index].contains(identity) {
      throw SignetError(
        .policyEntry, "authority", "has a name twice", expected: "each name once", found: "\(identity)")
    }
    return try authority(Authority(certificates: certificates, intermediates: intermediates, identities: identities))
  }

  /// Whoever an authority certifies for signing code: only for authorities that certify nobody else.
  ///
  /// - Throws: `policy.entry` when there is no certificate.
  public static func anyLeaf(
    of certificates: [Certificate], intermediates: [Certificate] = []
  ) throws(SignetError) -> TrustAnchor {
    try authority(Authority(certificates: certificates, intermediates: intermediates, identities: nil))
  }

  private static func authority(_ authority: Authority) throws(SignetError) -> TrustAnchor {
    guard !authority.certificates.isEmpty else {
      throw SignetError(.policyEntry, "authority", "has no certificate", expected: "at least one")
    }
    return TrustAnchor(kind: .authority(authority))
  }

  /// Whoever has the key of this certificate, such as the host's own. The certificate must hold when something is
  /// verified: its validity and its revocation count, also towards bundles that come without one.
  ///
  /// - Parameter issuers: the certificates of those who issued it; with them its whole chain is verified, and their
  ///   revocation lists count. Without them it stands for itself.
  public static func sameSigner(as certificate: Certificate, issuers: [Certificate] = []) -> TrustAnchor {
    TrustAnchor(kind: .sameSigner(certificate, issuers: issuers))
  }

  /// Whoever the same issuer has certified under the same organization: country, organization and organizational units
  /// equal as a whole.
  ///
  /// - Parameters:
  ///   - certificate: the certificate to compare with, such as the host's own.
  ///   - issuer: the certificate of its issuer.
  /// - Throws: `policy.entry` when the certificate names no organization, or is not the issuer's work.
  public static func sameAuthority(
    as certificate: Certificate, issuer: Certificate
  ) throws(SignetError) -> TrustAnchor {
    guard !certificate.subject.organizations.isEmpty else {
      throw SignetError(
        .policyEntry, "\(certificate.subject)", "names no organization", expected: "a subject with an O")
    }
    guard certificate.issuer == issuer.subject else {
      throw SignetError(
        .policyEntry, "\(certificate.subject)", "was not issued by the given issuer",
        expected: "\(certificate.issuer)", found: "\(issuer.subject)")
    }
    return TrustAnchor(kind: .sameAuthority(certificate, issuer: issuer))
  }

  /// Those of a chain's certificates that end it: what others of them have issued has to be reached by way of those.
  static func ends(of chain: [Certificate]) -> [Certificate] {
    let ends = chain.filter { one in one.isSelfIssued || !chain.contains { $0.subject == one.issuer } }
    // Those that have issued each other.
    return ends.isEmpty ? chain : ends
  }

  /// The certificates it is made of.
  var certificates: [Certificate] {
    switch kind {
    case .key: []
    case .authority(let authority): authority.certificates + authority.intermediates
    case .sameSigner(let certificate, let issuers): [certificate] + issuers
    case .sameAuthority(let certificate, let issuer): [certificate, issuer]
    }
  }
}

extension TrustAnchor: CustomStringConvertible {
  /// Whom it trusts, for people.
  public var description: String {
    switch kind {
    case .key(let key): "\(key)"
    case .authority(let authority):
      (authority.identities.map { $0.map { "\($0)" }.joined(separator: " or ") } ?? "whoever")
        + " certified by \(authority.certificates.map { "\($0.subject)" }.joined(separator: " or "))"
    case .sameSigner(let certificate, _): "the owner of the key of \(certificate.subject)"
    case .sameAuthority(let certificate, let issuer):
      "the organization of \(certificate.subject), certified by \(issuer.subject)"
    }
  }
}
