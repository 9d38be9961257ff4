package import ArgumentParser
package import SignetBase

/// A command that can be executed.
package protocol SignetSubcommand: ParsableCommand {
  /// The console that it writes to.
  var console: Console { get }
  /// Executes the command.
  func execute(_ console: Console) throws(SignetError) -> ExitStatus
}
