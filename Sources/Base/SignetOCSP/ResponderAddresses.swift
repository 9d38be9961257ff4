internal import SignetBase
package import SignetCrypto
internal import SignetNames

extension Certificate {
  /// The addresses of the responders that the certificate names, in its order (id-ad-ocsp: RFC 5280, section 4.2.2.1).
  ///
  /// Only URLs of HTTP count. Whoever has made the certificate names them: ask none of a certificate that nobody has verified.
  package var responders: [String] {
    var outer = DERReader(der)
    guard var fields = outer.sequence(), var body = fields.sequence() else { return [] }
    while let (tag, content) = body.element() {
      var content = content
      guard tag == DERElement.constructed(3), var list = content.sequence() else { continue }
      while let item = RevocationListExtension(&list) {
        if item.name == .authorityInformation { return Self.responders(in: item.value) }
      }
    }
    return []
  }

  private static func responders(in value: DERReader) -> [String] {
    var (value, addresses) = (value, [String]())
    guard var list = value.sequence() else { return [] }
    while var access = list.sequence() {
      guard access.oid() == .statusProtocol, let address = access.element(DERElement.primitive(6))?.rest else {
        continue
      }
      let text = String(decoding: address, as: UTF8.self)
      let scheme = text.prefix { $0 != ":" }.lowercased()
      if address.allSatisfy({ (0x21...0x7e).contains($0) }), ["http", "https"].contains(scheme) {
        addresses.append(text)
      }
    }
    return addresses
  }
}

extension OID {
  /// 1.3.6.1.5.5.7.1.1 (id-pe-authorityInfoAccess)
  fileprivate static let authorityInformation = OID.other(0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x01, 0x01)
  /// 1.3.6.1.5.5.7.48.1 (id-ad-ocsp)
  fileprivate static let statusProtocol = OID.other(0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01)
}
