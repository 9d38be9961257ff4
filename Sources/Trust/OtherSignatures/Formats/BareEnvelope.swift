internal import SignetBase
internal import SignetCrypto

/// An envelope of DSSE that no bundle holds, or several, one a line: what the generators of SLSA provenance and older programs
/// of in-toto write. Nothing in it proves when it was signed, so its own program asks a log.
enum BareEnvelope {
  static func read(_ bytes: [UInt8]) -> OtherSignature? {
    guard bytes.first == UInt8(ascii: "{") else { return nil }
    return envelope(bytes) ?? envelope(Array(bytes.prefix { $0 != UInt8(ascii: "\n") }))
  }

  private static func envelope(_ bytes: [UInt8]) -> OtherSignature? {
    guard bytes.count <= JSONLimits.bundle.size, let value = try? JSONReader.read(bytes, limits: .bundle),
      var object = try? JSONObject(value, "envelope", unknownField: .jsonWrongValue),
      let type = try? object.string("payloadType"), let payload = try? object.bytes("payload"),
      case .array(let signatures)? = object.optional("signatures")?.content, let first = signatures.first,
      var signature = try? JSONObject(first, "signature", unknownField: .jsonWrongValue),
      (try? signature.bytes("sig")) != nil
    else { return nil }
    var claims = [OtherSignature.Claim(OtherSignature.states, predicateType(payload) ?? type)]
    if case .string(let pem)? = signature.optional("cert")?.content,
      let certificate = ArmoredBlock("CERTIFICATE", in: Array(pem.utf8)),
      let leaf = try? Certificate(der: certificate.bytes)
    {
      claims += CosignSignature.claims(leaf)
    }
    return OtherSignature(.envelope, claims)
  }

  /// What an in-toto statement says its content is; nil for another payload.
  private static func predicateType(_ payload: [UInt8]) -> String? {
    guard let value = try? JSONReader.read(payload, limits: .bundle),
      var statement = try? JSONObject(value, "statement", unknownField: .jsonWrongValue)
    else { return nil }
    return try? statement.string("predicateType")
  }
}
