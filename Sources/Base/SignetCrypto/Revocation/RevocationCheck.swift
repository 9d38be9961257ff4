internal import SignetBase

/// Checks a path against the revocation lists that were given (RFC 5280, section 6.3).
///
/// - A list applies to every certificate of its issuer, to certificates with a distribution point that names its
///   issuer, and to certificates for which it has an entry.
/// - An entry that is in effect revokes its certificate, whichever part of the issuer's revocations the list covers.
/// - If any list applies, the lists must show for every reason that the certificate is not revoked. This takes
///   complete lists that are current, and that cover all reasons together. Delta lists add to them. If a list cannot
///   be applied, or a reason remains open, the status is unknown and the certificate is refused: a list was given in
///   order to be applied.
/// - A list that is out of date does not count beside a current one of the same part. A list that was made after the
///   given time is also current: it knows more, and its entries have dates.
struct RevocationCheck {
  private let verifier: CertificateChainVerifier
  private let time: UnixTime
  private let budget: ChainBudget

  init(_ verifier: CertificateChainVerifier, at time: UnixTime, _ budget: ChainBudget) {
    self.verifier = verifier
    self.time = time
    self.budget = budget
  }

  /// Checks all certificates of a path except the anchor.
  ///
  /// - Throws: `chain.revoked`, `crl.*`, `crypto.failure`.
  func check(_ path: [Certificate]) throws(SignetError) {
    guard let anchor = path.last else { return }
    let signers = RevocationListSigners(verifier, below: anchor, at: time, budget)
    // The anchor is trusted by decision. A list does not withdraw that trust; removing the anchor does.
    for (certificate, issuer) in zip(path, path.dropFirst()) { try checkCertificate(certificate, issuer, signers) }
  }

  private func checkCertificate(
    _ certificate: Certificate, _ issuer: Certificate, _ signers: RevocationListSigners
  ) throws(SignetError) {
    var lists: [RevocationList] = []
    var failure: SignetError?
    for list in verifier.revocationLists where list.concerns(certificate) {
      do throws(SignetError) {
        try signers.authenticate(list, about: certificate, issuedBy: issuer)
        lists.append(list)
      } catch {
        if error.code == .cryptoFailure { throw error }
        failure = failure ?? error
      }
    }
    // A revocation takes precedence, whatever is wrong with other lists.
    try lookForRevocation(of: certificate, in: lists)
    let isGood = try verifier.statements?.check(certificate, issuedBy: issuer, for: verifier, at: time) ?? false
    if let failure { throw failure }
    // What an old list has revoked stays revoked.
    if !lists.isEmpty, !isGood || isNamed(certificate, lists) { try lookForGaps(certificate, lists) }
    guard lists.isEmpty, !isGood, verifier.revocationDemand == .required else { return }
    throw certificate.refusal(
      .revocationListIncomplete, "is a certificate of which nothing says whether it is revoked",
      expected: "a revocation list or an OCSP response about it")
  }

  /// Checks that what is known about each certificate of a path is current, if anything is known. The lists were authenticated
  /// before.
  ///
  /// - Throws: `crl.expired`, `crl.incomplete`; what is wrong with a statement.
  func checkAge(_ path: [Certificate]) throws(SignetError) {
    for (certificate, issuer) in zip(path, path.dropFirst()) where verifier.revocationDemand != .staleAllowed {
      let isGood = try verifier.statements?.isCurrent(about: certificate, issuedBy: issuer, at: time) ?? false
      let lists = verifier.revocationLists.filter { $0.concerns(certificate) }
      if !lists.isEmpty, !isGood || isNamed(certificate, lists) { try lookForGaps(certificate, lists) }
    }
  }

  private func isNamed(_ certificate: Certificate, _ lists: [RevocationList]) -> Bool {
    lists.contains { $0.fields.entries[certificate] != nil }
  }
  private func isCurrent(_ list: RevocationList) -> Bool {
    time <= list.nextUpdate || verifier.revocationDemand == .staleAllowed
  }

  private func lookForRevocation(of certificate: Certificate, in lists: [RevocationList]) throws(SignetError) {
    let current = lists.filter(isCurrent)
    for list in lists {
      guard let entry = list.fields.entries[certificate], entry.holds(at: time, isProven: verifier.isTimeProven)
      else { continue }
      // A later list of the same part takes the place of one that is out of date. The age of a delta list does not
      // matter: what it adds stays revoked until a complete list says otherwise.
      if list.isDelta {
        if current.contains(where: { !$0.isDelta && list.isSuperseded(by: $0) }) { continue }
      } else if !isCurrent(list) {
        continue
      }
      // Section 5.3.1: only a hold can be removed again.
      let isLifted =
        entry.reason == .certificateHold
        && current.contains { $0.continues(list) && $0.fields.entries[certificate]?.reason == .removeFromCRL }
      if isLifted { continue }
      throw certificate.refusal(
        .chainRevoked, "was revoked by its issuer", expected: "a certificate that holds at \(time)",
        found: "revoked at \(entry.date), reason: \(entry.reason)"
          + (entry.invalidityDate.map { ", suspected since \($0)" } ?? "") + ", by the list of \(list.thisUpdate)")
    }
  }

  /// Checks that the lists leave no reason open.
  private func lookForGaps(_ certificate: Certificate, _ lists: [RevocationList]) throws(SignetError) {
    let heard = lists.filter { $0.coverage(of: certificate) != nil }
    let complete = heard.filter { !$0.isDelta && isCurrent($0) }
    for delta in heard where delta.isDelta {
      if complete.contains(where: { delta.continues($0) || delta.isSuperseded(by: $0) }) { continue }
      try lookForStale(heard)
      throw delta.incomplete(
        about: certificate, "is a delta list whose base list was not given",
        "a current list of the same part, with the number \(delta.baseText) or a later one")
    }
    let covered: RevocationReasons = complete.reduce(into: []) {
      $0.formUnion($1.coverage(of: certificate) ?? [])
    }
    if covered == .all { return }
    try lookForStale(heard)
    throw lists[0].incomplete(
      about: certificate,
      covered.isEmpty
        ? "does not cover the certificate" : "does not cover every reason for a revocation",
      "lists about the certificate for every reason")
  }

  private func lookForStale(_ lists: [RevocationList]) throws(SignetError) {
    let stale = lists.filter { !$0.isDelta && !isCurrent($0) }
    guard let newest = stale.max(by: { $0.nextUpdate < $1.nextUpdate }) else { return }
    throw SignetError(
      .revocationListExpired, newest.name, "is out of date: its next update is due",
      expected: "a list that is current at \(time)", found: "next update at \(newest.nextUpdate)",
      hint: "get the issuer's newest list")
  }
}

extension RevocationList {
  /// The name of the list in messages.
  var name: String { "revocation list of \(issuer)" }

  fileprivate var baseText: String { fields.extensions.baseNumber.map(\.description) ?? "" }

  fileprivate func incomplete(
    about certificate: Certificate, _ message: String, _ expected: String
  ) -> SignetError {
    SignetError(
      .revocationListIncomplete, name, "\(message), so the certificate's revocation status is unknown",
      expected: expected, found: "\(certificate)",
      hint: "add the other lists of the same issuer, or its complete list")
  }
}

/// The relation of a list to a certificate (RFC 5280, section 6.3.3 (b)).
extension RevocationList {
  private var issuingPoint: IssuingDistributionPoint? { fields.extensions.issuingPoint }

  /// Whether the list applies to a certificate.
  ///
  /// It does if it was made by the certificate's issuer, or by an issuer that a distribution point of the certificate
  /// names, or if it has an entry for the certificate.
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

  /// The reasons for which a certificate that is not in the list is not revoked; nil if the list does not cover the
  /// certificate.
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
      // A list of another issuer covers certificates that name it, and must itself state that it covers those of
      // others.
      guard issuingPoint?.isIndirect == true else { return nil }
      return reasons(of: named).map(own.intersection)
    }
    guard issuingPoint?.name != nil else { return own }
    // Section 6.3.3, at its end: the issuer's name is a distribution point of every certificate.
    if isNamed([GeneralName(issuer).key]) { return own }
    let direct = certificate.fields.extensions.distributionPoints.filter { $0.listIssuers.isEmpty }
    return reasons(of: named + direct).map(own.intersection)
  }

  /// The reasons of the given points that this list serves; nil if it serves none of them.
  private func reasons(of points: [DistributionPoint]) -> RevocationReasons? {
    let matching = points.filter { point in
      // A point without a name has the name of the issuer of its lists.
      isNamed(point.name?.keys(below: issuer) ?? Set(point.listIssuers.map { GeneralName($0).key }))
    }
    return matching.isEmpty ? nil : matching.reduce(into: []) { $0.formUnion($1.reasons) }
  }

  /// Whether one of the names is that of this list's distribution point. A list without a name serves all points.
  private func isNamed(_ keys: Set<[UInt8]>) -> Bool {
    guard let name = issuingPoint?.name else { return true }
    return !name.keys(below: issuer).isDisjoint(with: keys)
  }

  // MARK: Delta lists (section 5.2.4)

  /// Whether the list contains only the changes since another list.
  package var isDelta: Bool { fields.extensions.baseNumber != nil }

  /// Whether two lists have the same issuer, key and scope (section 6.3.3 (c)).
  package func hasScope(of other: RevocationList) -> Bool {
    issuer.canonical == other.issuer.canonical && issuingPoint?.der == other.issuingPoint?.der
      && fields.extensions.authorityKeyIdentifier == other.fields.extensions.authorityKeyIdentifier
  }

  /// Whether this is a delta list that continues another list, which must not be older than the base of this list.
  func continues(_ other: RevocationList) -> Bool {
    guard let base = fields.extensions.baseNumber, let number = fields.extensions.number,
      let earlier = other.fields.extensions.number
    else { return false }
    return hasScope(of: other) && base <= earlier && earlier < number
  }

  /// Whether another list of the same scope has the same or a greater number.
  package func isSuperseded(by other: RevocationList) -> Bool {
    guard let number = fields.extensions.number, let later = other.fields.extensions.number else { return false }
    return hasScope(of: other) && number <= later
  }
}
