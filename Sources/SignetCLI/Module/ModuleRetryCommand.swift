internal import ArgumentParser
internal import ModuleStore
internal import Signet
internal import SignetBase
internal import SignetCrypto

struct ModuleRetryCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Let a release run again that has crashed hosts.",
    discussion: """
      A release is set aside when hosts have crashed with it twice in a row, while they loaded it or soon after. After \
      one crash, hosts load it alone. This command forgets the crashes: hosts load the release with their next start. \
      The store notes who did it and when.

      Examples:
        signet module retry com.example.player --store modules --policy trust.json
        signet module retry com.example.player --sequence 7 --store modules --policy trust.json
      """)

  @Argument(help: "The module.")
  var identifier: String

  @Option(name: .long, help: ArgumentHelp("Only this release.", valueName: "number"))
  var sequence: Int?

  @OptionGroup var options: StoreOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws { try StoreOptions.check(identifier: identifier) }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try StoreRun.run("module retry", options.store, console) { () throws(SignetError) in
      guard let module = ModuleIdentifier(identifier) else { return ([], .failed) }
      let retried = try options.open(console).retry(module, sequence: sequence)
      try console.result(
        retried.isEmpty
          ? ["no release of \(module) was set aside or is loaded alone"]
          : retried.map { "to be tried again: \(module) \($0)" })
      let entries = retried.map { sequence in
        JSONValue.object(
          ("identifier", .string("\(module)")), ("sequence", .integer(sequence)), ("verdict", .string("retry")))
      }
      return (entries, .done)
    }
  }
}
