internal import SignetBase

/// What stands in a certificate (RFC 5280, section 4.1), each field read strictly, none judged.
struct CertificateFields: Sendable {
  /// 1 to 3.
  let version: Int
  /// The INTEGER's content: two's complement.
  let serialNumber: [UInt8]
  /// The algorithm that is signed.
  let signedAlgorithm: [UInt8]
  /// The algorithm beside the signature, which should be the same.
  let signatureAlgorithm: CertificateSignatureAlgorithm
  let issuer: DistinguishedName
  let notBefore: UnixTime
  let notAfter: UnixTime
  let subject: DistinguishedName
  /// SubjectPublicKeyInfo in DER, not looked into.
  let publicKey: [UInt8]
  /// Whether issuer or subject have a unique identifier.
  let hasUniqueIdentifiers: Bool
  let extensions: CertificateExtensions

  /// - Throws: `certificate.malformed`, `certificate.duplicate-extension`.
  init(der: [UInt8]) throws(SignetError) {
    var outer = DERReader(der)
    guard var certificate = outer.sequence(), outer.isAtEnd, var body = certificate.sequence() else {
      throw Certificate.malformed("the outermost sequences")
    }
    guard let outside = certificate.encoded(DERElement.sequence),
      let algorithm = CertificateSignatureAlgorithm(der: outside), certificate.bitString() != nil, certificate.isAtEnd
    else { throw Certificate.malformed("the signature") }
    signatureAlgorithm = algorithm

    guard let version = Self.version(&body) else { throw Certificate.malformed("the version") }
    self.version = version
    guard let serial = body.integer() else { throw Certificate.malformed("the serial number") }
    serialNumber = serial
    guard let inside = body.encoded(DERElement.sequence), CertificateSignatureAlgorithm(der: inside) != nil else {
      throw Certificate.malformed("the signature algorithm")
    }
    signedAlgorithm = inside
    issuer = try Self.name(&body, "issuer")
    guard var validity = body.sequence(), let notBefore = validity.time(), let notAfter = validity.time(),
      validity.isAtEnd
    else { throw Certificate.malformed("the validity") }
    self.notBefore = notBefore
    self.notAfter = notAfter
    subject = try Self.name(&body, "subject")
    guard let key = body.encoded(DERElement.sequence) else { throw Certificate.malformed("the public key") }
    publicKey = key
    hasUniqueIdentifiers = try Self.uniqueIdentifiers(&body, version)
    extensions = try Self.extensions(&body, version)
    guard body.isAtEnd else { throw Certificate.malformed("what stands behind the last field") }
  }

  /// DEFAULT v1, so v1 is not written.
  private static func version(_ body: inout DERReader) -> Int? {
    guard body.nextTag == DERElement.constructed(0) else { return 1 }
    guard var content = body.element(DERElement.constructed(0)), let number = content.unsignedInteger(atMost: 2),
      number > 0, content.isAtEnd
    else { return nil }
    return number + 1
  }

  private static func name(_ body: inout DERReader, _ field: String) throws(SignetError) -> DistinguishedName {
    guard let der = body.encoded(DERElement.sequence), let name = DistinguishedName(der: der) else {
      throw Certificate.malformed("the \(field)")
    }
    return name
  }

  private static func uniqueIdentifiers(_ body: inout DERReader, _ version: Int) throws(SignetError) -> Bool {
    var isPresent = false
    for number in UInt8(1)...2 where body.nextTag == DERElement.primitive(number) {
      guard version > 1, body.element(DERElement.primitive(number))?.isAtEnd == false else {
        throw Certificate.malformed("a unique identifier")
      }
      isPresent = true
    }
    return isPresent
  }

  private static func extensions(
    _ body: inout DERReader, _ version: Int
  ) throws(SignetError) -> CertificateExtensions {
    guard body.nextTag == DERElement.constructed(3) else { return CertificateExtensions() }
    guard version == 3, var wrapped = body.element(DERElement.constructed(3)), let list = wrapped.sequence(),
      wrapped.isAtEnd
    else { throw Certificate.malformed(version == 3 ? "the extensions" : "extensions of a version below 3") }
    return try CertificateExtensions(list)
  }
}
