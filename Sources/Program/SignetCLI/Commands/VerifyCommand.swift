internal import ArgumentParser
internal import OtherSignatures
internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

struct VerifyCommand: ManyFiles {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Verify that files are what a trusted signer signed.",
    discussion: """
      Each file or directory must be what was signed, byte for byte.

      Reads the bundles beside each file or directory, NAME.sigstore.json and NAME.sigstore.jsonl, or the one that you \
      name, and those in a module's archive. An artifact without a signature is refused, and so is one with a damaged \
      signature in any of these places. A module is identified by its statement, not by its file name.

      - is standard input, which is copied to a temporary file without a name. --signature and --name go with it, unless \
      it is a module with its signature inside.

      A key of minisign or signify, or an allowed signers file of OpenSSH, as --key verifies the signatures of those \
      programs, FILE.minisig and FILE.sig. They speak for the bytes alone.

      Examples:
        signet verify plugin.zip --key publisher.pub
        signet verify renamed.zip --name plugin.zip --key publisher.pub \\
            --explain
        signet verify plugin.zip --anchor ca.pem \\
            --identity release@example.com
        signet verify plugin.zip --policy trust.json \\
            --module com.example.plugin --least-sequence 7
        signet verify tool.tar.gz --repository example/tool --tag 'v*'
        signet verify tool.tar.gz --key minisign.pub
        signet verify tool.tar.gz --key ALLOWED_SIGNERS \\
            --principal release@example.com
        signet verify bundle.json --host-manifest com.example.player \\
            --least-sequence 7 --key publisher.pub
      """)

  @Argument(help: "The files and directories to verify, or - for standard input.", completion: .file())
  var file: [String]

  @Option(
    name: [.long, .customLong("bundle")],
    help: ArgumentHelp("Read the signature from this file (one artifact only).", valueName: "bundle"),
    completion: .file())
  var signature: String?

  @OptionGroup var trust: TrustOptions

  @Option(
    name: .long,
    help: ArgumentHelp("Expect a statement of this type, made by another program.", valueName: "uri"))
  var type: String?

  @Option(
    name: .long,
    help:
      "The name that the statement must have (one file or directory only). Default: the base name, after any folders."
  )
  var name: String?

  @Option(
    name: .long, help: ArgumentHelp("Expect the manifest of this host.", valueName: "identifier"),
    transform: ModuleIdentifier.argument)
  var hostManifest: ModuleIdentifier?

  @Option(
    name: .long,
    help: ArgumentHelp("Refuse manifests and modules with a lower sequence.", valueName: "number"))
  var leastSequence: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Expect a file, a module, or a model that OpenSSF Model Signing has signed. Default: a ZIP with a signing block or a module.json is a module; for anything else the signed statement decides.",
      valueName: "kind"))
  var `as`: KindOption?

  @Flag(name: .long, help: "With --as model: compare the files that links in the model lead to.")
  var followLinks = false

  @Flag(name: .long, help: "Print every check (passed, failed, or skipped and why) and the digests.")
  var explain = false

  @Flag(name: .long, help: "Print the SHA-256 of each verified artifact.")
  var sha256 = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    if file.count > 1 && signature != nil { throw ValidationError("--signature goes with one file only.") }
    if file.count > 1 && name != nil { throw ValidationError("--name goes with one file only.") }
    try StandardInput.check(file, descriptors: [])
    // What speaks for bytes alone says nothing of a name.
    let hasName = signature.map { OtherSignature(file: $0)?.format.signatureFormat == nil } ?? false
    if file.contains(where: StandardInput.isMeant) && hasName && name == nil {
      throw ValidationError("Standard input (-) has no name: say by --name what was signed.")
    }
    if trust.identities.isGiven, `as` == nil,
      leastSequence != nil || hostManifest != nil || trust.module != nil || trust.uri != nil
    {
      throw ValidationError(
        "What other programs state has no module, URI or sequence: leave these options out, or say --as.")
    }
    if hostManifest != nil && type != nil { throw ValidationError("Give --host-manifest or --type, not both.") }
    try KindOption.checkOptions(`as`, hostManifest: hostManifest, type: type)
    if leastSequence != nil && (type != nil || `as` == .file || `as` == .model) {
      throw ValidationError("--least-sequence goes with --host-manifest and modules.")
    }
    if hostManifest != nil && (trust.module != nil || trust.uri != nil) {
      throw ValidationError("--host-manifest says what the file is taken for: leave --module and --uri out.")
    }
    if followLinks && `as` != .model { throw ValidationError("--follow-links goes with --as model.") }
    if `as` == .model, trust.module != nil || trust.uri != nil {
      throw ValidationError("A model is neither a module nor served at a URI: leave --module and --uri out.")
    }
    try HostManifestOptions.checkSequence(leastSequence, "--least-sequence")
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let verifier: Verifier
    switch try verifierOfOptions() {
    case .success(let made): verifier = made
    case .failure(let error):
      console.refuse(trust.name, [error])
      if console.isJSON { try console.document(Report.ended(error, ExitStatus(error))) }
      return ExitStatus(error)
    }
    var tally = Tally()
    var paths: [CertificatePath] = []
    let bundles = try bundlesAmongFiles()
    let list = file.count > 1 && !explain && !sha256 ? VerdictList(file.filter { !bundles.contains($0) }) : nil
    return try CommandRun.judging("verify", about: file.first ?? "files", on: console) { (run) throws(SignetError) in
      for path in file {
        if bundles.contains(path) {
          tally.count("signature file", "signature files", "skipped")
          run.did([Report.skipped(path)])
          continue
        }
        do throws(SignetError) {
          let report = try request(path, console).report(verifier, console)
          tally.count(report.isVerified ? "verified" : "refused")
          if let list {
            try report.print(to: console, in: list)
          } else {
            try report.print(to: console, explain: explain, digests: sha256)
          }
          paths += report.certificatePaths
          if report.isVerified { run.did([report.json]) } else { run.refused(report.json) }
        } catch  where error.code != .standardOutput {
          tally.count(error.nature == .refusal ? "refused" : "failed")
          if let list {
            try list.refused(path, [error], console)
            run.ended(error, as: Report.ended(path, error))
          } else {
            run.ended(StandardInput.shown(path), error)
          }
        }
      }
      if file.count > 1 { try console.result(tally.line) }
      // Those of a policy are about other signers, too. Who names one here means it.
      if run.status == .done, !trust.source.signers.statusResponse.isEmpty {
        for other in try verifier.policy.unasked(besides: paths) {
          console.note("warning: the OCSP response of \(other.display) is about no certificate of these signatures")
        }
      }
      if verifier.policy.revocationDemand == .staleAllowed {
        for old in verifier.policy.revocationOutOfDate(at: verifier.clock.now()) {
          console.note("warning: \(old.display)")
        }
      }
      if list != nil {
        if let time = trust.time { console.note("as of \(time)") }
        if run.status != .done {
          console.note("  next      verify one file alone, or use --explain, to see all reasons")
        }
      }
    }
  }

  /// The verifier. A key of another program is refused, and the program is named that verifies the file with it.
  private func verifierOfOptions() throws(SignetError) -> Result<Verifier, SignetError> {
    func explained(_ error: SignetError) -> SignetError {
      var error = error
      if let key = trust.source.signers.key, !StandardInput.isMeant(by: file[0]) {
        OtherSignatureReport.explain(&error, file[0], signature: signature, key: key)
      }
      return error
    }
    do throws(SignetError) {
      let made = try trust.verifier()
      guard case .failure(let error) = made, error.code == .policyWeakKey else { return made }
      return .failure(explained(error))
    } catch  where [.keyUnsupported, .keyMalformed].contains(error.code) {
      // What is wrong in a file of OpenSSH says more than that there is a signature.
      let isExplained =
        trust.principal != nil || trust.revokedKeys != nil || trust.identities.otherFormat != nil
        || trust.source.signers.key.map(AllowedSigners.isFile) ?? false
      throw isExplained ? error : explained(error)
    }
  }

  /// The signatures among several files, as `release/*` names them. Each is beside the file that it is about, and is
  /// verified with that file.
  ///
  /// - Throws: `verify.only-signatures` if there is nothing else.
  private func bundlesAmongFiles() throws(SignetError) -> Set<String> {
    guard file.count > 1 else { return [] }
    let named = Set(file)
    let bundles = named.filter { path in
      // A signature of another program is skipped where the file that it signs is there, too.
      BundleFile.holdsBundles(path)
        || OtherSignature.artifact(of: path).map { named.contains($0) && OtherSignature(file: path) != nil } ?? false
    }
    guard bundles.count < Set(file).count else {
      throw SignetError(
        .verifyOnlySignatures, file[0], "is a signature, and so is every other file", expected: "files to verify",
        hint: "name what the signatures are about")
    }
    return bundles
  }

  /// What the command line asks to verify about one file or directory.
  private func request(_ path: String, _ console: Console) -> VerificationRequest {
    VerificationRequest(
      path: path, signature: signature, name: name, role: trust.role, type: type,
      hostManifest: hostManifest, leastSequence: leastSequence, kind: `as`,
      // Programs, and people who ask for SHA-256, get it, even if the policy needs only fs-verity.
      needsBothDigests: sha256 || console.isJSON, time: trust.time, isNamed: trust.source.policy != nil,
      key: trust.source.signers.files.first, followsLinks: followLinks, isByIdentity: trust.identities.isGiven)
  }
}

extension SignetError.Code {
  /// Only signatures were given to verify.
  static let verifyOnlySignatures = Self("verify.only-signatures", .failure)
}
