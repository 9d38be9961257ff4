/// Public keys as SSH writes them, the input of a ``KeyID``.
enum SSHWireForm {
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

  private static func string(_ bytes: [UInt8]) -> [UInt8] {
    let count = UInt32(bytes.count)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> UInt32($0)) } + bytes
  }

  private static func mpint(_ magnitude: [UInt8]) -> [UInt8] {
    magnitude.first.map { $0 >= 0x80 } == true ? [0] + magnitude : magnitude
  }
}
