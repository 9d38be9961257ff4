package import SignetBase
package import SignetCrypto
internal import SignetKeys
package import SignetVerify

/// What a certificate is to say, before its issuer signs it.
package struct CertificateTemplate: Sendable {
  /// What the holder may do.
  package enum Role: Sendable, Equatable {
    /// Certify signers, and through so many intermediates more; nil for any number.
    case authority(intermediates: UInt8?)
    /// Sign code, by these names besides the subject.
    case signer([SignerIdentity])
  }

  package let subject: CertificateSubject
  /// The holder's SubjectPublicKeyInfo.
  package let publicKey: PublicKey
  package let role: Role
  package let notBefore: UnixTime
  /// The last second of the certificate.
  package let notAfter: UnixTime
  /// Where the issuer publishes its revocation list; nil if nowhere.
  package var revocationLists: String?

  /// - Throws: `authority.terms` for times that end before they begin, and an RSA key that no policy accepts;
  ///   `authority.name` for a name that certificates cannot have.
  package init(
    _ subject: CertificateSubject, _ publicKey: PublicKey, _ role: Role, from notBefore: UnixTime,
    until notAfter: UnixTime
  ) throws(SignetError) {
    guard notBefore < notAfter else {
      throw SignetError(
        .authorityTerms, "certificate", "would end before it begins", expected: "an end after \(notBefore)",
        found: "\(notAfter)")
    }
    if case .rsa(let bits) = publicKey.algorithm, bits < 3072 {
      throw SignetError(
        .authorityTerms, "\(publicKey.id)", "is too weak to be certified", expected: "RSA with 3072 bits or more",
        found: "\(bits) bits", hint: "make a new key: signet keygen --out PATH")
    }
    if case .signer(let names) = role {
      for name in names {
        guard name.kind != .subject, name.text.utf8.allSatisfy({ (0x21..<0x7f).contains($0) }) else {
          throw SignetError(
            .authorityName, "\(name)", "cannot be another name of a signer",
            expected: "email:A, uri:U or dns:H, in ASCII")
        }
      }
    }
    (self.subject, self.publicKey, self.role) = (subject, publicKey, role)
    (self.notBefore, self.notAfter) = (notBefore, notAfter)
  }

  /// The certificate, signed and read again.
  ///
  /// - Parameters:
  ///   - serial: the content of the serial number's INTEGER.
  ///   - issuer: the issuer's certificate; nil for one that certifies itself.
  ///   - key: the issuer's key.
  /// - Throws: `certificate.malformed` if the names cannot be read again; `authority.key`, `crypto.failure`.
  func signed(serial: [UInt8], issuer: Certificate?, by key: PrivateKey) throws(SignetError) -> Certificate {
    let own = try CertificateSigning.identifier(of: publicKey.der)
    let above: [UInt8]
    if let known = issuer?.subjectKeyIdentifier {
      above = known
    } else {
      above = try CertificateSigning.identifier(of: key.publicKey.der)
    }
    var extensions: [CertificateExtension] = []
    switch role {
    case .authority(let intermediates):
      extensions += [.basicConstraints(isCA: true, pathLength: intermediates), .keyUsage(isCA: true)]
    case .signer(let names):
      extensions += [.basicConstraints(isCA: false), .keyUsage(isCA: false), .codeSigning]
      if !names.isEmpty { extensions.append(.alternativeNames(names, isAlone: subject.name.isEmpty)) }
    }
    extensions.append(.subjectKeyIdentifier(own))
    // A root needs no name of its issuer's key, and has none.
    if issuer != nil { extensions.append(.authorityKeyIdentifier(above)) }
    if let revocationLists { extensions.append(.revocationLists(at: revocationLists)) }
    let body = DERWriter.sequence(
      // Version 3.
      DERWriter.element(DERElement.constructed(0), DERWriter.element(DERElement.integer, [2])),
      DERWriter.element(DERElement.integer, serial), CertificateSigning.algorithm(of: key.publicKey),
      issuer?.subject.der ?? subject.name.der,
      DERWriter.sequence(DERWriter.time(notBefore), DERWriter.time(notAfter)), subject.name.der, publicKey.der,
      DERWriter.element(
        DERElement.constructed(3), DERWriter.element(DERElement.sequence, extensions.flatMap(\.der))))
    return try Certificate(der: CertificateSigning.sign(body, by: key))
  }
}
