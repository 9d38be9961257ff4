internal import SignetBase

/// The form of an ECDSA signature: `SEQUENCE { INTEGER r, INTEGER s }` in DER (RFC 3279, section 2.2.3).
///
/// OpenSSL answers "could not check" for bytes of another form; for us they are simply no signature.
enum ECDSASignature {
  static func isWellFormed(_ signature: [UInt8], _ curve: EllipticCurve) -> Bool {
    var outer = DERReader(signature)
    guard var numbers = outer.sequence(), outer.isAtEnd, let r = numbers.unsignedInteger(),
      let s = numbers.unsignedInteger(), numbers.isAtEnd
    else { return false }
    return [r, s].allSatisfy { (1...curve.coordinateSize).contains($0.count) }
  }
}
