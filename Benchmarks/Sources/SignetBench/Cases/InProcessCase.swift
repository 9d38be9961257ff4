internal import Signet
internal import SignetCrypto

/// Verification inside a process that has parsed the key already: what a host pays for each artifact.
enum InProcessCase {
  /// Bytes of the artifact.
  private static let size = 4096
  /// Calls that are measured together: one takes too little time to be measured.
  private static let calls = 500
  private static let pairs = 5

  static func measure(_ options: Options) throws -> [Comparison] {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 167) }
    let key = try PrivateKey.generate(.ed25519)
    let name = "artifact.bin"
    let claims = try Signer.FileClaims(name: name, signedAt: UnixTime(seconds: Clock.sinceEpoch))
    let bundle = try Signer(key).sign(.bytes(bytes), claims)
    let text = try bundle.canonicalBytes()
    let verifier = Verifier(policy: try TrustPolicy(trusting: [key.publicKey]), clock: .system)
    let envelope = try JSONReader.read(text, limits: .bundle).member("dsseEnvelope")
    let type = try envelope.member("payloadType").text
    let payload = try Base64.decode(envelope.member("payload").text)
    let bare = try BareVerification(
      publicKey: key.publicKey.der, signature: Base64.decode(envelope.member("signatures").first.member("sig").text),
      message: Array("DSSEv1 \(type.utf8.count) \(type) \(payload.count) ".utf8) + payload)
    let subject = Contender("Verifier.verify", calls: calls) {
      let verdict = try verifier.verify(.bytes(bytes), signatures: .bytes([text]), expecting: .file(named: name))
      guard case .verified = verdict else { throw BenchFailure(message: "\(name) was refused") }
    }
    let comparison = Comparison(
      "verify \(Text.size(size)) in memory, key parsed", subject,
      against: Contender("EVP_DigestVerify", calls: calls, bare.run), budget: 3,
      note: "the same \(bare.messageSize) signed bytes; \(calls) calls a run")
    return [try comparison.run(rounds: options.rounds, of: pairs, patience: options.patience)]
  }
}

/// What is needed of a bundle to check its signature without Signet.
extension JSONValue {
  fileprivate func member(_ name: String) throws -> JSONValue {
    guard case .object(let members) = content, let member = members.first(where: { $0.name == name }) else {
      throw BenchFailure(message: "a bundle without \(name)")
    }
    return member.value
  }

  fileprivate var first: JSONValue {
    get throws {
      guard case .array(let values) = content, let value = values.first else {
        throw BenchFailure(message: "a bundle without a signature")
      }
      return value
    }
  }

  fileprivate var text: String {
    get throws {
      guard case .string(let text) = content else { throw BenchFailure(message: "a bundle without a text") }
      return text
    }
  }
}
