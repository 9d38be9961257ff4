internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetSystem

struct NewModuleCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "module",
    abstract: "Create a plugin: sources, description and Makefile.",
    discussion: """
      Creates a directory NAME with a description (module.json), a source with two pages, a Makefile and a README. make \
      builds the module into NAME/module with the linker flags that hosts require; then use signet pack and signet \
      sign. --like begins it with the calls of another system. Existing files are never overwritten.

      Examples:
        signet new module player
        signet new module clock --language c --identifier org.example.clock \\
            --signet ../signet
        signet new module wechat --like pacore
      """,
    aliases: ["plugin"])

  enum Language: String, ExpressibleByArgument, CaseIterable {
    case swift
    case c
  }

  @OptionGroup var project: NewProject

  @Option(name: .long, help: "The language.")
  var language = Language.swift

  @Option(name: .long, help: "The system whose calls the plugin uses.")
  var like: ReplacedSystem?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The module's permanent identifier. Default: com.example.NAME.", valueName: "id"),
    transform: ModuleIdentifier.argument)
  var identifier: ModuleIdentifier?

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    guard like == nil || language == .swift else {
      throw ValidationError("--like is for plugins in Swift: leave out --language c.")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let name = project.name
    let identifier = try ModuleIdentifier.ofProject(name, identifier)
    return try project.make(
      "new module", console,
      files: { (signet, templates) throws(SignetError) in
        let scaffold = ModuleScaffold(
          name: name, identifier: identifier, signet: signet, templates: templates,
          style: like?.style ?? SignetStyle())
        return language == .swift ? try scaffold.swiftFiles() : try scaffold.cFiles()
      },
      told: { source in
        [
          "  module   \(identifier) 1.0.0, sequence 1", source, "",
          "build with   make -C \(name)", "pack with    signet pack \(name)/module --out \(name).zip",
        ]
      }, identifier: identifier)
  }
}
