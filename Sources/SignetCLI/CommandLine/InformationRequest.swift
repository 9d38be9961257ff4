/// A command line that asks for help, the version or a completion script, and for nothing else.
///
/// A pattern of the shell puts names of files into a command line, and a file can be called `--help`. What prints help
/// and ends with 0 would then pass for a verification that succeeded. So the whole command line has to be the request:
/// names of commands and one flag.
enum InformationRequest {
  /// Flags that go with the name of any command.
  private static let ofCommands: Set<String> = ["--help", "-h", "--help-hidden", "--version"]
  private static let completion = "--generate-completion-script"
  private static let shells: Set<String> = ["bash", "zsh", "fish"]
  /// What the manual pages are made of.
  private static let description = "--experimental-dump-help"
  /// What completion scripts call for a command's own completions, of which there are none.
  private static let customCompletion = "---completion"

  /// Whether a command line asks for information and for nothing else.
  static func isOne(_ arguments: [String]) -> Bool {
    guard let last = arguments.last else { return false }
    if arguments == ["version"] || arguments == ["help", "help"] { return true }
    if arguments.first == "help" { return CommandTree.command(at: arguments.dropFirst()) != nil }
    if ofCommands.contains(last) { return CommandTree.command(at: arguments.dropLast()) != nil }
    if arguments.count == 2 { return arguments[0] == completion && shells.contains(last) }
    return arguments.count == 1
      && ([completion, description].contains(last) || shells.contains { last == "\(completion)=\($0)" })
  }

  /// The argument that asks for information in a command line that is no such request; nil where none does.
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

  /// The first argument that the parser may take for a request because `h` stands in a group of short flags.
  static func group(in arguments: [String]) -> String? {
    arguments.prefix { $0 != "--" }.first { argument in
      argument.utf8.first == UInt8(ascii: "-") && argument.utf8.dropFirst().first != UInt8(ascii: "-")
        && argument.utf8.contains(UInt8(ascii: "h"))
    }
  }
}
