internal import SignetBase

/// The search for a path to an anchor: depth first, and each complete path is judged as a whole.
///
/// Names and key identifiers only suggest which certificates belong together. Nothing is trusted before the path has
/// been judged. Faults of certificates that do not lead to an anchor are not reported.
struct PathSearch {
  private let verifier: CertificateChainVerifier
  private let anchors: Set<Certificate>
  private let rules: CertificateRules
  private let time: UnixTime
  private let budget: ChainBudget
  /// The most useful reason so far.
  private var failure: SignetError?
  private var objections: [PlacedCertificate: SignetError?] = [:]
  /// The possible issuers of each certificate, and a number for each holder.
  ///
  /// Names, keys and identifiers can fill a whole certificate, so each is examined once and not at every step.
  private var candidates: [Certificate: [Certificate]] = [:]
  private var holders: [Certificate: Int] = [:]
  private var numbers: [[UInt8]: Int] = [:]

  /// A certificate and its place in a path.
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

  /// Searches for a valid path.
  ///
  /// - Throws: the most useful reason why there is no path.
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

  /// Returns the issuers of a valid path that begins with these certificates, which have these holders.
  private mutating func extend(_ path: [Certificate], _ seen: [Int]) throws(SignetError) -> [Certificate]? {
    guard let last = path.last else { return nil }
    if anchors.contains(last) {
      // More certificates after an anchor could only add objections.
      if let reason = try objection(to: path) {
        failure = ChainFailure.moreTelling(failure, reason)
        return nil
      }
      return Array(path.dropFirst())
    }
    for issuer in candidates(for: last) {
      let holder = number(ofHolderOf: issuer)
      // A path that contains the same name and key twice only runs in a circle.
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

  /// The possible issuers of a certificate.
  ///
  /// They have the issuer's name (section 6.1.3), and the same key identifier if both certificates have one. Those
  /// with the requested key identifier come first.
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

  /// Returns the same number for all certificates with the same name and key.
  private mutating func number(ofHolderOf certificate: Certificate) -> Int {
    if let known = holders[certificate] { return known }
    let holder = certificate.fields.publicKey + certificate.subject.canonical
    let number = numbers[holder] ?? numbers.count
    numbers[holder] = number
    holders[certificate] = number
    return number
  }

  /// Why a complete path is not valid; nil if it is valid.
  private mutating func objection(to path: [Certificate]) throws(SignetError) -> SignetError? {
    for (index, certificate) in path.enumerated() {
      let isAnchor = index == path.count - 1
      if let reason = objection(to: certificate, index == 0 ? .leaf : .issuer, isAnchor: isAnchor) { return reason }
    }
    if let reason = PathRules.objection(to: path) { return reason }
    try budget.takeSignatures(path.count - 1, from: path[0])
    if let reason = try ChainJudge.objection(to: path) { return reason }
    // Names are checked after the signatures, so that unsigned certificates cannot choose how many names are
    // compared.
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
  /// Whether the key identifiers allow that this certificate's key signed the other one (section 4.2.1.1).
  func mayHaveSigned(_ certificate: Certificate) -> Bool {
    guard let wanted = certificate.fields.extensions.authorityKeyIdentifier?.keyIdentifier,
      let own = fields.extensions.subjectKeyIdentifier
    else { return true }
    return wanted == own
  }
}

/// Selects which of several failures to report: that of the path which came closest to being valid.
enum ChainFailure {
  /// The codes from the least useful to the most useful.
  ///
  /// In general: no path at all, a forged or malformed link, a link that is not allowed, a path that is valid at
  /// another time only, a leaf that is not for signing code, a revocation list that cannot be used, a revocation. nil
  /// stands for what is wrong with what responders say, by whatever code.
  private static let order: [SignetError.Code?] = [
    .chainUntrusted, .chainTooComplex, .chainSignature, .certificateMalformed, .chainMalformed, .chainVersion,
    .chainSerial, .chainNotACA, .chainWeakDigest, .chainWeakKey, .chainCriticalExtension, .chainPolicy,
    .chainPathLength, .chainNameConstraints, .chainNotYetValid, .chainExpired, .chainLeafIsCA, .chainKeyUsage,
    .chainNotCodeSigning, .chainNotTimeStamping, .revocationListUnsupported, .revocationListIncomplete,
    .revocationListIssuer,
    .revocationListSignature,
    .revocationListWeakDigest, .revocationListExpired, nil, .chainRevoked,
    // Nothing is known about a path that could not be checked; a failure of the library must not look like a refusal.
    .cryptoFailure,
  ]

  /// The more useful of two failures; the first if they are equal.
  static func moreTelling(_ first: SignetError?, _ second: SignetError) -> SignetError {
    guard let first else { return second }
    return rank(second.code) > rank(first.code) ? second : first
  }

  private static func rank(_ code: SignetError.Code) -> Int {
    order.firstIndex(of: code) ?? order.firstIndex(of: nil) ?? 0
  }
}
