internal import SignetBase

/// The bytes of a signature and nothing else, as `openssl` writes them. Only their size and shape say what they are.
enum RawSignature {
  /// The endings that people give such files.
  static let endings = [".sig", ".sign", ".signature"]

  static func read(_ bytes: [UInt8]) -> OtherSignature? {
    let kind: String
    switch bytes.count {
    case _ where isECDSA(bytes): kind = "ECDSA"
    case 64: kind = "Ed25519"
    case 256, 384, 512, 1024: kind = "RSA with \(bytes.count * 8) bits"
    default: return nil
    }
    // RSA and ECDSA sign a digest, and nothing here says which one.
    let digest = bytes.count == 64 ? [] : [OtherSignature.Claim("digest", "not named; mostly SHA-256")]
    return OtherSignature(.raw, [.init("kind", kind)] + digest)
  }

  /// Two numbers in a sequence (RFC 3279, section 2.2.3).
  static func isECDSA(_ bytes: [UInt8]) -> Bool {
    var reader = DERReader(bytes)
    guard bytes.count <= 150, var numbers = reader.element(DERElement.sequence), reader.isAtEnd else { return false }
    return numbers.element(DERElement.integer) != nil && numbers.element(DERElement.integer) != nil && numbers.isAtEnd
  }
}
