import ReleaseGate
import SignetBase
import SignetCrypto
import Testing

/// Reports from which the tests make pages.
enum HTMLExamples {
  /// A report with a name, so that a test's log does not have all of it.
  struct Example: CustomTestStringConvertible, Sendable {
    let name: String
    let report: GateReport

    var testDescription: String { name }
  }

  static let all = [
    Example(name: "refused", report: refused), Example(name: "accepted", report: accepted),
    Example(name: "hostile", report: hostile), Example(name: "large", report: large(450)),
    Example(name: "empty", report: report(files: [])),
  ]

  static let time = UnixTime(seconds: 1_793_000_000)

  /// Texts that try to become something else than text.
  static let hostileTexts = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'><svg onload=alert(1)>", "javascript:alert(1)",
    "</title><script>document.title='owned'</script>", "</style><script>alert(1)</script>", "--><b>bold</b><!--",
    "{{x}}${x}", "]]><x>", "&lt;script&gt;", "&#60;b&#62;", "invoice\u{202e}fdp.exe", "a\u{2066}b\u{2069}c",
    "zero\u{200b}width", "nul\u{0}end", "two\nlines", "<\u{338}b>", "\u{2028}next", "😀 emoji", "אבג/דהו", "漢字",
    "mark\u{301}\u{302}\u{303}\u{304}", String(repeating: "n", count: 300), "#files",
    "1\" autofocus onfocus=\"alert(1)", "\\u{202e}", "`${alert(1)}`", "<!-- <script>",
  ]

  /// A digest that looks like one.
  static func digest(_ number: Int) -> Digest {
    var state = UInt64(bitPattern: Int64(number)) &+ 1
    let digits = (0..<64).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return String(state >> 60, radix: 16)
    }
    guard let digest = Digest(.sha256, hex: digits.joined()) else { fatalError("64 digits are a SHA-256") }
    return digest
  }

  static let rules = [
    GateReport.Rule(
      id: "signature", title: "Every artifact is signed by a trusted signer.",
      help: """
        A host loads only what its policy trusts, so an artifact that nobody trusted has signed cannot be installed. \
        Sign it with a key of the policy, or exclude it if it is not for users.
        """, level: .error),
    GateReport.Rule(
      id: "private-key", title: "No private key is in the release.",
      help: """
        Whoever downloads the release could sign in your name. Remove the file, revoke the key, and make a new one: \
        a key that has been in a build's output must be considered as known.
        """, level: .error),
    GateReport.Rule(
      id: "sequence", title: "The sequence grows with every release.",
      help: "Hosts order releases by their sequence alone. Raise it in module.json and sign again.", level: .error),
    GateReport.Rule(
      id: "debug-information", title: "Libraries are stripped.",
      help: "Symbols and paths of the build machine make downloads larger and tell more than they need to.",
      level: .warning),
    GateReport.Rule(
      id: "certificate-expiry", title: "Certificates are valid for 30 more days.",
      help: "Without a timestamp a signature ends with its certificate. Renew the certificate and sign again.",
      level: .warning),
    GateReport.Rule(
      id: "run-path", title: "No library has a run path.",
      help: "Signet's loader never reads it, but other loaders do, and would search folders of the build machine.",
      level: .warning),
  ]

  static let chain = [
    GateReport.ChainLink(
      subject: "CN=Release Signing 2026,OU=Media Plugins,O=Example Software GmbH,L=Hamburg,C=DE",
      identity: "email:release@example.com", notAfter: UnixTime(seconds: 1_825_000_000)),
    GateReport.ChainLink(
      subject: "CN=Example Code Signing CA 2,O=Example Software GmbH,C=DE", identity: nil,
      notAfter: UnixTime(seconds: 1_900_000_000)),
    GateReport.ChainLink(
      subject: "CN=Example Root CA,O=Example Software GmbH,C=DE", identity: nil,
      notAfter: UnixTime(seconds: 2_100_000_000)),
  ]

  static let key = GateReport.Signer(
    entries: ["release key"], keyID: "SHA256:5zYb3hVZL1a6o7V9qvR2kPpU5cO8sQm1xq0S4a7gXyA", algorithm: "Ed25519",
    signedAt: UnixTime(seconds: 1_792_990_000), chain: [])

  static let certified = GateReport.Signer(
    entries: ["Example Software"], keyID: "SHA256:Jm2bG0i7d3Kx9TnS4uQe6LhVrWfYpCzA1oXk8Ub5NqE",
    algorithm: "ECDSA P-256", signedAt: UnixTime(seconds: 1_792_995_000), chain: chain)

  static func report(
    files: [GateReport.File], findings: [GateReport.Finding] = [], comparison: GateReport.Comparison? = nil,
    rules: [GateReport.Rule] = rules, policyName: String = "release/policy.json", version: String = "1.4.0",
    failingLevel: GateReport.Level = .error
  ) -> GateReport {
    GateReport(
      time: time, policy: GateReport.Policy(name: policyName, sha256: digest(-1)), version: version, files: files,
      folders: [], rules: rules, findings: findings, comparison: comparison, failingLevel: failingLevel)
  }

  static func file(_ path: String, _ number: Int, size: Int = 1_234_567, _ role: GateReport.Role) -> GateReport.File {
    GateReport.File(path: path, size: size, sha256: digest(number), mode: 0o644, role: role)
  }

  static let unsigned = GateReport.Role.artifact(GateReport.Artifact(.refused))

  static func signed(_ kind: GateReport.Artifact.Kind, by signers: [GateReport.Signer]) -> GateReport.Role {
    .artifact(GateReport.Artifact(.verified(GateReport.Artifact.Verified(kind: kind, signers: signers))))
  }

  static func module(_ name: String, _ version: String, _ sequence: Int, _ signers: [GateReport.Signer])
    -> GateReport.Role
  {
    signed(
      .module(GateReport.Module(identifier: "com.example.\(name)", version: version, sequence: sequence)), by: signers
    )
  }

  /// A release with something of everything.
  static let refused = report(
    files: [
      file("docs/README.md", 1, size: 4_211, .excluded(by: "docs/**")),
      file("docs/images/architecture-overview.png", 2, size: 88_412, .excluded(by: "docs/**")),
      file("host/bundle.json", 3, size: 2_104, signed(.file, by: [key])),
      file("host/bundle.json.sigstore.json", 4, size: 3_900, .bundle(of: "host/bundle.json")),
      file("modules/com.example.editor-2.0.0.zip", 5, size: 18_872_320, unsigned),
      file("modules/com.example.maps-0.9.1.zip", 6, size: 7_340_032, module("maps", "0.9.1", 91, [certified, key])),
      file("modules/com.example.player-1.2.0.zip", 7, size: 12_582_912, module("player", "1.2.0", 42, [certified])),
      file("modules/com.example.wallet-3.1.4.zip", 8, size: 5_242_880, module("wallet", "3.1.4", 314, [key])),
      file("resources/themes", 9, size: 412_000, signed(.directory, by: [key])),
      file("resources/themes.sigstore.json", 10, size: 9_120, .bundle(of: "resources/themes")),
      file("tools/install.sh", 11, size: 1_999, unsigned),
    ],
    findings: [
      GateReport.Finding(
        rule: "certificate-expiry", level: .warning, message: "the certificate of Example Software ends in 12 days",
        expected: "at least 30 days", found: "2026-11-06T10:13:20Z",
        hint: "renew the certificate and sign the two modules again"),
      GateReport.Finding(
        rule: "signature", level: .error, path: "modules/com.example.editor-2.0.0.zip",
        message: "the archive's bytes are not those that were signed", code: "digest.mismatch",
        expected: "sha256:9b2fdc4df8f8f0f6b86d0c3d8f4b0f0f3f61c5d6d2a4c8d7c3e0e1f2a3b4c5d6",
        found: "sha256:6d1c0b5c4a39281706f5e4d3c2b1a0998877665544332211ffeeddccbbaa0099",
        hint: "sign the archive that you publish: signet sign modules/com.example.editor-2.0.0.zip"),
      GateReport.Finding(
        rule: "debug-information", level: .warning, path: "modules/com.example.maps-0.9.1.zip",
        entry: "lib/libmaps.so", place: "section .debug_info", message: "the library has debugging information",
        found: "3,145,728 bytes",
        hint: "strip --strip-debug lib/libmaps.so"),
      GateReport.Finding(
        rule: "private-key", level: .error, path: "modules/com.example.player-1.2.0.zip",
        entry: "resources/certs/dev.pem", place: "line 1", message: "the file holds a private key",
        code: "gate.private-key", found: "-----BEGIN EC PRIVATE KEY-----",
        hint: "remove the file, and revoke the key"),
      GateReport.Finding(
        rule: "sequence", level: .error, path: "modules/com.example.player-1.2.0.zip", place: "module.json, sequence",
        message: "the sequence is not larger than in the last release", code: "policy.rollback",
        expected: "43 or more", found: "42", hint: "raise the sequence in module.json and sign again"),
      GateReport.Finding(
        rule: "run-path", level: .warning, path: "modules/com.example.player-1.2.0.zip", entry: "lib/player.so",
        message: "the library has a run path", found: "$ORIGIN:/home/ci/build/.build/release"),
      GateReport.Finding(
        rule: "signature", level: .error, path: "tools/install.sh", message: "nobody has signed the file",
        code: "signature.missing", hint: "signet sign --key release.key tools/install.sh"),
    ],
    comparison: GateReport.Comparison(
      baseline: "releases/2026-09/gate.json",
      changes: [
        GateReport.Change(path: "modules/com.example.editor-2.0.0.zip", kind: .added, details: []),
        GateReport.Change(path: "modules/com.example.legacy-0.4.0.zip", kind: .removed, details: []),
        GateReport.Change(
          path: "modules/com.example.player-1.2.0.zip", kind: .changed,
          details: [
            "+ route ui://player/:item", "- permission network", "~ lib/player.so 12,288 to 14,336 bytes",
            "~ signer release key to Example Software",
          ]),
      ]))

  /// A release that may go.
  static let accepted = report(
    files: (1...6).map { number in
      file("modules/com.example.part\(number)-1.0.0.zip", number, module("part\(number)", "1.0.0", number, [key]))
    })

  /// A release of nothing but hostile texts.
  static let hostile = {
    let subject = String(repeating: "CN=<b>long</b>,OU=\u{202e}", count: 200)
    let files = hostileTexts.enumerated().flatMap { number, text in
      [
        file(
          text, number,
          signed(
            number % 2 == 0
              ? .module(GateReport.Module(identifier: text, version: text, sequence: number)) : .other(text),
            by: [
              GateReport.Signer(
                entries: [text, text], keyID: text, algorithm: text, signedAt: nil,
                chain: [
                  GateReport.ChainLink(subject: text, identity: text, notAfter: UnixTime(seconds: 0)),
                  GateReport.ChainLink(subject: subject, identity: text, notAfter: UnixTime(seconds: 2_000_000_000)),
                ])
            ])),
        file(text + ".md", number, .excluded(by: text)),
        file(text + ".sigstore.json", number, .bundle(of: text)),
      ]
    }
    return report(
      files: files,
      findings: hostileTexts.map { text in
        GateReport.Finding(
          rule: text, level: .error, path: text, entry: text, place: text, message: text, code: text, expected: text,
          found: text, hint: text)
      },
      comparison: GateReport.Comparison(
        baseline: hostileTexts[0],
        changes: hostileTexts.map { GateReport.Change(path: $0, kind: .changed, details: [$0, $0]) }),
      rules: hostileTexts.map { GateReport.Rule(id: $0, title: $0, help: $0, level: .error) },
      policyName: hostileTexts[1], version: hostileTexts[4])
  }()

  /// A release of many artifacts, each with two findings.
  static func large(_ count: Int) -> GateReport {
    let numbers = (0..<count).map { 100_000 + $0 }
    return report(
      files: numbers.map {
        file("modules/part-\($0).zip", $0, size: 1_000, module("part-\($0)", "1.0.0", $0, [certified]))
      },
      findings: numbers.flatMap { number in
        [("run-path", GateReport.Level.warning), ("private-key", .error)].map { rule, level in
          GateReport.Finding(
            rule: rule, level: level, path: "modules/part-\(number).zip", entry: "lib/part.so",
            message: "something is wrong here", hint: "look at it")
        }
      },
      comparison: GateReport.Comparison(
        baseline: "last", changes: numbers.map { .init(path: "modules/part-\($0).zip", kind: .added, details: []) }))
  }
}
