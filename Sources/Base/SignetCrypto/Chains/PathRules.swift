package import SignetBase

/// The rules for a path as a whole.
package enum PathRules {
  /// The first rule that the path breaks; nil if it keeps them all.
  ///
  /// - Parameter path: leaf first, anchor last.
  static func objection(to path: [Certificate]) -> SignetError? {
    // Section 4.2.1.1: all certificates except the last of the path must identify the key that signed them.
    for certificate in path.dropLast() {
      let extensions = certificate.fields.extensions
      if let objection = identifierObjection(certificate) { return objection }
      // Section 6.1.3 (e): without policies, none is valid from here on, so a certificate that also requires one must
      // be refused. OpenSSL does not free the constraints of such a certificate, so it is never given one.
      if extensions.criticality[.policyConstraints] != nil, extensions.criticality[.certificatePolicies] == nil {
        return certificate.refusal(.chainPolicy, "constrains certificate policies without having any")
      }
    }
    return pathLengthObjection(path)
  }

  /// The rule for a certificate that another one has issued.
  package static func identifierObjection(_ certificate: Certificate) -> SignetError? {
    guard certificate.fields.extensions.authorityKeyIdentifier?.keyIdentifier == nil else { return nil }
    return certificate.refusal(
      .chainMalformed, "does not say which key signed it (RFC 5280, section 4.2.1.1)",
      expected: "an authority key identifier")
  }

  /// Section 6.1.4 (l) and (m): self-issued intermediates are not counted.
  private static func pathLengthObjection(_ path: [Certificate]) -> SignetError? {
    var below = 0
    for certificate in path.dropFirst() {
      if let most = certificate.fields.extensions.basicConstraints?.pathLength, below > most {
        return certificate.refusal(
          .chainPathLength, "allows fewer intermediates below itself (RFC 5280, section 4.2.1.9)",
          expected: "at most \(most)", found: "\(below)")
      }
      if !certificate.isSelfIssued { below += 1 }
    }
    return nil
  }
}
