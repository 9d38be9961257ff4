@testable import OtherSignatures
@testable import SignetBase
@testable import SignetCrypto
@testable import SignetVerify

/// Signatures that other programs have made, and those who may make them.
enum FedOtherSignatures {
  /// The base point of the curve: a key whose private half nobody knows.
  private static let nobody = [0x58] + [UInt8](repeating: 0x66, count: 31)

  /// Signatures: each has a name or none, and nobody has signed a file with a key that nobody has.
  static func feed(_ bytes: [UInt8]) {
    if let signature = OtherSignature(bytes) {
      _ = signature.command(verifying: "a b", signature: "a b.sig")
      require(signature.claims.count < 1000, "a signature says too much")
    }
    guard let key = try? PublicKey(ed25519: nobody) else { return }
    let formats: Set<SignatureFormat> = [.minisign, .signify, SignatureFormat("ssh", "file"), .raw]
    guard let entry = try? TrustEntry("nobody", .key(key), scope: .everything, formats: formats) else { return }
    require(!isVerified(bytes, by: entry), "nobody has signed")
  }

  private static func isVerified(_ bytes: [UInt8], by entry: TrustEntry) -> Bool {
    var all: [any BareSignature] = []
    if let lines = MinisignSignature(bytes), let evidence = try? MinisignEvidence(lines, "a") { all.append(evidence) }
    if let body = SSHSignature.wholeBody(of: bytes), let evidence = try? SSHEvidence(body, "a") {
      all.append(evidence)
    }
    if let evidence = RawEvidence(bytes, in: .raw, "a") { all.append(evidence) }
    // The fuzzer need not find the armor.
    if let evidence = try? SSHEvidence(bytes, "a") { all.append(evidence) }
    guard !all.isEmpty, let policy = try? TrustPolicy(entries: [entry], allowsTestKeys: true) else { return false }
    let verifier = Verifier(policy: policy, clock: .fixed(UnixTime(seconds: 1_800_000_000)))
    let verdict = try? verifier.verify(
      .bytes(Array("a tool".utf8)), signatures: .bytes([]).adding(all), expecting: .file(named: "tool"))
    if case .verified? = verdict { return true }
    return false
  }

  /// Lines: nobody whom they name has signed in the name of a key that nobody has.
  static func feedSigners(_ bytes: [UInt8]) {
    _ = try? SSHRevocations(bytes, "revoked")
    guard let signers = try? AllowedSigners(bytes, principal: nil, "signers") else { return }
    require(!signers.names.isEmpty || bytes.isEmpty || signers.description.isEmpty == false, "signers without a name")
    guard
      let entry = try? TrustEntry(
        "signers", .vouched(signers), scope: .everything, formats: [SignatureFormat("ssh", "file")])
    else {
      return
    }
    require(!isVerified(bytes, by: entry), "nobody has signed")
  }
}
