internal import SignetBase

/// The numbers of a public key, and its one encoding in DER (RFC 5280, section 4.1.2.7).
package enum SubjectPublicKeyInfo: Hashable, Sendable {
  /// Ed25519: RFC 8410.
  case ed25519([UInt8])
  /// RSA: RFC 3279, section 2.3.1. The magnitudes are big-endian without leading zeros.
  case rsa(modulus: [UInt8], exponent: [UInt8])
  /// ECDSA: RFC 5480, a named curve and an uncompressed point.
  case ec(EllipticCurve, point: [UInt8])

  /// 1.3.101.112
  package static let ed25519Identifier: [UInt8] = [0x2b, 0x65, 0x70]
  /// 1.2.840.113549.1.1.1
  package static let rsaIdentifier: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01]
  /// 1.2.840.10045.2.1
  package static let ecIdentifier: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]

  /// Reads the DER encoding.
  ///
  /// - Throws: `key.malformed` if it is not a SubjectPublicKeyInfo, `key.unsupported` for other algorithms, curves
  ///   and point forms, `key.insecure` for numbers that must not be used.
  init(der: [UInt8]) throws(SignetError) {
    var outer = DERReader(der)
    guard var info = outer.sequence(), outer.isAtEnd, var algorithm = info.sequence(),
      let identifier = algorithm.objectIdentifier(), let bits = info.bitString(), info.isAtEnd
    else { throw Self.malformed("is not a public key in DER") }
    switch identifier {
    case Self.ed25519Identifier:
      guard algorithm.isAtEnd, bits.count == 32 else { throw Self.malformed("is not a valid Ed25519 key") }
      self = .ed25519(bits)
    case Self.rsaIdentifier:
      guard algorithm.null() != nil, algorithm.isAtEnd else { throw Self.malformed("has RSA parameters") }
      var content = DERReader(bits)
      guard var numbers = content.sequence(), content.isAtEnd, let modulus = numbers.unsignedInteger(),
        let exponent = numbers.unsignedInteger(), numbers.isAtEnd
      else { throw Self.malformed("is not a valid RSA key") }
      self = .rsa(modulus: modulus, exponent: exponent)
    case Self.ecIdentifier:
      guard let name = algorithm.objectIdentifier(), algorithm.isAtEnd else {
        throw Self.unsupported("an elliptic curve that is not named", "the named curve P-256, P-384 or P-521")
      }
      guard let curve = EllipticCurve.allCases.first(where: { $0.identifier == name }) else {
        throw Self.unsupported("another elliptic curve", "P-256, P-384 or P-521")
      }
      guard bits.first == 4, bits.count == 1 + 2 * curve.coordinateSize else {
        throw Self.unsupported("a point that is compressed or damaged", "an uncompressed point")
      }
      self = .ec(curve, point: bits)
    default: throw Self.unsupported("another algorithm", "Ed25519, RSA, or ECDSA over P-256, P-384 or P-521")
    }
    if let objection { throw SignetError(.keyInsecure, "key", objection) }
    guard self.der == der else { throw Self.malformed("is not in its canonical DER form") }
  }

  /// The DER encoding.
  package var der: [UInt8] {
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
    case .ec(.p521, _): .p521
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
    SignetError(
      .keyMalformed, "key", what, expected: "a SubjectPublicKeyInfo (RFC 5280) in DER",
      hint: "get the public key again from its owner")
  }

  private static func unsupported(_ found: String, _ expected: String) -> SignetError {
    SignetError(.keyUnsupported, "key", "has a type that is not supported", expected: expected, found: found)
  }
}

/// The rules for 32-byte strings that serve as an Ed25519 public key.
///
/// OpenSSL accepts all such strings. With a key of small order, one signature verifies every message. With a second
/// encoding of the same point, one key has two names.
enum Ed25519Point {
  /// p = 2^255 - 19, little endian.
  private static let prime: [UInt8] = [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f]

  /// The y coordinates of the points whose order divides 8 (RFC 7748, section 7 and RFC 8032, section 5.1): 1, -1, 0
  /// and the two of order 8.
  private static let smallOrder: [[UInt8]] = [
    [1] + [UInt8](repeating: 0, count: 31),
    [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
    [UInt8](repeating: 0, count: 32),
    Hexadecimal.decode("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05") ?? [],
    Hexadecimal.decode("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a") ?? [],
  ]

  /// Why the bytes must not be used; nil if they may be used.
  static func objection(to key: [UInt8]) -> String? {
    guard key.count == 32 else { return "is not 32 bytes long" }
    var y = key
    y[31] &= 0x7f
    // For y = 1 and y = -1 the encodings that differ in the sign bit are points of small order, or not points at all.
    if smallOrder.contains(y) { return "is a point of small order: one signature would verify every message" }
    let isReduced = zip(y.reversed(), prime.reversed()).first { $0 != $1 }.map { $0 < $1 } ?? false
    return isReduced ? nil : "is not in canonical form: its coordinate is not below 2^255 - 19"
  }
}

/// The SSH wire form of public keys, from which a ``KeyID`` is computed.
package enum SSHWireForm {
  /// string "ssh-ed25519", string key (RFC 8709, section 4).
  static func ed25519(_ key: [UInt8]) -> [UInt8] { string(Array("ssh-ed25519".utf8)) + string(key) }

  /// string "ssh-rsa", mpint e, mpint n (RFC 4253, section 6.6).
  static func rsa(modulus: [UInt8], exponent: [UInt8]) -> [UInt8] {
    string(Array("ssh-rsa".utf8)) + string(mpint(exponent)) + string(mpint(modulus))
  }

  /// string "ecdsa-sha2-NAME", string NAME, string point (RFC 5656, section 3.1).
  static func ecdsa(curve name: String, point: [UInt8]) -> [UInt8] {
    string(Array("ecdsa-sha2-\(name)".utf8)) + string(Array(name.utf8)) + string(point)
  }

  /// Reads a key, which must then be checked by ``SubjectPublicKeyInfo/init(der:)``.
  ///
  /// - Returns: nil for anything except the one encoding of a key of a supported kind.
  package static func read(_ bytes: [UInt8]) -> SubjectPublicKeyInfo? {
    var fields: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard rest.count >= 4, count <= rest.count - 4 else { return nil }
      fields.append(Array(rest.dropFirst(4).prefix(count)))
      rest = rest.dropFirst(4 + count)
    }
    guard let kind = fields.first.map({ String(decoding: $0, as: UTF8.self) }) else { return nil }
    let key: SubjectPublicKeyInfo
    switch (kind, fields.count) {
    case ("ssh-ed25519", 2): key = .ed25519(fields[1])
    case ("ssh-rsa", 3): key = .rsa(modulus: magnitude(fields[2]), exponent: magnitude(fields[1]))
    case ("ecdsa-sha2-nistp256", 3): key = .ec(.p256, point: fields[2])
    case ("ecdsa-sha2-nistp384", 3): key = .ec(.p384, point: fields[2])
    case ("ecdsa-sha2-nistp521", 3): key = .ec(.p521, point: fields[2])
    default: return nil
    }
    return key.sshWireForm == bytes ? key : nil
  }

  private static func magnitude(_ mpint: [UInt8]) -> [UInt8] { mpint.first == 0 ? Array(mpint.dropFirst()) : mpint }

  private static func string(_ bytes: [UInt8]) -> [UInt8] {
    let count = UInt32(bytes.count)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> UInt32($0)) } + bytes
  }

  private static func mpint(_ magnitude: [UInt8]) -> [UInt8] {
    magnitude.first.map { $0 >= 0x80 } == true ? [0] + magnitude : magnitude
  }
}
