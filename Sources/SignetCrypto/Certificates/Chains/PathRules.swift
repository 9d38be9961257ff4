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

  /// The first name a CA above does not allow, and OpenSSL does; nil when there is none.
  ///
  /// Section 4.2.1.10 and RFC 9525, section 6.3: a wildcard can stand for a host that a CA above must not name. OpenSSL
  /// compares the asterisk as if it were a label.
  ///
  /// - Parameter path: one whose signatures OpenSSL has found to be good: it bounds how many names it compares with how
  ///   many constraints (2^20 pairs a certificate), and nobody but those CAs can have made so many.
  static func nameObjection(to path: [Certificate]) -> SignetError? {
    for (index, authority) in path.enumerated() {
      let domains = authority.fields.extensions.nameConstraints?.excludedDomains ?? []
      if domains.isEmpty { continue }
      for certificate in path[..<index] {
        let names = AlternativeNameRules.wildcards(certificate.subjectAlternativeNames)
        for domain in domains {
          guard let name = names.first(where: { $0.mayMatch(in: domain) }) else { continue }
          return certificate.refusal(
            .chainNameConstraints, "has a wildcard for hosts that a CA above must not name",
            expected: "nothing in \(String(decoding: domain, as: UTF8.self))", found: name.description)
        }
      }
    }
    return nil
  }
}
