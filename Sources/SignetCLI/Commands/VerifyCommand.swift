internal import ArgumentParser
internal import Signet
internal import SignetArchive
internal import SignetCrypto

struct VerifyCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Verify that files and directories are what somebody trusted has signed.",
    discussion: """
      Reads the bundles beside each file or directory, NAME.sigstore.json and NAME.sigstore.jsonl, or the one that is named, and \
      those in a module's archive. What has no signature is refused, and so is what has a damaged one anywhere. A module \
      is known by what its statement says of it, not by its file's name.

      Examples:
        signet verify plugin.zip --key publisher.pub
        signet verify renamed.zip --name plugin.zip --key publisher.pub --explain
        signet verify plugin.zip --anchor ca.pem --identity release@example.com
        signet verify plugin.zip --policy trust.json --module com.example.plugin --least-sequence 7
        signet verify bundle.json --host-manifest com.example.player --least-sequence 7 --key publisher.pub
      """)

  @Argument(help: "The files and directories to verify.", completion: .file())
  var file: [String]

  @Option(
    name: .long, help: ArgumentHelp("Read the signature from here (one file only).", valueName: "bundle"),
    completion: .file())
  var signature: String?

  @OptionGroup var trust: TrustOptions

  @Option(
    name: .long,
    help: ArgumentHelp("Expect a statement of this type, made by another program.", valueName: "uri"))
  var type: String?

  @Option(
    name: .long,
    help: "Expect the statement to call it this (one file or directory only); its base name unless given.")
  var name: String?

  @Option(
    name: .long, help: ArgumentHelp("Expect the manifest of this host.", valueName: "identifier"))
  var hostManifest: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Refuse manifests and modules with a lower sequence.", valueName: "number"))
  var leastSequence: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Expect a file or a module; a ZIP with a signing block or a module.json is a module unless given.",
      valueName: "kind"))
  var `as`: ArtifactKind?

  @Flag(name: .long, help: "Print every check: passed, failed, or skipped and why.")
  var explain = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    if file.count > 1 && signature != nil { throw ValidationError("--signature goes with one file only.") }
    if file.count > 1 && name != nil { throw ValidationError("--name goes with one file only.") }
    if hostManifest != nil && type != nil { throw ValidationError("Give --host-manifest or --type, not both.") }
    try ArtifactKind.check(`as`, hostManifest: hostManifest, type: type)
    if leastSequence != nil && (type != nil || `as` == .file) {
      throw ValidationError("--least-sequence goes with --host-manifest and modules.")
    }
    if hostManifest != nil && (trust.module != nil || trust.uri != nil) {
      throw ValidationError("--host-manifest says what the file is taken for: leave --module and --uri out.")
    }
    if let hostManifest { _ = try HostManifest.identifier(hostManifest) }
    try HostManifest.check(leastSequence, "--least-sequence")
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let verifier: Verifier
    switch try trust.verifier() {
    case .success(let made): verifier = made
    case .failure(let error):
      console.complain("refused", trust.name, error)
      if console.isJSON { try console.document(Report.ended(error, .refused)) }
      return .refused
    }
    var status = ExitStatus.done
    var entries: [JSONValue] = []
    for path in file {
      do throws(SignetError) {
        let report = try verify(path, verifier, console)
        if !report.isVerified { status = status.combined(with: .refused) }
        try report.print(to: console, explain: explain)
        entries.append(report.json)
      } catch  where error.code != .standardOutput {
        status = status.combined(with: .failed)
        console.complain("error", path, error)
        entries.append(Report.failed(path, error))
      }
    }
    if console.isJSON { try console.document(Report.document("verify", entries, status)) }
    return status
  }

  /// Verifies one file or directory as what the command line says it is.
  private func verify(_ path: String, _ verifier: Verifier, _ console: Console) throws(SignetError) -> VerdictReport {
    let input = try InputArtifact(opening: path)
    try `as`?.check(input)
    let name = name ?? input.baseName
    if let identifier = hostManifest.flatMap({ ModuleIdentifier($0) }) {
      let expectation = Verifier.Expectation.hostManifest(
        identifier: identifier, named: name, leastSequence: leastSequence ?? 1)
      return try verify(input, verifier, expectation, console)
    }
    if try isModule(input) {
      return try verify(
        input, verifier,
        .module(trust.role.module, at: trust.role.uri, leastSequence: leastSequence ?? 1, named: name), console)
    }
    // A floor that nothing is held against must not look like one that holds.
    if leastSequence != nil {
      throw SignetError(
        .archiveFormat, path, "has no sequence: it is neither a module nor expected to be a manifest",
        expected: "a module's archive")
    }
    let own: PredicateType = input.isDirectory ? .directory : .file
    if let type, PredicateType(type) != own {
      return try verify(input, verifier, .attestation(PredicateType(type), about: name, as: trust.role), console)
    }
    if input.isDirectory { return try verify(input, verifier, .directory(named: name, as: trust.role), console) }
    return try verify(input, verifier, .file(named: name, as: trust.role), console)
  }

  /// Whether the file is verified as a module: only a statement about modules will do then.
  private func isModule(_ input: InputArtifact) throws(SignetError) -> Bool {
    if input.isDirectory || type != nil || `as` == .file { return false }
    if `as` == .module { return true }
    return try ModuleGuess.isModule(toVerify: input.artifact, signatures: source(input))
  }

  private func source(_ input: InputArtifact) -> SignatureSource {
    signature.map { SignatureSource.file($0) } ?? .beside(input.place)
  }

  private func verify<Proof>(
    _ input: InputArtifact, _ verifier: Verifier, _ expectation: Verifier.Expectation<Proof>, _ console: Console
  ) throws(SignetError) -> VerdictReport {
    let source = source(input)
    let verdict = try ProgressBar.show(input.path, size: input.size, console) { (counter) throws(SignetError) in
      try verifier.verify(input.artifact, signatures: source, expecting: expectation, progress: counter)
    }
    return VerdictReport(input.path, verdict, at: trust.time)
  }
}
