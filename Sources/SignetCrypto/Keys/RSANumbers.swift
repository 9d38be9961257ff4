/// Which numbers may serve as an RSA public key.
enum RSANumbers {
  /// Below this a signature can be forged by those who can afford it (SP 800-131A); a policy asks for more.
  static let leastBits = 2048
  /// Above this verifying costs us more than it should cost an attacker to ask.
  static let mostBits = 8192

  static func bitCount(_ magnitude: [UInt8]) -> Int {
    magnitude.first.map { magnitude.count * 8 - $0.leadingZeroBitCount } ?? 0
  }

  /// Why the numbers must not be used; nil when they may.
  static func objection(modulus: [UInt8], exponent: [UInt8]) -> String? {
    let bits = bitCount(modulus)
    guard bits >= leastBits else { return "has an RSA modulus of \(bits) bits, fewer than \(leastBits)" }
    guard bits <= mostBits else { return "has an RSA modulus of \(bits) bits, more than \(mostBits)" }
    guard let last = modulus.last, last & 1 == 1 else { return "has an even RSA modulus" }
    // OpenSSL itself refuses exponents of more than 64 bits with a large modulus (OPENSSL_RSA_MAX_PUBEXP_BITS).
    guard exponent.count <= 8 else { return "has an RSA exponent of more than 64 bits" }
    let value = exponent.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard value & 1 == 1 else { return "has an even RSA exponent" }
    // Small exponents turn a sloppy padding check elsewhere into a forgery (Bleichenbacher 2006).
    guard value >= 65537 else { return "has the RSA exponent \(value), below 65537" }
    return nil
  }
}
