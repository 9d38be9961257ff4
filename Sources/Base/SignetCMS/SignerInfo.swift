package import SignetBase
package import SignetCrypto
package import SignetNames

/// One signature in signed data: who has made it, by which algorithms, and over which attributes (RFC 5652, section 5.3).
package struct SignerInfo: Sendable {
  /// The name of the signer's certificate.
  package let identifier: Identifier
  /// The digest of the content.
  package let digest: DigestAlgorithm
  /// The attributes that are signed in the place of the content; nil if the content itself is.
  package let attributes: SignedAttributes?
  private let scheme: CertificateSignatureAlgorithm.Scheme
  /// The bytes of the signature.
  package let signature: [UInt8]

  /// How a signer's certificate is named.
  package enum Identifier: Hashable, Sendable, CustomStringConvertible {
    case issuerAndSerial(DistinguishedName, serial: [UInt8])
    case keyIdentifier([UInt8])

    /// Whether it is the name of a certificate.
    package func names(_ certificate: Certificate) -> Bool {
      switch self {
      case .issuerAndSerial(let issuer, let serial):
        certificate.issuer.canonical == issuer.canonical && certificate.serialNumberBytes == serial
      case .keyIdentifier(let identifier): certificate.subjectKeyIdentifier == identifier
      }
    }

    /// The name in a line.
    package var description: String {
      switch self {
      case .issuerAndSerial(let issuer, let serial): "\(issuer), serial \(SerialNumber.text(serial))"
      case .keyIdentifier(let identifier): "key identifier \(Hexadecimal.encode(identifier))"
      }
    }
  }

  /// - Throws: `cms.malformed`, `cms.unsupported`.
  init(_ info: DERReader, of contentType: OID) throws(SignetError) {
    var info = info
    guard let version = info.unsignedInteger(atMost: 3) else { throw CMSForm.malformedSigner("has no known version") }
    identifier = try Self.identifier(&info, version: version)
    guard let digest = CertificateSignatureAlgorithm.digest(&info) else {
      throw SignetError(
        .cmsUnsupported, "signer", "uses a digest that is not accepted", expected: "SHA-256, SHA-384 or SHA-512")
    }
    self.digest = digest
    if info.nextTag == DERElement.constructed(0) {
      guard let encoded = info.encoded(DERElement.constructed(0)) else {
        throw CMSForm.malformedSigner("has damaged attributes")
      }
      attributes = try SignedAttributes(encoded, of: contentType)
    } else {
      // Section 5.3: content of another type needs them, so that it cannot be taken for content without a type.
      guard contentType == CMSForm.plainContent else {
        throw CMSForm.malformedSigner("signs content of a type, and has no attributes")
      }
      attributes = nil
    }
    guard let algorithm = info.encoded(DERElement.sequence), let signature = info.octetString() else {
      throw CMSForm.malformedSigner("has no signature")
    }
    scheme = try Self.scheme(algorithm, digest)
    self.signature = signature
    guard
      info.isAtEnd
        || info.element(DERElement.constructed(1)).map({ $0.isWellFormed && !$0.isAtEnd && info.isAtEnd }) == true
    else { throw CMSForm.malformedSigner("has damaged attributes that are not signed") }
  }

  private static func identifier(_ info: inout DERReader, version: Int) throws(SignetError) -> Identifier {
    switch version {
    case 1:
      guard var fields = info.sequence(), let name = fields.encoded(DERElement.sequence),
        let issuer = DistinguishedName(der: name), let serial = fields.integer(), fields.isAtEnd
      else { throw CMSForm.malformedSigner("names no issuer and serial number") }
      return .issuerAndSerial(issuer, serial: serial)
    case 3:
      guard let identifier = info.element(DERElement.primitive(0))?.rest, !identifier.isEmpty else {
        throw CMSForm.malformedSigner("names no key")
      }
      return .keyIdentifier(identifier)
    default: throw CMSForm.malformedSigner("has no known version")
    }
  }

  /// The scheme of an AlgorithmIdentifier. RSA may be named without a digest, which is then that of the content
  /// (RFC 3370, section 3.2).
  private static func scheme(
    _ der: [UInt8], _ digest: DigestAlgorithm
  ) throws(SignetError) -> CertificateSignatureAlgorithm.Scheme {
    var reader = DERReader(der)
    if var fields = reader.sequence(), fields.oid() == .pkcs(1, 1), fields.isAtEnd || fields.null() != nil,
      fields.isAtEnd
    {
      return .rsa(digest)
    }
    guard let algorithm = CertificateSignatureAlgorithm(der: der) else {
      throw CMSForm.malformedSigner("names no algorithm")
    }
    switch algorithm.scheme {
    case .rsa, .rsaPSS, .ecdsa, .ed25519: return algorithm.scheme
    case .weak(let name), .unsupported(let name):
      throw SignetError(
        .cmsUnsupported, "signer", "signs by an algorithm that is not accepted",
        expected: "Ed25519, or RSA or ECDSA with SHA-256, SHA-384 or SHA-512", found: name)
    }
  }

  // MARK: Checking

  /// What has been signed.
  package enum Content: Sendable {
    /// The content itself.
    case bytes([UInt8])
    /// Its digests, of content that has been read elsewhere.
    case digests([Digest])
  }

  /// Checks that the holder of a certificate has signed the content.
  ///
  /// - Parameter certificate: the signer's; whether it is trusted, and was valid, is for the caller to check.
  /// - Throws: `cms.other-signer` if the signer is another one, `cms.other-content`, `cms.signature`; `key.…` for a key that
  ///   is not accepted, `crypto.failure`.
  package func check(_ content: Content, by certificate: Certificate) throws(SignetError) {
    guard identifier.names(certificate) else {
      throw SignetError(
        .cmsOtherSigner, "signer", "is another one", expected: "\(certificate)", found: "\(identifier)")
    }
    let handle = try certificate.publicKey().handle
    let isValid: Bool
    if let attributes {
      let found = try digest(of: content)
      guard found.bytes == attributes.messageDigest else {
        throw SignetError(
          .cmsOtherContent, "content", "is not what was signed",
          expected: Hexadecimal.encode(attributes.messageDigest),
          found: found.hex)
      }
      isValid = try handle.verifies(signature, over: attributes.signed, scheme)
    } else if case .bytes(let bytes) = content {
      isValid = try handle.verifies(signature, over: bytes, scheme)
    } else {
      isValid = try handle.verifies(signature, over: digest(of: content), scheme)
    }
    guard isValid else {
      throw SignetError(
        .cmsSignature, "signature", "was not made by the holder of the certificate", expected: "\(certificate)")
    }
  }

  /// - Throws: `cms.unsupported` if the content was read with other digests.
  private func digest(of content: Content) throws(SignetError) -> Digest {
    switch content {
    case .bytes(let bytes): return try Digest.of(bytes, digest)
    case .digests(let digests):
      guard let found = digests.first(where: { $0.algorithm == digest }) else {
        throw SignetError(
          .cmsUnsupported, "signer", "uses a digest that was not computed",
          expected: digests.map(\.algorithm.rawValue).joined(separator: ", "), found: digest.rawValue)
      }
      return found
    }
  }
}
