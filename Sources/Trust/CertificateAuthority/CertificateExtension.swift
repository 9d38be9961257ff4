internal import SignetBase
internal import SignetCrypto
internal import SignetVerify

/// An extension of a certificate, a request or a revocation list, in DER (RFC 5280, section 4.2).
struct CertificateExtension {
  let der: [UInt8]

  /// - Parameter value: the content of the OCTET STRING.
  init(_ name: OID, isCritical: Bool = false, _ value: [UInt8]) {
    der = DERWriter.sequence(
      DERWriter.element(DERElement.objectIdentifier, name.content),
      isCritical ? DERWriter.element(DERElement.boolean, [0xff]) : [],
      DERWriter.element(DERElement.octetString, value))
  }

  /// Whether the holder may certify others, and through how many intermediates (section 4.2.1.9).
  static func basicConstraints(isCA: Bool, pathLength: UInt8? = nil) -> CertificateExtension {
    let flag = isCA ? DERWriter.element(DERElement.boolean, [0xff]) : []
    let length = pathLength.map { DERWriter.element(DERElement.integer, [$0]) } ?? []
    return CertificateExtension(.directory(29, 19), isCritical: true, DERWriter.sequence(flag, length))
  }

  /// What the key is for (section 4.2.1.3): certificates and revocation lists, or signatures.
  static func keyUsage(isCA: Bool) -> CertificateExtension {
    // keyCertSign and cRLSign are the bits 5 and 6, digitalSignature is the bit 0. Zero bits at the end are left out.
    CertificateExtension(
      .directory(29, 15), isCritical: true, DERWriter.element(DERElement.bitString, isCA ? [1, 0x06] : [7, 0x80]))
  }

  /// Code signing and nothing else (section 4.2.1.12).
  static let codeSigning = CertificateExtension(
    .directory(29, 37), DERWriter.sequence(DERWriter.element(DERElement.objectIdentifier, OID.pkix(3, 3).content)))

  /// The name of the holder's key (section 4.2.1.2).
  static func subjectKeyIdentifier(_ identifier: [UInt8]) -> CertificateExtension {
    CertificateExtension(.directory(29, 14), DERWriter.element(DERElement.octetString, identifier))
  }

  /// The name of the issuer's key (section 4.2.1.1).
  static func authorityKeyIdentifier(_ identifier: [UInt8]) -> CertificateExtension {
    CertificateExtension(
      .directory(29, 35), DERWriter.sequence(DERWriter.element(DERElement.primitive(0), identifier)))
  }

  /// The holder's other names (section 4.2.1.6).
  ///
  /// - Parameter isAlone: whether there is no other name: then the extension is critical.
  static func alternativeNames(_ names: [SignerIdentity], isAlone: Bool) -> CertificateExtension {
    let encoded = names.flatMap { name in
      let tag: UInt8 =
        switch name.kind {
        case .email: 1
        case .dns: 2
        case .uri, .subject: 6
        }
      return DERWriter.element(DERElement.primitive(tag), Array(name.text.utf8))
    }
    return CertificateExtension(
      .directory(29, 17), isCritical: isAlone, DERWriter.element(DERElement.sequence, encoded))
  }

  /// Where the issuer publishes its revocation list (section 4.2.1.13).
  static func revocationLists(at address: String) -> CertificateExtension {
    let name = DERWriter.element(DERElement.primitive(6), Array(address.utf8))
    let point = DERWriter.element(DERElement.constructed(0), DERWriter.element(DERElement.constructed(0), name))
    return CertificateExtension(.directory(29, 31), DERWriter.sequence(DERWriter.sequence(point)))
  }
}

extension DERWriter {
  /// A Time (RFC 5280, section 4.1.2.5): UTCTime until 2049, and GeneralizedTime from then on.
  static func time(_ time: UnixTime) -> [UInt8] {
    let text = "\(time)"
    return text < "2050" ? element(DERElement.utcTime, digits(text.dropFirst(2))) : generalizedTime(time)
  }

  static func generalizedTime(_ time: UnixTime) -> [UInt8] {
    element(DERElement.generalizedTime, digits("\(time)"[...]))
  }

  private static func digits(_ text: Substring) -> [UInt8] { text.utf8.filter { !"-T:".utf8.contains($0) } }
}
