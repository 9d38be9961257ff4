internal import ArgumentParser
internal import ReleaseContents
internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetFiles
internal import SignetSystem

struct SignCommand: ManyFiles {
  static let configuration = CommandConfiguration(
    commandName: "sign",
    abstract: "Sign files and directories with a private key.",
    discussion: """
      Writes a Sigstore bundle beside each file or directory: NAME.sigstore.json. For a directory the bundle lists \
      everything in it. An archive with a module.json at its root is signed as a module: the statement says who the \
      module is and lists what the archive holds. An archive that is not strict enough for a module is refused unless \
      you give --as file. A second signer adds a bundle with --append, which writes NAME.sigstore.jsonl with one \
      bundle a line, all over the same statement. If the key is encrypted, Signet asks for the passphrase at the \
      terminal unless you say where to read it.

      What this key has signed already, with the same bytes and claims, is left unchanged. If you give several files, \
      signatures among them are skipped. You can therefore run signet sign release/* again.

      --each signs every file below a folder under its path from there, such as linux/tool, so that files of the same \
      name cannot be exchanged. A folder with a bundle beside it is signed as one directory. signet gate checks such a \
      release.

      - is standard input, which is copied to a temporary file without a name. --name and --out go with it.

      Examples:
        signet sign plugin.zip --key publisher
        signet sign plugin.zip --key reviewer --append
        signet sign plugin.zip --key publisher --attach
        signet sign bundle.json --host-manifest com.example.player \\
            --sequence 7 --key publisher
        signet sign --each release --key publisher
        signet sign plugin.zip --key publisher --certificate publisher.pem \\
            --timestamp-url http://timestamp.example.com
      """)

  @Argument(help: "The files and directories to sign, or - for standard input.", completion: .file())
  var file: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp("Sign every file below this folder, under its path from there.", valueName: "folder"),
    completion: .directory)
  var each: String?

  @Option(
    name: .long,
    help: ArgumentHelp("With --each: leave out files, such as *.md or docs/**. Repeatable.", valueName: "glob"))
  var exclude: [String] = []

  @OptionGroup var signingKey: SigningKeyOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The key's certificate and its issuers' certificates, in any order. Verifiers can then trust the authority.",
      valueName: "path"
    ),
    completion: .file())
  var certificate: String?

  @Option(
    name: .long, help: ArgumentHelp("Where to write the bundle (one file only).", valueName: "bundle"),
    completion: .file())
  var out: String?

  @OptionGroup var claims: StatementOptions

  @OptionGroup var timestamps: TimestampOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A public key, or its ID, that must sign the module, so that a removed signature is noticed. Repeatable.",
      valueName: "key"), completion: .file())
  var signer: [String] = []

  @Flag(name: .long, help: "Put the signature into the archive instead of beside it (ZIP modules only).")
  var attach = false

  @Flag(
    name: .long,
    help:
      "Add a signature over the same statement. The first bundle stays; NAME.sigstore.jsonl holds all of them. If --out ends in .json, the result ends in .jsonl."
  )
  var append = false

  @Flag(name: .long, help: "Replace existing bundles.")
  var force = false

  @Flag(name: .long, help: "Allow a published test key, whose private half is public.")
  var allowTestKeys = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    guard file.isEmpty != (each == nil) else {
      throw ValidationError(
        each == nil ? "Give the files to sign, or --each FOLDER." : "Give files or --each, not both.")
    }
    if each != nil && (out != nil || claims.name != nil || claims.hostManifest != nil) {
      throw ValidationError("--out, --name and --host-manifest go with one file only.")
    }
    if each == nil && !exclude.isEmpty { throw ValidationError("--exclude goes with --each.") }
    for pattern in exclude where PathPattern(pattern) == nil {
      throw ValidationError("--exclude takes a pattern such as *.md or docs/**.")
    }
    if file.count > 1 && out != nil { throw ValidationError("--out goes with one file only.") }
    if file.count > 1 && claims.name != nil { throw ValidationError("--name goes with one file only.") }
    try StandardInput.check(file, descriptors: signingKey.descriptors)
    if file.contains(where: StandardInput.isMeant) && (claims.name == nil || out == nil || attach) {
      throw ValidationError("Standard input (-) needs --name and --out, and cannot have --attach.")
    }
    if append && force { throw ValidationError("Give --append or --force, not both.") }
    if append && claims.notAfter != nil {
      throw ValidationError("--append signs what is there; --not-after cannot change it.")
    }
    if claims.hostManifest != nil && file.count != 1 {
      throw ValidationError("--host-manifest goes with one file only.")
    }
    if claims.hostManifest != nil && claims.sequence == nil && !append {
      throw ValidationError("--host-manifest needs a --sequence.")
    }
    if attach && (claims.hostManifest != nil || claims.as == .file) {
      throw ValidationError("--attach goes with modules only.")
    }
    if append && (claims.minimumSequence != nil || !signer.isEmpty) {
      throw ValidationError("--append signs what is there; --minimum-sequence and --signer cannot change it.")
    }
  }

  /// Checks that a directory does not hold the private key that signs it: whoever gets the directory would get the key.
  ///
  /// - Throws: `sign.key-inside`.
  private static func check(_ key: String, outside input: InputArtifact, _ path: String) throws(SignetError) {
    do throws(SignetError) { try OutputFile.check(key, outside: input.status.identity) } catch
      where error.code == .outputIsInput
    {
      throw SignetError(
        .signKeyInside, path, "holds the private key that would sign it", expected: "a key outside", found: key,
        hint: "move the key to a place that you do not publish")
    }
  }

  private func targets() throws(SignetError) -> SigningTargets {
    guard let each else { return SigningTargets(file, named: claims.name, signingKey) }
    return try SigningTargets(each: each, excluding: exclude.compactMap { PathPattern($0) }, signingKey)
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let targets = try targets()
    let artifacts = targets.signed
    guard !artifacts.isEmpty else {
      throw SignetError(
        .signOnlySignatures, file[0], "is a signature or a key, and so is every other file",
        expected: "files to sign", hint: "name what is to be signed")
    }
    let privateKey = try signingKey.source.privateKey(allowsTestKeys: allowTestKeys)
    let kept = FileStatus.identities(
      of: artifacts + self.signer + signingKey.files + [certificate].compactMap(\.self))
    let signer = try Signer(
      privateKey,
      certificates: certificate.map { (path) throws(SignetError) in try Certificate.all(inTrustedFile: path) } ?? [])
    if let warning = try signer.checkCertificates(at: SystemTime.now()) { console.warn(warning) }
    var expected: [KeyID] = []
    for name in self.signer {
      if let id = KeyID(name) { expected.append(id) } else { expected.append(try KeyFile.publicKey(name).id) }
    }
    let end = claims.end
    let stamper = try timestamps.stamper()
    let list = targets.areMany ? VerdictList(artifacts) : nil
    // What replaces or adds to another file is written alone.
    let mayBatch = targets.areMany && !append && !force && !attach
    return try CommandRun.making("sign", about: file.first ?? "files", on: console) { (run) throws(SignetError) in
      var tally = Tally()
      var signing = SigningRun(batch: mayBatch ? OutputBatch() : nil) { (target, batch) throws(SignetError) in
        let path = target.path
        let input =
          attach && out == nil ? try InputArtifact(replacing: path) : try InputArtifact(openingOrReading: path)
        if input.isDirectory, let key = signingKey.key { try Self.check(key, outside: input, path) }
        let job = SigningJob(
          input: input, name: target.name,
          output: BundleOutput(artifact: input.place, out: out, append: append, force: force, batch: batch),
          notAfter: end, manifest: claims.manifest,
          module: ModuleOptions(
            kind: claims.as?.kind, minimumSequence: claims.minimumSequence, signers: expected,
            attachment: attach ? ArchiveOutput(input: input, out: out, force: force, kept: kept) : nil),
          stamper: stamper, kept: kept)
        return (try job.run(signer, console), input.size)
      }
      try signing.run(targets.all) { (target, result) throws(SignetError) in
        let path = StandardInput.shown(target.path)
        switch result {
        case .skipped:
          switch target.fate {
          case .bundle: tally.count("signature file", "signature files", "skipped")
          case .secret: tally.count("key or passphrase file", "key or passphrase files", "skipped")
          case .leftOut, .signed: tally.count("file", "files", "left out")
          }
          run.did([Report.skipped(path)])
        case .failed(let error):
          tally.count("failed")
          run.ended(path, error)
        case .signed(let signed):
          let verdict = signed.isNew ? "signed" : "already signed"
          tally.count(verdict)
          if let list {
            try list.verified(path, what: verdict, more: signed.kind.rawValue, console)
          } else {
            try console.result(
              "\(Console.good()) \(verdict)  \(path.display)", "  bundle   \(signed.path.display)",
              "  by       \(SignerName.words(signer.publicKey))", "  kind     \(signed.kind.rawValue)")
            try console.result(signed.stamped.map { "  stamped  \($0.words)" })
            if let end { try console.result("  until    \(end)") }
          }
          run.did([Report.signed(path, signed, signer.publicKey)])
        }
      }
      if targets.areMany { try console.result(tally.line) }
    }
  }
}

extension SignetError.Code {
  /// A directory with the private key that would sign it.
  static let signKeyInside = Self("sign.key-inside", .failure)
  /// Only signatures and keys were given to sign.
  static let signOnlySignatures = Self("sign.only-signatures", .failure)
}
