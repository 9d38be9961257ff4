internal import Keyless
package import Signet
package import SignetBase
internal import SignetCrypto
package import SignetOCSP

extension TrustPolicy.Terms {
  /// Adds responses to those that the policy has, each in the place of older ones about the same certificates.
  ///
  /// - Parameter issuers: the certificates of which one must have issued what a response is about.
  /// - Returns: how many were added that were not there.
  /// - Throws: `policy.entry` for one that is older than what is there; what ``StatusResponse/check(by:_:at:)`` throws.
  package mutating func staple(
    _ responses: [StatusResponse], by issuers: [Certificate], at now: UnixTime
  ) throws(SignetError) -> Int {
    var kept: [StatusResponse] = []
    for der in statusResponses.responses { kept.append(try StatusResponse(der: der)) }
    var count = 0
    for response in responses where !kept.contains(response) {
      try response.check(by: issuers, leastRSABits, at: now)
      if let newer = kept.first(where: response.isSuperseded) {
        throw SignetError(
          .policyEntry, "OCSP response", "is older than the one that the policy has",
          expected: "one of \(newer.producedAt) or later", found: "\(response.producedAt)",
          hint: "get the responder's newest answer: signet trust staple POLICY FILE")
      }
      kept.removeAll { $0.isSuperseded(by: response) }
      kept.append(response)
      count += 1
    }
    statusResponses = try .ocsp(kept.map(\.der))
    return count
  }
}

extension TrustPolicy {
  /// The OCSP responses that are about no certificate of these paths, in words.
  ///
  /// - Throws: `crypto.failure`.
  func unasked(besides paths: [CertificatePath]) throws(SignetError) -> [String] {
    var others: [String] = []
    for der in terms.statusResponses.responses {
      let response = try StatusResponse(der: der)
      var isAsked = false
      for path in paths {
        for (certificate, issuer) in zip(path.certificates, path.certificates.dropFirst()) where !isAsked {
          isAsked = try response.statement(about: certificate, issuedBy: issuer) != nil
        }
      }
      if !isAsked { others.append("\(response)") }
    }
    return others
  }

  /// The certificates that the policy has, of signers, of their issuers and of authorities of timestamps.
  package var certificates: [Certificate] {
    (entries + (terms.summary?.signers ?? [])).flatMap(\.anchor.certificates) + terms.timestampAuthorities
  }
}
