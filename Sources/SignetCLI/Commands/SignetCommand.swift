internal import ArgumentParser

struct SignetCommand: ParsableCommand {
  /// The program's version, and the tag of its sources.
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "signet",
    abstract: "Sign plugin archives, and verify them before they are loaded.",
    discussion: """
      Exit status: 0 verified or done, 1 refused, 2 could not be done, 64 wrong usage.
      """,
    version: version,
    subcommands: [
      KeygenCommand.self, PackCommand.self, SignCommand.self, VerifyCommand.self, InspectCommand.self,
      AttachCommand.self, DetachCommand.self, DigestCommand.self, TrustCommand.self,
      ModuleCommand.self, NewCommand.self,
    ])
}
