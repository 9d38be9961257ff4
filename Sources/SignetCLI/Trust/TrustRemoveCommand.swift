internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetCrypto

struct TrustRemoveCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove somebody from a trust policy.")

  @Argument(help: "The policy.", completion: .file())
  var policy: String

  @Argument(help: "The name of the entry.")
  var name: String

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let file = try PolicyFile(policy, allowTestKeys: true)
    let rest = file.policy.entries.filter { !$0.name.isExactly(name) }
    guard rest.count < file.policy.entries.count else {
      throw SignetError(
        .policyEntry, policy, "has no entry of that name",
        expected: file.policy.entries.map(\.name).joined(separator: ", "), found: name)
    }
    let changed = try file.policy.with(rest)
    try file.replace(with: changed)
    try console.result("removed: \(name)")
    if console.isJSON {
      try console.document(Report.document("trust remove", [PolicyReport.json(policy, changed)], .done))
    }
    return .done
  }
}
