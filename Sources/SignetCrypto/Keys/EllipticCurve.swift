/// The curves ECDSA keys may lie on (FIPS 186-5, SP 800-186).
enum EllipticCurve: Sendable, CaseIterable {
  case p256
  case p384

  /// The object identifier's content (RFC 5480, section 2.1.1.1).
  var identifier: [UInt8] {
    switch self {
    case .p256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]  // 1.2.840.10045.3.1.7
    case .p384: [0x2b, 0x81, 0x04, 0x00, 0x22]  // 1.3.132.0.34
    }
  }

  /// Bytes of a coordinate, and of the group's order.
  var coordinateSize: Int { self == .p256 ? 32 : 48 }

  /// SSH's name (RFC 5656, section 10.1).
  var sshName: String { self == .p256 ? "nistp256" : "nistp384" }

  /// OpenSSL's name.
  var groupName: String { self == .p256 ? "P-256" : "P-384" }
}
