internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetFiles
internal import SignetSystem

struct StatementCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "statement",
    abstract: "Write what sign would sign, for another program.",
    discussion: """
      Writes the statement about a file, a directory or a module that signet sign would sign, to NAME.statement.json. \
      A program that signs by an identity signs it, in the workflow of a repository: cosign attest-blob \
      --statement NAME.statement.json --bundle NAME.sigstore.json. Its bundle, beside the artifact, is then as good as \
      one of signet sign for everybody who trusts the identity. The statement is only \
      good for these bytes of the artifact, and is not needed afterwards.

      Examples:
        signet statement plugin.zip
        signet verify plugin.zip --repository example/plugin
      """)

  @Argument(help: "The file or directory.", completion: .file())
  var file: String

  @OptionGroup var claims: StatementOptions

  @Option(name: .long, help: ArgumentHelp("Where to write the statement.", valueName: "path"), completion: .file())
  var out: String?

  @Flag(name: .long, help: "Replace an existing file.")
  var force = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    if claims.hostManifest != nil && claims.sequence == nil {
      throw ValidationError("--host-manifest needs a --sequence.")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.making("statement", about: file, on: console) { (run) throws(SignetError) in
      let input = try InputArtifact(opening: file)
      let place = out ?? "\(input.place).statement.json"
      if input.isDirectory { try OutputFile.check(place, outside: input.status.identity) }
      let job = SigningJob(
        input: input, name: claims.name,
        output: BundleOutput(artifact: input.place, out: nil, append: false, force: false, batch: nil),
        notAfter: claims.end, manifest: claims.manifest,
        module: ModuleOptions(
          kind: claims.as?.kind, minimumSequence: claims.minimumSequence, signers: [], attachment: nil), kept: [])
      let (statement, kind) = try job.statement(at: SystemTime.now(), on: console)
      let payload = try statement.payload()
      try OutputFile.write(payload, to: place, force ? .replace(unless: [input.status.identity]) : .keep)
      try run.did(
        Report.statement(file, place, kind), "\(Console.good()) written  \(place.display)",
        "  kind     \(kind.rawValue)",
        "  next     have it signed: cosign attest-blob --statement \(place.shellWord) --bundle \(BundleFile.single(input.place).shellWord)"
      )
    }
  }
}
