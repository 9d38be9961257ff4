internal import ArgumentParser
internal import Keyless
internal import Signet
internal import SignetBase
internal import SignetSystem

struct TrustCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trust",
    abstract: "Create, change and examine trust policies.",
    discussion: """
      A trust policy is a JSON file that says which signers a host trusts, and for what. These commands write it in \
      its canonical form. If you write it by hand, see docs/trust-policy.schema.json.

      Examples:
        signet trust init trust.json
        signet trust add trust.json --name example --key publisher.pub \\
            --modules 'com.example.**'
        signet trust check trust.json
        signet verify plugin.zip --policy trust.json \\
            --module com.example.plugin
      """,
    subcommands: [
      TrustInitCommand.self, TrustAddCommand.self, TrustRemoveCommand.self, TrustSetCommand.self,
      TrustRevokeCommand.self, TrustRotateCommand.self, TrustFollowCommand.self, TrustWaiveCommand.self,
      TrustListCommand.self, TrustCheckCommand.self, TrustExplainCommand.self, TrustExportCommand.self,
    ])
}

struct TrustListCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the signers that a trust policy trusts.")

  @Argument(help: "The policy.", completion: .file())
  var policy: String

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let read = try TrustPolicy(trustedFile: policy, allowsTestKeys: true, with: .all)
    try console.result(PolicyReport.lines(read))
    if console.isJSON {
      try console.document(Report.document("trust list", [PolicyReport.json(policy, read)], .done))
    }
    return .done
  }
}

struct TrustInitCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Create a trust policy that trusts no one yet.")

  @Argument(help: "The policy to write. An existing file is never overwritten.", completion: .file())
  var policy: String

  @Option(name: .long, help: "How many trusted signers must have signed.")
  var threshold: Int?

  @Flag(name: .long, help: "All signers that are trusted for an artifact must have signed it, and no others.")
  var exact = false

  @Option(
    name: .long,
    help: ArgumentHelp("When the policy expires: a time, or the last day in UTC.", valueName: "time"))
  var expires: String?

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    if exact && threshold != nil { throw ValidationError("Give --threshold or --exact, not both.") }
    if let threshold, !(1...1000).contains(threshold) {
      throw ValidationError("--threshold takes a number of 1 or more.")
    }
    if let expires, TimeArgument.end(expires) == nil {
      throw ValidationError("--expires takes \(TimeArgument.form).")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    var terms = TrustPolicy.Terms()
    terms.requirement = exact ? .exact : .threshold(threshold ?? 1)
    terms.expires = expires.flatMap { TimeArgument.end($0) }
    let made = try TrustPolicy(entries: [], terms: terms)
    try PolicyFile.begin(made, at: policy)
    let until = terms.expires.map { ", and expires at \($0)" } ?? ""
    try console.result("created: \(policy.display), which trusts no one yet\(until)")
    if console.isJSON {
      try console.document(Report.document("trust init", [PolicyReport.json(policy, made)], .done))
    }
    return .done
  }
}

struct TrustRemoveCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove an entry from a trust policy.")

  @Argument(help: "The policy.", completion: .file())
  var policy: String

  @Argument(help: "The name of the entry.")
  var name: String

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let file = try PolicyFile(policy, allowTestKeys: true)
    guard let changed = try file.policy.without(name) else {
      let names = (file.policy.entries + (file.policy.summary?.signers ?? [])).map(\.name)
      throw SignetError(
        .policyEntry, policy, "has no entry with that name", expected: names.joined(separator: ", "), found: name,
        hint: "give one of these names; to see who is behind them: signet trust list \(policy.shellWord.display)")
    }
    try file.replace(with: changed)
    try console.result("removed: \(name)")
    if console.isJSON {
      try console.document(Report.document("trust remove", [PolicyReport.json(policy, changed)], .done))
    }
    return .done
  }
}
