internal import ArgumentParser
internal import SignetBase

/// The commands by their names, as a tree.
enum CommandTree {
  /// The command that these words name, from the root on; nil if one of them does not name a command.
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
    // signet gate FOLDER is signet gate check FOLDER.
    return (command.configuration.defaultSubcommand ?? command, words)
  }

  /// The words of every command, including those that only have subcommands. Those of the root, none at all, come
  /// first.
  static var paths: [[String]] { paths(below: SignetCommand.self, []) }

  private static func paths(below command: any ParsableCommand.Type, _ words: [String]) -> [[String]] {
    [words]
      + command.configuration.subcommands.flatMap { child in
        child.configuration.commandName.map { paths(below: child, words + [$0]) } ?? []
      }
  }

  /// The names of a command's subcommands.
  static func names(of command: any ParsableCommand.Type) -> [String] {
    command.configuration.subcommands.compactMap { $0.configuration.commandName }
  }

  /// The options of a command, with their dashes. The parser lists them only in the command's help.
  static func options(of command: any ParsableCommand.Type) -> Set<String> {
    let help = SignetCommand.helpMessage(for: command, includeHidden: true, columns: 1000)
    var options: Set<String> = []
    for line in help.split(separator: "\n") where line.hasPrefix("  -") {
      for word in line.split(separator: " ").prefix(2) where word.hasPrefix("-") {
        // Flags with an opposite stand together, as --demo/--no-demo.
        for option in word.prefix(while: { $0 != "," }).split(separator: "/") { options.insert(String(option)) }
      }
    }
    return options
  }

  /// The options of a command that may be given several times, with their dashes: those whose values are a list.
  static func repeatableOptions(of command: any ParsableCommand.Type) -> Set<String> {
    // What the parser knows about a command, as it writes it for programs.
    guard let dump = try? JSONReader.read(Array(command._dumpHelp().utf8), limits: .payload),
      var root = try? JSONObject(dump, "help", unknownField: .jsonWrongValue),
      var described = try? root.object("command"), let arguments = try? described.array("arguments")
    else { return [] }
    var options: Set<String> = []
    for argument in arguments {
      guard var fields = try? JSONObject(argument, "argument", unknownField: .jsonWrongValue),
        case .bool(true)? = fields.optional("isRepeating")?.content,
        case .array(let names)? = fields.optional("names")?.content
      else { continue }
      for name in names {
        guard var name = try? JSONObject(name, "name", unknownField: .jsonWrongValue),
          let kind = try? name.string("kind"),
          let text = try? name.string("name")
        else { continue }
        options.insert((kind.isExactly("long") ? "--" : "-") + text)
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

/// Finds the word that a user may have meant.
enum Spelling {
  /// The word that takes the fewest changes, if they are few for its length; nil if none is near.
  static func nearest(_ word: String, among words: [String]) -> String? {
    let limit = max(1, min(2, word.count / 3))
    return words.map { ($0, distance(word, $0)) }.filter { $0.1 <= limit }.min { $0.1 < $1.1 }?.0
  }

  /// The number of letters to insert, remove, replace, or exchange with the next one (optimal string alignment).
  static func distance(_ left: String, _ right: String) -> Int {
    // Longer texts are not names of ours, and would take long.
    let (left, right) = (Array(left.utf8.prefix(64)), Array(right.utf8.prefix(64)))
    var rows = [Array(0...right.count)]
    for i in 1..<(left.count + 1) {
      var row = [i]
      for j in 1..<(right.count + 1) {
        let isSame = left[i - 1] == right[j - 1]
        var least = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (isSame ? 0 : 1))
        if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
          least = min(least, rows[i - 2][j - 2] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
