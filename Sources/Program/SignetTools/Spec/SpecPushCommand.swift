internal import ArgumentParser
internal import ModuleSpec
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetSystem

struct SpecPushCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "push",
    abstract: "Publish a spec in a repository.",
    discussion: """
      Checks the spec as signet spec lint does, and adds it to a repository that signet spec repo add has named. In a \
      folder it appears whole; in a repository of git it is a commit, which is pushed. A version keeps its bytes: the same \
      bytes again change nothing, and others are refused. With --key the spec gets its bundle beside it, also a spec \
      that is there already without a signature by that key.

      Examples:
        signet spec push example player/player.modspec.json --key publisher
      """)

  @Argument(help: "The name of the repository.")
  var repository: String

  @Argument(help: "The spec, or a folder with one spec.", completion: .file())
  var spec: String

  @Flag(name: .long, help: "Accept a spec that only has warnings.")
  var allowWarnings = false

  @Option(
    name: .long, help: ArgumentHelp("Sign the spec with this private key.", valueName: "path"), completion: .file())
  var key: String?

  @OptionGroup var checkout: SpecCheckoutOptions
  @OptionGroup var passphrase: PassphraseOptions
  @OptionGroup var specs: SpecRepositoryOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    guard key != nil || passphrase.passphraseFile == nil && passphrase.passphraseFd == nil else {
      throw ValidationError("A passphrase is for a key: give --key.")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("spec push", about: spec, on: console) { (run) throws(SignetError) in
      let repository = try specs.repositories().repository(repository)
      let report = try report()
      let found = SpecSheet(report, allowsWarnings: allowWarnings)
      guard found.isClean else {
        try found.print(to: console)
        return run.refused(found.json)
      }
      let pushed = try repository.push(report.spec, report.bytes, signing: signing())
      let (word, verdict) =
        switch pushed {
        case .pushed: ("pushed", "pushed")
        case .signed: ("signed", "signed")
        case .present: ("there already", "present")
        }
      try run.did(
        .object(
          ("file", .string(report.path)), ("name", .string(report.spec.name)),
          ("version", .string("\(report.spec.version)")), ("repository", .string(repository.name)),
          ("verdict", .string(verdict))),
        "\(Console.good()) \(word)  \(report.spec.name.display) \(report.spec.version) in \(repository.name)")
    }
  }

  private func report() throws(SignetError) -> SpecLint.Report {
    let paths = try SpecLint.specs(at: spec)
    guard paths.count == 1 else {
      throw SignetError(
        .specMissing, spec, "has several specs", expected: "one spec", found: "\(paths.count)", hint: "name the spec")
    }
    return try SpecLint.check(paths[0], checkout: checkout.place)
  }

  private func signing() throws(SignetError) -> SpecSigning? {
    guard let key else { return nil }
    let signer = try Signer(
      KeySource(place: .file(key), passphrase: passphrase).privateKey(allowsTestKeys: false))
    return SpecSigning(by: signer, at: SystemTime.now())
  }
}
