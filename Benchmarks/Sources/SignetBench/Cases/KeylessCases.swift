internal import Keyless
internal import Signet
internal import SignetCrypto

/// A signature by an identity, which a log and a promise prove, beside one by a key over the same bytes.
enum KeylessCases {
  private static let pairs = 20
  /// Calls that are measured together: one takes too little time to be measured.
  private static let calls = 200
  private static let callPairs = 5

  private static let identity =
    "https://github.com/sigstore-conformance/extremely-dangerous-public-oidc-beacon/.github/workflows/extremely-dangerous-oidc-beacon.yml@refs/heads/main"
  private static let issuer = "https://token.actions.githubusercontent.com"

  static func measure(_ workshop: Workshop, _ options: Options) throws -> [Comparison] {
    let (file, bundle) = ("identity.txt", "identity.bundle.json")
    try TextFile.write(vector("public/cosign.txt"), to: file)
    try TextFile.write(vector("public/cosign.sigstore.json"), to: bundle)
    _ = try ChildProcess.run(workshop.signing(file))
    let byIdentity = Contender(
      "signet verify --certificate-identity",
      Command(
        workshop.signet, "verify", file, "--signature", bundle, "--certificate-identity", identity,
        "--certificate-oidc-issuer", issuer, "--sigstore", "public-good", "--format", "message"))
    var comparisons = [
      try Comparison(
        "verify a signature by an identity, whole process", byIdentity,
        against: Contender("signet verify --key", workshop.verifying(file)), budget: 1.3, note: "the same file"
      ).run(rounds: options.rounds, of: pairs, patience: options.patience)
    ]
    if let sigstore = options.sigstore {
      let command = Command(
        sigstore, "verify", "identity", "--offline", "--bundle", bundle, "--cert-identity", identity,
        "--cert-oidc-issuer", issuer, file)
      comparisons.append(
        try Comparison(
          "verify a signature by an identity, whole process", byIdentity,
          against: Contender("sigstore verify identity --offline", command), budget: 0.5
        ).run(rounds: options.rounds, of: 1, patience: options.patience))
    }
    return comparisons + [try inProcess(options)]
  }

  /// A mebibyte, signed by an identity of a private instance whose keys are as large as those of the public one.
  private static func inProcess(_ options: Options) throws -> Comparison {
    let bytes = [UInt8](repeating: 0, count: 1 << 20)
    let bundle = Array(try vector("megabyte.sigstore.json").utf8)
    let policy = """
      {"version": 1, "entries": [{"name": "identity", "files": ["*"], "formats": ["message"], "sigstore": {"root": \
      \(try vector("megabyte.root.json")), "identities": [{"identity": "https://github.com/example/tool/\
      .github/workflows/release.yml@refs/tags/v1", "issuer": "\(issuer)"}]}}]}
      """
    let name = "artifact"
    let key = try PrivateKey.generate(.ed25519)
    let signed = try Signer(key).sign(
      .bytes(bytes), Signer.FileClaims(name: name, signedAt: UnixTime(seconds: Clock.sinceEpoch))
    ).canonicalBytes()
    func contender(_ title: String, _ policy: TrustPolicy, _ bundle: [UInt8]) -> Contender {
      let verifier = Verifier(policy: policy, clock: .system)
      return Contender(title, calls: calls) {
        let verdict = try verifier.verify(.bytes(bytes), signatures: .bytes([bundle]), expecting: .file(named: name))
        guard case .verified = verdict else { throw BenchFailure(message: "\(title): was refused") }
      }
    }
    return try Comparison(
      "verify 1 MiB by an identity, in memory",
      contender("Verifier.verify, an identity", TrustPolicy(json: Array(policy.utf8), with: .all), bundle),
      against: contender("Verifier.verify, a key", TrustPolicy(trusting: [key.publicKey]), signed), budget: 3,
      note: "the same bytes; \(calls) calls a run"
    ).run(rounds: options.rounds, of: callPairs, patience: options.patience)
  }

  /// A file of the vectors, which stand beside the benchmarks.
  private static func vector(_ name: String) throws -> String {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(5)
    let path = parts.joined(separator: "/") + "/Tests/Vectors/keyless/\(name)"
    guard let text = TextFile.content(of: path) else { throw BenchFailure(message: "\(path) cannot be read") }
    return text
  }
}
