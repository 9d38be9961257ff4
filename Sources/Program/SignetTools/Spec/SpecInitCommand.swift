internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetSystem

struct SpecInitCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Begin a module with a spec, by questions or options.",
    discussion: """
      Creates a directory NAME with what signet new module makes, the spec NAME.modspec.json and a file for the licence. \
      At a terminal it asks for what no option says; in a script it takes the defaults. The spec has TODO where a person \
      must write, and signet spec lint refuses it until that is done. Existing files are never overwritten, and nothing is \
      left behind if there is no answer.

      Examples:
        signet spec init player
        signet spec init clock --language c --tests program --no-demo \\
            --prefix none --platform linux
      """)

  /// The platforms that a module can be for.
  enum Platform: String, ExpressibleByArgument, CaseIterable {
    /// The machine's own, whichever it is.
    case linux
    case linuxX86 = "linux-x86_64"
    case linuxARM = "linux-aarch64"

    /// The key of the module's binary.
    var binary: ModulePlatform { self == .linuxARM ? .linuxARM : .linuxX86 }
  }

  @OptionGroup var project: NewProject

  @Option(name: .long, help: "The platform; linux is that of the machine on which the module is built.")
  var platform: Platform?

  @Option(name: .long, help: "The language.")
  var language: NewModuleCommand.Language?

  @Flag(name: .long, inversion: .prefixedNo, help: "Add a host that loads the module, in NAME/Demo.")
  var demo: Bool?

  @Option(
    name: .long,
    help: "What the tests are for: swift-testing and xctest are for Swift, program is for C.")
  var tests: ProjectTests.Framework?

  @Flag(
    name: .long, inversion: .prefixedNo,
    help: "Add tests that compare pages with recorded texts; only with --tests swift-testing.")
  var viewTests: Bool?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "What the names of types and of the principal begin with: upper-case letters and digits, or none.",
      valueName: "letters"))
  var prefix: String?

  @Option(
    name: .long,
    help: ArgumentHelp("The module's permanent identifier. Default: com.example.NAME.", valueName: "id"),
    transform: ModuleIdentifier.argument)
  var identifier: ModuleIdentifier?

  @Flag(name: .long, help: "Ask nothing: take the defaults, which are linux, swift, and nothing of the rest.")
  var defaults = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    if let prefix, SpecAnswers.prefix(prefix) == nil {
      throw ValidationError(
        "\(prefix) is not a prefix: use an upper-case letter, then at most \(SpecAnswers.prefixLimit - 1) upper-case letters and digits, or none."
      )
    }
    if let language, let other = tests?.language, other != language {
      throw ValidationError("--tests \(tests?.rawValue ?? "") is for --language \(other.rawValue).")
    }
    guard viewTests != true || tests?.allowsViews == true else {
      throw ValidationError("--view-tests needs --tests \(ProjectTests.Framework.swiftTesting.rawValue).")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    let name = project.name
    let identifier = try ModuleIdentifier.ofProject(name, identifier)
    let answers: SpecAnswers
    do throws(SignetError) {
      // Nobody answers questions in vain.
      try OutputFile.check(name, .keep)
      answers = try SpecAnswers(self, Questioner(asks: !defaults && !console.isQuiet && !console.isJSON))
    } catch {
      return try CommandRun.making("spec init", about: name, on: console) { (_) throws(SignetError) in throw error }
    }
    return try project.make(
      "spec init", console,
      files: { (signet, templates) throws(SignetError) in
        try answers.scaffold(of: name, identifier, signet, templates).files()
      },
      told: { source in
        [
          "  module   \(identifier) 1.0.0, sequence 1", source, "", "build with   make -C \(name)",
          "write what is TODO in \(name), until this accepts it: signet spec lint \(name)",
        ]
      }, identifier: identifier)
  }
}
