internal import ArgumentParser

struct TrustCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trust",
    abstract: "Make, change and examine trust policies.",
    discussion: """
      A trust policy is a JSON file that says whom a host trusts for what. These commands keep it in its canonical \
      form; docs/trust-policy.schema.json describes it for those who write it by hand.

      Examples:
        signet trust init trust.json
        signet trust add trust.json --name example --key publisher.pub --modules 'com.example.**'
        signet trust check trust.json
        signet verify plugin.zip --policy trust.json --module com.example.plugin
      """,
    subcommands: [
      TrustInitCommand.self, TrustAddCommand.self, TrustRemoveCommand.self, TrustSetCommand.self,
      TrustRevokeCommand.self, TrustListCommand.self,
      TrustCheckCommand.self, TrustExplainCommand.self, TrustExportCommand.self,
    ])
}
