internal import ArgumentParser
internal import ModuleStore
internal import Signet
internal import SignetBase
internal import SignetCLI

struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Manage the store from which a host loads modules.",
    discussion: """
      A store is a directory that only its owner can write. A release is verified when it is installed and each time \
      it is opened, under the current policy and at the current time. These commands therefore have no --at.

      Compare with signet install, which fills the store with the modules of a Modfile.

      Examples:
        signet store install player.zip --store modules --policy trust.json
        signet store list --store modules --policy trust.json
        signet store verify --store modules --policy trust.json
        signet store remove com.example.player --sequence 6 --store modules \\
            --policy trust.json
      """,
    subcommands: [
      StoreInstallCommand.self, StoreListCommand.self, StoreVerifyCommand.self, StoreRemoveCommand.self,
      StoreFloorCommand.self, StoreRetryCommand.self,
    ],
    // The name before the command was released. Only the next release has it.
    aliases: ["module"])
}

struct StoreRemoveCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove releases from a store.",
    discussion: """
      A module's floor stays. --unused removes every release that is neither loaded nor a fallback, and the remains of \
      interrupted changes.

      Examples:
        signet store remove com.example.player --store modules \\
            --policy trust.json
        signet store remove --unused --store modules --policy trust.json
      """)

  @Argument(help: "The module.", transform: ModuleIdentifier.argument)
  var identifier: ModuleIdentifier?

  @Option(name: .long, help: ArgumentHelp("Only this release.", valueName: "number"))
  var sequence: Int?

  @Flag(name: .long, help: "Remove unused releases.")
  var unused = false

  @OptionGroup var options: StoreOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    guard (identifier == nil) == unused else { throw ValidationError("Give a module, or --unused.") }
    if unused && sequence != nil { throw ValidationError("--sequence goes with a module.") }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("store remove", about: options.store, on: console) { (run) throws(SignetError) in
      let store = try options.open(console)
      let removed: [ModuleStore.ReleaseName]
      if let module = identifier {
        removed = try store.remove(module, sequence: sequence)
      } else {
        removed = try store.collectGarbage()
      }
      try console.result(removed.isEmpty ? ["nothing to remove"] : removed.map { "removed: \($0)" })
      let entries = removed.map { release in
        JSONValue.object(
          ("identifier", .string("\(release.identifier)")), ("sequence", .integer(release.sequence)),
          ("verdict", .string("removed")))
      }
      run.did(entries)
    }
  }
}

struct StoreRetryCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Let a release run again after it has crashed hosts.",
    discussion: """
      A release is set aside when hosts have crashed twice in a row while they loaded it or soon after. After one \
      crash, hosts load it alone. This command forgets the crashes, and hosts load the release at their next start. \
      The store records who ran the command, and when.

      Examples:
        signet store retry com.example.player --store modules \\
            --policy trust.json
        signet store retry com.example.player --sequence 7 --store modules \\
            --policy trust.json
      """)

  @Argument(help: "The module.", transform: ModuleIdentifier.argument)
  var identifier: ModuleIdentifier

  @Option(name: .long, help: ArgumentHelp("Only this release.", valueName: "number"))
  var sequence: Int?

  @OptionGroup var options: StoreOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("store retry", about: options.store, on: console) { (run) throws(SignetError) in
      let module = identifier
      let retried = try options.open(console).retry(module, sequence: sequence)
      try console.result(
        retried.isEmpty
          ? ["no release of \(module) was set aside or is loaded alone"]
          : retried.map { "to be tried again: \(module) \($0)" })
      let entries = retried.map { sequence in
        JSONValue.object(
          ("identifier", .string("\(module)")), ("sequence", .integer(sequence)), ("verdict", .string("retry")))
      }
      run.did(entries)
    }
  }
}
