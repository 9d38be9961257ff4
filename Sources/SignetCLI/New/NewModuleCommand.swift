internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetSystem

struct NewModuleCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "module",
    abstract: "Create a plugin: a package that builds, packs and loads.",
    discussion: """
      Creates a directory NAME with a description (module.json), a source with two pages, a Makefile and a README. make \
      builds the module into NAME/module with the linker flags that hosts require; then use signet pack and signet \
      sign. Existing files are never overwritten.

      Examples:
        signet new module player
        signet new module clock --language c --identifier org.example.clock --signet ../signet
      """)

  enum Language: String, ExpressibleByArgument, CaseIterable {
    case swift
    case c
  }

  @Argument(help: "The plugin's name: a lower-case letter, then lower-case letters and digits.")
  var name: String

  @Option(name: .long, help: "The language.")
  var language = Language.swift

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The module's permanent identifier. Default: com.example.NAME.", valueName: "id"))
  var identifier: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Where the package finds Signet: a checkout, or the repository's URL. Default: the sources that came with this program.",
      valueName: "path-or-url"),
    completion: .directory)
  var signet: String?

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    guard ModuleScaffold.isName(name) else {
      throw ValidationError(
        "\(name) is not a valid name: use a lower-case letter, then at most \(ModuleScaffold.nameLimit - 1) lower-case letters and digits."
      )
    }
    guard name != SignetSource.identity(of: signet ?? "") else {
      throw ValidationError("\(name) is what packages call Signet itself: give the plugin another name.")
    }
    guard ModuleIdentifier(identifier ?? "com.example.\(name)") != nil else {
      throw ValidationError("\(identifier ?? name) is not an identifier such as com.example.player.")
    }
    guard let signet = signet ?? SignetSource.own else {
      throw ValidationError(
        "The sources of Signet are not installed beside this program: say with --signet where the package finds them."
      )
    }
    guard SignetSource.isPlain(signet) else {
      throw ValidationError("--signet has characters that a Makefile and a package's description cannot name.")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    do throws(SignetError) {
      try make(console)
      return .done
    } catch  where error.code != .standardOutput {
      console.complain(name, error)
      if console.isJSON {
        try console.document(Report.document("new module", [Report.failed(name, error)], .failed))
      }
      return .failed
    }
  }

  private func make(_ console: Console) throws(SignetError) {
    // Both were there when the arguments were checked.
    guard let identifier = ModuleIdentifier(identifier ?? "com.example.\(name)"),
      let signet = signet ?? SignetSource.own
    else { return }
    let scaffold = ModuleScaffold(name: name, identifier: identifier, signet: try SignetSource(signet))
    let files = language == .swift ? scaffold.swiftFiles : scaffold.cFiles
    let contents = files.map { (path: $0.path, bytes: Array($0.text.utf8)) }
    try Interruption.held { () throws(SignetError) in try NewDirectory.write(contents, to: name) }
    try console.result(
      "\(Console.good()) made  \(name)", "  module   \(identifier) 1.0.0, sequence 1",
      "  signet   \(signet.display)\(self.signet == nil ? "; for another give --signet" : "")", "",
      "build with   make -C \(name)", "pack with    signet pack \(name)/module --out \(name).zip")
    if console.isJSON {
      try console.document(
        Report.document("new module", [Report.made(name, identifier, files.map(\.path))], .done))
    }
  }
}

struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Create a new project.",
    discussion: """
      Examples:
        signet new module player --signet ../signet
        signet new module clock --language c --identifier org.example.clock --signet ../signet
      """,
    subcommands: [NewModuleCommand.self])
}
