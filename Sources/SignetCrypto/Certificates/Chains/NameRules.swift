internal import SignetBase

/// What a CA above says about names, as far as OpenSSL does not see it (RFC 5280, sections 4.2.1.10 and 6.1.3).
enum NameRules {
  /// The first name a CA above does not allow, and OpenSSL may; nil when there is none.
  ///
  /// - A wildcard can stand for a host that a CA above must not name (RFC 9525, section 6.3). OpenSSL compares the asterisk
  ///   as if it were a label.
  /// - OpenSSL takes the host of a URI to end at the first colon, also one in the path behind it.
  /// - Constraints of URIs are for hosts by name: "the application MUST reject" URIs without one, which OpenSSL does not
  ///   where the host is an address.
  ///
  /// - Parameter path: leaf first, one whose signatures OpenSSL has found to be good: it bounds how many names it compares
  ///   with how many constraints (2^20 pairs a certificate), and nobody but those CAs can have made so many.
  static func objection(to path: [Certificate]) -> SignetError? {
    for (index, authority) in path.enumerated() {
      guard let constraints = authority.fields.extensions.nameConstraints else { continue }
      for (place, certificate) in path[..<index].enumerated() {
        // Sections 6.1.3 (b) and (c): self-issued certificates may have any names unless they end the path.
        if place > 0, certificate.isSelfIssued { continue }
        let names = certificate.subjectAlternativeNames
        if let objection = wildcardObjection(certificate, names, constraints.excludedDomains)
          ?? hostObjection(certificate, names, constraints)
        {
          return objection
        }
      }
    }
    return nil
  }

  private static func wildcardObjection(
    _ certificate: Certificate, _ names: [SubjectAlternativeName], _ domains: [[UInt8]]
  ) -> SignetError? {
    if domains.isEmpty { return nil }
    let wildcards = AlternativeNameRules.wildcards(names)
    for domain in domains {
      guard let name = wildcards.first(where: { $0.mayMatch(in: domain) }) else { continue }
      return certificate.refusal(
        .chainNameConstraints, "has a wildcard for hosts that a CA above must not name",
        expected: "nothing in \(String(decoding: domain, as: UTF8.self))", found: name.description)
    }
    return nil
  }

  private static func hostObjection(
    _ certificate: Certificate, _ names: [SubjectAlternativeName], _ constraints: NameConstraints
  ) -> SignetError? {
    let permitted = constraints.permittedHosts
    let excluded = constraints.excludedHosts
    if permitted.isEmpty, excluded.isEmpty { return nil }
    func refusal(_ message: String, _ expected: String, _ name: SubjectAlternativeName) -> SignetError {
      certificate.refusal(.chainNameConstraints, message, expected: expected, found: name.description)
    }
    for name in names where name.kind == .uri {
      guard let host = AlternativeNameRules.host(name) else {
        return refusal(
          "has a URI that constraints of a CA above cannot be applied to", "a URI with the name of a host", name)
      }
      if let domain = excluded.first(where: { $0.contains(host) }) {
        return refusal("has a URI that a CA above must not name", "nothing in \(domain)", name)
      }
      if !permitted.isEmpty, !permitted.contains(where: { $0.contains(host) }) {
        return refusal(
          "has a URI that a CA above may not name", permitted.prefix(8).map(\.description).joined(separator: ", "),
          name)
      }
    }
    return nil
  }
}
