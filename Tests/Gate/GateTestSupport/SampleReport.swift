import SignetBase
import SignetCrypto

@testable import ReleaseGate

/// The reports whose texts are in `Tests/Vectors/reports`.
enum SampleReport: String, CaseIterable {
  /// A release of one signed module.
  case clean
  /// A release whose names, and the texts about them, are made to be read as something else.
  case hostile

  static let time = UnixTime(seconds: 1_795_228_597)  // 2026-11-21T02:36:37Z

  /// The report.
  func report() throws -> GateReport {
    switch self {
    case .clean: try Self.clean()
    case .hostile: try Self.hostile()
    }
  }

  /// Names that mean something to a shell, a terminal, GitHub, GitLab, Jenkins, Markdown, HTML, XML, JSON or a URI.
  static let hostileNames = [
    "::error::x", "::set-env name=PATH::x", "##[group]x", "a%0Ab", "--><script>", "x|y", #"x\|y"#, "a`b", "``` ",
    "new\nline", #"new\u{a}line"#, "carriage\rreturn", "crlf\r\n::stop-commands::x", "right\u{202e}gpj.exe",
    "next\u{85}line", "]]>", "@team", "#1", "![x](y)", "[x](javascript:y)", "'\"&<", "'\u{301}quote",
    "\(String(repeating: "n", count: 150))/\(String(repeating: "m", count: 149))", "emoji 🦊 👩\u{200d}🚀", "-", "{0}",
    "[[ATTACHMENT|x]]", "www.example.org", "c:drive", #"back\slash"#, "\u{e9}.zip", "e\u{301}.zip", "release",
    "(release)", "\u{1b}[31mred", " spaces ",
  ]

  /// A file whose bytes are those of its path, so that a test can make it.
  static func file(_ path: String, _ role: GateReport.Role) throws -> GateReport.File {
    let bytes = Array(path.utf8)
    return GateReport.File(
      path: path, size: bytes.count, sha256: try Digest.of(bytes, .sha256), mode: 0o644, role: role)
  }

  static let rules = [
    GateReport.Rule(
      id: "unsigned", title: "Every artifact is signed by a trusted signer.",
      help: "Users cannot tell an unsigned file from a forged one. Sign it with signet sign, or exclude it.",
      level: .error),
    GateReport.Rule(
      id: "private-key", title: "No file holds a private key.",
      help: "A published key signs for anybody. Remove it, and revoke it.", level: .error),
    GateReport.Rule(
      id: "odd-name", title: "Names show what they are.",
      help: "A name with {braces} or control characters deceives people. Rename the file.", level: .warning),
  ]

  static func report(_ files: [GateReport.File], _ findings: [GateReport.Finding]) throws -> GateReport {
    GateReport(
      time: time, policy: .init(name: "trust.json", sha256: try Digest.of(Array("policy".utf8), .sha256)),
      version: "1.2.3", files: files, folders: [GateReport.Folder(path: "docs", mode: 0o755)], rules: rules,
      findings: findings, comparison: nil, failingLevel: .error)
  }

  private static func clean() throws -> GateReport {
    let signer = GateReport.Signer(
      entries: ["release"], keyID: "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU", algorithm: "ed25519",
      signedAt: time, chain: [])
    let module = GateReport.Module(identifier: "org.example.player", version: "2.0.0", sequence: 7)
    let artifact = GateReport.Artifact(.verified(.init(kind: .module(module), signers: [signer])))
    let files = [
      try file("README.txt", .excluded(by: "*.txt")), try file("player.zip", .artifact(artifact)),
      try file("player.zip.sigstore.json", .bundle(of: "player.zip")),
    ]
    return try report(files, [])
  }

  private static func hostile() throws -> GateReport {
    let hostile = "::error::x%0A\n|`--><script>]]>\r\u{0}\u{202e}{0}[x](https://example.org) @team #1"
    let signer = GateReport.Signer(
      entries: ["x|y", "[[ATTACHMENT|/etc/passwd]]"], keyID: "SHA256:\(hostile)", algorithm: "ed25519", signedAt: nil,
      chain: [.init(subject: "CN=\(hostile)", identity: "email:@team\n", notAfter: time)])
    var files = try hostileNames.map { name in
      try file(
        name, .artifact(.init(name == "#1" ? .verified(.init(kind: .file, signers: [signer])) : .refused)))
    }
    let folder = GateReport.Artifact(.refused)
    files += [
      GateReport.File(
        path: "folder", size: 3, sha256: try Digest.of([1], .sha256), mode: 0o755, role: .artifact(folder),
        kind: .directory),
      try file("notes.txt", .excluded(by: hostile)), try file("x|y.sigstore.json", .bundle(of: "x|y")),
    ]
    files.sort { $0.path.precedesInBytes($1.path) }
    var findings = [
      GateReport.Finding(
        rule: "private-key", level: .error, message: hostile, code: "key.x::y", expected: hostile, found: hostile,
        hint: hostile)
    ]
    for file in files {
      switch file.role {
      case .artifact(let artifact) where !artifact.isVerified:
        findings.append(
          .init(
            rule: "unsigned", level: .error, path: file.path, message: "is not signed", code: "signature.missing",
            hint: "sign it"))
      case .artifact: findings.append(.init(rule: "odd-name", level: .warning, path: file.path, message: "is odd"))
      case .bundle, .link:
        findings.append(.init(rule: "odd-name", level: .warning, path: file.path, place: hostile, message: "is odd"))
      case .excluded:
        for place in ["line 12, column 1", "line 3", "line 3 of many"] {
          findings.append(
            .init(rule: "private-key", level: .error, path: file.path, place: place, message: "holds a private key"))
        }
        findings.append(
          .init(
            rule: "private-key", level: .error, path: file.path, entry: hostile, place: "line 3",
            message: "holds a private key", expected: "none", found: "one"))
      }
    }
    // About a folder, and about a file of the last release: neither is among the files.
    findings.append(.init(rule: "odd-name", level: .error, path: "::error::folder\n", message: "is odd"))
    findings.append(.init(rule: "odd-name", level: .warning, path: "gone|`x`", message: "is gone"))
    let changes = [
      GateReport.Change(path: "x|y", kind: .changed, details: [hostile] + (1...11).map { "+ route \($0)" }),
      GateReport.Change(path: "@team", kind: .removed, details: []),
    ]
    return GateReport(
      time: time, policy: .init(name: hostile, sha256: nil), version: "1.2.3", files: files,
      folders: [GateReport.Folder(path: "::error::folder\n", mode: 0o1777)], rules: rules,
      findings: findings, comparison: .init(baseline: hostile, changes: changes), failingLevel: .error)
  }
}
