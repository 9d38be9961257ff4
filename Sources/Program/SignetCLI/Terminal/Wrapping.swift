/// Wraps lines for a terminal. A line that is longer than the terminal is wide continues in the next line, below where
/// its text began. Words stay whole, and so does anything that consists of one: a code in its brackets, a path, a
/// digest.
package struct Wrapping {
  /// The width in columns.
  package let width: Int

  /// The lines of a text.
  package func lines(of text: String) -> [String] {
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
  package static func columns(of text: Substring) -> Int {
    var count = 0
    var isSequence = false
    for character in text {
      if isSequence {
        isSequence = character != "m"
      } else if character == "\u{1b}" {
        isSequence = true
      } else {
        count += columns(of: character)
      }
    }
    return count
  }

  /// Accents stand over the character before them. An emoji has a form of its own, or the selector that asks for it.
  private static func columns(of character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if [.nonspacingMark, .enclosingMark].contains(first.properties.generalCategory) { return 0 }
    let isEmoji = first.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{fe0f}")
    return isEmoji || isWide(first) ? 2 : 1
  }

  /// Whether a character is of the wide and fullwidth blocks of Unicode (UAX #11).
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xa960...0xa97c, 0xac00...0xd7a3, 0xf900...0xfaff,
      0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x17000...0x18cff, 0x1b000...0x1b2ff, 0x20000...0x3fffd:
      true
    default: false
    }
  }

  /// A text with spaces after it, up to a width; with two spaces if it is longer.
  package static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(2, width - columns(of: text[...])))
  }
}
