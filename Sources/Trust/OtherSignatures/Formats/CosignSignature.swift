internal import SignetBase
internal import SignetCrypto

/// What `cosign sign-blob` wrote before it wrote Sigstore's bundles: a JSON object with the signature and a certificate or
/// none, or the signature in base64 alone.
enum CosignSignature {
  static func read(_ bytes: [UInt8]) -> OtherSignature? {
    if bytes.first == UInt8(ascii: "{") { return bundle(bytes) }
    // A signature of 2,048 bits is 344 characters long, one of Ed25519 88; a line end may follow.
    let text = bytes.prefix(1400).filter { $0 > 0x20 }
    guard bytes.count <= 1400, text.count >= 64,
      let signature = try? Base64.decode(String(decoding: text, as: UTF8.self)),
      (64...1024).contains(signature.count)
    else { return nil }
    return OtherSignature(.base64, [.init("size", "\(signature.count) bytes")])
  }

  private static func bundle(_ bytes: [UInt8]) -> OtherSignature? {
    guard bytes.count <= JSONLimits.bundle.size, let value = try? JSONReader.read(bytes, limits: .bundle),
      var object = try? JSONObject(value, "bundle", unknownField: .jsonWrongValue)
    else { return nil }
    if let message = try? object.object("messageSignature") { return self.message(message, &object) }
    guard (try? object.bytes("base64Signature")) != nil else { return nil }
    guard case .string(let text)? = object.optional("cert")?.content, !text.isEmpty,
      let pem = try? Base64.decode(text), let certificate = ArmoredBlock("CERTIFICATE", in: pem),
      let leaf = try? Certificate(der: certificate.bytes)
    else { return OtherSignature(.cosignBundle) }
    return OtherSignature(.cosignBundle, claims(leaf))
  }

  /// Whom a certificate names.
  static func claims(_ leaf: Certificate) -> [OtherSignature.Claim] {
    let names = leaf.subjectAlternativeNames.prefix(4).map { OtherSignature.Claim("signer", "\($0)") }
    return (names.isEmpty ? [.init("signer", leaf.name)] : names) + [
      .init("certificate", "\(leaf.notBefore) to \(leaf.notAfter)")
    ]
  }

  /// Sigstore's bundle with a `messageSignature`: it signs a digest, and says nothing about what that is.
  private static func message(_ message: JSONObject, _ bundle: inout JSONObject) -> OtherSignature? {
    var message = message
    guard let signature = try? message.bytes("signature") else { return nil }
    var claims = [OtherSignature.Claim("signature", "\(signature.count) bytes over a bare digest")]
    if var digest = try? message.object("messageDigest"), let algorithm = try? digest.string("algorithm"),
      let bytes = try? digest.bytes("digest")
    {
      claims.append(.init(algorithm.isExactly("SHA2_256") ? "sha256" : algorithm, Hexadecimal.encode(bytes)))
    }
    if var material = try? bundle.object("verificationMaterial"), let leaf = leaf(&material) {
      claims += self.claims(leaf)
    }
    return OtherSignature(.sigstoreBundle, claims)
  }

  /// The certificate of a bundle's signer, alone or first in a chain.
  private static func leaf(_ material: inout JSONObject) -> Certificate? {
    if var single = try? material.object("certificate") {
      return (try? single.bytes("rawBytes")).flatMap { try? Certificate(der: $0) }
    }
    guard var chain = try? material.object("x509CertificateChain"),
      case .array(let list)? = chain.optional("certificates")?.content, let first = list.first,
      var entry = try? JSONObject(first, "certificate", unknownField: .jsonWrongValue)
    else { return nil }
    return (try? entry.bytes("rawBytes")).flatMap { try? Certificate(der: $0) }
  }
}
