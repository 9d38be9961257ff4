package import SignetBase
package import SignetNames

/// The algorithm that signed a certificate or revocation list (RFC 5280, section 4.1.1.2).
package struct CertificateSignatureAlgorithm: Sendable {
  package enum Scheme: Hashable, Sendable {
    /// RSASSA-PKCS1-v1_5: RFC 8017, section 8.2.
    case rsa(DigestAlgorithm)
    /// RSASSA-PSS: RFC 8017, section 8.1, with the same digest in MGF1 (RFC 4055, section 3.1) and this many bytes of
    /// salt.
    case rsaPSS(DigestAlgorithm, salt: Int)
    /// ECDSA: RFC 5758, section 3.2.
    case ecdsa(DigestAlgorithm)
    /// Ed25519: RFC 8410.
    case ed25519
    /// A known algorithm with a digest for which collisions are known or within reach (RFC 6194; SP 800-131A).
    case weak(String)
    /// Any other algorithm.
    case unsupported(String)
  }

  /// The AlgorithmIdentifier, which must be the same inside the signed part and outside of it.
  package let der: [UInt8]
  package let scheme: Scheme

  package init?(der: [UInt8]) {
    var outer = DERReader(der)
    guard var fields = outer.sequence(), outer.isAtEnd, let name = fields.oid() else { return nil }
    self.der = der
    scheme = Self.scheme(name, &fields)
  }

  private static func scheme(_ name: OID, _ parameters: inout DERReader) -> Scheme {
    if let weak = weak[name] { return .weak(weak) }
    if name == .pkcs(1, 10) { return pss(&parameters) ?? .unsupported("RSASSA-PSS with other parameters") }
    guard let scheme = known[name] else { return .unsupported("\(name)") }
    // RFC 4055, section 5: the parameters of RSA are NULL or absent. The other algorithms have none.
    if case .rsa = scheme, !parameters.isAtEnd, parameters.null() == nil { return .unsupported("\(name)") }
    return parameters.isAtEnd ? scheme : .unsupported("\(name) with parameters")
  }

  private static let known: [OID: Scheme] = [
    .pkcs(1, 11): .rsa(.sha256), .pkcs(1, 12): .rsa(.sha384), .pkcs(1, 13): .rsa(.sha512),
    ecdsa(2): .ecdsa(.sha256), ecdsa(3): .ecdsa(.sha384), ecdsa(4): .ecdsa(.sha512),
    .other(0x2b, 0x65, 0x70): .ed25519,
  ]

  private static let weak: [OID: String] = [
    .pkcs(1, 2): "MD2 with RSA", .pkcs(1, 4): "MD5 with RSA", .pkcs(1, 5): "SHA-1 with RSA",
    .pkcs(1, 14): "SHA-224 with RSA", ecdsa(1): "SHA-224 with ECDSA",
    .other(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x01): "SHA-1 with ECDSA",
    .other(0x2b, 0x0e, 0x03, 0x02, 0x1d): "SHA-1 with RSA", .other(0x2b, 0x0e, 0x03, 0x02, 0x03): "MD5 with RSA",
    .other(0x2a, 0x86, 0x48, 0xce, 0x38, 0x04, 0x03): "SHA-1 with DSA",
  ]

  private static func ecdsa(_ number: UInt8) -> OID {
    .other(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, number)
  }

  /// RSASSA-PSS-params (RFC 4055, section 3.1). An absent field would mean SHA-1, so all fields except the trailer
  /// are present.
  private static func pss(_ parameters: inout DERReader) -> Scheme? {
    guard var fields = parameters.sequence(), parameters.isAtEnd,
      var hash = fields.element(DERElement.constructed(0)), let digest = self.digest(&hash), hash.isAtEnd,
      var mask = fields.element(DERElement.constructed(1)), var function = mask.sequence(), mask.isAtEnd,
      function.oid() == .pkcs(1, 8), self.digest(&function) == digest, function.isAtEnd,
      var length = fields.element(DERElement.constructed(2)), let salt = length.unsignedInteger(atMost: 64),
      length.isAtEnd, fields.isAtEnd
    else { return nil }
    // Section 3.1: "it should be no longer than the hash"; less salt only weakens the proof, not the scheme.
    return salt <= digest.byteCount ? .rsaPSS(digest, salt: salt) : nil
  }

  /// The digest that the next AlgorithmIdentifier names (RFC 5754, section 2); nil for any other.
  package static func digest(_ reader: inout DERReader) -> DigestAlgorithm? {
    guard var fields = reader.sequence(), let name = fields.oid(), fields.isAtEnd || fields.null() != nil,
      fields.isAtEnd
    else { return nil }
    return digests[name]
  }

  /// The digest algorithms 2.16.840.1.101.3.4.2.N.
  private static let digests: [OID: DigestAlgorithm] = [
    .other(0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01): .sha256,
    .other(0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02): .sha384,
    .other(0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03): .sha512,
  ]
}
