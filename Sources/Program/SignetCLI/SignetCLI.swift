internal import SignetBase
internal import SignetSystem

/// The program `signet`, as a function. It has the commands that sign, pack and verify. For all others, and for help about
/// all commands, it becomes the program `signet-tools`, so that who verifies a file loads no code for networks and
/// registries.
public enum SignetCLI {
  /// Runs the process's own command line.
  ///
  /// - Returns: 0 done or verified, 1 refused, 2 could not be done, 64 wrong usage. It does not return if the other
  ///   program runs the command line.
  public static func run() -> Int32 {
    let program = CommandLineProgram(CommandTree(root: SignetCommand.self))
    guard let arguments = ProcessArguments.all, !program.has(arguments) else { return program.run() }
    // The process is not prepared yet: the other program would inherit signals that are ignored or blocked.
    do throws(SignetError) {
      try OtherProgram("signet-tools").become()
    } catch {
      ProcessEnvironment.prepare()
      // Alone, it tells of itself.
      if error.code == .fileMissing, program.informs(arguments) {
        Console.message(Console.describe("note", nil, error))
        return program.run(arguments)
      }
      return program.failed(error, arguments).rawValue
    }
  }
}
