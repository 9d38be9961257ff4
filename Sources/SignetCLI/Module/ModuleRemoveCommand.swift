internal import ArgumentParser
internal import ModuleStore
internal import Signet
internal import SignetBase
internal import SignetCrypto

struct ModuleRemoveCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove what is installed in a store.",
    discussion: """
      A module's floor stays. --unused removes, of every module, what is neither to be loaded nor may be fallen back to, \
      and what was left behind by changes that were cut short.

      Examples:
        signet module remove com.example.player --store modules --policy trust.json
        signet module remove --unused --store modules --policy trust.json
      """)

  @Argument(help: "The module.")
  var identifier: String?

  @Option(name: .long, help: ArgumentHelp("Only this release.", valueName: "number"))
  var sequence: Int?

  @Flag(name: .long, help: "Remove what nobody needs.")
  var unused = false

  @OptionGroup var options: StoreOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    guard (identifier == nil) == unused else { throw ValidationError("Give a module, or --unused.") }
    if unused && sequence != nil { throw ValidationError("--sequence goes with a module.") }
    try StoreOptions.check(identifier: identifier)
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try StoreRun.run("module remove", options.store, console) { () throws(SignetError) in
      let store = try options.open(console)
      let removed: [ModuleStore.ReleaseName]
      if let module = identifier.flatMap({ ModuleIdentifier($0) }) {
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
      return (entries, .done)
    }
  }
}
