internal import SignetBase

extension CertificateRules {
  /// The critical extensions that are understood: by the rules here, and the policies by OpenSSL (RFC 5280, section
  /// 4.2: "MUST reject the certificate if it encounters a critical extension it does not recognize or … cannot
  /// process").
  private static let understood: Set<OID> = [
    .basicConstraints, .keyUsage, .extendedKeyUsage, .subjectAlternativeName, .nameConstraints, .certificatePolicies,
    .policyMappings, .policyConstraints, .inhibitAnyPolicy,
  ]
  /// Extensions that must not be critical, with the section that says so.
  private static let neverCritical: [OID: String] = [
    .authorityKeyIdentifier: "4.2.1.1", .subjectKeyIdentifier: "4.2.1.2", .freshestRevocationList: "4.2.1.15",
    .authorityInformationAccess: "4.2.2.1", .subjectInformationAccess: "4.2.2.2",
  ]
  /// Extensions that must be critical. Policy constraints must, too (section 4.2.1.11), but NIST's test suite has them
  /// otherwise; they are honoured either way.
  private static let alwaysCritical: [OID: String] = [
    .nameConstraints: "4.2.1.10", .inhibitAnyPolicy: "4.2.1.14",
  ]

  func extensionObjection(_ certificate: Certificate, _ place: Place, isAnchor: Bool) -> SignetError? {
    let extensions = certificate.fields.extensions
    for name in extensions.names {
      let isCritical = extensions.criticality[name] == true
      if isCritical, let section = Self.neverCritical[name] {
        return certificate.refusal(
          .chainCriticalExtension,
          "has a critical extension that must not be critical (RFC 5280, section \(section))",
          found: "\(name)")
      }
      if isCritical, !Self.understood.contains(name) {
        return certificate.refusal(
          .chainCriticalExtension, "has a critical extension that is not understood", found: "\(name)")
      }
      if !isCritical, let section = Self.alwaysCritical[name] {
        return certificate.refusal(
          .chainMalformed, "has an extension that must be critical and is not (RFC 5280, section \(section))",
          found: "\(name)")
      }
    }
    if let usage = extensions.keyUsage, usage.isEmpty {
      return certificate.refusal(.chainKeyUsage, "has an empty key usage (RFC 5280, section 4.2.1.3)")
    }
    if !isAnchor, let usage = extensions.keyUsage, !usage.isShortest {
      return certificate.refusal(
        .chainMalformed, "has a key usage with needless zero bits at its end (X.690, section 11.2.2)")
    }
    for name in extensions.subjectAlternativeNames ?? [] {
      if let objection = AlternativeNameRules.objection(to: name) {
        return certificate.refusal(
          .chainMalformed, "has \(objection) among its alternative names (RFC 5280, section 4.2.1.6)",
          found: name.description)
      }
    }
    if let constraints = extensions.nameConstraints {
      if !certificate.isCA {
        return certificate.refusal(
          .chainMalformed, "constrains names without being a CA (RFC 5280, section 4.2.1.10)")
      }
      if let objection = constraints.objection {
        return certificate.refusal(
          .chainNameConstraints, "has a name constraint that cannot be honoured: it \(objection.reason)",
          expected: "constraints as RFC 5280, section 4.2.1.10 describes them", found: objection.constraint)
      }
    }
    if certificate.subject.isEmpty { return emptySubjectObjection(certificate, place) }
    return keyIdentifierObjection(certificate)
  }

  /// Section 4.1.2.6: an issuer has a name; whoever has none has alternative names, which are critical then (section
  /// 4.2.1.6).
  private func emptySubjectObjection(_ certificate: Certificate, _ place: Place) -> SignetError? {
    if certificate.isCA || place == .issuer {
      return certificate.refusal(.chainMalformed, "is a CA with an empty subject (RFC 5280, section 4.1.2.6)")
    }
    guard certificate.fields.extensions.criticality[.subjectAlternativeName] == true else {
      return certificate.refusal(
        .chainMalformed, "has an empty subject and no critical alternative names (RFC 5280, section 4.2.1.6)")
    }
    return keyIdentifierObjection(certificate)
  }

  /// Sections 4.2.1.1 and 4.2.1.2: all but self-signed certificates say which key signed them; CAs name their key.
  private func keyIdentifierObjection(_ certificate: Certificate) -> SignetError? {
    let extensions = certificate.fields.extensions
    if certificate.isCA, extensions.subjectKeyIdentifier == nil {
      return certificate.refusal(
        .chainMalformed, "is a CA without a subject key identifier (RFC 5280, section 4.2.1.2)")
    }
    return nil
  }
}
