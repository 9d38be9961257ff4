internal import ArgumentParser
internal import SignetCLI

struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Create a plugin or a host.",
    discussion: """
      Examples:
        signet new module player --signet ../signet
        signet new module clock --language c --identifier org.example.clock \\
            --signet ../signet
        signet new host stage --like pacore
      """,
    subcommands: [NewModuleCommand.self, NewHostCommand.self])
}
