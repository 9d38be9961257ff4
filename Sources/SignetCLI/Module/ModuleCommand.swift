internal import ArgumentParser

struct ModuleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "module",
    abstract: "Keep a store of installed modules.",
    discussion: """
      A store is a directory that only its owner can write. What is installed there is verified when it is installed and \
      each time it is opened, under the policy and at the time of then: there is no --at here.

      Examples:
        signet module install player.zip --store modules --policy trust.json
        signet module list --store modules --policy trust.json
        signet module verify --store modules --policy trust.json
        signet module remove com.example.player --sequence 6 --store modules --policy trust.json
      """,
    subcommands: [
      ModuleInstallCommand.self, ModuleListCommand.self, ModuleVerifyCommand.self, ModuleRemoveCommand.self,
      ModuleFloorCommand.self, ModuleRetryCommand.self,
    ])
}
