internal import ArgumentParser

struct SpecCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "spec",
    abstract: "Begin a module with a spec, and check specs.",
    discussion: """
      A spec says who made a module, from which sources, and under which licence: NAME.modspec.json, beside module.json.

      Examples:
        signet spec init player
        signet spec lint
        signet spec lint player/player.modspec.json --allow-warnings
      """,
    subcommands: [SpecInitCommand.self, SpecLintCommand.self])
}
