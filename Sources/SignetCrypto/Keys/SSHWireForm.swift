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

  /// Reads a key. What it gives is checked by ``SubjectPublicKeyInfo/init(der:)``.
  ///
  /// - Returns: nil for anything that is not the one spelling of a key of a supported kind.
  static func read(_ bytes: [UInt8]) -> SubjectPublicKeyInfo? {
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
