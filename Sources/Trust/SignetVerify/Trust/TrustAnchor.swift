public import SignetBase
public import SignetCrypto

/// The signers that an entry of a policy trusts: the owner of a key, or signers that an authority certifies.
public struct TrustAnchor: Hashable, Sendable {
  package let kind: Kind

  package enum Kind: Hashable, Sendable {
    case key(PublicKey)
    case authority(Authority)
    case sameSigner(Certificate, issuers: [Certificate])
    case sameAuthority(Certificate, issuer: Certificate)
    case vouched(VouchedAnchor)
  }

  /// An authority, with the trusted identities among those that it certifies.
  package struct Authority: Hashable, Sendable {
    package let certificates: [Certificate]
    package let intermediates: [Certificate]
    /// Nil for every signer that the authority certifies.
    package let identities: [SignerIdentity]?
  }

  /// Trusts the owner of a bare key.
  public static func key(_ key: PublicKey) -> TrustAnchor { TrustAnchor(kind: .key(key)) }

  /// Trusts signers whose signatures others vouch for.
  package static func vouched(_ signers: some VouchedSigners) throws(SignetError) -> TrustAnchor {
    TrustAnchor(kind: .vouched(try VouchedAnchor(signers)))
  }

  /// The vouched signers; nil for an anchor of another kind.
  package var vouched: (any VouchedSigners)? {
    if case .vouched(let anchor) = kind { anchor.signers } else { nil }
  }

  /// Trusts the signers that an authority certifies under these names. Each name counts as a signer of its own.
  ///
  /// - Parameters:
  ///   - certificates: the authority's certificates: roots or intermediates.
  ///   - intermediates: more certificates for building chains. They are not trusted themselves.
  ///   - identities: the names; at least one.
  /// - Throws: `policy.entry` if there is no certificate or no name, or if a name occurs twice.
  public static func authority(
    _ certificates: [Certificate], intermediates: [Certificate] = [], identities: [SignerIdentity]
  ) throws(SignetError) -> TrustAnchor {
    guard !identities.isEmpty else {
      throw SignetError(
        .policyEntry, "authority", "has an empty list of identities",
        expected: "at least one identity, or an explicit anyLeaf")
    }
    // A signer with a repeated name and two keys would count as two signers.
    for (index, identity) in identities.enumerated() where identities[..<index].contains(identity) {
      throw SignetError(
        .policyEntry, "authority", "has a name twice", expected: "each name once", found: "\(identity)")
    }
    return try authority(Authority(certificates: certificates, intermediates: intermediates, identities: identities))
  }

  /// Trusts every signer that an authority certifies for signing code. Use it only if all of them are to be trusted.
  ///
  /// - Throws: `policy.entry` if there is no certificate.
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

  /// Trusts the owner of a certificate's key. The certificate may be the host's own.
  ///
  /// The certificate must be valid and not revoked at verification time, also for bundles without a certificate.
  ///
  /// - Parameters:
  ///   - certificate: the certificate, such as the host's own.
  ///   - issuers: the certificates of its issuers. With them, its whole chain is verified, and their revocation lists
  ///     count. Without them, the certificate is its own anchor.
  public static func sameSigner(as certificate: Certificate, issuers: [Certificate] = []) -> TrustAnchor {
    TrustAnchor(kind: .sameSigner(certificate, issuers: issuers))
  }

  /// Trusts the signers that the same issuer has certified under the same organization.
  ///
  /// Country, organization and organizational units must be equal as a whole.
  ///
  /// - Parameters:
  ///   - certificate: the certificate to compare with, such as the host's own.
  ///   - issuer: the certificate of its issuer.
  /// - Throws: `policy.entry` if the certificate names no organization, or was not issued by the issuer.
  public static func sameAuthority(
    as certificate: Certificate, issuer: Certificate
  ) throws(SignetError) -> TrustAnchor {
    guard !certificate.subject.organizations.isEmpty else {
      throw SignetError(
        .policyEntry, certificate.name, "names no organization", expected: "a subject with an O")
    }
    guard certificate.issuer == issuer.subject else {
      throw SignetError(
        .policyEntry, certificate.name, "was not issued by the given issuer",
        expected: "\(certificate.issuer)", found: "\(issuer.subject)")
    }
    return TrustAnchor(kind: .sameAuthority(certificate, issuer: issuer))
  }

  /// The certificates that end a chain. A path through the others must lead to one of these.
  package static func ends(of chain: [Certificate]) -> [Certificate] {
    let ends = chain.filter { one in one.isSelfIssued || !chain.contains { $0.subject == one.issuer } }
    // Without an end, the certificates have issued each other.
    return ends.isEmpty ? chain : ends
  }

  /// The certificates that the anchor consists of.
  package var certificates: [Certificate] {
    switch kind {
    case .key: []
    case .authority(let authority): authority.certificates + authority.intermediates
    case .sameSigner(let certificate, let issuers): [certificate] + issuers
    case .sameAuthority(let certificate, let issuer): [certificate, issuer]
    case .vouched: []
    }
  }
}

extension TrustAnchor: CustomStringConvertible {
  /// The trusted signers, for people.
  public var description: String {
    switch kind {
    case .key(let key): "\(key)"
    case .authority(let authority):
      (authority.identities.map { $0.map { "\($0)" }.joined(separator: " or ") } ?? "any signer")
        + " certified by \(authority.certificates.map { $0.name }.joined(separator: " or "))"
    case .sameSigner(let certificate, _): "the owner of the key of \(certificate.name)"
    case .sameAuthority(let certificate, let issuer):
      "the organization of \(certificate.name), certified by \(issuer.name)"
    case .vouched(let anchor): anchor.signers.description
    }
  }
}
