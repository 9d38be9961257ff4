internal import SignetBase

/// What kind of private key some DER is.
enum KeyStructure: Equatable {
  /// PrivateKeyInfo (RFC 5208) or OneAsymmetricKey (RFC 5958).
  case pkcs8
  /// EncryptedPrivateKeyInfo (RFC 5208).
  case encryptedPKCS8
  /// RSAPrivateKey (RFC 8017, appendix A.1.2).
  case rsa
  /// OpenSSL's form of DSA keys.
  case dsa
  /// ECPrivateKey (RFC 5915).
  case ec

  /// The name in findings.
  var words: String {
    switch self {
    case .pkcs8, .encryptedPKCS8: "PKCS #8"
    case .rsa: "RSA"
    case .dsa: "DSA"
    case .ec: "EC"
    }
  }

  /// 1.2.840.113549.1.5, the schemes of PKCS #5 (RFC 8018), and 1.2.840.113549.1.12.1, those of PKCS #12 (RFC 7292).
  private static let encryptionSchemes: [[UInt8]] = [
    [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x05], [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x0c, 0x01],
  ]

  private static func isEncryption(_ scheme: [UInt8]) -> Bool {
    encryptionSchemes.contains { scheme.starts(with: $0) }
  }

  // MARK: Whole keys

  /// The kind of key that these bytes are, with nothing before or after it; nil if they are not a key.
  ///
  /// It is stricter than for reading a key, where only the forms of keys need to be told apart: a signature, a public
  /// key and a digest with its algorithm begin like one of these.
  init?(der: [UInt8]) {
    var reader = DERReader(der)
    guard var parts = reader.sequence(), reader.isAtEnd else { return nil }
    guard parts.nextTag == DERElement.integer else {
      guard Self.isEncryptedKey(&parts) else { return nil }
      self = .encryptedPKCS8
      return
    }
    guard let version = parts.unsignedInteger(atMost: 1) else { return nil }
    switch parts.nextTag {
    case DERElement.sequence:
      guard var algorithm = parts.sequence(), algorithm.oid() != nil, let key = parts.octetString(), !key.isEmpty,
        Self.isTagged(&parts)
      else { return nil }
      self = .pkcs8
    case DERElement.octetString:
      guard version == 1, let key = parts.octetString(), Self.curveSizes.contains(key.count), !parts.isAtEnd,
        Self.isTagged(&parts)
      else { return nil }
      self = .ec
    default:
      var count = 0
      while parts.nextTag == DERElement.integer, count < 9, let number = parts.integer(), !number.isEmpty {
        count += 1
      }
      // With version 1, RSA keys have more than two primes.
      if count == 8, version == 1 ? parts.sequence() != nil && parts.isAtEnd : parts.isAtEnd {
        self = .rsa
      } else if count == 5, version == 0, parts.isAtEnd {
        self = .dsa
      } else {
        return nil
      }
    }
  }

  /// The sizes of a private number on any curve, in bytes.
  private static let curveSizes = 14...72

  private static func isEncryptedKey(_ parts: inout DERReader) -> Bool {
    guard var scheme = parts.sequence(), let name = scheme.oid(), isEncryption(name.content), !scheme.isAtEnd,
      let content = parts.octetString(), !content.isEmpty
    else { return false }
    return parts.isAtEnd
  }

  /// Whether only elements with tags of their own follow: attributes, the curve, or the public key.
  private static func isTagged(_ parts: inout DERReader) -> Bool {
    while !parts.isAtEnd {
      guard let (tag, _) = parts.element(), tag & 0xc0 == 0x80 else { return false }
    }
    return true
  }

  // MARK: Beginnings of keys

  /// The kind of key that begins with these bytes; nil if none does.
  ///
  /// - Parameter isWhole: whether they are also its end.
  init?(start bytes: [UInt8], isWhole: Bool) {
    // The largest keys in use, of post-quantum algorithms, have some kilobytes.
    guard let outer = Header(bytes, 0), outer.tag == DERElement.sequence, (32...1 << 17).contains(outer.length),
      isWhole ? bytes.count == outer.end : bytes.count <= outer.end, let first = Header(bytes, outer.start)
    else { return nil }
    if first.tag == DERElement.sequence {
      guard let scheme = Header(bytes, first.start), scheme.tag == DERElement.objectIdentifier,
        scheme.end <= bytes.count, Self.isEncryption(Array(bytes[scheme.start..<scheme.end]))
      else { return nil }
      self = .encryptedPKCS8
      return
    }
    guard first.tag == DERElement.integer, first.length == 1, first.end <= bytes.count, bytes[first.start] <= 1,
      let second = Header(bytes, first.end)
    else { return nil }
    switch second.tag {
    case DERElement.sequence:
      guard let name = Header(bytes, second.start), name.tag == DERElement.objectIdentifier,
        (3...20).contains(name.length)
      else { return nil }
      self = .pkcs8
    case DERElement.integer where second.length >= 32: self = .rsa
    case DERElement.octetString where Self.curveSizes.contains(second.length): self = .ec
    default: return nil
    }
  }

  /// The tag and the length of an element whose content may not be there.
  private struct Header {
    let tag: UInt8
    /// Where the content begins.
    let start: Int
    let length: Int
    var end: Int { start + length }

    init?(_ bytes: [UInt8], _ offset: Int) {
      guard offset <= bytes.count - 2 else { return nil }
      tag = bytes[offset]
      let first = Int(bytes[offset + 1])
      guard first >= 0x80 else {
        start = offset + 2
        length = first
        return
      }
      let octets = first & 0x7f
      guard (1...3).contains(octets), octets <= bytes.count - offset - 2 else { return nil }
      start = offset + 2 + octets
      length = bytes[offset + 2..<start].reduce(0) { $0 << 8 | Int($1) }
    }
  }
}
