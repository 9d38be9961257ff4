import Foundation

/// What GitHub's runner makes of the output of a step: the workflow commands in it, and the lines that it shows.
///
/// A line is a command if it begins with `::`, white space aside, or if it has `##[` anywhere, and if the name after
/// that is the name of a command. After `stop-commands`, only the token that was given with it is one
/// (actions/runner, ActionCommand.cs and ActionCommandManager.cs).
struct WorkflowOutput {
  struct Command: Equatable {
    let name: String
    let properties: String
    let data: String

    init(_ name: String, _ properties: String = "", _ data: String = "") {
      self.name = name
      self.properties = properties
      self.data = data
    }
  }

  /// The commands that were carried out, without those that stop and resume commands.
  private(set) var commands: [Command] = []
  /// The lines that were shown.
  private(set) var shown: [String] = []
  /// Whether commands were still stopped at the end.
  private(set) var isStopped = false

  private static let names: Set = [
    "add-mask", "add-matcher", "add-path", "debug", "echo", "endgroup", "error", "group", "notice", "remove-matcher",
    "save-state", "set-env", "set-output", "stop-commands", "warning",
  ]

  init(_ output: String) {
    var token: String?
    // It reads lines as .NET does, for which a carriage return ends a line, too.
    let lines = output.replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\r", with: "\n")
    for line in lines.components(separatedBy: "\n") {
      guard let command = Self.command(in: line, token) else {
        shown.append(line)
        continue
      }
      if let stopped = token {
        if command.name == stopped { token = nil } else { shown.append(line) }
      } else if command.name == "stop-commands" {
        token = command.data.lowercased()
      } else {
        commands.append(command)
      }
    }
    isStopped = token != nil
  }

  private static func command(in line: String, _ token: String?) -> Command? {
    let trimmed = line.drop { $0.isWhitespace }
    if trimmed.hasPrefix("::"), let colons = trimmed.dropFirst(2).firstRange(of: "::"),
      let command = command(trimmed[..<colons.lowerBound].dropFirst(2), trimmed[colons.upperBound...], token)
    {
      return command
    }
    guard let mark = line.firstRange(of: "##["), let bracket = line[mark.upperBound...].firstIndex(of: "]") else {
      return nil
    }
    return command(line[mark.upperBound..<bracket], line[bracket...].dropFirst(), token)
  }

  private static func command(_ head: Substring, _ data: Substring, _ token: String?) -> Command? {
    let name = head.prefix { $0 != " " }.lowercased()
    guard names.contains(name) || name == token else { return nil }
    return Command(name, String(head.dropFirst(name.count + 1)), unescaped(data))
  }

  private static func unescaped(_ data: Substring) -> String {
    [("%0D", "\r"), ("%0A", "\n"), ("%25", "%")].reduce(String(data)) { text, escape in
      text.replacingOccurrences(of: escape.0, with: escape.1)
    }
  }
}
