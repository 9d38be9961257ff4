internal import ArgumentParser
internal import Signet
internal import SignetCrypto

struct TrustExplainCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say which entry of a trust policy decides about a file, and why.",
    discussion: """
      Shows which entries may speak for the file, then what verifying it finds. Exit status as signet verify.

      Example:
        signet trust explain trust.json plugin.zip --module com.example.plugin
      """)

  @Argument(help: "The policy.", completion: .file())
  var policy: String

  @Argument(help: "The file or directory.", completion: .file())
  var file: String

  @Option(name: .long, help: ArgumentHelp("Read the signature from here.", valueName: "bundle"), completion: .file())
  var signature: String?

  @Option(name: .long, help: "Expect the statement to call the file this; its base name unless given.")
  var name: String?

  @Option(name: .long, help: ArgumentHelp("The module the file is taken for.", valueName: "identifier"))
  var module: String?

  @Option(name: .long, help: ArgumentHelp("The URI the file is to serve.", valueName: "uri"))
  var uri: String?

  @Option(name: .long, help: ArgumentHelp("As of this time.", valueName: "time"))
  var at: String?

  @Flag(name: .long, help: "Trust published test keys. For tests only.")
  var allowTestKeys = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    if let at, UnixTime(at) == nil { throw ValidationError("--at takes a time in UTC such as 2027-01-31T00:00:00Z.") }
    if let module, ModuleIdentifier(module) == nil { throw ValidationError("--module takes an identifier.") }
    if let uri, ModuleURI(uri) == nil { throw ValidationError("--uri takes a URI.") }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let policy = try TrustPolicy(trustedFile: policy, allowsTestKeys: allowTestKeys)
    let role = ArtifactRole(module: module.flatMap { ModuleIdentifier($0) }, uri: uri.flatMap { ModuleURI($0) })
    let time = at.flatMap { UnixTime($0) }
    let input = try InputArtifact(opening: file)
    for standing in policy.standings(for: role, at: time ?? SystemTime.now()) {
      let why = standing.objection.map { "no: \($0.code): expected \($0.expected ?? ""), found \($0.found ?? "")" }
      try console.result("entry \(standing.entry.name) may speak for it: \((why ?? "yes").display)")
    }
    let verifier = Verifier(policy: policy, clock: time.map { .fixed($0) } ?? .system)
    let source = signature.map { SignatureSource.file($0) } ?? .beside(input.place)
    let name = name ?? input.baseName
    let report =
      input.isDirectory
      ? VerdictReport(
        file, try verifier.verify(input.artifact, signatures: source, expecting: .directory(named: name, as: role)),
        at: time)
      : VerdictReport(
        file, try verifier.verify(input.artifact, signatures: source, expecting: .file(named: name, as: role)),
        at: time
      )
    try report.print(to: console, explain: true)
    let status: ExitStatus = report.isVerified ? .done : .refused
    if console.isJSON { try console.document(Report.document("trust explain", [report.json], status)) }
    return status
  }
}
