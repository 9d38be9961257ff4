internal import SignetBase
internal import SignetCrypto
internal import SignetKeys

/// What a revocation list is to say, before the authority signs it (RFC 5280, section 5.1).
struct RevocationListTemplate {
  let number: Int
  let certificates: [IssuedCertificate]
  let thisUpdate: UnixTime
  let nextUpdate: UnixTime

  /// The list, signed and read again. Certificates that have ended stay in it: signatures of before may be stamped.
  ///
  /// - Throws: `crl.malformed` if it cannot be read; `authority.key`, `crypto.failure`.
  func signed(by key: PrivateKey, of issuer: Certificate) throws(SignetError) -> RevocationList {
    let revoked = certificates.compactMap { certificate in
      certificate.revocation.map { entry(certificate.serialContent, $0) }
    }
    let identifier: [UInt8]
    if let known = issuer.subjectKeyIdentifier {
      identifier = known
    } else {
      identifier = try CertificateSigning.identifier(of: issuer.publicKeyInfo)
    }
    var magnitude: [UInt8] = []
    var rest = number
    while rest > 0 {
      magnitude.insert(UInt8(rest & 0xff), at: 0)
      rest >>= 8
    }
    let extensions = [
      CertificateExtension.authorityKeyIdentifier(identifier),
      CertificateExtension(.directory(29, 20), DERWriter.unsignedInteger(magnitude)),
    ]
    let body = DERWriter.sequence(
      // Version 2.
      DERWriter.element(DERElement.integer, [1]), CertificateSigning.algorithm(of: key.publicKey), issuer.subject.der,
      DERWriter.time(thisUpdate), DERWriter.time(nextUpdate),
      revoked.isEmpty ? [] : DERWriter.element(DERElement.sequence, revoked.flatMap { $0 }),
      DERWriter.element(
        DERElement.constructed(0), DERWriter.element(DERElement.sequence, extensions.flatMap(\.der))))
    return try RevocationList(der: CertificateSigning.sign(body, by: key))
  }

  private func entry(_ serial: [UInt8], _ revocation: IssuedCertificate.Revocation) -> [UInt8] {
    var extensions: [UInt8] = []
    if let code = revocation.reason.code {
      extensions += CertificateExtension(.directory(29, 21), DERWriter.element(DERElement.enumerated, [code])).der
    }
    if let since = revocation.since {
      extensions += CertificateExtension(.directory(29, 24), DERWriter.generalizedTime(since)).der
    }
    return DERWriter.sequence(
      DERWriter.element(DERElement.integer, serial), DERWriter.time(revocation.date),
      extensions.isEmpty ? [] : DERWriter.element(DERElement.sequence, extensions))
  }
}
