internal import SignetBase

/// What is demanded of a path as a whole.
enum PathRules {
  /// The first rule the path breaks; nil when it keeps them all.
  ///
  /// - Parameter path: leaf first, anchor last.
  static func objection(to path: [Certificate]) -> SignetError? {
    // Section 4.2.1.1: all but those that end the path say which key signed them.
    for certificate in path.dropLast() {
      let extensions = certificate.fields.extensions
      if extensions.authorityKeyIdentifier?.keyIdentifier == nil {
        return certificate.refusal(
          .chainMalformed, "does not say which key signed it (RFC 5280, section 4.2.1.1)",
          expected: "an authority key identifier")
      }
      // Section 6.1.3 (e): without policies none is valid from here on, so that to demand one is to refuse. OpenSSL
      // forgets to free the constraints of such a certificate; it does not get to see them.
      if extensions.criticality[.policyConstraints] != nil, extensions.criticality[.certificatePolicies] == nil {
        return certificate.refusal(.chainPolicy, "constrains certificate policies without having any")
      }
    }
    return pathLengthObjection(path)
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
