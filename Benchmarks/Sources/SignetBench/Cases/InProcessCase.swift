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
    let verifier = Verifier(policy: TrustPolicy(trusting: [key.publicKey]), clock: .system)
    let bare = try BareVerification(
      publicKey: key.publicKey.der, signature: bundle.envelope.signature,
      message: Envelope.preAuthenticationEncoding(of: bundle.envelope.payload))
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
