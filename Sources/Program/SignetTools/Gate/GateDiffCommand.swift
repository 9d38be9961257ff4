internal import ArgumentParser
internal import GateReports
internal import ReleaseGate
internal import Signet
internal import SignetBase
internal import SignetCLI

struct GateDiffCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show what changed between two releases.",
    discussion: """
      Modules are compared by their identifiers, everything else by its path. What statements say is shown only if the \
      policy trusts their signers. The status is 0, whether anything changed or not.

      Examples:
        signet gate diff last-release release --key publisher.pub
      """)

  @Argument(help: "The folder of the earlier release.", completion: .directory)
  var old: String

  @Argument(help: "The folder of the later release.", completion: .directory)
  var new: String

  @OptionGroup var policy: GatePolicyOptions

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    if policy.isEmpty { throw SignerOptions.nothingGiven }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let (policy, reference) = try self.policy.read()
    let gate = Gate(policy: policy, called: reference, clock: .system, version: SignetCommand.version)
    let comparison = try ProgressBar.show("\(old) \(new)", size: nil, console) { (counter) throws(SignetError) in
      try gate.compare(old, new, progress: counter)
    }
    for change in comparison.changes {
      try console.result(
        ["\(Self.mark(change.kind)) \(change.path.display)"] + change.details.map { "    \($0.display)" })
    }
    let count = comparison.changes.count
    try console.result(count == 0 ? "nothing has changed" : Amount.of(count, "change", "changes"))
    if console.isJSON {
      try console.document(Report.document("gate diff", [JSONReport.comparison(comparison)], .done))
    }
    return .done
  }

  private static func mark(_ kind: GateReport.Change.Kind) -> String {
    switch kind {
    case .added: "+"
    case .removed: "-"
    case .changed: "~"
    }
  }
}
