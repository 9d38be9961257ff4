internal import ArgumentParser
internal import Keyless
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetSystem
internal import SignetTUF

/// `signet trust` with the subcommands that need a network, too.
struct TrustWithRoots: ParsableCommand {
  static var configuration: CommandConfiguration {
    var configuration = SignetCommand.policy[0].configuration
    configuration.subcommands.append(TrustRootCommand.self)
    return configuration
  }
}

struct TrustRootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "root", abstract: "Keep the trusted root of an instance of Sigstore.",
    subcommands: [TrustRootUpdateCommand.self])
}

struct TrustRootUpdateCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Fetch the newest trusted root of an instance.",
    discussion: """
      A trusted root names the authorities and logs of an instance of Sigstore. Its operators publish it in a repository \
      of The Update Framework, whose first root comes with Signet: no server needs to be trusted, and an older root is \
      refused. The folder then has trusted_root.json, for signet verify --sigstore, and what is trusted of the \
      repository. signet verify itself asks nobody.

      Examples:
        signet trust root update sigstore
        signet verify tool.zip --repository example/tool \\
            --sigstore sigstore/trusted_root.json
        signet trust root update own --first-root root.json \\
            --mirror https://example.com/tuf/
      """)

  @Argument(help: "The folder, which is made if it is missing.", completion: .directory)
  var folder: String

  @Option(name: .long, help: ArgumentHelp("The instance: public-good or github.", valueName: "name"))
  var instance: String = SigstoreInstance.publicGood.rawValue

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The address of the repository, or of a mirror: https://… or oci://…. Repeatable, the first to ask in front. Default: the instance's own.",
      valueName: "url"))
  var mirror: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp("Begin with this root of the repository, for an instance of your own.", valueName: "path"),
    completion: .file())
  var firstRoot: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The first root's SHA-256. Only this root is accepted, no matter who owns or can write its file.",
      valueName: "hex"))
  var rootSha256: SHA256Argument?

  @OptionGroup var server: ServerOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    guard SigstoreInstance(rawValue: instance) != nil else {
      throw ValidationError("--instance takes public-good or github.")
    }
    guard firstRoot == nil || !mirror.isEmpty else {
      throw ValidationError("With --first-root give the address of its repository: --mirror.")
    }
    guard rootSha256 == nil || firstRoot != nil else {
      throw ValidationError("--root-sha256 goes with --first-root.")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("trust root update", about: folder, on: console) { (run) throws(SignetError) in
      let known = SigstoreInstance(rawValue: instance) ?? .publicGood
      let first =
        try firstRoot.map { (path) throws(SignetError) in try FirstRoot.read(path, pin: rootSha256) }
        ?? FirstSigstoreRoot.bytes(of: known)
      var mirrors: [RepositoryMirror] = []
      for address in mirror.isEmpty ? [FirstSigstoreRoot.address(of: known)] : mirror {
        mirrors.append(try server.sources.mirror(withMetadataAt: address))
      }
      let update = RootUpdate(folder: folder)
      let client = TUFClient(folder: try update.begin(with: first), mirrors: mirrors, time: SystemTime.now())
      let outcome = Result { () throws(SignetError) in
        try client.refresh()
        return try update.take(from: client)
      }
      run.note(client.complaints, of: folder)
      let isNew = try outcome.get()
      guard let targets = client.targets else { return }
      let verdict = isNew ? "updated" : "unchanged"
      let entry = JSONValue.object(
        ("file", .string(update.path)), ("verdict", .string(verdict)), ("roles", targets.facts))
      try console.result(["\(Console.good()) \(verdict)  \(update.path.display)"] + targets.lines)
      run.did([entry])
    }
  }
}
