internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetCrypto

struct TrustAddCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a signer to a trust policy.",
    discussion: """
      Examples:
        signet trust add trust.json --name example --key publisher.pub \\
            --modules 'com.example.**'
        signet trust add trust.json --name releases --key release.pub \\
            --files '*'
        signet trust add trust.json --name store --authority ca.pem \\
            --identity release@example.com --uris https://example.com/
        signet trust add trust.json --name own --same-signer host.pem \\
            --modules '**'
        signet trust add trust.json --name tool --github example/tool \\
            --tag 'v*' --files '*'
        signet trust add trust.json --name wheels --pypi example/tool
        signet trust add trust.json --name gate --key gate.pub \\
            --modules '**' --summaries
        signet trust add trust.json --name old --key minisign.pub \\
            --files '*'
      """)

  @Argument(help: "The policy.", completion: .file())
  var policy: String

  @Option(name: .long, help: "The entry's name.")
  var name: String

  @Option(
    name: .long, help: ArgumentHelp("Trust the owner of this public key.", valueName: "path"), completion: .file())
  var key: String?

  @Option(
    name: .long, help: ArgumentHelp("Trust signers that this authority certifies.", valueName: "path"),
    completion: .file())
  var authority: String?

  @Option(
    name: .long,
    help: ArgumentHelp("With --authority: more certificates to build chains from.", valueName: "path"),
    completion: .file())
  var intermediates: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --authority: only this identity, email:A, uri:U, dns:H or subject:DN. Repeatable.", valueName: "name"))
  var identity: [String] = []

  @Flag(name: .long, help: "With --authority: every signer that it certifies for code signing.")
  var anyLeaf = false

  @OptionGroup var sigstore: SigstoreOptions

  @Option(
    name: .long,
    help: ArgumentHelp("Trust the holder of this certificate's key, for example the host's own.", valueName: "path"),
    completion: .file())
  var sameSigner: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Trust signers of the same organization as this certificate.", valueName: "path"),
    completion: .file())
  var sameAuthority: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The issuer's certificate: required with --same-authority, optional with --same-signer.", valueName: "path"),
    completion: .file())
  var issuer: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Modules it is trusted for: com.example.**, or ** for any. Repeatable.", valueName: "pattern"))
  var modules: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "URIs it is trusted for: https://example.com/, or ** for any. Repeatable.", valueName: "pattern"))
  var uris: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Other files and directories it is trusted for, by name: 'tool-*.deb', or '*' for any. Repeatable.",
      valueName: "pattern"))
  var files: [String] = []

  @Flag(
    name: .long,
    help: "Trust it for verification summaries alone. From then on, the policy demands one besides the signatures.")
  var summaries = false

  @Option(name: .long, help: ArgumentHelp("When the trust begins: a time, or a day in UTC.", valueName: "time"))
  var validFrom: String?

  @Option(name: .long, help: ArgumentHelp("When the trust ends: a time, or the last day in UTC.", valueName: "time"))
  var validUntil: String?

  @Flag(name: .long, help: "Allow a published test key. For tests only.")
  var allowTestKeys = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    let certificates = [authority, sameSigner, sameAuthority].compactMap(\.self).count
    guard sigstore.isGiven ? certificates == 0 : certificates + (key == nil ? 0 : 1) == 1 else {
      throw ValidationError(
        "Give one of --key, --authority, --same-signer, --same-authority, --repository and --certificate-identity.")
    }
    try sigstore.check(besides: key != nil)
    if authority != nil, identity.isEmpty != anyLeaf {
      throw ValidationError("With --authority give --identity or --any-leaf.")
    }
    if authority == nil, anyLeaf || !identity.isEmpty || intermediates != nil {
      throw ValidationError("--identity, --any-leaf and --intermediates go with --authority.")
    }
    if (sameAuthority != nil && issuer == nil) || (issuer != nil && sameSigner == nil && sameAuthority == nil) {
      throw ValidationError("--same-authority needs --issuer; otherwise --issuer goes with --same-signer.")
    }
    for text in identity where SignerIdentity(text) == nil {
      throw ValidationError("--identity \(text) is not an identity.")
    }
    for text in modules where ModulePattern(text) == nil {
      throw ValidationError("--modules \(text) is not a pattern.")
    }
    for text in uris where URIPattern(text) == nil { throw ValidationError("--uris \(text) is not a pattern.") }
    for text in files where FilePattern(text) == nil { throw ValidationError("--files \(text) is not a pattern.") }
    if modules.isEmpty && uris.isEmpty && files.isEmpty && sigstore.packages.isEmpty {
      throw ValidationError(
        "Say what the signer is trusted for: --modules, --uris or --files; for any module or URI '**', for any file '*'."
      )
    }
    for text in [validFrom, validUntil].compactMap(\.self) where TimeArgument.start(text) == nil {
      throw ValidationError("\(text) is not \(TimeArgument.form).")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let file = try PolicyFile(policy, allowTestKeys: allowTestKeys)
    let others = file.policy.entries + (file.policy.summary?.signers ?? [])
    if let same = others.first(where: { $0.name.isExactly(name) }) {
      throw SignetError(
        .policyDuplicate, name, "is the name of an entry already", expected: "a name of its own",
        found: "\(same.anchor)",
        hint: "choose another --name; or remove the old entry first: signet trust remove POLICY NAME")
    }
    let (anchor, formats) = try signers()
    guard formats.contains(.dsse) || modules.isEmpty && uris.isEmpty else {
      throw SignetError(
        .policyEntry, name, "signs bytes alone, which say nothing of modules and URIs", expected: "--files alone",
        found: formats.map(\.rawValue).sorted().joined(separator: ", "))
    }
    let entry = try TrustEntry(
      name, anchor,
      scope: TrustScope(
        modules: modules.compactMap { ModulePattern($0) }, uris: uris.compactMap { URIPattern($0) },
        files: (files.isEmpty && modules.isEmpty && uris.isEmpty ? sigstore.packages : files).compactMap {
          FilePattern($0)
        }),
      window: TrustEntry.Window(
        from: validFrom.flatMap { TimeArgument.start($0) }, until: validUntil.flatMap { TimeArgument.end($0) }),
      formats: formats)
    let changed =
      summaries
      ? try file.policy.demandingSummaries(by: entry) : try file.policy.with(file.policy.entries + [entry])
    try file.replace(with: changed)
    let window = [entry.window.from.map { ", from \($0)" }, entry.window.until.map { ", until \($0)" }]
    try console.result(
      "added: \(name), \("\(entry.anchor)".display), for \(summaries ? "verification summaries of " : "")"
        + "\(entry.scope)".display
        + window.compactMap(\.self).joined())
    for useless in changed.uselessEntries() where useless.entry.name.isExactly(name) {
      guard var objection = useless.objection else { continue }
      if objection.code == .chainNotACA {
        objection.hint =
          "name a certificate that may certify others: openssl req -x509 needs -addext keyUsage=critical,keyCertSign,cRLSign; or make one: signet cert init-ca DIR --subject NAME"
      }
      console.warn(objection)
    }
    if console.isJSON {
      try console.document(Report.document("trust add", [PolicyReport.json(policy, changed)], .done))
    }
    return .done
  }

  /// The signers, and the formats in which they sign.
  private func signers() throws(SignetError) -> (TrustAnchor, Set<SignatureFormat>) {
    if sigstore.isGiven {
      let key = try key.map { (path) throws(SignetError) in try KeyFile.publicKey(path) }
      return (try sigstore.anchor(key: key), sigstore.formats)
    }
    if let key { return try NamedKey(key).anchor(forPolicyIn: sigstore.otherFormat) }
    return (try certified(), [.dsse])
  }

  private func certified() throws(SignetError) -> TrustAnchor {
    if let authority {
      let certificates = try Certificate.all(inTrustedFile: authority)
      let more =
        try intermediates.map { (path) throws(SignetError) in try Certificate.all(inTrustedFile: path) } ?? []
      return anyLeaf
        ? try .anyLeaf(of: certificates, intermediates: more)
        : try .authority(
          certificates, intermediates: more, identities: identity.compactMap { SignerIdentity($0) })
    }
    if let sameAuthority {
      return try .sameAuthority(
        as: TrustFile.certificate(sameAuthority), issuer: TrustFile.certificate(issuer ?? ""))
    }
    let issuers = try issuer.map { (path) throws(SignetError) in try Certificate.all(inTrustedFile: path) } ?? []
    return .sameSigner(as: try TrustFile.certificate(sameSigner ?? ""), issuers: issuers)
  }
}
