internal import SignetBase

/// The restrictions of CAs above on names, as far as OpenSSL does not apply them (RFC 5280, sections 4.2.1.10 and
/// 6.1.3).
enum NameRules {
  /// The first name that a CA above does not allow, although OpenSSL may accept it, or nil.
  ///
  /// - A wildcard can match a host that a CA above must not name (RFC 9525, section 6.3). OpenSSL compares the
  ///   asterisk as if it were a label.
  /// - OpenSSL ends the host of a URI at the first colon, even if that colon is in the path after the host.
  /// - Constraints of URIs apply to hosts with a name: "the application MUST reject" URIs without one. OpenSSL does
  ///   not reject them if the host is an address.
  ///
  /// - Parameter path: leaf first; OpenSSL must have found its signatures to be valid. OpenSSL limits the comparisons
  ///   of names with constraints (2^20 pairs a certificate), and only the CAs of the path can have made so many.
  static func objection(to path: [Certificate]) -> SignetError? {
    for (index, authority) in path.enumerated() {
      guard let constraints = authority.fields.extensions.nameConstraints else { continue }
      for (place, certificate) in path[..<index].enumerated() {
        // Section 6.1.3 (b) and (c): self-issued certificates may have any names, unless they end the path.
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

/// The forms that alternative names must have (RFC 5280, section 4.2.1.6).
///
/// A CA that constrains names must be able to rely on where a name begins and ends.
enum AlternativeNameRules {
  /// Why a name must not be in a certificate; nil if it may.
  static func objection(to name: SubjectAlternativeName) -> String? {
    switch name.kind {
    case .dns: isHost(name.text) ? nil : "a malformed DNS name"
    case .email: HostName.isMailbox(name.text.utf8) ? nil : "a malformed mailbox"
    case .uri: isAbsolute(name.text) ? nil : "a URI that is not absolute, or whose host does not stand alone"
    case .ip, .other: nil
    }
  }

  /// Whether a text is a host, which may begin with the label `*` (RFC 9525, section 6.3).
  private static func isHost(_ text: String) -> Bool {
    HostName.isProper(text.utf8.starts(with: "*.".utf8) ? text.utf8.dropFirst(2) : text.utf8[...])
  }

  /// Whether a text is a scheme, a colon, and something more (RFC 3986, section 3.1).
  ///
  /// If two slashes follow the colon, a host and optionally a port must follow them.
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

  /// The host of a URI to which ``objection(to:)`` does not object, in lower case; nil if there is no host, or if it
  /// is an IP address.
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

  /// Whether the text between the slashes is only a host and optionally a port.
  ///
  /// Constraints apply to the host alone, and OpenSSL treats everything before a colon or a slash as the host. A user
  /// before the host, a query after it, or another spelling would evade the constraints.
  private static func isAuthority(_ text: Substring.UTF8View) -> Bool {
    if text.isEmpty { return true }
    if text.first == UInt8(ascii: "[") {
      guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return false }
      let address = text[..<end].dropFirst()
      return !address.isEmpty && address.allSatisfy { HostName.isHexadecimal($0) || ":.".utf8.contains($0) }
        && isPort(text[text.index(after: end)...])
    }
    let end = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
    // The underscore is not allowed in host names, but some names in use have one.
    let labels = text[..<end].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return isPort(text[end...])
      && labels.allSatisfy { label in
        !label.isEmpty && label.allSatisfy { HostName.isLetter($0) || HostName.isDigit($0) || "-_".utf8.contains($0) }
      }
  }

  private static func isPort(_ text: Substring.UTF8View) -> Bool {
    text.isEmpty || (text.first == UInt8(ascii: ":") && text.dropFirst().allSatisfy(HostName.isDigit))
  }

  /// A DNS name that matches every host of a domain.
  struct Wildcard: CustomStringConvertible {
    let description: String
    /// The domain in lower case, including the period before it.
    private let parent: [UInt8]

    /// Returns nil for any other name.
    init?(_ name: SubjectAlternativeName) {
      guard name.kind == .dns, name.text.utf8.starts(with: "*.".utf8) else { return nil }
      description = name.description
      parent = name.text.utf8.dropFirst().map(HostName.lowercased)
    }

    /// Whether the wildcard may match a host in a domain: `*.example.com` may match one in `bar.example.com`.
    func mayMatch(in domain: [UInt8]) -> Bool {
      domain.count > parent.count
        && domain.suffix(parent.count).elementsEqual(parent) { HostName.lowercased($0) == $1 }
    }
  }

  /// The wildcards among names.
  static func wildcards(_ names: [SubjectAlternativeName]) -> [Wildcard] { names.compactMap { Wildcard($0) } }
}
