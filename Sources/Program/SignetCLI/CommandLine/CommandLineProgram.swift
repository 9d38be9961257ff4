internal import ArgumentParser
package import SignetBase
internal import SignetSystem

/// A program that runs command lines.
package struct CommandLineProgram {
  /// Its commands.
  package let tree: CommandTree

  package init(_ tree: CommandTree) { self.tree = tree }

  /// Runs the process's own command line.
  ///
  /// - Returns: 0 done or verified, 1 refused, 2 could not be done, 64 wrong usage.
  package func run() -> Int32 {
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
  package func run(_ arguments: [String]) -> Int32 {
    ProcessEnvironment.prepare()
    Interruption.install()
    return status(arguments).rawValue
  }

  /// Whether a command line is for one of its commands, or for none.
  ///
  /// A command with subcommands may have more of them in another program.
  package func has(_ arguments: [String]) -> Bool {
    if arguments.isEmpty || arguments == ["version"] || arguments == ["--version"] { return true }
    let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
    guard let first = words.first, let command = tree.command(at: [first]) else { return false }
    guard !CommandTree.names(of: command).isEmpty else { return true }
    return tree.command(at: words.prefix(2)).map { $0 != command } ?? false
  }

  /// Whether a command line asks only for information that this program has.
  func informs(_ arguments: [String]) -> Bool { InformationRequest(tree: tree).isOne(arguments) }

  /// Tells that a command line cannot be run.
  package func failed(_ error: SignetError, _ arguments: [String]) -> ExitStatus {
    if Self.wantsJSON(arguments) { _ = try? Console.output(Report.ended(error, .failed) + "\n") }
    Console.message(Console.describe("error", nil, error))
    return .failed
  }

  private static func wantsJSON(_ arguments: [String]) -> Bool {
    arguments.prefix { $0 != "--" }.contains("--json")
  }

  private func status(_ arguments: [String]) -> ExitStatus {
    switch CommandLinePlan(arguments, of: tree) {
    case .execute(let command): return execute(command)
    case .refuse(let text):
      Console.message(text)
      // A program that asked for JSON reads standard output, and finds there why there is no result.
      if Self.wantsJSON(arguments) {
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

  private func execute(_ command: any SignetSubcommand) -> ExitStatus {
    let console = command.console
    do throws(SignetError) {
      return try command.execute(console)
    } catch {
      // An error that gets here came before there was something to judge, so the command could not be done.
      // Standard output may be what failed. With --json, only standard error is then left for the report.
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
  package static let commandLine = Self("usage.invalid", .usage)
}
