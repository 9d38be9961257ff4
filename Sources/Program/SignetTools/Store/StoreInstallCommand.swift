internal import ArgumentParser
internal import ModuleInstaller
internal import ModuleStore
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto

struct StoreInstallCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "install",
    abstract: "Verify a module's archive and install it into a store.",
    discussion: """
      Creates the store if it does not exist. Copies the archive and verifies the copy before anything is unpacked. If the \
      release is installed already, it is only verified, and stays whose it was: a Modfile's or yours.

      A release with fewer signers or timestamps than the newest one that was installed, or with others, is refused. \
      A waiver by the signers of before lets it through, and so do you, if you name it.

      Compare with signet install, which gets the modules of a Modfile.

      Examples:
        signet store install player.zip --store modules --policy trust.json
        signet store install player.zip --store modules --policy trust.json \\
            --repair
        signet store install player.zip --store modules --policy trust.json \\
            --allow-less com.example.player@1.2.0
      """)

  @Argument(help: "The module's archive.", completion: .file())
  var file: String

  @Option(
    name: .long, help: ArgumentHelp("Read the signature from this file.", valueName: "bundle"), completion: .file())
  var signature: String?

  @Option(
    name: .long, help: ArgumentHelp("The module it must be.", valueName: "identifier"),
    transform: ModuleIdentifier.argument)
  var module: ModuleIdentifier?

  @Flag(name: .long, help: "Reinstall a damaged release.")
  var repair = false

  @OptionGroup var continuity: ContinuityOptions
  @OptionGroup var options: StoreOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("store install", about: file, on: console) { (run) throws(SignetError) in
      let policy = try options.trustPolicy()
      let input = try InputArtifact(opening: file)
      let expectation = Verifier.Expectation<VerifiedModule>.module(
        module, named: input.baseName)
      let source = signature.map { SignatureSource.file($0) } ?? .beside(input.place)
      let verifier = Verifier(policy: policy, clock: .system)
      let verdict = try ProgressBar.show(file, size: input.size, console) { (counter) throws(SignetError) in
        try verifier.verify(input.artifact, signatures: source, expecting: expectation, progress: counter)
      }
      guard case .verified(let proof) = verdict else {
        let report = VerdictReport(file, verdict, at: nil, isNamed: true)
        try report.print(to: console, explain: false, digests: false)
        return run.refused(report.json)
      }
      let exceptions = try continuity.exceptions(for: proof.module)
      // Nothing is created for an archive that is not accepted.
      let store = try ModuleStore(creating: options.storePath(), policy: policy, clock: .system)
      if let warning = store.clockWarning() { console.warn(warning) }
      let (installed, isPlaced) = try ProgressBar.show(file, size: nil, console) { (counter) throws(SignetError) in
        try store.placing(proof, repairs: repair, progress: counter, except: exceptions) { console.warn($0) }
      }
      let word = isPlaced ? "installed" : "unchanged"
      try console.result(
        "\(Console.good()) \(word)  \(file.display)\(isPlaced ? "" : " was installed already")",
        "  module   \(installed.words)", "  files    \(installed.path.display)")
      if !isPlaced, try store.isOfModfile(installed.module.identifier, installed.sequence) {
        console.note(
          "a Modfile has brought this release, and signet install removes it when the Modfile needs it no longer")
      }
      run.did([.object([("file", .string(file)), ("verdict", .string(word))] + installed.members)])
    }
  }
}

extension InstalledModule {
  /// Which module it is, and which release.
  var words: String { "\(module.identifier) \(module.version), sequence \(sequence)" }

  /// The same facts, for programs.
  var members: [(String, JSONValue?)] {
    [
      ("identifier", .string("\(module.identifier)")), ("version", .string("\(module.version)")),
      ("sequence", .integer(sequence)), ("sha256", .string(sha256.hex)), ("files", .string(path)),
    ]
  }
}

extension JSONValue {
  /// An object with these members, in any order; members that are nil are left out.
  static func object(_ members: [(String, JSONValue?)]) -> JSONValue {
    JSONValue(.object(members.compactMap { name, value in value.map { Member(name, $0) } }))
  }
}
