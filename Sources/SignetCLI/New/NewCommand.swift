internal import ArgumentParser

struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Begin something to work on.",
    discussion: """
      Examples:
        signet new module player --signet ../signet
        signet new module clock --language c --identifier org.example.clock --signet ../signet
      """,
    subcommands: [NewModuleCommand.self])
}
