package import SignetBase
internal import SignetCMS
package import SignetCrypto

/// Responses that somebody has fetched before, and what they say of the certificates of a path (RFC 6960, section 3.2).
///
/// - A statement counts if the issuer of its certificate has signed it, or somebody whom this very issuer has certified for it.
/// - A certificate is revoked if any statement says so from a time that counts, whatever others say.
/// - A statement about a certificate must hold: what is damaged, forged, out of date or undecided refuses the certificate, as a
///   response was given in order to be applied. One that is out of date does not count beside a current one.
package struct StatusResponses: CertificateStatements {
  private let responses: [StatusResponse]

  package init(_ responses: [StatusResponse]) { self.responses = responses }

  /// - Throws: `ocsp.malformed`, `ocsp.unsupported`, `ocsp.rejected`.
  package init(reading responses: [[UInt8]]) throws(SignetError) {
    self.responses = try responses.map { (der) throws(SignetError) in try StatusResponse(der: der) }
  }

  /// - Throws: `chain.revoked`; `ocsp.unsupported`, `ocsp.responder`, `ocsp.signature`, `ocsp.expired`, `ocsp.unknown`;
  ///   `crypto.failure`.
  package func check(
    _ certificate: Certificate, issuedBy issuer: Certificate, for verifier: CertificateChainVerifier,
    at time: UnixTime
  ) throws(SignetError) -> Bool {
    var current: [StatusStatement] = []
    var (failure, stale) = (SignetError?.none, SignetError?.none)
    for (response, statements) in try responses(about: certificate, issuedBy: issuer) {
      do throws(SignetError) {
        try response.authenticate(by: issuer, verifier.revocationLists, verifier.leastRSABits, at: time)
      } catch {
        if error.code == .cryptoFailure { throw error }
        failure = failure ?? error
        continue
      }
      for statement in statements {
        // A revocation takes precedence, whatever is wrong with the rest, and however old it is.
        if case .revoked(let entry) = statement.status, entry.holds(at: time, isProven: verifier.isTimeProven) {
          throw certificate.refusal(
            .chainRevoked, "was revoked by its issuer", expected: "a certificate that holds at \(time)",
            found:
              "revoked at \(entry.date), reason: \(entry.reason), by the OCSP response of \(statement.thisUpdate)")
        }
        if let objection = statement.objection { failure = failure ?? StatusResponse.unsupported(objection) }
        if case .unknown = statement.status { failure = failure ?? Self.unknown(certificate) }
        if verifier.revocationDemand != .staleAllowed, let old = statement.staleness(at: time) {
          stale = stale ?? old
        } else {
          if statement.isGoodBefore { current.append(statement) }
        }
      }
    }
    if let failure = failure ?? (current.isEmpty ? stale : nil) { throw failure }
    return !current.isEmpty
  }

  /// - Throws: `ocsp.expired`; `crypto.failure`.
  package func isCurrent(
    about certificate: Certificate, issuedBy issuer: Certificate, at now: UnixTime
  ) throws(SignetError) -> Bool {
    let statements = try responses(about: certificate, issuedBy: issuer).flatMap(\.statements)
    let stale = statements.compactMap { $0.staleness(at: now) }
    if let old = stale.first, stale.count == statements.count { throw old }
    return !statements.isEmpty
  }

  package func outOfDate(at now: UnixTime) -> [String] {
    responses.filter { $0.statements.contains { $0.staleness(at: now) != nil } }.map { "the OCSP response of \($0)" }
  }

  /// The responses that say something of a certificate, and what.
  private func responses(
    about certificate: Certificate, issuedBy issuer: Certificate
  ) throws(SignetError) -> [(response: StatusResponse, statements: [StatusStatement])] {
    guard !responses.isEmpty else { return [] }
    var ids: Set<CertificateID> = []
    for algorithm in CertificateID.Algorithm.allCases {
      ids.insert(try CertificateID(certificate, issuedBy: issuer, algorithm))
    }
    return responses.compactMap { response in
      let statements = response.statements.filter { ids.contains($0.id) }
      return statements.isEmpty ? nil : (response, statements)
    }
  }

  private static func unknown(_ certificate: Certificate) -> SignetError {
    SignetError(
      .statusUnknown, "OCSP response", "says that the issuer does not know the certificate", found: "\(certificate)",
      hint: "ask the authority whether it has issued the certificate")
  }
}

extension StatusStatement {
  /// Whether it says that the certificate was good, at least until it was revoked. A revocation that is announced says nothing yet.
  fileprivate var isGoodBefore: Bool {
    switch status {
    case .good: true
    case .revoked(let entry): entry.reason != .removeFromCRL && entry.date <= thisUpdate
    case .unknown: false
    }
  }

  /// That the statement is out of date; nil if it is not.
  func staleness(at time: UnixTime) -> SignetError? {
    guard let nextUpdate, nextUpdate < time else { return nil }
    return SignetError(
      .statusExpired, "OCSP response", "is out of date: its next update is due",
      expected: "a response that is current at \(time)", found: "next update at \(nextUpdate)",
      hint: "get the responder's newest answer: signet trust staple POLICY FILE")
  }
}
