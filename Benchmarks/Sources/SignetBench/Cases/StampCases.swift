internal import Keyless
internal import Signet

/// A signature by a certificate with a timestamp that counts, beside the same signature without one.
enum StampCases {
  private static let calls = 200
  private static let pairs = 5
  private static let file = "stamped.bin"
  private static let bundle = "\(file).sigstore.json"
  private static let configuration = """
    [req]
    distinguished_name = dn
    [dn]
    [clock]
    keyUsage = critical, digitalSignature
    extendedKeyUsage = critical, timeStamping
    subjectKeyIdentifier = hash
    [tsa]
    default_tsa = authority
    [authority]
    serial = clock.serial
    signer_digest = sha256
    default_policy = 1.2.3.4.1
    digests = sha256
    ess_cert_id_alg = sha256

    """

  static func measure(_ workshop: Workshop, _ options: Options) throws -> [Comparison] {
    let plain = try sign(workshop)
    let stamped = try stamp(plain)
    let bytes = [UInt8](repeating: UInt8(ascii: "0"), count: Workshop.smallSize)
    let authority = try certificate("authority/ca.pem")
    func contender(_ title: String, _ bundle: String, _ more: String) throws -> Contender {
      let text = """
        {"version": 1, "entries": [{"name": "team", "files": ["*"], "authority": {"certificates": ["\(authority)"], \
        "identities": ["email:a@example.com"]}}]\(more)}
        """
      let verifier = Verifier(policy: try TrustPolicy(json: Array(text.utf8), with: .all), clock: .system)
      return Contender(title, calls: calls) {
        let verdict = try verifier.verify(
          .bytes(bytes), signatures: .bytes([Array(bundle.utf8)]), expecting: .file(named: file))
        guard case .verified = verdict else { throw BenchFailure(message: "\(title): was refused") }
      }
    }
    let clock = #", "timestampAuthorities": ["\#(try certificate("clock.pem"))"], "timestamps": 1"#
    let comparison = Comparison(
      "verify 1 MiB by a certificate, in memory", try contender("Verifier.verify, a timestamp", stamped, clock),
      against: try contender("Verifier.verify, no timestamp", plain, ""), budget: 1.5,
      note: "the same signature; \(calls) calls a run")
    return [try comparison.run(rounds: options.rounds, of: pairs, patience: options.patience)]
  }

  /// Signs a mebibyte with a certificate.
  ///
  /// - Returns: the bundle.
  private static func sign(_ workshop: Workshop) throws -> String {
    try TextFile.write(String(repeating: "0", count: Workshop.smallSize), to: file)
    for words in [
      ["cert", "init-ca", "authority", "--subject", "Authority", "--type", "p256", "--no-passphrase"],
      ["keygen", "--type", "p256", "--no-passphrase", "--out", "holder"],
      [
        "cert", "issue", "authority", "holder.pub", "--subject", "Holder", "--identity", "a@example.com", "--out",
        "holder.pem",
      ],
      ["sign", file, "--key", "holder", "--certificate", "holder.pem"],
    ] { try run(workshop.signet, words) }
    guard let text = TextFile.content(of: bundle) else { throw BenchFailure(message: "there is no bundle") }
    return text
  }

  /// The bundle with a token that openssl makes.
  private static func stamp(_ bundle: String) throws -> String {
    try TextFile.write(configuration, to: "clock.cnf")
    try TextFile.write("01", to: "clock.serial")
    guard let start = bundle.firstRange(of: #""sig":""#)?.upperBound else {
      throw BenchFailure(message: "a bundle without a signature")
    }
    try TextFile.write(String(bundle[start...].prefix { $0 != "\"" }), to: "clock.signature")
    for words in [
      ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "clock.key"],
      [
        "req", "-new", "-x509", "-config", "clock.cnf", "-extensions", "clock", "-key", "clock.key", "-subj",
        "/CN=Clock", "-days", "30", "-out", "clock.pem",
      ],
      ["base64", "-d", "-A", "-in", "clock.signature", "-out", "clock.bytes"],
      ["ts", "-query", "-data", "clock.bytes", "-sha256", "-cert", "-out", "clock.query"],
      [
        "ts", "-reply", "-config", "clock.cnf", "-queryfile", "clock.query", "-signer", "clock.pem", "-inkey",
        "clock.key", "-out", "clock.reply",
      ],
      ["base64", "-A", "-in", "clock.reply", "-out", "clock.text"],
    ] { try run("openssl", words) }
    let field = #""verificationMaterial":{"#
    guard let token = TextFile.content(of: "clock.text"), let place = bundle.firstRange(of: field) else {
      throw BenchFailure(message: "there is no token")
    }
    let data = #""timestampVerificationData":{"rfc3161Timestamps":[{"signedTimestamp":"\#(token)"}]},"#
    return String(bundle[..<place.lowerBound]) + field + data + String(bundle[place.upperBound...])
  }

  private static func run(_ program: String, _ words: [String]) throws {
    _ = try ChildProcess.run(Command(program, words, shown: words.joined(separator: " ")))
  }

  /// The first certificate of a file, in base64.
  private static func certificate(_ path: String) throws -> String {
    guard let text = TextFile.content(of: path) else { throw BenchFailure(message: "\(path) is not there") }
    let lines = text.split(separator: "\n").drop { !$0.hasPrefix("-----BEGIN CERT") }.dropFirst()
    return lines.prefix { !$0.hasPrefix("-----") }.joined()
  }
}
