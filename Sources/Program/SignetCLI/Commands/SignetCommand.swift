package import ArgumentParser

/// The command of no words in `signet`.
package struct SignetCommand: ParsableCommand {
  /// The program's version, and the tag of its sources.
  package static let version = "0.1.0"

  package static let configuration = ofRoot([
    CommandGroup(name: "Sign and verify", subcommands: signAndVerify),
    CommandGroup(name: "Module and host", subcommands: [pack]),
    CommandGroup(name: "Policy and authority", subcommands: [trust]),
  ])

  /// What the command of no words is in a program with these commands.
  package static func ofRoot(_ groups: [CommandGroup]) -> CommandConfiguration {
    CommandConfiguration(
      commandName: "signet",
      abstract: "Sign plugins and release files, and verify them before they are loaded or shipped.",
      discussion: """
        Exit status: 0 verified or done, 1 refused, 2 could not be done, 64 wrong usage.
        """,
      version: version,
      groupedSubcommands: groups)
  }

  package static let signAndVerify: [any ParsableCommand.Type] = [
    KeygenCommand.self, SignCommand.self, VerifyCommand.self, InspectCommand.self, DigestCommand.self,
    TimestampCommand.self, AttachCommand.self, DetachCommand.self, StatementCommand.self,
  ]
  package static let pack: any ParsableCommand.Type = PackCommand.self
  package static let trust: any ParsableCommand.Type = TrustCommand.self

  package init() {}
}
