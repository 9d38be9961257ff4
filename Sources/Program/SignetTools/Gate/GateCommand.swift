internal import ArgumentParser
internal import SignetCLI

struct GateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gate",
    abstract: "Check a whole release before it goes to its users.",
    usage: """
      signet gate FOLDER... (--policy FILE | --key KEY) [--report FORMAT=FILE]...
      signet gate init FOLDER --key KEY --out FILE
      signet gate diff OLD NEW (--policy FILE | --key KEY)
      """,
    discussion: """
      Looks at everything in the release's folder: every file is signed by signers that the policy trusts, or the \
      policy leaves it out. Then the rules look for what does not belong in a release, such as private keys, programs \
      without hardening, and versions that go backwards. Anything that cannot be looked at refuses the release, too.

      Examples:
        signet sign --each release --key publisher
        signet gate release --key publisher.pub
        signet gate release --policy release.json --report html=gate.html \\
            --report sarif=gate.sarif
        signet gate release --policy release.json --baseline last-release
        signet gate --explain executable-stack

      signet gate FOLDER is short for signet gate check FOLDER. Its options: signet gate check --help. A folder that is \
      called check, init or diff is written as a path: signet gate ./diff
      """,
    subcommands: [GateCheckCommand.self, GateInitCommand.self, GateDiffCommand.self],
    defaultSubcommand: GateCheckCommand.self)
}
