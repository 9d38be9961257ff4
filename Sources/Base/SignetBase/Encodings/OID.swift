/// An OBJECT IDENTIFIER (X.690, section 8.19), kept as encoded; two are equal if their bytes are equal.
package struct OID: Hashable, Sendable, CustomStringConvertible {
  package let content: [UInt8]

  /// Returns nil for bytes that are not the one encoding of an object identifier.
  package init?(content: [UInt8]) {
    guard let last = content.last, last < 0x80 else { return nil }
    // No component begins with a padding octet.
    for (index, byte) in content.enumerated() where byte == 0x80 && (index == 0 || content[index - 1] < 0x80) {
      return nil
    }
    self.content = content
  }

  private init(_ content: [UInt8]) { self.content = content }

  /// An identifier below 2.5, the arc of the directory (ITU-T X.500).
  package static func directory(_ parts: UInt8...) -> OID { OID([0x55] + parts) }
  /// An identifier below 1.3.6.1.5.5.7, the arc of PKIX.
  package static func pkix(_ parts: UInt8...) -> OID { OID([0x2b, 0x06, 0x01, 0x05, 0x05, 0x07] + parts) }
  /// An identifier below 1.2.840.113549.1, the arc of PKCS.
  package static func pkcs(_ parts: UInt8...) -> OID {
    OID([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01] + parts)
  }
  /// Any other identifier, from its encoded content.
  package static func other(_ content: UInt8...) -> OID { OID(content) }

  /// Dotted decimal; if a component exceeds 64 bits, the whole identifier is hexadecimal.
  package var description: String {
    var parts: [UInt64] = []
    var value: UInt64 = 0
    for byte in content {
      guard value >> 57 == 0 else { return "#" + Hexadecimal.encode(content) }
      value = value << 7 | UInt64(byte & 0x7f)
      if byte < 0x80 {
        if parts.isEmpty {
          let root = min(value / 40, 2)
          parts = [root, value - root * 40]
        } else {
          parts.append(value)
        }
        value = 0
      }
    }
    return parts.map { "\($0)" }.joined(separator: ".")
  }
}

extension DERReader {
  /// The next OBJECT IDENTIFIER, if it is properly encoded.
  package mutating func oid() -> OID? { objectIdentifier().flatMap(OID.init(content:)) }
}
