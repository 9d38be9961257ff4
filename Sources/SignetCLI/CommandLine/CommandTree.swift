internal import ArgumentParser
internal import SignetBase
internal import SignetCrypto

/// The commands by their names, as they stand below each other.
enum CommandTree {
  /// The command that these words name, from the root on; nil when one of them names no command.
  static func command(at words: some Sequence<String>) -> (any ParsableCommand.Type)? {
    var command: any ParsableCommand.Type = SignetCommand.self
    for word in words {
      guard let next = child(of: command, named: word) else { return nil }
      command = next
    }
    return command
  }

  /// The command that the first arguments name, as far as they are names of commands.
  static func command(leading arguments: [String]) -> (command: any ParsableCommand.Type, words: Int) {
    var command: any ParsableCommand.Type = SignetCommand.self
    var words = 0
    while words < arguments.count, let next = child(of: command, named: arguments[words]) {
      command = next
      words += 1
    }
    return (command, words)
  }

  /// The words of every command, those that only have others among them; the root's, none at all, come first.
  static var paths: [[String]] { paths(below: SignetCommand.self, []) }

  private static func paths(below command: any ParsableCommand.Type, _ words: [String]) -> [[String]] {
    [words]
      + command.configuration.subcommands.flatMap { child in
        child.configuration.commandName.map { paths(below: child, words + [$0]) } ?? []
      }
  }

  /// The names of a command's commands.
  static func names(of command: any ParsableCommand.Type) -> [String] {
    command.configuration.subcommands.compactMap { $0.configuration.commandName }
  }

  /// The options of a command, with their dashes. The parser tells them in the command's help alone.
  static func options(of command: any ParsableCommand.Type) -> Set<String> {
    let help = SignetCommand.helpMessage(for: command, includeHidden: true, columns: 1000)
    var options: Set<String> = []
    for line in help.split(separator: "\n") where line.hasPrefix("  -") {
      for word in line.split(separator: " ").prefix(2) where word.hasPrefix("-") {
        options.insert(String(word.prefix { $0 != "," }))
      }
    }
    return options
  }

  private static func child(
    of command: any ParsableCommand.Type, named name: String
  ) -> (any ParsableCommand.Type)? {
    command.configuration.subcommands.first { $0.configuration.commandName?.isExactly(name) ?? false }
  }
}
