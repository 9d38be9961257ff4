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
    var configuration = SignetCommand.trust.configuration
    configuration.subcommands += [TrustStapleCommand.self, TrustRootCommand.self]
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

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The instance: public-good or github. Default: the one that the folder has begun with, or public-good.",
      valueName: "name"))
  var instance: String?

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
    if let instance, SigstoreInstance(rawValue: instance) == nil {
      throw ValidationError("--instance takes public-good or github.")
    }
    guard firstRoot == nil || instance == nil else {
      throw ValidationError("Give --instance or --first-root, not both.")
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
      let update = RootUpdate(folder: Self.trimmed(folder))
      let begun = try update.first()
      let named = instance.flatMap { SigstoreInstance(rawValue: $0) }
      let given =
        try firstRoot.map { (path) throws(SignetError) in try FirstRoot.read(path, pin: rootSha256) }
        ?? named.map(FirstSigstoreRoot.bytes)
      let first = given ?? begun ?? FirstSigstoreRoot.bytes(of: .publicGood)
      let own = SigstoreInstance.allCases.first { FirstSigstoreRoot.bytes(of: $0) == first }
      var addresses = mirror
      if addresses.isEmpty, let own { addresses = [FirstSigstoreRoot.address(of: own)] }
      guard !addresses.isEmpty else {
        throw SignetError(
          .tufUnreachable, folder, "is for an instance whose repository Signet does not know",
          hint: "give its address: --mirror URL")
      }
      var mirrors: [RepositoryMirror] = []
      for address in addresses { mirrors.append(try server.sources.mirror(withMetadataAt: address)) }
      var used: TUFClient?
      let outcome = Result { () throws(SignetError) in
        try update.run(beginningWith: first) { (trusted) throws(SignetError) in
          let client = TUFClient(folder: trusted, mirrors: mirrors, time: SystemTime.now())
          used = client
          try client.refresh()
          return client
        }
      }
      run.note(used?.complaints ?? [], of: folder)
      let isNew = try outcome.get()
      guard let targets = used?.targets else { return }
      let verdict = isNew ? "updated" : "unchanged"
      let entry = JSONValue.object(
        ("file", .string(update.path)), ("verdict", .string(verdict)), ("roles", targets.facts))
      try console.result(["\(Console.good()) \(verdict)  \(update.path.display)"] + targets.lines)
      run.did([entry])
    }
  }

  /// A path without slashes at its end.
  private static func trimmed(_ path: String) -> String {
    let kept = path.utf8.lastIndex { $0 != UInt8(ascii: "/") }
    return kept.map { String(path[...$0]) } ?? path
  }
}
