internal import ArgumentParser
internal import Keyless
internal import Signet
internal import SignetBase
internal import SignetSystem

struct TrustExplainCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show which entry decides about a file, and why.",
    discussion: """
      Shows which entries are trusted for the file, then the result of verifying it. The result and the exit status \
      are those of signet verify with the same options.

      Example:
        signet trust explain trust.json plugin.zip --module com.example.plugin
      """)

  @Argument(help: "The policy.", completion: .file())
  var policy: String

  @Argument(help: "The file or directory.", completion: .file())
  var file: String

  @Option(
    name: .long, help: ArgumentHelp("Read the signature from this file.", valueName: "bundle"), completion: .file())
  var signature: String?

  @Option(name: .long, help: "The name that the statement must have. Default: the base name, after any folders.")
  var name: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The module it must be. With --as file or --type: the module that the file belongs to.", valueName: "identifier"
    ),
    transform: ModuleIdentifier.argument)
  var module: ModuleIdentifier?

  @Option(
    name: .long,
    help: ArgumentHelp("Expect a file, a module or a model. Default: as signet verify has it.", valueName: "kind"))
  var `as`: KindOption?

  @Option(
    name: .long,
    help: ArgumentHelp("Expect a statement of this type, made by another program.", valueName: "uri"))
  var type: String?

  @Option(
    name: .long, help: ArgumentHelp("The URI that the file will serve.", valueName: "uri"),
    transform: ModuleURI.argument)
  var uri: ModuleURI?

  @Option(name: .long, help: ArgumentHelp("Evaluate at this time.", valueName: "time"))
  var at: String?

  @Flag(name: .long, help: "Trust published test keys. For tests only.")
  var allowTestKeys = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    if let at, TimeArgument.start(at) == nil { throw ValidationError("--at takes \(TimeArgument.form).") }
    try KindOption.checkOptions(`as`, hostManifest: nil, type: type)
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let policy = try TrustPolicy(trustedFile: policy, allowsTestKeys: allowTestKeys, with: .all)
    let role = ArtifactRole(module: module, uri: uri)
    let time = at.flatMap { TimeArgument.start($0) }
    let verifier = Verifier(policy: policy, clock: time.map { .fixed($0) } ?? .system)
    let input = try InputArtifact(opening: file)
    let report = try VerificationRequest(
      path: file, signature: signature, name: name, role: role, type: type, kind: `as`, needsBothDigests: true,
      time: time,
      isNamed: true
    ).report(verifier, console)
    let isNamed = role.module != nil || role.uri != nil
    var known: ArtifactRole? = isNamed ? role : ArtifactRole(file: name ?? input.baseName)
    if role.module == nil {
      // Only a statement that holds can say which module it is.
      if let module = report.module {
        known = ArtifactRole(module: module, uri: role.uri)
      } else if !report.isVerified, !input.isDirectory, `as` != .file, type == nil {
        known = nil
      }
    }
    try console.result(lines(policy, known, time ?? SystemTime.now()))
    try report.print(to: console, explain: true, digests: true)
    let status: ExitStatus = report.isVerified ? .done : .refused
    if console.isJSON { try console.document(Report.document("trust explain", [report.json], status)) }
    return status
  }

  /// What each entry may say about the file; if nothing is known about the file, what each entry may speak for.
  private func lines(_ policy: TrustPolicy, _ role: ArtifactRole?, _ time: UnixTime) -> [String] {
    guard let role else {
      return policy.entries.map { "entry \($0.name) is trusted for \("\($0.scope)".display)" }
    }
    return policy.standings(for: role, at: time).map { standing in
      let why = standing.objection.map { objection in
        let sides = [
          objection.expected.map { "expected \($0)" }, objection.found.map { "found \($0)" },
        ].compactMap(\.self)
        return "no: \(([objection.message] + sides).joined(separator: ", ")) [\(objection.code)]"
      }
      return "entry \(standing.entry.name) is trusted for it: \((why ?? "yes").display)"
    }
  }
}
