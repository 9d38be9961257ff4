internal import ArgumentParser
internal import ModuleRegistry
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto

struct RepoInitCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Begin a registry.",
    discussion: """
      Needs public keys alone. Writes drafts of the root and of the targets, which the owners of the root's and the \
      targets' keys sign with signet repo sign. signet repo refresh then publishes the first version.

      Keep the private keys of root and targets where no server can reach them. The online keys lie where the registry is \
      refreshed; stolen, they can hold clients back, but not ship code.

      Example:
        signet repo init registry --root-key a.pub --root-key b.pub \\
            --root-threshold 2 --targets-key t.pub --online-key o.pub
      """)

  @Argument(help: "The registry's directory, which is made if it is missing.", completion: .directory)
  var directory: String

  @Option(
    name: .long, help: ArgumentHelp("A public key of the root. Repeatable.", valueName: "key"), completion: .file())
  var rootKey: [String]

  @Option(name: .long, help: ArgumentHelp("The number of root keys that must sign.", valueName: "number"))
  var rootThreshold = 1

  @Option(
    name: .long, help: ArgumentHelp("A public key of the targets. Repeatable.", valueName: "key"), completion: .file()
  )
  var targetsKey: [String]

  @Option(name: .long, help: ArgumentHelp("The number of targets' keys that must sign.", valueName: "number"))
  var targetsThreshold = 1

  @Option(
    name: .long, help: ArgumentHelp("The public key of snapshot and timestamp. Repeatable.", valueName: "key"),
    completion: .file())
  var onlineKey: [String]

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("repo init", about: directory, on: console) { (run) throws(SignetError) in
      let keys = try RegistryKeys(
        root: RoleKeys(RegistryKeyFiles.publicKeys(rootKey), threshold: rootThreshold, of: "root"),
        targets: RoleKeys(RegistryKeyFiles.publicKeys(targetsKey), threshold: targetsThreshold, of: "targets"),
        online: RoleKeys(RegistryKeyFiles.publicKeys(onlineKey), threshold: 1, of: "snapshot and timestamp"))
      try ModuleRegistry.now(directory).begin(with: keys)
      try console.result(
        "\(Console.good()) begun  \(directory.display)",
        "  next   signet repo sign \(directory.shellWord.display) --key PATH   with \(rootThreshold) of the root's keys and "
          + "\(targetsThreshold) of the targets'",
        "         signet repo refresh \(directory.shellWord.display) --online-key PATH")
      run.did([.object(("directory", .string(directory)), ("verdict", .string("begun")))])
    }
  }
}

struct RepoRefreshCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "refresh",
    abstract: "Publish what is signed, and say that it is the newest.",
    discussion: """
      Run it at least twice in the lifetime of a timestamp, which is 7 days: clients stop when the timestamp expires. \
      Drafts that are signed by enough keys are published with it; the others are named, with what is missing. The first \
      publication waits for no publisher.

      It refuses to publish under a root or targets that have expired, because clients then refuse everything, and warns a \
      month before: signet repo rotate renews a role.

      While online keys are rotated, name the old and the new one.

      Example:
        signet repo refresh registry --online-key online
      """)

  @Argument(help: "The registry's directory.", completion: .directory)
  var directory: String

  @OptionGroup var online: OnlineKeyOptions

  @Option(name: .long, help: ArgumentHelp("The lifetime of the timestamp.", valueName: "days"))
  var timestampDays: Int?

  @Option(name: .long, help: ArgumentHelp("The lifetime of a new snapshot.", valueName: "days"))
  var snapshotDays: Int?

  @OptionGroup var passphrase: PassphraseOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    if online.onlineKey.isEmpty {
      throw ValidationError("Give the private key of snapshot and timestamp: --online-key.")
    }
    for days in [timestampDays, snapshotDays].compactMap(\.self) where !(1...3650).contains(days) {
      throw ValidationError("A lifetime is 1 to 3650 days.")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("repo refresh", about: directory, on: console) { (run) throws(SignetError) in
      let keys = try RegistryKeyFiles.read(online.onlineKey, passphrase)
      let registry = ModuleRegistry.now(directory, timestampDays: timestampDays, snapshotDays: snapshotDays)
      let report = PublicationReport(publication: try registry.refresh(signedBy: keys))
      try report.tell(console)
      run.did(report.json)
    }
  }
}
