internal import ArgumentParser
package import SignetCLI

/// The program `signet-tools`, as a function. It has all commands; `signet` runs it for those that `signet` does not have.
public enum SignetTools {
  /// Runs the process's own command line.
  ///
  /// - Returns: 0 done or verified, 1 refused, 2 could not be done, 64 wrong usage.
  public static func run() -> Int32 {
    if let question = ProcessArguments.all.flatMap({ TimestampQuestion($0) }) {
      return TimestampAnswer(to: question).print()
    }
    return CommandLineProgram(tree).run()
  }

  /// All commands.
  package static let tree = CommandTree(root: WholeCommand.self)
}

/// The command of no words in `signet-tools`.
struct WholeCommand: ParsableCommand {
  static let configuration = SignetCommand.ofRoot([
    CommandGroup(name: "Sign and verify", subcommands: SignetCommand.signAndVerify),
    CommandGroup(name: "Release", subcommands: [GateCommand.self, ReleaseCommand.self]),
    CommandGroup(
      name: "Module and host",
      subcommands: [
        NewCommand.self, SignetCommand.pack, SpecCommand.self, InitCommand.self, AddCommand.self,
        InstallCommand.self, UpdateCommand.self, OutdatedCommand.self, WhyCommand.self, RemoveCommand.self,
        StoreCommand.self,
      ]),
    CommandGroup(
      name: "Registry",
      subcommands: [
        PushCommand.self, PullCommand.self, CopyCommand.self, RepoCommand.self, TUFCommand.self,
      ]),
    CommandGroup(name: "Policy and authority", subcommands: [TrustWithRoots.self, CertCommand.self]),
  ])
}
