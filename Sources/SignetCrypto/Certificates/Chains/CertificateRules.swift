internal import SignetBase

/// What is demanded of a single certificate, wherever it stands in a path. OpenSSL checks some of it again.
struct CertificateRules {
  let purpose: ChainPurpose
  let leastRSABits: Int
  let time: UnixTime

  /// The place of a certificate in a path.
  enum Place: Hashable { case leaf, issuer }

  /// The first rule the certificate breaks; nil when it keeps them all.
  ///
  /// - Parameter isAnchor: an anchor is trusted for its bytes, which were given as such. So three rules do not hold for it:
  ///   those about the signature over it, on which nobody relies; about its serial number, which names it to nobody since
  ///   no list speaks about it; and about needless zero bits in its key usage, which every reader reads alike. Roots are in
  ///   use that break each of them.
  func objection(to certificate: Certificate, _ place: Place, isAnchor: Bool) -> SignetError? {
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
      return malformed("names another signature algorithm inside than outside", "4.1.1.2")
    }
    if fields.issuer.isEmpty { return malformed("has an empty issuer", "4.1.2.4") }
    if fields.hasUniqueIdentifiers { return malformed("has a unique identifier", "4.1.2.8") }
    if fields.notAfter < fields.notBefore { return malformed("ends before it begins", "4.1.2.5") }
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
    // Section 4.1.2.5: from the first second through the last, both included.
    if time < certificate.notBefore {
      return certificate.refusal(
        .chainNotYetValid, "is not valid yet at \(time)", expected: "\(certificate.notBefore) or later",
        found: "\(time)")
    }
    if time > certificate.notAfter {
      return certificate.refusal(
        .chainExpired, "has expired at \(time)", expected: "\(certificate.notAfter) or earlier", found: "\(time)")
    }
    return nil
  }

  private func keyObjection(_ certificate: Certificate, _ place: Place) -> SignetError? {
    func weak(_ message: String, _ expected: String, _ found: String?, _ cause: SignetError?) -> SignetError {
      certificate.refusal(.chainWeakKey, message, expected: expected, found: found, cause: cause)
    }
    let info: SubjectPublicKeyInfo
    do throws(SignetError) {
      info = try SubjectPublicKeyInfo(der: certificate.fields.publicKey)
    } catch {
      return weak(
        "has a public key that is not accepted", "Ed25519, RSA, or ECDSA over P-256 or P-384", error.found, error)
    }
    let least = place == .leaf && purpose == .codeSigning ? leastRSABits : ChainLimits.leastRSABitsOfCAs
    if case .rsa(let bits) = info.algorithm, bits < least {
      return weak("has an RSA key that is too short", "at least \(least) bits", "\(bits) bits", nil)
    }
    return nil
  }
}

extension Certificate {
  /// A refusal that names the certificate.
  func refusal(
    _ code: SignetError.Code, _ message: String, expected: String? = nil, found: String? = nil,
    cause: (any Error)? = nil
  ) -> SignetError {
    SignetError(code, "certificate \(self)", message, expected: expected, found: found, cause: cause)
  }
}
