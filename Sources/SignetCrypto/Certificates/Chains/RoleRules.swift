internal import SignetBase

extension CertificateRules {
  /// What a certificate needs to issue others (RFC 5280, sections 4.2.1.3, 4.2.1.9 and 6.1.4).
  func issuerObjection(_ certificate: Certificate) -> SignetError? {
    let extensions = certificate.fields.extensions
    guard let constraints = extensions.basicConstraints, constraints.isCA else {
      return certificate.refusal(
        .chainNotACA, "issues certificates without being a CA", found: "no basicConstraints CA")
    }
    guard extensions.criticality[.basicConstraints] == true else {
      return certificate.refusal(
        .chainNotACA, "is a CA whose basicConstraints are not critical (RFC 5280, section 4.2.1.9)")
    }
    guard let usage = extensions.keyUsage, usage.hasCertificateSigning else {
      return certificate.refusal(
        .chainNotACA, "is a CA whose key must not sign certificates (RFC 5280, section 4.2.1.3)",
        expected: "keyCertSign in the key usage")
    }
    guard purpose == .codeSigning, let purposes = extensions.extendedKeyUsage else { return nil }
    // Section 4.2.1.12 speaks of the key itself; that a CA's list also bounds what it issues is common practice since
    // CAs for web servers must not make signers of code. Here anyExtendedKeyUsage bounds nothing.
    guard purposes.contains(.codeSigning) || purposes.contains(.anyExtendedKeyUsage) else {
      return notCodeSigning(certificate, "is a CA that may not issue certificates for code signing", purposes)
    }
    return nil
  }

  /// What the certificate at the path's beginning needs.
  func leafObjection(_ certificate: Certificate) -> SignetError? {
    guard purpose == .codeSigning else { return constraintsObjection(certificate) }
    let extensions = certificate.fields.extensions
    if certificate.isCA {
      return certificate.refusal(
        .chainLeafIsCA, "is a CA's: who may issue certificates does not sign code with the same key")
    }
    if let objection = constraintsObjection(certificate) { return objection }
    guard let usage = extensions.keyUsage, usage.hasDigitalSignature else {
      return certificate.refusal(
        .chainKeyUsage, "is not for signatures (RFC 5280, section 4.2.1.3)",
        expected: "digitalSignature in the key usage",
        found: extensions.keyUsage == nil ? "no key usage" : "other usages")
    }
    guard let purposes = extensions.extendedKeyUsage else {
      return notCodeSigning(certificate, "is not for code signing", nil)
    }
    // anyExtendedKeyUsage does not do: section 4.2.1.12 lets applications require the particular purpose.
    guard purposes.contains(.codeSigning) else {
      return notCodeSigning(certificate, "is not for code signing", purposes)
    }
    return nil
  }

  /// Sections 4.2.1.3 and 4.2.1.9: what only CAs may have.
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

  private func notCodeSigning(
    _ certificate: Certificate, _ message: String, _ purposes: [OID]?
  ) -> SignetError {
    let found = purposes.map {
      $0.isEmpty ? "an empty list of purposes" : $0.map(\.description).joined(separator: ", ")
    }
    return certificate.refusal(
      .chainNotCodeSigning, message, expected: "\(OID.codeSigning) (codeSigning) in the extended key usage",
      found: found ?? "no extended key usage")
  }
}
