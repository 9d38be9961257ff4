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
      var object = try? JSONObject(value, "bundle", unknownField: .jsonWrongValue),
      (try? object.bytes("base64Signature")) != nil
    else { return nil }
    guard case .string(let text)? = object.optional("cert")?.content, !text.isEmpty,
      let pem = try? Base64.decode(text), let certificate = ArmoredBlock("CERTIFICATE", in: pem),
      let leaf = try? Certificate(der: certificate.bytes)
    else { return OtherSignature(.cosignBundle) }
    let names = leaf.subjectAlternativeNames.prefix(4).map { OtherSignature.Claim("signer", "\($0)") }
    return OtherSignature(
      .cosignBundle,
      (names.isEmpty ? [.init("signer", leaf.name)] : names) + [
        .init("certificate", "\(leaf.notBefore) to \(leaf.notAfter)")
      ])
  }
}
