internal import SignetBase

/// The search for a path to an anchor: depth first, each path that is complete judged whole.
///
/// Names and key identifiers only say which certificates may belong together. Nothing is believed before the path is
/// judged, and nothing is reported of certificates that lead to no anchor.
struct PathSearch {
  private let verifier: CertificateChainVerifier
  private let anchors: Set<Certificate>
  private let rules: CertificateRules
  private let time: UnixTime
  private let budget: ChainBudget
  /// The most telling reason so far.
  private var failure: SignetError?
  private var objections: [PlacedCertificate: SignetError?] = [:]
  /// Who may have issued a certificate, and a number for each holder. Names, keys and identifiers can fill a whole
  /// certificate, so each is looked at once and not once a step.
  private var candidates: [Certificate: [Certificate]] = [:]
  private var holders: [Certificate: Int] = [:]
  private var numbers: [[UInt8]: Int] = [:]

  /// A certificate and what is asked of it there.
  private struct PlacedCertificate: Hashable {
    let certificate: Certificate
    let place: CertificateRules.Place
  }

  init(_ verifier: CertificateChainVerifier, at time: UnixTime, _ budget: ChainBudget) {
    self.verifier = verifier
    self.time = time
    self.budget = budget
    anchors = Set(verifier.anchors)
    rules = CertificateRules(purpose: verifier.purpose, leastRSABits: verifier.leastRSABits, time: time)
  }

  /// - Throws: the most telling reason why there is no path.
  mutating func path(from leaf: Certificate) throws(SignetError) -> CertificatePath {
    let holder = number(ofHolderOf: leaf)
    if let issuers = try extend([leaf], [holder]) { return CertificatePath(leaf, issuers, at: time) }
    throw failure
      ?? SignetError(
        .chainUntrusted, "certificate \(leaf)", "does not lead to a trusted certificate",
        expected: verifier.anchors.isEmpty
          ? "an anchor" : "one of \(verifier.anchors.count) anchors at the path's end",
        found: "issued by \(leaf.issuer)",
        hint: "make sure that the signer's intermediate certificates are included")
  }

  /// The issuers of a valid path that begins with these certificates of these holders.
  private mutating func extend(_ path: [Certificate], _ seen: [Int]) throws(SignetError) -> [Certificate]? {
    guard let last = path.last else { return nil }
    if anchors.contains(last) {
      // More certificates behind an anchor could only add objections.
      if let reason = try objection(to: path) {
        failure = ChainFailure.moreTelling(failure, reason)
        return nil
      }
      return Array(path.dropFirst())
    }
    for issuer in candidates(for: last) {
      let holder = number(ofHolderOf: issuer)
      // A path that comes by the same name and key twice only walks in a circle.
      if seen.contains(holder) { continue }
      try budget.takeStep(from: path[0])
      guard path.count < ChainBudget.pathLength else {
        let tooLong = ChainBudget.tooComplex(path[0], "more than \(ChainBudget.pathLength) in a row")
        failure = ChainFailure.moreTelling(failure, tooLong)
        return nil
      }
      if let issuers = try extend(path + [issuer], seen + [holder]) { return issuers }
    }
    return nil
  }

  /// Who may have issued a certificate: the issuer's name (section 6.1.3), and the same key identifier where both
  /// have one. Those whose key identifier is the one that is asked for come first.
  private mutating func candidates(for certificate: Certificate) -> [Certificate] {
    if let known = candidates[certificate] { return known }
    let found = search(for: certificate)
    candidates[certificate] = found
    return found
  }

  private func search(for certificate: Certificate) -> [Certificate] {
    guard let named = verifier.issuers[certificate.issuer.canonical] else { return [] }
    guard named.count > 1 || certificate.fields.extensions.authorityKeyIdentifier?.keyIdentifier != nil else {
      return named
    }
    let matching = named.filter { $0.mayHaveSigned(certificate) }
    return matching.filter { $0.fields.extensions.subjectKeyIdentifier != nil }
      + matching.filter { $0.fields.extensions.subjectKeyIdentifier == nil }
  }

  /// The same number for certificates about the same name and key.
  private mutating func number(ofHolderOf certificate: Certificate) -> Int {
    if let known = holders[certificate] { return known }
    let holder = certificate.fields.publicKey + certificate.subject.canonical
    let number = numbers[holder] ?? numbers.count
    numbers[holder] = number
    holders[certificate] = number
    return number
  }

  /// Why a complete path does not do; nil when it does.
  private mutating func objection(to path: [Certificate]) throws(SignetError) -> SignetError? {
    for (index, certificate) in path.enumerated() {
      let isAnchor = index == path.count - 1
      if let reason = objection(to: certificate, index == 0 ? .leaf : .issuer, isAnchor: isAnchor) { return reason }
    }
    if let reason = PathRules.objection(to: path) { return reason }
    try budget.takeSignatures(path.count - 1, from: path[0])
    if let reason = try ChainJudge.objection(to: path) { return reason }
    // After the signatures: whoever sends certificates that nobody has signed must not choose how many names there are.
    if let reason = NameRules.objection(to: path) { return reason }
    do throws(SignetError) {
      try RevocationCheck(verifier, at: time, budget).check(path)
      return nil
    } catch {
      if error.code == .cryptoFailure { throw error }
      return error
    }
  }

  private mutating func objection(
    to certificate: Certificate, _ place: CertificateRules.Place, isAnchor: Bool
  ) -> SignetError? {
    let key = PlacedCertificate(certificate: certificate, place: place)
    if let known = objections[key] { return known }
    let reason = rules.objection(to: certificate, place, isAnchor: isAnchor)
    objections[key] = .some(reason)
    return reason
  }
}

extension Certificate {
  /// Whether nothing speaks against this one's key having signed the other: section 4.2.1.1.
  func mayHaveSigned(_ certificate: Certificate) -> Bool {
    guard let wanted = certificate.fields.extensions.authorityKeyIdentifier?.keyIdentifier,
      let own = fields.extensions.subjectKeyIdentifier
    else { return true }
    return wanted == own
  }
}

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
