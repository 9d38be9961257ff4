internal import ArgumentParser
internal import SignetBase
internal import SignetSystem

struct SignetCommand: ParsableCommand {
  /// The program's version, and the tag of its sources.
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "signet",
    abstract: "Sign plugins and release files, and verify them before they are loaded or shipped.",
    discussion: """
      Exit status: 0 verified or done, 1 refused, 2 could not be done, 64 wrong usage.
      """,
    version: version,
    groupedSubcommands: [
      CommandGroup(
        name: "Sign and verify",
        subcommands: [
          KeygenCommand.self, SignCommand.self, VerifyCommand.self, InspectCommand.self, DigestCommand.self,
          AttachCommand.self, DetachCommand.self,
        ]),
      CommandGroup(name: "Release", subcommands: [GateCommand.self, ReleaseCommand.self]),
      CommandGroup(
        name: "Module and host",
        subcommands: [
          NewCommand.self, PackCommand.self, SpecCommand.self, InstallCommand.self, UpdateCommand.self,
          OutdatedCommand.self, WhyCommand.self, RemoveCommand.self, StoreCommand.self,
        ]),
      CommandGroup(
        name: "Registry",
        subcommands: [
          PushCommand.self, PullCommand.self, CopyCommand.self, RepoCommand.self, TUFCommand.self,
        ]),
      CommandGroup(name: "Policy", subcommands: [TrustCommand.self]),
    ])
}

/// How much is printed, and in which form.
struct OutputOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  @Flag(name: .long, help: "Print one JSON object on standard output instead of text.")
  var json = false

  var console: Console { Console(isQuiet: quiet, isJSON: json) }
}

extension SignetError {
  /// Runs an operation that an existing file can stop, in a command that replaces the file with `--force`.
  static func offeringForce<Value>(_ body: () throws(SignetError) -> Value) throws(SignetError) -> Value {
    do throws(SignetError) {
      return try body()
    } catch  where error.code == .outputExists {
      var error = error
      error.hint = "choose another name, or replace it with --force"
      throw error
    }
  }
}
