internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// A private key in OpenSSH's own form, as `ssh-keygen` writes it (OpenSSH's PROTOCOL.key).
///
/// Keys of Ed25519 and ECDSA are read if they are not encrypted. OpenSSH encrypts with a derivation of its own, and for
/// RSA its form leaves out numbers that other programs need. `ssh-keygen` can write both in another way.
struct OpenSSHPrivateKey {
  /// The key as PKCS#8.
  let pkcs8: SecretBytes
  /// The public half that the file names.
  let publicKey: SubjectPublicKeyInfo

  /// Reads the content of a block.
  ///
  /// - Throws: `key.malformed`, `key.unsupported`, `key.ambiguous`, `key.encryption-unsupported`.
  init(_ content: SecretBytes) throws(SignetError) {
    (pkcs8, publicKey) = try content.withBytes { (bytes) throws(SignetError) in try Self.read(bytes) }
  }

  private static func read(_ bytes: Span<UInt8>) throws(SignetError) -> (SecretBytes, SubjectPublicKeyInfo) {
    var outer = Fields(KeyForm.openSSHMagic.count..<bytes.count)
    guard let cipher = outer.text(bytes), let derivation = outer.text(bytes), outer.string(bytes) != nil,
      let count = outer.number(bytes)
    else { throw malformed("it ends too early") }
    guard count == 1 else {
      throw SignetError(
        .keyAmbiguous, "key", "holds several keys", expected: "one key", found: "\(count)",
        hint: "put each key into a file of its own")
    }
    guard let half = outer.string(bytes), let secret = outer.string(bytes), outer.isAtEnd else {
      throw malformed("its parts do not fill it")
    }
    let wire = Array(copying: bytes, half)
    guard let publicKey = SSHWireForm.read(wire) else {
      throw SignetError(
        .keyUnsupported, "key", "has a type that is not supported",
        expected: "Ed25519, or ECDSA over P-256, P-384 or P-521",
        found: Fields.kind(of: wire), hint: "make a key for signing: signet keygen --out PATH")
    }
    guard cipher.isExactly("none"), derivation.isExactly("none") else { throw encrypted(publicKey, cipher) }
    var inner = Fields(secret)
    // The two numbers are equal if the passphrase was right; here they show damage.
    guard let first = inner.number(bytes), inner.number(bytes) == first,
      let kind = inner.text(bytes), kind.isExactly(Fields.kind(of: wire))
    else { throw malformed("its private half is not that of its public half") }
    let pkcs8: SecretBytes
    switch publicKey {
    case .ed25519(let key):
      // The seed, and the public half once more (RFC 8032, section 5.1.5).
      guard let named = inner.string(bytes), Array(copying: bytes, named) == key, let both = inner.string(bytes),
        both.count == 64, Array(copying: bytes, both.lowerBound + 32..<both.upperBound) == key
      else { throw malformed("its private half is not that of its public half") }
      pkcs8 = Self.ed25519(bytes, both.lowerBound..<both.lowerBound + 32)
    case .ec(let curve, let point):
      guard let name = inner.text(bytes), name.isExactly(curve.sshName), let named = inner.string(bytes),
        Array(copying: bytes, named) == point, let number = inner.magnitude(bytes),
        (1...curve.coordinateSize).contains(number.count)
      else { throw malformed("its private half is not that of its public half") }
      pkcs8 = Self.ec(curve, bytes, number)
    case .rsa: throw rsa
    }
    guard inner.string(bytes) != nil, inner.isPadding(bytes) else {
      throw malformed("it is not filled up as it must be")
    }
    return (pkcs8, publicKey)
  }

  /// PrivateKeyInfo of Ed25519 (RFC 8410, section 7).
  private static func ed25519(_ bytes: Span<UInt8>, _ seed: Range<Int>) -> SecretBytes {
    let algorithm = DERWriter.sequence(
      DERWriter.element(DERElement.objectIdentifier, SubjectPublicKeyInfo.ed25519Identifier))
    return info(algorithm, start: [DERElement.octetString, UInt8(seed.count)], zeros: 0, secret: seed, in: bytes)
  }

  /// PrivateKeyInfo with an ECPrivateKey (RFC 5915), whose number has the length of the curve.
  private static func ec(_ curve: EllipticCurve, _ bytes: Span<UInt8>, _ number: Range<Int>) -> SecretBytes {
    let size = UInt8(curve.coordinateSize)
    let algorithm = DERWriter.sequence(
      DERWriter.element(DERElement.objectIdentifier, SubjectPublicKeyInfo.ecIdentifier),
      DERWriter.element(DERElement.objectIdentifier, curve.identifier))
    let start = [DERElement.sequence, size + 5, DERElement.integer, 1, 1, DERElement.octetString, size]
    return info(
      algorithm, start: start, zeros: curve.coordinateSize - number.count, secret: number, in: bytes)
  }

  /// PrivateKeyInfo (RFC 5208, section 5). All lengths are below 128, so each takes one byte.
  private static func info(
    _ algorithm: [UInt8], start: [UInt8], zeros: Int, secret: Range<Int>, in bytes: Span<UInt8>
  ) -> SecretBytes {
    let key = start.count + zeros + secret.count
    let head =
      [DERElement.sequence, UInt8(3 + algorithm.count + 2 + key), DERElement.integer, 1, 0] + algorithm
      + [DERElement.octetString, UInt8(key)] + start + [UInt8](repeating: 0, count: zeros)
    return SecretBytes.build(capacity: head.count + secret.count) { append in
      for byte in head { append(byte) }
      for index in secret { append(bytes[index]) }
    }
  }

  private static func malformed(_ found: String) -> SignetError {
    SignetError(
      .keyMalformed, "key", "is no key in OpenSSH's form", expected: "a key as ssh-keygen writes it", found: found)
  }

  private static func encrypted(_ key: SubjectPublicKeyInfo, _ cipher: String) -> SignetError {
    let hint =
      if case .ed25519 = key {
        "copy the key, and take the passphrase away from the copy: ssh-keygen -p -N '' -f COPY"
      } else { rewriting }
    return SignetError(
      .keyEncryptionUnsupported, "key", "is encrypted in OpenSSH's own way",
      expected: "PKCS#8 with PBES2, or OpenSSH's form without a passphrase", found: cipher, hint: hint)
  }

  private static let rewriting =
    "copy the key, and let ssh-keygen write the copy as PKCS#8: ssh-keygen -p -m PKCS8 -f COPY"

  private static var rsa: SignetError {
    SignetError(
      .keyUnsupported, "key", "is an RSA key in OpenSSH's own form", expected: "an RSA key as PKCS#8", hint: rewriting
    )
  }

  /// The fields of a part of the key, one after the other (RFC 4251, section 5).
  private struct Fields {
    private var rest: Range<Int>

    init(_ range: Range<Int>) { rest = range }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next four bytes as a number.
    mutating func number(_ bytes: Span<UInt8>) -> Int? {
      guard rest.count >= 4 else { return nil }
      var value = 0
      for index in rest.lowerBound..<rest.lowerBound + 4 { value = value << 8 | Int(bytes[index]) }
      rest = rest.lowerBound + 4..<rest.upperBound
      return value
    }

    /// The place of the next string.
    mutating func string(_ bytes: Span<UInt8>) -> Range<Int>? {
      guard let count = number(bytes), count <= rest.count else { return nil }
      let place = rest.lowerBound..<rest.lowerBound + count
      rest = place.upperBound..<rest.upperBound
      return place
    }

    /// The next string, which is not secret, as text.
    mutating func text(_ bytes: Span<UInt8>) -> String? {
      guard let place = string(bytes), place.count <= 64 else { return nil }
      return String(validating: Array(copying: bytes, place), as: UTF8.self)
    }

    /// The place of the next number of any length, without the zero before a first bit that is set.
    mutating func magnitude(_ bytes: Span<UInt8>) -> Range<Int>? {
      guard let place = string(bytes), let first = place.first else { return nil }
      return bytes[first] == 0 ? first + 1..<place.upperBound : place
    }

    /// Whether the rest is 1, 2, 3 and so on, up to the block size of no cipher.
    func isPadding(_ bytes: Span<UInt8>) -> Bool {
      rest.count < 8 && rest.enumerated().allSatisfy { bytes[$0.element] == UInt8($0.offset + 1) }
    }

    /// The name of the kind with which a public key begins.
    static func kind(of wire: [UInt8]) -> String {
      let count = wire.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard wire.count >= 4 + count, count <= 64 else { return "" }
      return String(decoding: wire.dropFirst(4).prefix(count), as: UTF8.self)
    }
  }
}
