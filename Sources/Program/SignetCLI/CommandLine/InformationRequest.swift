/// A command line that asks only for help, the version or a completion script.
///
/// A pattern of the shell puts file names into a command line, and a file can be called `--help`. A command that prints
/// help and ends with 0 would then pass for a successful verification. So the whole command line must be the request:
/// names of commands and one flag.
struct InformationRequest {
  /// The commands that there are.
  let tree: CommandTree

  /// Flags that may follow the name of any command.
  private static let ofCommands: Set<String> = ["--help", "-h", "--help-hidden", "--version"]
  private static let completion = "--generate-completion-script"
  private static let shells: Set<String> = ["bash", "zsh", "fish"]
  /// The manual pages are made from its output.
  private static let description = "--experimental-dump-help"
  /// What completion scripts call for a command's own completions, which no command has.
  private static let customCompletion = "---completion"

  /// Whether a command line asks only for information.
  func isOne(_ arguments: [String]) -> Bool {
    guard let last = arguments.last else { return false }
    if arguments == ["version"] || arguments == ["help", "help"] { return true }
    if arguments.first == "help" { return tree.command(at: arguments.dropFirst()) != nil }
    if Self.ofCommands.contains(last) { return tree.command(at: arguments.dropLast()) != nil }
    if arguments.count == 2 { return arguments[0] == Self.completion && Self.shells.contains(last) }
    return arguments.count == 1
      && ([Self.completion, Self.description].contains(last)
        || Self.shells.contains { last == "\(Self.completion)=\($0)" })
  }

  /// Whether a command line asks for a completion script.
  func isCompletion(_ arguments: [String]) -> Bool {
    arguments.first?.hasPrefix(Self.completion) == true && isOne(arguments)
  }

  /// The argument that asks for information in a command line that asks for other things, too; nil without one.
  func misplaced(in arguments: [String]) -> String? {
    if isOne(arguments) { return nil }
    if arguments.first == "help" {
      return arguments.dropFirst().first { tree.command(at: [$0]) == nil } ?? "help"
    }
    return arguments.prefix { $0 != "--" }.first { argument in
      let name = String(argument.prefix { $0 != "=" })
      return Self.ofCommands.contains(name)
        || [Self.completion, Self.description, Self.customCompletion].contains(name)
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
