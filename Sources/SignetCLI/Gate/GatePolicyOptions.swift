internal import ArgumentParser
internal import ReleaseGate
internal import Signet
internal import SignetBase
internal import SignetCrypto

/// What a release is checked against: a key, an authority, or a whole policy.
struct GatePolicyOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("Trust this public key: its file, or the key itself as text.", valueName: "key"),
    completion: .file())
  var key: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The key's ID. Only this key is accepted, no matter who owns or can write its file.", valueName: "SHA256:…"))
  var keyId: KeyIDArgument?

  @Option(
    name: .long,
    help: ArgumentHelp("Trust signers that this authority certifies (PEM or DER).", valueName: "path"),
    completion: .file())
  var anchor: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --anchor: only this identity, exactly as in the certificate: email:A, uri:U, dns:H or subject:DN. Repeatable.",
      valueName: "name"))
  var identity: [String] = []

  @Flag(name: .long, help: "With --anchor: every signer that it certifies for code signing.")
  var anyLeaf = false

  @Option(
    name: .long, help: ArgumentHelp("Check against this release policy or trust policy.", valueName: "path"),
    completion: .file())
  var policy: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The policy's SHA-256. Only this policy is accepted, no matter where its file is and who can write it.",
      valueName: "hex"))
  var policySha256: SHA256Argument?

  @Flag(name: .long, help: "Trust published test keys, whose private halves are public.")
  var allowTestKeys = false

  func validate() throws {
    guard [key, anchor, policy].compactMap(\.self).count <= 1 else {
      throw ValidationError("Give one of --key, --anchor and --policy.")
    }
    if keyId != nil, key == nil { throw ValidationError("--key-id goes with --key.") }
    if policySha256 != nil, policy == nil { throw ValidationError("--policy-sha256 goes with --policy.") }
    if anchor != nil, identity.isEmpty != anyLeaf {
      throw ValidationError("With --anchor give --identity or --any-leaf.")
    }
    if anchor == nil, anyLeaf || !identity.isEmpty {
      throw ValidationError("--identity and --any-leaf go with --anchor.")
    }
    for name in identity where SignerIdentity(name) == nil {
      throw ValidationError("--identity \(name) is not an identity.")
    }
  }

  /// Whether nothing was given.
  var isEmpty: Bool { key == nil && anchor == nil && policy == nil }

  /// The policy, and how reports call it.
  ///
  /// - Throws: `policy.…`, `key.…`, `certificate.…`, `file.…`.
  func read() throws(SignetError) -> (policy: ReleasePolicy, reference: GateReport.Policy) {
    if let policy {
      let file: ReleasePolicyFile
      if let pin = policySha256?.digest {
        file = try ReleasePolicyFile(policy, pinned: pin, allowsTestKeys: allowTestKeys)
      } else {
        file = try trusted(policy)
      }
      return (file.policy, GateReport.Policy(name: policy, sha256: file.sha256))
    }
    if let key {
      let publicKey: PublicKey =
        if let keyId { try KeyFile.publicKey(key, pinned: keyId.id) } else { try KeyFile.publicKey(key) }
      let trust = try TrustPolicy(trusting: [publicKey], allowsTestKeys: allowTestKeys)
      return (ReleasePolicy(trust: trust), GateReport.Policy(name: "--key \(publicKey.id)", sha256: nil))
    }
    let certificates = try Certificate.all(inTrustedFile: anchor ?? "")
    let trusted: TrustAnchor =
      anyLeaf
      ? try .anyLeaf(of: certificates)
      : try .authority(certificates, identities: identity.compactMap { SignerIdentity($0) })
    let trust = try TrustPolicy(
      entries: [TrustEntry("anchor", trusted, scope: .everything)], allowsTestKeys: allowTestKeys)
    return (ReleasePolicy(trust: trust), GateReport.Policy(name: "--anchor \(anchor ?? "")", sha256: nil))
  }

  private func trusted(_ path: String) throws(SignetError) -> ReleasePolicyFile {
    do throws(SignetError) {
      return try ReleasePolicyFile(trusted: path, allowsTestKeys: allowTestKeys)
    } catch  where error.code == .fileOthersMayWrite {
      var error = error
      error.hint = "name the policy by its digest, too, once you know which is right: --policy-sha256 HEX"
      throw error
    }
  }

  /// The files that decide, which no output replaces.
  var files: [String] { [key, anchor, policy].compactMap(\.self) }
}
