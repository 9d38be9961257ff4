package import SignetBase
package import SignetCrypto

/// The part of a certificate that its issuer signs, in its elements (TBSCertificate: RFC 5280, section 4.1).
package struct CertificateBody: Sendable {
  /// The elements before the extensions, as they are encoded.
  private let fields: [[UInt8]]
  /// The extensions, as they are encoded, with their names.
  private let extensions: [(name: OID, der: [UInt8], value: [UInt8])]

  /// The tag of the extensions.
  private static let tag = DERElement.constructed(3)
  /// 1.3.6.1.4.1.11129.2.4.2: the timestamps of logs (RFC 6962, section 3.3).
  static let timestampList = OID.other(0x2b, 0x06, 0x01, 0x04, 0x01, 0xd6, 0x79, 0x02, 0x04, 0x02)

  /// Reads the body of a certificate. Nil cannot come of one that was read.
  package init?(_ certificate: Certificate) {
    var outer = DERReader(certificate.der)
    guard var whole = outer.sequence(), var body = whole.sequence() else { return nil }
    var fields: [[UInt8]] = []
    var extensions: [(OID, [UInt8], [UInt8])] = []
    while let tag = body.nextTag {
      guard tag == Self.tag else {
        guard let field = body.encoded(tag) else { return nil }
        fields.append(field)
        continue
      }
      guard var explicit = body.element(tag), var list = explicit.sequence() else { return nil }
      while !list.isAtEnd {
        guard let der = list.encoded(DERElement.sequence) else { return nil }
        var reader = DERReader(der)
        guard var item = reader.sequence(), let name = item.oid(),
          item.nextTag != DERElement.boolean || item.boolean() != nil, let value = item.octetString()
        else { return nil }
        extensions.append((name, der, value))
      }
    }
    self.fields = fields
    self.extensions = extensions
  }

  /// The value of an extension; nil if there is none.
  package func value(of name: OID) -> [UInt8]? { extensions.first { $0.name == name }?.value }

  /// The body as it was before the logs' timestamps were put in: what the logs have signed (RFC 6962, section 3.2).
  var withoutTimestamps: [UInt8] {
    let rest = extensions.filter { $0.name != Self.timestampList }.flatMap(\.der)
    let list = DERWriter.element(Self.tag, DERWriter.element(DERElement.sequence, rest))
    return DERWriter.element(DERElement.sequence, fields.flatMap { $0 } + list)
  }
}
