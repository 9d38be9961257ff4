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

/// The forms that alternative names must have (RFC 5280, section 4.2.1.6): who constrains names has to be able to rely on
/// where a name begins and ends.
enum AlternativeNameRules {
  /// Why a name must not stand in a certificate; nil when it may.
  static func objection(to name: SubjectAlternativeName) -> String? {
    switch name.kind {
    case .dns: isHost(name.text) ? nil : "a DNS name that is none"
    case .email: HostName.isMailbox(name.text.utf8) ? nil : "a mailbox that is none"
    case .uri: isAbsolute(name.text) ? nil : "a URI that is not absolute, or whose host does not stand alone"
    case .ip, .other: nil
    }
  }

  /// A host, in front perhaps the label `*` (RFC 9525, section 6.3).
  private static func isHost(_ text: String) -> Bool {
    HostName.isProper(text.utf8.starts(with: "*.".utf8) ? text.utf8.dropFirst(2) : text.utf8[...])
  }

  /// A scheme, a colon, and something (RFC 3986, section 3.1); behind two slashes a host, and perhaps a port.
  private static func isAbsolute(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty, let first = parts[0].first, HostName.isLetter(first) else {
      return false
    }
    guard parts[0].allSatisfy({ HostName.isLetter($0) || HostName.isDigit($0) || "+-.".utf8.contains($0) }) else {
      return false
    }
    guard parts[1].starts(with: "//".utf8) else { return true }
    return isAuthority(parts[1].dropFirst(2).prefix { $0 != UInt8(ascii: "/") })
  }

  /// The host of a URI that ``objection(to:)`` has nothing against, in lower case; nil when there is none, or an IP
  /// address.
  static func host(_ name: SubjectAlternativeName) -> [UInt8]? {
    let text = name.text.utf8
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let rest = text[text.index(after: colon)...]
    guard rest.starts(with: "//".utf8) else { return nil }
    let authority = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
    let host = authority.prefix { $0 != UInt8(ascii: ":") }
    guard HostName.isProper(host, allowsUnderscores: true) else { return nil }
    return host.map(HostName.lowercased)
  }

  /// Everything between the slashes. Constraints are about the host alone, and OpenSSL takes all that stands before a
  /// colon or a slash for it: a user before it, a query behind it, or another spelling would get by them.
  private static func isAuthority(_ text: Substring.UTF8View) -> Bool {
    if text.isEmpty { return true }
    if text.first == UInt8(ascii: "[") {
      guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return false }
      let address = text[..<end].dropFirst()
      return !address.isEmpty && address.allSatisfy { HostName.isHexadecimal($0) || ":.".utf8.contains($0) }
        && isPort(text[text.index(after: end)...])
    }
    let end = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
    // An underscore is no part of a host's name, but of some that are used.
    let labels = text[..<end].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return isPort(text[end...])
      && labels.allSatisfy { label in
        !label.isEmpty && label.allSatisfy { HostName.isLetter($0) || HostName.isDigit($0) || "-_".utf8.contains($0) }
      }
  }

  private static func isPort(_ text: Substring.UTF8View) -> Bool {
    text.isEmpty || (text.first == UInt8(ascii: ":") && text.dropFirst().allSatisfy(HostName.isDigit))
  }

  /// A DNS name that stands for every host of a domain.
  struct Wildcard: CustomStringConvertible {
    let description: String
    /// The domain in lower case, with the period before it.
    private let parent: [UInt8]

    /// nil for any other name.
    init?(_ name: SubjectAlternativeName) {
      guard name.kind == .dns, name.text.utf8.starts(with: "*.".utf8) else { return nil }
      description = name.description
      parent = name.text.utf8.dropFirst().map(HostName.lowercased)
    }

    /// Whether it may stand for a host in a domain: `*.example.com` for one in `bar.example.com`.
    func mayMatch(in domain: [UInt8]) -> Bool {
      domain.count > parent.count
        && domain.suffix(parent.count).elementsEqual(parent) { HostName.lowercased($0) == $1 }
    }
  }

  /// The wildcards among names.
  static func wildcards(_ names: [SubjectAlternativeName]) -> [Wildcard] { names.compactMap { Wildcard($0) } }
}
