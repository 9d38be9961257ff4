package import SignetBase
internal import SignetCMS
package import SignetCrypto
internal import SignetNames

/// What names a certificate in a request and in a response: digests of its issuer's name and key, and its serial number (CertID:
/// RFC 6960, section 4.1.1).
///
/// It finds the statement about a certificate and proves nothing, so that SHA-1 is as good as any digest: the statement must be
/// signed for the issuer's very key.
package struct CertificateID: Hashable, Sendable {
  /// The digests that name issuers.
  package enum Algorithm: Hashable, Sendable, CaseIterable {
    /// What nearly all responders answer to.
    case sha1
    case sha256

    fileprivate var name: OID {
      switch self {
      case .sha1: .other(0x2b, 0x0e, 0x03, 0x02, 0x1a)
      case .sha256: .other(0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01)
      }
    }

    fileprivate func digest(_ bytes: [UInt8]) throws(SignetError) -> [UInt8] {
      switch self {
      case .sha1: try OtherDigest.sha1(bytes)
      case .sha256: try Digest.of(bytes, .sha256).bytes
      }
    }
  }

  /// The digest; nil for one that Signet does not make, so that the statement is about nothing here.
  package let algorithm: Algorithm?
  private let issuerName: [UInt8]
  private let issuerKey: [UInt8]
  /// The content of the serial number's INTEGER.
  package let serialNumber: [UInt8]

  /// Names a certificate.
  ///
  /// - Throws: `certificate.malformed` if the issuer's key cannot be read; `crypto.failure`.
  package init(
    _ certificate: Certificate, issuedBy issuer: Certificate, _ algorithm: Algorithm
  ) throws(SignetError) {
    self.algorithm = algorithm
    // The name as the certificate has it.
    issuerName = try algorithm.digest(certificate.issuer.der)
    issuerKey = try algorithm.digest(Self.keyBits(issuer))
    serialNumber = certificate.serialNumberBytes
  }

  /// Reads a CertID; nil if it is malformed.
  init?(_ fields: inout DERReader) {
    guard var content = fields.sequence(), var algorithm = content.sequence(), let name = algorithm.oid(),
      algorithm.isAtEnd || algorithm.null() != nil && algorithm.isAtEnd, let issuerName = content.octetString(),
      let issuerKey = content.octetString(), let serialNumber = content.integer(), content.isAtEnd
    else { return nil }
    self.algorithm = Algorithm.allCases.first { $0.name == name }
    self.issuerName = issuerName
    self.issuerKey = issuerKey
    self.serialNumber = serialNumber
  }

  /// Whether the certificate was issued by the key of another one.
  ///
  /// - Throws: `certificate.malformed` if that key cannot be read; `crypto.failure`.
  func isOfCertificate(issuedBy issuer: Certificate) throws(SignetError) -> Bool {
    guard let algorithm else { return false }
    return try issuerKey == algorithm.digest(Self.keyBits(issuer))
  }

  /// The CertID in DER.
  package var der: [UInt8] {
    let name = DERWriter.sequence(
      DERWriter.element(DERElement.objectIdentifier, (algorithm ?? .sha1).name.content),
      DERWriter.element(DERElement.null, []))
    return DERWriter.sequence(
      name, DERWriter.element(DERElement.octetString, issuerName),
      DERWriter.element(DERElement.octetString, issuerKey),
      DERWriter.element(DERElement.integer, serialNumber))
  }

  /// The bits of a certificate's public key, without the algorithm, which the digests of keys are over.
  static func keyBits(_ certificate: Certificate) throws(SignetError) -> [UInt8] {
    var outer = DERReader(certificate.publicKeyInfo)
    guard var info = outer.sequence(), info.sequence() != nil, let bits = info.bitString() else {
      throw SignetError(.certificateMalformed, "\(certificate)", "has a public key that cannot be read")
    }
    return bits
  }
}
