internal import ArgumentParser
internal import GateReports
internal import ReleaseGate
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetSystem

struct GateCheckCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a release: what signet gate FOLDER does.",
    discussion: """
      A bundle is beside its file: NAME.sigstore.json or NAME.sigstore.jsonl. A folder with a bundle beside it is one \
      artifact; any other folder is a place for files. What is neither a bundle nor left out must be signed.

      Nothing passes for want of looking. A link that leads out of the release, a file that cannot be read or changes \
      meanwhile, and a folder without artifacts end with status 2.

      Exit status: 0 clean, 1 refused, 2 could not be checked, 64 wrong usage.

      Examples:
        signet gate release --policy release.json
        signet gate release --policy release.json --report html=gate.html \\
            --report junit=gate.xml
        signet gate release --policy release.json --policy-sha256 HEX \\
            --baseline last-release
        signet gate --recheck gate.json release
        signet gate --explain executable-stack
      """)

  @Argument(help: "The folders of the release. Names are relative to each of them.", completion: .directory)
  var path: [String] = []

  @OptionGroup var policy: GatePolicyOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write a report: FORMAT=FILE, or FORMAT=- for standard output. Formats: \(ReportArgument.formats). Repeatable.",
      valueName: "format=file"), completion: ReportArgument.completion)
  var report: [ReportArgument] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Name files from this folder in SARIF and the reports for GitHub and GitLab. Default: the checkout of git that holds the release, or else its folder.",
      valueName: "folder"), completion: .directory)
  var pathsFrom: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Leave out files: *.md, docs/**. They are counted and shown. Repeatable.", valueName: "glob"))
  var exclude: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The lowest level that refuses the release: error or warning. Default: error.",
      valueName: "level"), completion: .list(["error", "warning"]))
  var failOn: FailingLevel?

  @Flag(name: .long, help: "Accept a folder in which there is nothing to check.")
  var allowEmpty = false

  @Option(
    name: .long,
    help: ArgumentHelp("Compare with the last release, in this folder.", valueName: "folder"), completion: .directory)
  var baseline: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Compare with a second build of the same release, byte for byte.", valueName: "folder"),
    completion: .directory)
  var rebuild: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Only confirm that a folder still holds what this JSON report says. No key is needed.", valueName: "report"),
    completion: .file())
  var recheck: String?

  @Option(
    name: .long, help: ArgumentHelp("Only explain a rule, or all of them: all.", valueName: "rule"),
    completion: .list(RuleList.all.map { $0.about.id } + ["all"]))
  var explain: String?

  @OptionGroup var attest: AttestOptions

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  /// The level that refuses a release.
  enum FailingLevel: String, ExpressibleByArgument { case error, warning }

  func validate() throws {
    if let explain {
      guard path.isEmpty, recheck == nil, takesNoRelease else {
        throw ValidationError("--explain is given alone.")
      }
      guard explain == "all" || RuleHelp(explain) != nil else {
        throw ValidationError("There is no rule '\(explain.display)'. --explain all lists them.")
      }
      return
    }
    guard !path.isEmpty else { throw ValidationError("Give the folder of the release.") }
    for pattern in exclude where PathPattern(pattern) == nil {
      throw ValidationError("--exclude takes a pattern such as *.md or docs/**.")
    }
    if recheck != nil {
      guard takesNoRelease else { throw ValidationError("--recheck is given with the folders only.") }
      return
    }
    if policy.isEmpty { throw SignerOptions.nothingGiven }
    guard report.count(where: \.isStandardOutput) + (output.json ? 1 : 0) <= 1 else {
      throw ValidationError("Only one report goes to standard output.")
    }
  }

  /// Whether none of the options was given that say how a release is checked.
  private var takesNoRelease: Bool {
    policy.isEmpty && report.isEmpty && exclude.isEmpty && baseline == nil && rebuild == nil && !allowEmpty
      && failOn == nil && pathsFrom == nil && attest.isEmpty
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    if let explain { return try RuleHelp.show(explain, console) }
    if let recheck { return try GateRecheck(report: recheck, folders: path).run(console) }
    let (policy, reference) = try self.policy.read()
    let outputs = ReportFiles(reports: report, inputs: FileStatus.identities(of: self.policy.files + attest.files))
    try outputs.check(outside: path)
    let attester = try attest.attester(outside: path, allowsTestKeys: self.policy.allowTestKeys)
    let gate = Gate(
      policy: policy, called: reference, clock: .system, version: SignetCommand.version, options: options)
    let result = try ProgressBar.show(path.joined(separator: " "), size: nil, console) {
      (counter) throws(SignetError) in
      try gate.check(path, progress: counter)
    }
    // Nothing says that the release is clean before everything that was asked for is written. So all of it is made first.
    // A signed verdict lets others skip their own check, so it is left only if all the rest was written, too.
    let texts = try outputs.texts(of: result)
    let summaries = try attester?.summaries(of: result) ?? []
    try outputs.write(texts)
    try attester?.write(summaries)
    let status: ExitStatus = result.isClean ? .done : .refused
    do throws(SignetError) {
      if report.contains(where: \.isStandardOutput) {
        try Console.output(String(decoding: texts.standardOutput, as: UTF8.self))
      } else {
        try GateTable(result).print(to: console)
      }
      if console.isJSON { try console.document(Report.document("gate", [JSONReport.value(of: result)], status)) }
    } catch {
      if !summaries.isEmpty { attester?.withdraw() }
      throw error
    }
    attester?.keep()
    for each in report where !each.isStandardOutput {
      console.note("  report    \(type(of: each.format).name) in \(each.path.display)")
    }
    if !summaries.isEmpty {
      console.note(
        "  attested  \(Amount.of(summaries.count, "artifact", "artifacts")) in \(attest.attestTo?.display ?? "")")
    } else if attester != nil {
      console.note("  attested  nothing, because the release \(result.isClean ? "has no artifacts" : "is refused")")
    }
    return status
  }

  private var options: Gate.Options {
    var options = Gate.Options()
    options.failingLevel = failOn == .warning ? .warning : .error
    options.allowsEmpty = allowEmpty
    options.exclusions = exclude.compactMap { PathPattern($0) }
    options.baseline = baseline
    options.rebuild = rebuild
    options.outsideFiles = policy.unpinnedFiles
    options.pathsFrom = pathsFrom
    return options
  }
}
