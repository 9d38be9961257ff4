internal import SignetBase

/// The numbers of a public key and the one DER text that stands for them (RFC 5280, section 4.1.2.7).
enum SubjectPublicKeyInfo: Hashable, Sendable {
  /// RFC 8410.
  case ed25519([UInt8])
  /// RFC 3279, section 2.3.1. Magnitudes, big-endian without leading zeros.
  case rsa(modulus: [UInt8], exponent: [UInt8])
  /// RFC 5480: a named curve and an uncompressed point.
  case ec(EllipticCurve, point: [UInt8])

  /// 1.3.101.112
  static let ed25519Identifier: [UInt8] = [0x2b, 0x65, 0x70]
  /// 1.2.840.113549.1.1.1
  static let rsaIdentifier: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01]
  /// 1.2.840.10045.2.1
  static let ecIdentifier: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]

  /// Reads the DER text.
  ///
  /// - Throws: `key.malformed` when it is no SubjectPublicKeyInfo, `key.unsupported` for other algorithms, curves and
  ///   point forms, `key.insecure` for numbers that must not be used.
  init(der: [UInt8]) throws(SignetError) {
    var outer = DERReader(der)
    guard var info = outer.sequence(), outer.isAtEnd, var algorithm = info.sequence(),
      let identifier = algorithm.objectIdentifier(), let bits = info.bitString(), info.isAtEnd
    else { throw Self.malformed("is not a public key in DER") }
    switch identifier {
    case Self.ed25519Identifier:
      guard algorithm.isAtEnd, bits.count == 32 else { throw Self.malformed("is not a proper Ed25519 key") }
      self = .ed25519(bits)
    case Self.rsaIdentifier:
      guard algorithm.null() != nil, algorithm.isAtEnd else { throw Self.malformed("has RSA parameters") }
      var content = DERReader(bits)
      guard var numbers = content.sequence(), content.isAtEnd, let modulus = numbers.unsignedInteger(),
        let exponent = numbers.unsignedInteger(), numbers.isAtEnd
      else { throw Self.malformed("is not a proper RSA key") }
      self = .rsa(modulus: modulus, exponent: exponent)
    case Self.ecIdentifier:
      guard let name = algorithm.objectIdentifier(), algorithm.isAtEnd else {
        throw Self.unsupported("an elliptic curve that is not named", "the named curve P-256 or P-384")
      }
      guard let curve = EllipticCurve.allCases.first(where: { $0.identifier == name }) else {
        throw Self.unsupported("another elliptic curve", "P-256 or P-384")
      }
      guard bits.first == 4, bits.count == 1 + 2 * curve.coordinateSize else {
        throw Self.unsupported("a point that is compressed or damaged", "an uncompressed point")
      }
      self = .ec(curve, point: bits)
    default: throw Self.unsupported("another algorithm", "Ed25519, RSA, or ECDSA over P-256 or P-384")
    }
    if let objection { throw SignetError(.keyInsecure, "key", objection) }
    guard self.der == der else { throw Self.malformed("is not in its canonical DER form") }
  }

  /// The DER text.
  var der: [UInt8] {
    switch self {
    case .ed25519(let key):
      return DERWriter.sequence(Self.algorithm(Self.ed25519Identifier, []), DERWriter.bitString(key))
    case .rsa(let modulus, let exponent):
      let null = DERWriter.element(DERElement.null, [])
      let numbers = DERWriter.sequence(DERWriter.unsignedInteger(modulus), DERWriter.unsignedInteger(exponent))
      return DERWriter.sequence(Self.algorithm(Self.rsaIdentifier, null), DERWriter.bitString(numbers))
    case .ec(let curve, let point):
      let name = DERWriter.element(DERElement.objectIdentifier, curve.identifier)
      return DERWriter.sequence(Self.algorithm(Self.ecIdentifier, name), DERWriter.bitString(point))
    }
  }

  var algorithm: KeyAlgorithm {
    switch self {
    case .ed25519: .ed25519
    case .rsa(let modulus, _): .rsa(bits: RSANumbers.bitCount(modulus))
    case .ec(.p256, _): .p256
    case .ec(.p384, _): .p384
    }
  }

  var sshWireForm: [UInt8] {
    switch self {
    case .ed25519(let key): SSHWireForm.ed25519(key)
    case .rsa(let modulus, let exponent): SSHWireForm.rsa(modulus: modulus, exponent: exponent)
    case .ec(let curve, let point): SSHWireForm.ecdsa(curve: curve.sshName, point: point)
    }
  }

  private var objection: String? {
    switch self {
    case .ed25519(let key): Ed25519Point.objection(to: key)
    case .rsa(let modulus, let exponent): RSANumbers.objection(modulus: modulus, exponent: exponent)
    case .ec: nil
    }
  }

  private static func algorithm(_ identifier: [UInt8], _ parameters: [UInt8]) -> [UInt8] {
    DERWriter.sequence(DERWriter.element(DERElement.objectIdentifier, identifier), parameters)
  }

  private static func malformed(_ what: String) -> SignetError {
    SignetError(.keyMalformed, "key", what, expected: "a SubjectPublicKeyInfo (RFC 5280) in DER")
  }

  private static func unsupported(_ found: String, _ expected: String) -> SignetError {
    SignetError(.keyUnsupported, "key", "is of a kind that is not supported", expected: expected, found: found)
  }
}
