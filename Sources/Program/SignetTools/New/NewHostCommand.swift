internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetCLI

struct NewHostCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "host",
    abstract: "Create a host: it verifies and loads plugins.",
    discussion: """
      Creates a directory NAME with a Swift package and a README. make builds the program, which installs the archives \
      and opens the URLs that it is given. --like begins it with the calls of another system. Existing files are never \
      overwritten.

      Examples:
        signet new host stage
        signet new host stage --like pacore --signet ../signet
      """)

  @OptionGroup var project: NewProject

  @Option(name: .long, help: "The system whose calls the host uses.")
  var like: ReplacedSystem?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The host's identifier. Its modules have identifiers beside or below it. Default: com.example.NAME.",
      valueName: "id"),
    transform: ModuleIdentifier.argument)
  var identifier: ModuleIdentifier?

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let name = project.name
    let identifier = try ModuleIdentifier.ofProject(name, identifier)
    return try project.make(
      "new host", console,
      files: { (signet, templates) throws(SignetError) in
        try HostScaffold(
          name: name, identifier: identifier, signet: signet, templates: templates,
          style: like?.style ?? SignetStyle(), like: like.map { " --like \($0.rawValue)" } ?? ""
        ).files()
      },
      told: { source in
        ["  host     \(identifier)", source, "", "build with   make -C \(name)", "then read    \(name)/README.md"]
      }, identifier: identifier)
  }
}
