internal import ArgumentParser
internal import SignetCLI

struct SpecCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "spec",
    abstract: "Write, check and publish specs of modules.",
    discussion: """
      A spec says who made a module, from which sources, and under which licence: NAME.modspec.json, beside module.json.

      Examples:
        signet spec init player
        signet spec lint
        signet spec lint player/player.modspec.json --allow-warnings
        signet spec repo add example https://git.example.com/specs.git
        signet spec push example player/player.modspec.json --key publisher
      """,
    subcommands: [SpecInitCommand.self, SpecLintCommand.self, SpecPushCommand.self, SpecRepoCommand.self])
}
