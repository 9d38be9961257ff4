internal import ArgumentParser
internal import SignetBase
internal import SignetSystem

/// The command line program, as a function.
public enum SignetCLI {
  /// Runs the process's own command line.
  ///
  /// - Returns: 0 done or verified, 1 refused, 2 could not be done, 64 wrong usage.
  public static func run() -> Int32 {
    guard let arguments = ProcessArguments.all else {
      ProcessEnvironment.prepare()
      Console.message("error: an argument is not UTF-8, so it cannot be said which file it means.")
      return ExitStatus.usage.rawValue
    }
    return run(arguments)
  }

  /// Runs a command line.
  ///
  /// - Parameter arguments: the arguments, without the program's name.
  /// - Returns: 0 done or verified, 1 refused, 2 could not be done, 64 wrong usage.
  public static func run(_ arguments: [String]) -> Int32 {
    ProcessEnvironment.prepare()
    Interruption.install()
    return status(arguments).rawValue
  }

  private static func status(_ arguments: [String]) -> ExitStatus {
    switch CommandLinePlan(arguments) {
    case .execute(let command): return execute(command)
    case .refuse(let text):
      Console.message(text)
      // A program that asked for JSON reads standard output, and finds there why there is no result.
      if arguments.prefix(while: { $0 != "--" }).contains("--json") {
        _ = try? Console.output(Report.ended(.usage(text), .usage) + "\n")
      }
      return .usage
    case .show(let text):
      do throws(SignetError) {
        try Console.output(text + "\n")
        return .done
      } catch {
        Console.message(Console.describe("error", nil, error))
        return .failed
      }
    }
  }

  private static func execute(_ command: any SignetSubcommand) -> ExitStatus {
    let console = command.console
    do throws(SignetError) {
      return try command.execute(console)
    } catch {
      // Standard output may be what failed. With --json, only standard error is then left for the report.
      // What ends before there is something to judge.
      if console.isJSON, error.code != .standardOutput, (try? console.document(Report.ended(error, .failed))) != nil {
        return .failed
      }
      // A program that closes a pipe has read enough.
      if !error.isClosedPipe { Console.message(Console.describe("error", nil, error)) }
      return .failed
    }
  }
}

extension SignetError {
  /// A wrong command line, with the first line of the message about it.
  fileprivate static func usage(_ text: String) -> SignetError {
    let line = text.prefix { $0 != "\n" }
    let prefix = "error: "
    return SignetError(
      .commandLine, "command line", String(line.hasPrefix(prefix) ? line.dropFirst(prefix.count) : line),
      hint: "signet help")
  }

  /// Whether the program that reads the output has ended.
  fileprivate var isClosedPipe: Bool {
    code == .standardOutput && (cause as? SystemFailure)?.isBrokenPipe == true
  }
}

extension SignetError.Code {
  /// The command line is wrong; nothing was done.
  static let commandLine = Self("usage.invalid", .usage)
}

/// A command that can be executed.
protocol SignetSubcommand: ParsableCommand {
  /// The console that it writes to.
  var console: Console { get }
  /// Executes the command.
  func execute(_ console: Console) throws(SignetError) -> ExitStatus
}
