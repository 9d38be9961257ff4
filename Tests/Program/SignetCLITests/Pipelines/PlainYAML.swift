import Foundation

/// The part of YAML in which the files of Integrations and their examples are written. Anything else is a fault.
///
/// Indentation is by two spaces. A text is plain, in single quotes, or a block after `|`. A list is of lines, or of
/// plain texts in brackets. `!reference [.job, script]` is kept as a text.
enum PlainYAML: Equatable {
  case text(String)
  case list([PlainYAML])
  case map([Entry])

  struct Entry: Equatable {
    let key: String
    let value: PlainYAML
  }

  struct Fault: Error, CustomStringConvertible {
    let line: Int
    let message: String

    var description: String { "line \(line): \(message)" }
  }

  init(_ text: String) throws {
    var reader = Reader(lines: text.components(separatedBy: "\n"))
    self = try reader.document()
  }

  /// The value of a key; nil if there is none.
  subscript(_ key: String) -> PlainYAML? { entries.first { $0.key == key }?.value }

  /// The entries of a map; none for anything else.
  var entries: [Entry] { if case .map(let entries) = self { entries } else { [] } }

  /// The items of a list; none for anything else.
  var items: [PlainYAML] { if case .list(let items) = self { items } else { [] } }

  /// A text; nil for anything else.
  var text: String? { if case .text(let text) = self { text } else { nil } }

  private struct Reader {
    var lines: [String]
    var next = 0

    init(lines: [String]) { self.lines = lines }

    mutating func document() throws -> PlainYAML {
      let value = try node(at: 0)
      guard isAtEnd else { throw fault("is not part of what is before it") }
      return value
    }

    /// Whether only comments are left. It skips those before the next line.
    private var isAtEnd: Bool {
      mutating get {
        while next < lines.count {
          let content = lines[next].drop { $0 == " " }
          guard content.isEmpty || content.hasPrefix("#") else { return false }
          next += 1
        }
        return true
      }
    }

    private func fault(_ message: String) -> Fault { Fault(line: next + 1, message: message) }

    private func column(_ line: String) -> Int { line.prefix { $0 == " " }.count }

    private var content: Substring { lines[next].drop { $0 == " " } }

    private mutating func node(at indent: Int) throws -> PlainYAML {
      guard !isAtEnd, column(lines[next]) == indent else { throw fault("is not where a value has to be") }
      return content.hasPrefix("- ") ? try list(at: indent) : try map(at: indent)
    }

    private mutating func list(at indent: Int) throws -> PlainYAML {
      var items: [PlainYAML] = []
      while !isAtEnd, column(lines[next]) == indent, content.hasPrefix("- ") {
        let rest = String(content.dropFirst(2))
        if rest.wholeMatch(of: /[A-Za-z0-9_.-]+:( .*)?/) != nil {
          // The rest of the line begins a map.
          lines[next] = String(repeating: " ", count: indent + 2) + rest
          items.append(try map(at: indent + 2))
        } else {
          items.append(try value(rest, below: indent))
        }
      }
      return .list(items)
    }

    private mutating func map(at indent: Int) throws -> PlainYAML {
      var entries: [Entry] = []
      while !isAtEnd, column(lines[next]) == indent {
        guard let match = content.wholeMatch(of: /([A-Za-z0-9_.-]+):(?: (.*))?/) else { throw fault("has no key") }
        let key = String(match.1)
        guard !entries.contains(where: { $0.key == key }) else { throw fault("repeats \(key)") }
        if let rest = match.2 {
          entries.append(Entry(key: key, value: try value(String(rest), below: indent)))
        } else {
          next += 1
          entries.append(Entry(key: key, value: try node(at: indent + 2)))
        }
      }
      return .map(entries)
    }

    /// The value that begins at the end of this line.
    private mutating func value(_ rest: String, below indent: Int) throws -> PlainYAML {
      guard rest != "|" else {
        next += 1
        return .text(try block(below: indent))
      }
      let value = try inline(rest)
      next += 1
      return value
    }

    private func inline(_ rest: String) throws -> PlainYAML {
      if let match = rest.wholeMatch(of: /'((?:[^']|'')*)'(?: +#.*)?/) {
        return .text(match.1.replacingOccurrences(of: "''", with: "'"))
      }
      if let match = rest.wholeMatch(of: /\[([^\[\]]*)\](?: +#.*)?/) {
        return .list(try match.1.components(separatedBy: ", ").map { try inline($0) })
      }
      if rest == "{}" { return .map([]) }
      if rest.hasPrefix("!reference [") { return .text(rest) }
      let plain = rest.firstMatch(of: /\ +#/).map { String(rest[..<$0.range.lowerBound]) } ?? rest
      guard let first = plain.first, !"\"'&*!|>%@`{}[],#?".contains(first), !plain.hasPrefix("- "),
        !plain.contains(": "), !plain.hasSuffix(":"), plain.last != " "
      else { throw fault("has a text that is not plain") }
      return .text(plain)
    }

    private mutating func block(below indent: Int) throws -> String {
      var text: [String] = []
      let first = column(lines[next])
      guard first == indent + 2 else { throw fault("does not begin a block") }
      while next < lines.count {
        let line = lines[next]
        if line.allSatisfy({ $0 == " " }) {
          text.append("")
        } else if column(line) >= first {
          text.append(String(line.dropFirst(first)))
        } else {
          break
        }
        next += 1
      }
      while text.last == "" { text.removeLast() }
      return text.joined(separator: "\n") + "\n"
    }
  }
}
