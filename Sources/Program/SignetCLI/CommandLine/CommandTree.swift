package import ArgumentParser
internal import SignetBase

/// The commands of a program by their names, as a tree.
package struct CommandTree: Sendable {
  /// The command of no words.
  package let root: any ParsableCommand.Type

  package init(root: any ParsableCommand.Type) { self.root = root }

  /// The command that these words name, from the root on; nil if one of them does not name a command.
  package func command(at words: some Sequence<String>) -> (any ParsableCommand.Type)? {
    var command = root
    for word in words {
      guard let next = Self.child(of: command, named: word) else { return nil }
      command = next
    }
    return command
  }

  /// The command that the first arguments name, as far as they are names of commands.
  package func command(leading arguments: [String]) -> (command: any ParsableCommand.Type, words: Int) {
    var command = root
    var words = 0
    while words < arguments.count, let next = Self.child(of: command, named: arguments[words]) {
      command = next
      words += 1
    }
    // signet gate FOLDER is signet gate check FOLDER.
    return (command.configuration.defaultSubcommand ?? command, words)
  }

  /// The words of every command, including those that only have subcommands. Those of the root, none at all, come
  /// first.
  package var paths: [[String]] { Self.paths(below: root, []) }

  private static func paths(below command: any ParsableCommand.Type, _ words: [String]) -> [[String]] {
    [words]
      + command.configuration.subcommands.flatMap { child in
        child.configuration.commandName.map { paths(below: child, words + [$0]) } ?? []
      }
  }

  /// The names of a command's subcommands.
  package static func names(of command: any ParsableCommand.Type) -> [String] {
    command.configuration.subcommands.compactMap { $0.configuration.commandName }
  }

  /// The options of a command, with their dashes.
  package static func options(of command: any ParsableCommand.Type) -> Set<String> {
    // The parser takes the version's flag from the root, whose command it does not describe here.
    described(command).reduce(into: ["--version"]) { $0.formUnion($1.names) }
  }

  /// The options of a command that may be given several times, with their dashes: those whose values are a list.
  package static func repeatableOptions(of command: any ParsableCommand.Type) -> Set<String> {
    described(command).filter(\.isRepeating).reduce(into: []) { $0.formUnion($1.names) }
  }

  /// What the parser knows about a command's options, as it writes it for programs.
  private static func described(_ command: any ParsableCommand.Type) -> [(names: Set<String>, isRepeating: Bool)] {
    guard let dump = try? JSONReader.read(Array(command._dumpHelp().utf8), limits: .payload),
      var root = try? JSONObject(dump, "help", unknownField: .jsonWrongValue),
      var described = try? root.object("command"), let arguments = try? described.array("arguments")
    else { return [] }
    return arguments.compactMap { argument in
      guard var fields = try? JSONObject(argument, "argument", unknownField: .jsonWrongValue),
        case .array(let names)? = fields.optional("names")?.content
      else { return nil }
      let isRepeating = if case .bool(true)? = fields.optional("isRepeating")?.content { true } else { false }
      return (Set(names.compactMap(option)), isRepeating)
    }
  }

  /// An option with its dashes, from the parser's description of its name.
  private static func option(_ name: JSONValue) -> String? {
    guard var name = try? JSONObject(name, "name", unknownField: .jsonWrongValue),
      let kind = try? name.string("kind"), let text = try? name.string("name")
    else { return nil }
    return (kind.isExactly("long") ? "--" : "-") + text
  }

  private static func child(
    of command: any ParsableCommand.Type, named name: String
  ) -> (any ParsableCommand.Type)? {
    command.configuration.subcommands.first { child in
      // An alias is a name that a command had before.
      ([child.configuration.commandName].compactMap { $0 } + child.configuration.aliases).contains {
        $0.isExactly(name)
      }
    }
  }
}

/// Finds the word that a user may have meant.
enum Spelling {
  /// What other programs call commands.
  private static let synonyms = ["uninstall": "remove", "upgrade": "update"]

  /// The command that other programs call so; nil if there is none.
  static func synonym(of word: String, among words: [String]) -> String? {
    synonyms[word].flatMap { words.contains($0) ? $0 : nil }
  }

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
