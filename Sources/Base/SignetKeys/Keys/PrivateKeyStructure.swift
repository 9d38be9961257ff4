internal import SignetBase
internal import SignetCrypto
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
    let largest = EllipticCurve.p521.coordinateSize
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
      expected: "Ed25519, RSA, or ECDSA over P-256, P-384 or P-521", found: found)
  }
}
