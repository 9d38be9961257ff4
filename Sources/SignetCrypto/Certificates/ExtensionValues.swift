internal import SignetBase

/// Whether the holder may issue certificates, and how many of its own kind may follow (RFC 5280, section 4.2.1.9).
struct BasicConstraints: Sendable {
  let isCA: Bool
  /// How many intermediates that are not self-issued may follow; nil for any number.
  let pathLength: Int?

  init?(_ value: DERReader) {
    var value = value
    guard var fields = value.sequence(), value.isAtEnd else { return nil }
    if fields.nextTag == DERElement.boolean {
      guard fields.boolean() == true else { return nil }
      isCA = true
    } else {
      isCA = false
    }
    if fields.isAtEnd {
      pathLength = nil
    } else {
      // What is longer than any path is no limit, but a number all the same.
      guard let length = fields.unsignedInteger(), fields.isAtEnd else { return nil }
      pathLength = length.count > 2 ? Int(UInt16.max) : length.reduce(0) { $0 << 8 | Int($1) }
    }
  }
}

/// What the key is for (RFC 5280, section 4.2.1.3).
struct KeyUsage: Sendable {
  private let bits: NamedBits

  init?(_ value: DERReader) {
    var value = value
    guard let content = value.element(DERElement.bitString)?.rest, value.isAtEnd, let bits = NamedBits(content) else {
      return nil
    }
    self.bits = bits
  }

  /// Whether trailing zero bits are left out, as DER demands. Roots are in use that have one.
  var isShortest: Bool { bits.isShortest }
  var isEmpty: Bool { bits.bits == 0 }
  var hasDigitalSignature: Bool { bits.has(0) }
  var hasCertificateSigning: Bool { bits.has(5) }
  var hasRevocationListSigning: Bool { bits.has(6) }
}

/// Which key of the issuer made the signature (RFC 5280, section 4.2.1.1).
struct AuthorityKeyIdentifier: Sendable {
  let keyIdentifier: [UInt8]?

  init?(_ value: DERReader) {
    var value = value
    guard var fields = value.sequence(), value.isAtEnd else { return nil }
    keyIdentifier = fields.element(DERElement.primitive(0))?.rest
    // Issuer and serial number stand both or neither.
    if let issuer = fields.element(DERElement.constructed(1)) {
      guard GeneralName.list(issuer) != nil, let serial = fields.element(DERElement.primitive(2))?.rest,
        DERReader.isShortestInteger(serial)
      else { return nil }
    }
    guard fields.isAtEnd else { return nil }
  }
}
