internal import ArgumentParser
internal import SignetBase
internal import SignetSystem

/// What a command line leads to, before anything is done.
package enum CommandLinePlan {
  /// A command is executed. It alone determines the status.
  case execute(any SignetSubcommand)
  /// Only help or similar information was asked for: it goes to standard output, and the status is 0.
  case show(String)
  /// Wrong usage: this goes to standard error, and the status is 64.
  case refuse(String)

  /// Reads a command line.
  ///
  /// - Parameters:
  ///   - arguments: the arguments, without the program's name.
  ///   - tree: the commands that there are.
  package init(_ arguments: [String], of tree: CommandTree) {
    self = CommandLineReader(tree: tree).plan(arguments)
  }
}

/// Reads command lines.
struct CommandLineReader {
  /// The commands that there are.
  let tree: CommandTree

  /// The width of help in columns. It is not the environment's, because the parser fails if that is too small.
  private static let width = 80

  /// What most people need, for those who give no command. Like minisign and age, this is no success: a script that has
  /// lost its arguments has verified nothing.
  private static let firstSteps = """
    signet keygen --out KEY             create a key pair: KEY and KEY.pub
    signet sign FILE --key KEY          write a signature beside the file
    signet verify FILE --key KEY.pub    verify the file with the public key
    signet --help                       show all commands
    """

  private var request: InformationRequest { InformationRequest(tree: tree) }
  private var check: CommandLineCheck { CommandLineCheck(tree: tree) }

  /// What a command line leads to.
  ///
  /// - Parameter arguments: the arguments, without the program's name.
  func plan(_ arguments: [String]) -> CommandLinePlan {
    guard !arguments.isEmpty else { return .refuse(Self.firstSteps) }
    do {
      try check.check(arguments)
    } catch {
      return answer(error, arguments, of: tree.command(leading: arguments).command)
    }
    do {
      if arguments == ["version"] { return .show(tree.root.configuration.version) }
      if arguments == ["help", "help"] { return .show(tree.root.helpMessage(columns: Self.width)) }
      if request.isOne(arguments) {
        var command = try tree.root.parseAsRoot(arguments)
        try command.run()
        return .refuse(tree.root.helpMessage(columns: Self.width))
      }
      return try command(arguments)
    } catch {
      return refusal(error, arguments)
    }
  }

  /// The answer to a command line that the parser does not accept.
  private func refusal(_ error: any Error, _ arguments: [String]) -> CommandLinePlan {
    do {
      if !request.isOne(arguments) { try check.checkOptions(arguments) }
    } catch {
      return answer(error, arguments, of: tree.command(leading: arguments).command)
    }
    return answer(error, arguments)
  }

  private func command(_ arguments: [String]) throws -> CommandLinePlan {
    let operands = OperandList(arguments, of: tree)
    let command = try tree.root.parseAsRoot(operands.arguments)
    if var many = command as? any ManyFiles {
      many.file = operands.files(many.file)
      return .execute(many)
    }
    if let command = command as? any SignetSubcommand { return .execute(command) }
    // This command only has subcommands. The parser's own help command is not in the tree.
    guard tree.command(leading: arguments).command == type(of: command) else {
      return .refuse(misplaced(arguments))
    }
    return .refuse(tree.root.helpMessage(for: type(of: command), columns: Self.width))
  }

  /// - Parameter command: the command whose usage is shown; nil for the parser's choice, if it has found the error.
  private func answer(
    _ error: any Error, _ arguments: [String], of command: (any ParsableCommand.Type)? = nil
  ) -> CommandLinePlan {
    let whole = message(error, command)
    guard tree.root.exitCode(for: error).isSuccess else {
      // The parser repeats the arguments that it was given.
      let text = whole.split(separator: "\n", omittingEmptySubsequences: false).map {
        $0.unicodeScalars.count > 1000 ? String($0.prefix(1000)) : String($0)
      }.map(\.visible).joined(separator: "\n")
      return .refuse(text + advice(arguments))
    }
    if request.isOne(arguments) {
      return .show(request.isCompletion(arguments) ? CompletionScript(tree: tree).completed(whole) : whole)
    }
    return .refuse(misplaced(arguments))
  }

  private func message(_ error: any Error, _ command: (any ParsableCommand.Type)?) -> String {
    guard let command else {
      let text = tree.root.fullMessage(for: error, columns: Self.width)
      let prefix = "Error: "
      return text.hasPrefix(prefix) ? "error: " + text.dropFirst(prefix.count) : text
    }
    let words = tree.paths.first { tree.command(at: $0) == command } ?? []
    let name = (["signet"] + words).joined(separator: " ")
    return """
      error: \(tree.root.message(for: error))
      Usage: \(tree.root.usageString(for: command))
        See '\(name) --help' for more information.
      """
  }

  /// The message for a command line for which the parser would show help, though other things were asked for.
  private func misplaced(_ arguments: [String]) -> String {
    "error: " + CommandLineCheck.misplaced(InformationRequest.group(in: arguments) ?? arguments[0])
  }

  /// The advice for a file whose name was taken for an option.
  private func advice(_ arguments: [String]) -> String {
    // A request among other arguments has already been reported with this advice.
    guard request.misplaced(in: arguments) == nil else { return "" }
    let name = arguments.prefix { $0 != "--" }.first { argument in
      argument.utf8.first == UInt8(ascii: "-") && (try? FileStatus(ofLink: argument)) != nil
    }
    return name.map { "\nThere is a file called \($0.display). \(CommandLineCheck.naming($0))" } ?? ""
  }
}
