package import SignetBase

/// The rules for a single certificate at any place in a path; OpenSSL checks some of them again.
package struct CertificateRules {
  let purpose: ChainPurpose
  let leastRSABits: Int
  let time: UnixTime

  /// The place of a certificate in a path.
  package enum Place: Hashable { case leaf, issuer }

  package init(purpose: ChainPurpose, leastRSABits: Int, time: UnixTime) {
    (self.purpose, self.leastRSABits, self.time) = (purpose, leastRSABits, time)
  }

  /// The first rule that the certificate breaks; nil if it keeps them all.
  ///
  /// - Parameter isAnchor: whether the certificate is an anchor, which is trusted for its exact bytes. So three rules
  ///   do not apply to it. Its signature algorithm does not matter, because nobody relies on the signature over it.
  ///   Its serial number does not matter, because no list refers to it. Needless zero bits in its key usage do not
  ///   matter, because all readers read them alike. For each of these rules there are roots in use that break it.
  package func objection(to certificate: Certificate, _ place: Place, isAnchor: Bool) -> SignetError? {
    let wellFormed =
      formObjection(certificate, isAnchor) ?? extensionObjection(certificate, place, isAnchor: isAnchor)
    let role = wellFormed ?? (place == .issuer ? issuerObjection(certificate) : leafObjection(certificate))
    return role ?? keyObjection(certificate, place) ?? validityObjection(certificate)
  }

  private func formObjection(_ certificate: Certificate, _ isAnchor: Bool) -> SignetError? {
    let fields = certificate.fields
    func malformed(_ what: String, _ section: String) -> SignetError {
      certificate.refusal(.chainMalformed, "\(what) (RFC 5280, section \(section))")
    }
    if fields.version != 3 {
      return certificate.refusal(
        .chainVersion, "is not a version 3 certificate", expected: "3", found: "\(fields.version)")
    }
    if !isAnchor, let objection = SerialNumber.objection(fields.serialNumber) {
      return certificate.refusal(
        .chainSerial, "\(objection) (RFC 5280, section 4.1.2.2)", found: certificate.serialNumber)
    }
    if fields.signedAlgorithm != fields.signatureAlgorithm.der {
      return malformed("names two different signature algorithms", "4.1.1.2")
    }
    if fields.issuer.isEmpty { return malformed("has an empty issuer", "4.1.2.4") }
    if fields.hasUniqueIdentifiers { return malformed("has a unique identifier", "4.1.2.8") }
    if fields.notAfter < fields.notBefore { return malformed("ends before it starts", "4.1.2.5") }
    if isAnchor { return nil }
    switch fields.signatureAlgorithm.scheme {
    case .weak(let name), .unsupported(let name):
      return certificate.refusal(
        .chainWeakDigest, "is signed with an algorithm that is not accepted",
        expected: "Ed25519, or RSA or ECDSA with SHA-256, SHA-384 or SHA-512", found: name)
    case .rsa, .rsaPSS, .ecdsa, .ed25519: return nil
    }
  }

  private func validityObjection(_ certificate: Certificate) -> SignetError? {
    // Section 4.1.2.5: the validity includes its first and its last second.
    if time < certificate.notBefore {
      return certificate.refusal(
        .chainNotYetValid, "is not valid yet at \(time)", expected: "\(certificate.notBefore) or later",
        found: "\(time)")
    }
    if time > certificate.notAfter {
      return certificate.refusal(
        .chainExpired, "expired before \(time)", expected: "\(certificate.notAfter) or earlier", found: "\(time)")
    }
    return nil
  }

  private func keyObjection(_ certificate: Certificate, _ place: Place) -> SignetError? {
    func weak(_ message: String, expected: String, found: String?, cause: SignetError? = nil) -> SignetError {
      certificate.refusal(.chainWeakKey, message, expected: expected, found: found, cause: cause)
    }
    let info: SubjectPublicKeyInfo
    do throws(SignetError) {
      info = try SubjectPublicKeyInfo(der: certificate.fields.publicKey)
    } catch {
      return weak(
        "has a public key that is not accepted", expected: "Ed25519, RSA, or ECDSA over P-256, P-384 or P-521",
        found: error.found, cause: error)
    }
    let least = place == .leaf && purpose == .codeSigning ? leastRSABits : ChainBudget.leastRSABitsOfCAs
    if case .rsa(let bits) = info.algorithm, bits < least {
      return weak("has an RSA key that is too short", expected: "at least \(least) bits", found: "\(bits) bits")
    }
    return nil
  }

  /// The critical extensions that are understood: OpenSSL processes the policies, and the rules here process the
  /// others.
  ///
  /// RFC 5280, section 4.2: "MUST reject the certificate if it encounters a critical extension it does not recognize
  /// or … cannot process".
  private static let understood: Set<OID> = [
    .basicConstraints, .keyUsage, .extendedKeyUsage, .subjectAlternativeName, .nameConstraints, .certificatePolicies,
    .policyMappings, .policyConstraints, .inhibitAnyPolicy,
  ]
  /// Extensions that must not be critical, and the section that says so.
  private static let neverCritical: [OID: String] = [
    .authorityKeyIdentifier: "4.2.1.1", .subjectKeyIdentifier: "4.2.1.2", .freshestRevocationList: "4.2.1.15",
    .authorityInformationAccess: "4.2.2.1", .subjectInformationAccess: "4.2.2.2",
  ]
  /// Extensions that must be critical.
  ///
  /// Policy constraints must be critical, too (section 4.2.1.11), but NIST's test suite has some that are not. They
  /// are applied either way.
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
          .chainNameConstraints, "has a name constraint that cannot be applied: it \(objection.reason)",
          expected: "constraints as RFC 5280, section 4.2.1.10 describes them", found: objection.constraint)
      }
    }
    if certificate.subject.isEmpty { return emptySubjectObjection(certificate, place) }
    return keyIdentifierObjection(certificate)
  }

  /// Section 4.1.2.6: an issuer has a name. Other certificates without a subject must have critical alternative names
  /// (section 4.2.1.6).
  private func emptySubjectObjection(_ certificate: Certificate, _ place: Place) -> SignetError? {
    if certificate.isCA || place == .issuer {
      return certificate.refusal(.chainMalformed, "is a CA with an empty subject (RFC 5280, section 4.1.2.6)")
    }
    // The policy says which authority it is.
    if purpose == .timeStamping { return keyIdentifierObjection(certificate) }
    guard certificate.fields.extensions.criticality[.subjectAlternativeName] == true else {
      return certificate.refusal(
        .chainMalformed, "has an empty subject and no critical alternative names (RFC 5280, section 4.2.1.6)")
    }
    return keyIdentifierObjection(certificate)
  }

  /// Section 4.2.1.2: CAs must have a subject key identifier. ``PathRules`` checks authority key identifiers (section
  /// 4.2.1.1).
  private func keyIdentifierObjection(_ certificate: Certificate) -> SignetError? {
    let extensions = certificate.fields.extensions
    if certificate.isCA, extensions.subjectKeyIdentifier == nil {
      return certificate.refusal(
        .chainMalformed, "is a CA without a subject key identifier (RFC 5280, section 4.2.1.2)")
    }
    return nil
  }

  /// The rules for a certificate that issues others (RFC 5280, sections 4.2.1.3, 4.2.1.9 and 6.1.4).
  func issuerObjection(_ certificate: Certificate) -> SignetError? {
    let extensions = certificate.fields.extensions
    guard let constraints = extensions.basicConstraints, constraints.isCA else {
      return certificate.refusal(
        .chainNotACA, "issues certificates without being a CA", expected: "CA:TRUE in the basic constraints",
        found: extensions.basicConstraints == nil ? "no basic constraints" : "CA:FALSE in the basic constraints")
    }
    guard extensions.criticality[.basicConstraints] == true else {
      return certificate.refusal(
        .chainNotACA, "is a CA whose basicConstraints are not critical (RFC 5280, section 4.2.1.9)")
    }
    guard let usage = extensions.keyUsage else {
      return certificate.refusal(
        .chainNotACA, "is a CA that does not say what its key may sign (RFC 5280, section 4.2.1.3)",
        expected: "a key usage with keyCertSign", found: "no key usage")
    }
    guard usage.hasCertificateSigning else {
      return certificate.refusal(
        .chainNotACA, "is a CA whose key must not sign certificates (RFC 5280, section 4.2.1.3)",
        expected: "keyCertSign in the key usage", found: "\(usage)")
    }
    guard let wanted = purpose.extendedUsage, let purposes = extensions.extendedKeyUsage else { return nil }
    // Section 4.2.1.12 is about the key itself. But it is common practice that a CA's list also restricts the
    // certificates it issues, because CAs for web servers must not create code signers. Here anyExtendedKeyUsage does
    // not restrict anything.
    guard purposes.contains(wanted.name) || purposes.contains(.anyExtendedKeyUsage) else {
      return otherUsage(certificate, "is a CA that may not issue certificates for \(wanted.words)", purposes)
    }
    return nil
  }

  /// The rules for the first certificate of the path.
  func leafObjection(_ certificate: Certificate) -> SignetError? {
    guard let wanted = purpose.extendedUsage else { return constraintsObjection(certificate) }
    if purpose == .timeStamping { return authorityObjection(certificate) }
    let extensions = certificate.fields.extensions
    if certificate.isCA {
      return certificate.refusal(
        .chainLeafIsCA, "belongs to a CA, and a CA's key must not sign code")
    }
    if let objection = constraintsObjection(certificate) { return objection }
    guard let usage = extensions.keyUsage else {
      return certificate.refusal(
        .chainKeyUsage, "does not say what its key may sign (RFC 5280, section 4.2.1.3)",
        expected: "a key usage with digitalSignature", found: "no key usage")
    }
    guard usage.hasDigitalSignature else {
      return certificate.refusal(
        .chainKeyUsage, "is not for signatures (RFC 5280, section 4.2.1.3)",
        expected: "digitalSignature in the key usage", found: "\(usage)")
    }
    guard let purposes = extensions.extendedKeyUsage else {
      return otherUsage(certificate, "is not for code signing", nil)
    }
    // anyExtendedKeyUsage is not enough: section 4.2.1.12 lets applications require the particular purpose.
    guard purposes.contains(wanted.name) else {
      return otherUsage(certificate, "is not for code signing", purposes)
    }
    return nil
  }

  /// The rules for the certificate of a time-stamping authority: a key for this alone, which is said in a critical extension
  /// (RFC 3161, section 2.3).
  private func authorityObjection(_ certificate: Certificate) -> SignetError? {
    let extensions = certificate.fields.extensions
    if certificate.isCA {
      return certificate.refusal(.chainLeafIsCA, "belongs to a CA, and a CA's key must not sign timestamps")
    }
    if let objection = constraintsObjection(certificate) { return objection }
    if let usage = extensions.keyUsage, !usage.hasDigitalSignature, !usage.hasContentCommitment {
      return certificate.refusal(
        .chainKeyUsage, "is not for signatures (RFC 5280, section 4.2.1.3)",
        expected: "digitalSignature in the key usage", found: "\(usage)")
    }
    guard let purposes = extensions.extendedKeyUsage, purposes == [.timeStamping] else {
      return otherUsage(certificate, "is not for time stamping alone", extensions.extendedKeyUsage)
    }
    guard extensions.criticality[.extendedKeyUsage] == true else {
      return certificate.refusal(
        .chainNotTimeStamping, "has an extended key usage that is not critical (RFC 3161, section 2.3)")
    }
    return nil
  }

  /// Sections 4.2.1.3 and 4.2.1.9: features that only CAs may have.
  private func constraintsObjection(_ certificate: Certificate) -> SignetError? {
    guard !certificate.isCA else { return nil }
    let extensions = certificate.fields.extensions
    if extensions.keyUsage?.hasCertificateSigning == true {
      return certificate.refusal(
        .chainKeyUsage, "may sign certificates without being a CA (RFC 5280, section 4.2.1.9)")
    }
    if extensions.basicConstraints?.pathLength != nil {
      return certificate.refusal(
        .chainMalformed, "has a path length without being a CA (RFC 5280, section 4.2.1.9)")
    }
    return nil
  }

  private func otherUsage(
    _ certificate: Certificate, _ message: String, _ purposes: [OID]?
  ) -> SignetError {
    let found = purposes.map {
      $0.isEmpty ? "an empty list of purposes" : $0.map(\.description).joined(separator: ", ")
    }
    let isTime = purpose == .timeStamping
    return certificate.refusal(
      isTime ? .chainNotTimeStamping : .chainNotCodeSigning, message,
      expected: isTime
        ? "\(OID.timeStamping) (timeStamping) alone in the extended key usage"
        : "\(OID.codeSigning) (codeSigning) in the extended key usage",
      found: found ?? "no extended key usage")
  }
}

extension Certificate {
  /// A refusal that names the certificate.
  package func refusal(
    _ code: SignetError.Code, _ message: String, expected: String? = nil, found: String? = nil,
    cause: (any Error)? = nil
  ) -> SignetError {
    SignetError(code, "certificate \(self)", message, expected: expected, found: found, cause: cause)
  }
}
