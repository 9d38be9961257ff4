/// What a list has to do with a certificate (RFC 5280, section 6.3.3 (b)).
extension RevocationList {
  private var issuingPoint: IssuingDistributionPoint? { fields.extensions.issuingPoint }

  /// Whether the list must be heard about a certificate: its issuer made it, or one whom a distribution point of the
  /// certificate names, or it has an entry about the certificate.
  func concerns(_ certificate: Certificate) -> Bool {
    isByIssuer(of: certificate) || !points(of: certificate).isEmpty || fields.entries[certificate] != nil
  }

  func isByIssuer(of certificate: Certificate) -> Bool { issuer.canonical == certificate.issuer.canonical }

  /// The distribution points of a certificate that name this list's issuer.
  private func points(of certificate: Certificate) -> [DistributionPoint] {
    certificate.fields.extensions.distributionPoints.filter { point in
      point.listIssuers.contains { $0.canonical == issuer.canonical }
    }
  }

  /// For which reasons a certificate that is not in the list is not revoked; nil when the list is not about it.
  func coverage(of certificate: Certificate) -> RevocationReasons? {
    switch issuingPoint?.scope ?? .all {
    case .all: break
    case .holders: if certificate.isCA { return nil }
    case .authorities: if !certificate.isCA { return nil }
    case .attributes: return nil
    }
    let own = issuingPoint?.reasons ?? .all
    let named = points(of: certificate)
    if !isByIssuer(of: certificate) {
      // Another's list is about certificates that name it, and says itself that it is about those of others.
      guard issuingPoint?.isIndirect == true else { return nil }
      return reasons(of: named).map(own.intersection)
    }
    guard issuingPoint?.name != nil else { return own }
    // Section 6.3.3, at its end: the issuer's name is a distribution point of every certificate.
    if isNamed([GeneralName(issuer).key]) { return own }
    let direct = certificate.fields.extensions.distributionPoints.filter { $0.listIssuers.isEmpty }
    return reasons(of: named + direct).map(own.intersection)
  }

  /// The reasons of those points that this list is for; nil when it is for none.
  private func reasons(of points: [DistributionPoint]) -> RevocationReasons? {
    let matching = points.filter { point in
      // A point without a name of its own has that of who issues its lists.
      isNamed(point.name?.keys(below: issuer) ?? Set(point.listIssuers.map { GeneralName($0).key }))
    }
    return matching.isEmpty ? nil : matching.reduce(into: []) { $0.formUnion($1.reasons) }
  }

  /// Whether one of the names is that of this list's distribution point. A list without a name is for all points.
  private func isNamed(_ keys: Set<[UInt8]>) -> Bool {
    guard let name = issuingPoint?.name else { return true }
    return !name.keys(below: issuer).isDisjoint(with: keys)
  }

  // MARK: Delta lists (section 5.2.4)

  /// Whether the list only says what has changed since another.
  var isDelta: Bool { fields.extensions.baseNumber != nil }

  /// Whether two lists of one issuer and key are about the same (section 6.3.3 (c)).
  func hasScope(of other: RevocationList) -> Bool {
    issuer.canonical == other.issuer.canonical && issuingPoint?.der == other.issuingPoint?.der
      && fields.extensions.authorityKeyIdentifier == other.fields.extensions.authorityKeyIdentifier
  }

  /// Whether this one is a delta list that says what has changed since another, and that other is not older than what
  /// this one adds to.
  func continues(_ other: RevocationList) -> Bool {
    guard let base = fields.extensions.baseNumber, let number = fields.extensions.number,
      let earlier = other.fields.extensions.number
    else { return false }
    return hasScope(of: other) && base <= earlier && earlier < number
  }

  /// Whether another list of the same scope is not older.
  func isSuperseded(by other: RevocationList) -> Bool {
    guard let number = fields.extensions.number, let later = other.fields.extensions.number else { return false }
    return hasScope(of: other) && number <= later
  }
}
