internal import ArgumentParser
internal import SignetCrypto

/// The command line program, as a function.
public enum SignetCLI {
  /// Runs a command line.
  ///
  /// - Parameter arguments: without the program's name.
  /// - Returns: 0 done or verified, 1 refused, 2 could not be done, 64 wrong usage.
  public static func run(_ arguments: [String]) -> Int32 {
    ProcessEnvironment.prepare()
    Interruption.install()
    return status(arguments).rawValue
  }

  private static func status(_ arguments: [String]) -> ExitStatus {
    guard !arguments.isEmpty else {
      Console.message(SignetCommand.helpMessage())
      return .usage
    }
    do {
      try RepeatedOptions.check(arguments)
      var command = try SignetCommand.parseAsRoot(arguments)
      if let command = command as? any SignetSubcommand { return execute(command) }
      try command.run()
      return .done
    } catch {
      return answer(error)
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
  private static func answer(_ error: any Error) -> ExitStatus {
    let text = SignetCommand.fullMessage(for: error)
    guard SignetCommand.exitCode(for: error).isSuccess else {
      Console.message(text)
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
