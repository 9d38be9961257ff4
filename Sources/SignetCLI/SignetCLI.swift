internal import ArgumentParser
internal import SignetCrypto

/// The command line program, as a function.
public enum SignetCLI {
  /// Runs the process's own command line.
  ///
  /// - Returns: 0 done or verified, 1 refused, 2 could not be done, 64 wrong usage.
  public static func run() -> Int32 {
    guard let arguments = ProcessArguments.all else {
      ProcessEnvironment.prepare()
      Console.message("Error: an argument is not UTF-8, so it cannot be said which file it means.")
      return ExitStatus.usage.rawValue
    }
    return run(arguments)
  }

  /// Runs a command line.
  ///
  /// - Parameter arguments: without the program's name.
  /// - Returns: 0 done or verified, 1 refused, 2 could not be done, 64 wrong usage.
  public static func run(_ arguments: [String]) -> Int32 {
    ProcessEnvironment.prepare()
    Interruption.install()
    return status(arguments).rawValue
  }

  /// Columns of help; not the environment's, which would have the parser fail when it is too small.
  private static let width = 100

  private static func status(_ arguments: [String]) -> ExitStatus {
    guard !arguments.isEmpty else {
      Console.message(SignetCommand.helpMessage(columns: width))
      return .usage
    }
    do {
      try CommandLineCheck.check(arguments)
      var command = try SignetCommand.parseAsRoot(arguments)
      if let command = command as? any SignetSubcommand { return execute(command) }
      if let group = SignetCommand.groups.first(where: { $0 == type(of: command) }) {
        Console.message(SignetCommand.helpMessage(for: group, columns: width))
        return .usage
      }
      try command.run()
      return .done
    } catch {
      return answer(error, arguments)
    }
  }

  private static func execute(_ command: any SignetSubcommand) -> ExitStatus {
    let console = command.console
    do throws(SignetError) {
      return try command.execute(console)
    } catch {
      // Standard output may be what failed: with --json there is nowhere else to say so than standard error.
      if console.isJSON, error.code != .standardOutput, (try? console.document(Report.ended(error, .failed))) != nil {
        return .failed
      }
      Console.message(Console.describe("error", nil, error))
      return .failed
    }
  }

  /// Help and the like go to standard output and are a success; wrong usage goes to standard error.
  ///
  /// A file whose name is `--version`, reached by a pattern of the shell, must not turn a verification into a success:
  /// help and the like go with the names of commands only.
  private static func answer(_ error: any Error, _ arguments: [String]) -> ExitStatus {
    // The parser repeats what it was given.
    let text = SignetCommand.fullMessage(for: error, columns: width).split(
      separator: "\n", omittingEmptySubsequences: false
    )
    .map { $0.unicodeScalars.count > 1000 ? String($0.prefix(1000)) : String($0) }.map(\.visible)
    .joined(separator: "\n")
    guard SignetCommand.exitCode(for: error).isSuccess else {
      Console.message(text)
      return .usage
    }
    guard arguments.allSatisfy({ $0.utf8.first == UInt8(ascii: "-") || SignetCommand.isWord($0) }) else {
      Console.message("Error: help and version go without files; a file of such a name is given as ./NAME.")
      return .usage
    }
    do throws(SignetError) {
      try Console.output(text + "\n")
      return .done
    } catch {
      Console.message(Console.describe("error", nil, error))
      return .failed
    }
  }
}

/// A command that does something.
protocol SignetSubcommand: ParsableCommand {
  /// Where it writes.
  var console: Console { get }
  /// Does it.
  func execute(_ console: Console) throws(SignetError) -> ExitStatus
}
