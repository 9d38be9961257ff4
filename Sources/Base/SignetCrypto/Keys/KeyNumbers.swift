/// The rules for the numbers of an RSA public key.
package enum RSANumbers {
  /// The minimum length: an attacker with enough money can forge signatures of shorter keys (SP 800-131A). A policy
  /// requires more.
  static let leastBits = 2048
  /// The maximum length: verifying with longer keys costs the verifier more than it should cost an attacker to ask.
  package static let mostBits = 8192

  static func bitCount(_ magnitude: [UInt8]) -> Int {
    magnitude.first.map { magnitude.count * 8 - $0.leadingZeroBitCount } ?? 0
  }

  /// Why the numbers must not be used; nil if they may be used.
  static func objection(modulus: [UInt8], exponent: [UInt8]) -> String? {
    let bits = bitCount(modulus)
    guard bits >= leastBits else { return "has an RSA modulus of \(bits) bits, fewer than \(leastBits)" }
    guard bits <= mostBits else { return "has an RSA modulus of \(bits) bits, more than \(mostBits)" }
    guard let last = modulus.last, last & 1 == 1 else { return "has an even RSA modulus" }
    // OpenSSL itself refuses exponents of more than 64 bits if the modulus is large (OPENSSL_RSA_MAX_PUBEXP_BITS).
    guard exponent.count <= 8 else { return "has an RSA exponent of more than 64 bits" }
    let value = exponent.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard value & 1 == 1 else { return "has an even RSA exponent" }
    // With small exponents, a careless padding check elsewhere allows forgeries (Bleichenbacher 2006).
    guard value >= 65537 else { return "has the RSA exponent \(value), below 65537" }
    return nil
  }
}

/// The elliptic curves for ECDSA keys (FIPS 186-5, SP 800-186).
package enum EllipticCurve: Sendable, CaseIterable {
  case p256
  case p384
  case p521

  /// The content of the object identifier (RFC 5480, section 2.1.1.1).
  package var identifier: [UInt8] {
    switch self {
    case .p256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]  // 1.2.840.10045.3.1.7
    case .p384: [0x2b, 0x81, 0x04, 0x00, 0x22]  // 1.3.132.0.34
    case .p521: [0x2b, 0x81, 0x04, 0x00, 0x23]  // 1.3.132.0.35
    }
  }

  /// The number of bytes in a coordinate, and in the group's order.
  package var coordinateSize: Int {
    switch self {
    case .p256: 32
    case .p384: 48
    case .p521: 66
    }
  }

  /// The name in SSH (RFC 5656, section 10.1).
  package var sshName: String {
    switch self {
    case .p256: "nistp256"
    case .p384: "nistp384"
    case .p521: "nistp521"
    }
  }

  /// The name in OpenSSL.
  package var groupName: String {
    switch self {
    case .p256: "P-256"
    case .p384: "P-384"
    case .p521: "P-521"
    }
  }
}
