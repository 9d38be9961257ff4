internal import SignetBase
internal import SignetSystem

/// Checks which kind of private key some DER holds, before OpenSSL reads it.
///
/// OpenSSL decodes many more kinds than are used here, and some can make it work without bound. For a DSA key, or a
/// curve with its own parameters, it computes the public half with numbers that the file chooses. So only the kinds
/// that can sign here are accepted, in their possible sizes. The secret numbers are not copied.
enum PrivateKeyStructure {
  /// The maximum number of elements in a sequence: an RSAPrivateKey has nine.
  private static let childLimit = 9
  /// The maximum number of bytes in an INTEGER: 8192 bits and a leading zero.
  private static let integerLimit = RSANumbers.mostBits / 8 + 1

  /// - Throws: `key.malformed`, `key.unsupported`, `key.insecure`.
  static func check(_ der: SecretBytes, _ form: KeyForm) throws(SignetError) {
    try der.withBytes { (bytes) throws(SignetError) in
      guard let outer = DERElement(in: bytes, at: 0, limit: bytes.count), outer.content.upperBound == bytes.count
      else {
        throw malformed
      }
      switch form {
      case .rsa: try checkRSA(bytes, outer)
      case .ec: try checkEC(bytes, outer, needsCurve: true)
      default: try checkPKCS8(bytes, outer)
      }
    }
  }

  /// PrivateKeyInfo: version, algorithm and key, and the fields that RFC 5958 adds after them.
  private static func checkPKCS8(_ bytes: Span<UInt8>, _ outer: DERElement) throws(SignetError) {
    let parts = try children(bytes, outer)
    guard parts.count >= 3, parts[0].tag == DERElement.integer, parts[2].tag == DERElement.octetString else {
      throw malformed
    }
    let algorithm = try children(bytes, parts[1])
    guard let name = algorithm.first, name.tag == DERElement.objectIdentifier, algorithm.count <= 2 else {
      throw malformed
    }
    let inner = DERElement(in: bytes, at: parts[2].content.lowerBound, limit: parts[2].content.upperBound)
    guard let inner, inner.content.upperBound == parts[2].content.upperBound else { throw malformed }
    switch Array(copying: bytes, name.content) {
    case SubjectPublicKeyInfo.ed25519Identifier:
      guard inner.tag == DERElement.octetString, inner.content.count == 32 else { throw malformed }
    case SubjectPublicKeyInfo.rsaIdentifier: try checkRSA(bytes, inner)
    case SubjectPublicKeyInfo.ecIdentifier:
      guard algorithm.count == 2 else { throw unsupported("an elliptic curve that is not named") }
      try checkCurve(bytes, algorithm[1])
      try checkEC(bytes, inner, needsCurve: false)
    default: throw unsupported("another algorithm")
    }
  }

  /// RSAPrivateKey (RFC 8017, appendix A.1.2): nine numbers, of which the first is zero.
  private static func checkRSA(_ bytes: Span<UInt8>, _ element: DERElement) throws(SignetError) {
    let numbers = try children(bytes, element)
    guard numbers.count == 9, numbers.allSatisfy({ $0.tag == DERElement.integer && !$0.content.isEmpty }),
      numbers[0].content.count == 1, bytes[numbers[0].content.lowerBound] == 0
    else { throw malformed }
    guard numbers.allSatisfy({ $0.content.count <= integerLimit }) else {
      throw SignetError(.keyInsecure, "key", "has RSA numbers of more than \(RSANumbers.mostBits) bits")
    }
  }

  /// ECPrivateKey (RFC 5915): version and number, and optionally curve and point.
  private static func checkEC(
    _ bytes: Span<UInt8>, _ element: DERElement, needsCurve: Bool
  ) throws(SignetError) {
    let parts = try children(bytes, element)
    let largest = EllipticCurve.p384.coordinateSize
    guard parts.count >= 2, parts[0].tag == DERElement.integer, parts[1].tag == DERElement.octetString,
      (1...largest).contains(parts[1].content.count)
    else {
      throw parts.count >= 2 && parts[1].content.count > largest ? unsupported("a larger elliptic curve") : malformed
    }
    guard let curve = parts.first(where: { $0.tag == 0xa0 }) else {
      if needsCurve { throw unsupported("an elliptic curve that is not named") }
      return
    }
    guard let name = DERElement(in: bytes, at: curve.content.lowerBound, limit: curve.content.upperBound) else {
      throw malformed
    }
    try checkCurve(bytes, name)
  }

  private static func checkCurve(_ bytes: Span<UInt8>, _ name: DERElement) throws(SignetError) {
    let identifier = Array(copying: bytes, name.content)
    guard name.tag == DERElement.objectIdentifier,
      EllipticCurve.allCases.contains(where: { $0.identifier == identifier })
    else { throw unsupported("another elliptic curve") }
  }

  private static func children(_ bytes: Span<UInt8>, _ parent: DERElement) throws(SignetError) -> [DERElement] {
    guard parent.tag == DERElement.sequence else { throw malformed }
    var children: [DERElement] = []
    var position = parent.content.lowerBound
    while position < parent.content.upperBound {
      guard children.count < childLimit,
        let child = DERElement(in: bytes, at: position, limit: parent.content.upperBound)
      else { throw malformed }
      children.append(child)
      position = child.content.upperBound
    }
    return children
  }

  private static var malformed: SignetError {
    SignetError(
      .keyMalformed, "key", "does not hold a private key that can be read", expected: "PKCS#8, RSA or EC in DER")
  }

  private static func unsupported(_ found: String) -> SignetError {
    SignetError(
      .keyUnsupported, "key", "has a type that is not supported",
      expected: "Ed25519, RSA, or ECDSA over P-256 or P-384", found: found)
  }
}

/// The rules for the numbers of an RSA public key.
enum RSANumbers {
  /// The minimum length: an attacker with enough money can forge signatures of shorter keys (SP 800-131A). A policy
  /// requires more.
  static let leastBits = 2048
  /// The maximum length: verifying with longer keys costs the verifier more than it should cost an attacker to ask.
  static let mostBits = 8192

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
enum EllipticCurve: Sendable, CaseIterable {
  case p256
  case p384

  /// The content of the object identifier (RFC 5480, section 2.1.1.1).
  var identifier: [UInt8] {
    switch self {
    case .p256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]  // 1.2.840.10045.3.1.7
    case .p384: [0x2b, 0x81, 0x04, 0x00, 0x22]  // 1.3.132.0.34
    }
  }

  /// The number of bytes in a coordinate, and in the group's order.
  var coordinateSize: Int { self == .p256 ? 32 : 48 }

  /// The name in SSH (RFC 5656, section 10.1).
  var sshName: String { self == .p256 ? "nistp256" : "nistp384" }

  /// The name in OpenSSL.
  var groupName: String { self == .p256 ? "P-256" : "P-384" }
}
