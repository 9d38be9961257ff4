/// Wraps lines for a terminal. A line that is longer than the terminal is wide continues in the next line, below where
/// its text began. Words stay whole, and so does anything that consists of one: a code in its brackets, a path, a
/// digest.
struct Wrapping {
  /// The width in columns.
  let width: Int

  /// The lines of a text.
  func lines(of text: String) -> [String] {
    guard Self.columns(of: text[...]) > width else { return [text] }
    let indent = String(repeating: " ", count: min(Self.hang(of: text), width / 2))
    var lines: [String] = []
    var line = ""
    // Spaces at the beginning and between columns stay as they are.
    var gap = ""
    for (number, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      if number > 0 { gap += " " }
      if word.isEmpty { continue }
      let isFirst = line.isEmpty || line == indent
      if !isFirst, Self.columns(of: line[...]) + gap.count + Self.columns(of: word) > width {
        lines.append(line)
        line = indent + word
      } else {
        line += gap + word
      }
      gap = ""
    }
    return lines + [line]
  }

  /// Where the text of a line begins: after its label, which two spaces separate from it, or two columns in.
  private static func hang(of line: String) -> Int {
    let start = line.prefix { $0 == " " }.count
    let longestLabel = 20
    let label = line.dropFirst(start)
    guard let gap = label.prefix(longestLabel).firstRange(of: "  ") else { return start + 2 }
    let text = label[gap.lowerBound...].drop { $0 == " " }
    return columns(of: line[..<text.startIndex])
  }

  /// The number of columns that a text takes, without the sequences that colour it.
  static func columns(of text: Substring) -> Int {
    var count = 0
    var isSequence = false
    for character in text {
      if isSequence {
        isSequence = character != "m"
      } else if character == "\u{1b}" {
        isSequence = true
      } else {
        count += 1
      }
    }
    return count
  }

  /// A text with spaces after it, up to a width; with two spaces if it is longer.
  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(2, width - columns(of: text[...])))
  }
}
