internal import ArgumentParser
internal import SignetBase
internal import SignetSystem

/// What a command line leads to, before anything is done.
enum CommandLinePlan {
  /// A command is executed. It alone determines the status.
  case execute(any SignetSubcommand)
  /// Only help or similar information was asked for: it goes to standard output, and the status is 0.
  case show(String)
  /// Wrong usage: this goes to standard error, and the status is 64.
  case refuse(String)

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

  /// Reads a command line.
  ///
  /// - Parameter arguments: the arguments, without the program's name.
  init(_ arguments: [String]) {
    guard !arguments.isEmpty else {
      self = .refuse(Self.firstSteps)
      return
    }
    do {
      try CommandLineCheck.check(arguments)
    } catch {
      self = Self.answer(error, arguments, of: CommandTree.command(leading: arguments).command)
      return
    }
    do {
      if arguments == ["version"] {
        self = .show(SignetCommand.version)
        return
      }
      if arguments == ["help", "help"] {
        self = .show(SignetCommand.helpMessage(columns: Self.width))
        return
      }
      if InformationRequest.isOne(arguments) {
        var command = try SignetCommand.parseAsRoot(arguments)
        try command.run()
        self = .refuse(SignetCommand.helpMessage(columns: Self.width))
        return
      }
      self = try Self.command(arguments)
    } catch {
      self = Self.refusal(error, arguments)
    }
  }

  /// The answer to a command line that the parser does not accept.
  private static func refusal(_ error: any Error, _ arguments: [String]) -> CommandLinePlan {
    do {
      if !InformationRequest.isOne(arguments) { try CommandLineCheck.checkOptions(arguments) }
    } catch {
      return answer(error, arguments, of: CommandTree.command(leading: arguments).command)
    }
    return answer(error, arguments)
  }

  private static func command(_ arguments: [String]) throws -> CommandLinePlan {
    let operands = OperandList(arguments)
    let command = try SignetCommand.parseAsRoot(operands.arguments)
    if var many = command as? any ManyFiles {
      many.file = operands.files(many.file)
      return .execute(many)
    }
    if let command = command as? any SignetSubcommand { return .execute(command) }
    // This command only has subcommands. The parser's own help command is not in the tree.
    guard CommandTree.command(leading: arguments).command == type(of: command) else {
      return .refuse(misplaced(arguments))
    }
    return .refuse(SignetCommand.helpMessage(for: type(of: command), columns: width))
  }

  /// - Parameter command: the command whose usage is shown; nil for the parser's choice, if it has found the error.
  private static func answer(
    _ error: any Error, _ arguments: [String], of command: (any ParsableCommand.Type)? = nil
  ) -> CommandLinePlan {
    let whole = message(error, command)
    guard SignetCommand.exitCode(for: error).isSuccess else {
      // The parser repeats the arguments that it was given.
      let text = whole.split(separator: "\n", omittingEmptySubsequences: false).map {
        $0.unicodeScalars.count > 1000 ? String($0.prefix(1000)) : String($0)
      }.map(\.visible).joined(separator: "\n")
      return .refuse(text + advice(arguments))
    }
    if InformationRequest.isOne(arguments) { return .show(whole) }
    return .refuse(misplaced(arguments))
  }

  private static func message(_ error: any Error, _ command: (any ParsableCommand.Type)?) -> String {
    guard let command else {
      let text = SignetCommand.fullMessage(for: error, columns: width)
      let prefix = "Error: "
      return text.hasPrefix(prefix) ? "error: " + text.dropFirst(prefix.count) : text
    }
    let words = CommandTree.paths.first { CommandTree.command(at: $0) == command } ?? []
    let name = (["signet"] + words).joined(separator: " ")
    return """
      error: \(SignetCommand.message(for: error))
      Usage: \(SignetCommand.usageString(for: command))
        See '\(name) --help' for more information.
      """
  }

  /// The message for a command line for which the parser would show help, though other things were asked for.
  private static func misplaced(_ arguments: [String]) -> String {
    "error: " + CommandLineCheck.misplaced(InformationRequest.group(in: arguments) ?? arguments[0])
  }

  /// The advice for a file whose name was taken for an option.
  private static func advice(_ arguments: [String]) -> String {
    // A request among other arguments has already been reported with this advice.
    guard InformationRequest.misplaced(in: arguments) == nil else { return "" }
    let name = arguments.prefix { $0 != "--" }.first { argument in
      argument.utf8.first == UInt8(ascii: "-") && (try? FileStatus(ofLink: argument)) != nil
    }
    return name.map { "\nThere is a file called \($0.display). \(CommandLineCheck.naming($0))" } ?? ""
  }
}

/// A command line that asks only for help, the version or a completion script.
///
/// A pattern of the shell puts file names into a command line, and a file can be called `--help`. A command that prints
/// help and ends with 0 would then pass for a successful verification. So the whole command line must be the request:
/// names of commands and one flag.
enum InformationRequest {
  /// Flags that may follow the name of any command.
  private static let ofCommands: Set<String> = ["--help", "-h", "--help-hidden", "--version"]
  private static let completion = "--generate-completion-script"
  private static let shells: Set<String> = ["bash", "zsh", "fish"]
  /// The manual pages are made from its output.
  private static let description = "--experimental-dump-help"
  /// What completion scripts call for a command's own completions, which no command has.
  private static let customCompletion = "---completion"

  /// Whether a command line asks only for information.
  static func isOne(_ arguments: [String]) -> Bool {
    guard let last = arguments.last else { return false }
    if arguments == ["version"] || arguments == ["help", "help"] { return true }
    if arguments.first == "help" { return CommandTree.command(at: arguments.dropFirst()) != nil }
    if ofCommands.contains(last) { return CommandTree.command(at: arguments.dropLast()) != nil }
    if arguments.count == 2 { return arguments[0] == completion && shells.contains(last) }
    return arguments.count == 1
      && ([completion, description].contains(last) || shells.contains { last == "\(completion)=\($0)" })
  }

  /// The argument that asks for information in a command line that asks for other things, too; nil without one.
  static func misplaced(in arguments: [String]) -> String? {
    if isOne(arguments) { return nil }
    if arguments.first == "help" {
      return arguments.dropFirst().first { CommandTree.command(at: [$0]) == nil } ?? "help"
    }
    return arguments.prefix { $0 != "--" }.first { argument in
      let name = String(argument.prefix { $0 != "=" })
      return ofCommands.contains(name) || [completion, description, customCompletion].contains(name)
    }
  }

  /// The first argument that the parser may take for a request, because `h` is in a group of short flags.
  static func group(in arguments: [String]) -> String? {
    arguments.prefix { $0 != "--" }.first { argument in
      argument.utf8.first == UInt8(ascii: "-") && argument.utf8.dropFirst().first != UInt8(ascii: "-")
        && argument.utf8.contains(UInt8(ascii: "h"))
    }
  }
}
