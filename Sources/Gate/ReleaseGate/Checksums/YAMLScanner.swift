internal import SignetBase

/// A place in a YAML text, and the texts that can be there.
struct YAMLScanner {
  private let text: [UInt8]
  private var place = 0
  /// The number of the line, from 1 on.
  private(set) var line = 1
  private(set) var lineStart = 0
  /// The first place that could not be read, with the beginning of its line.
  private(set) var fault: (line: Int, text: String)?

  init(_ text: [UInt8]) {
    // A return alone ends a line, too (YAML 1.2.2, section 5.4).
    guard text.contains(0x0d) else {
      self.text = text
      return
    }
    var plain: [UInt8] = []
    plain.reserveCapacity(text.count)
    for (index, byte) in text.enumerated() {
      if byte == 0x0a, index > 0, text[index - 1] == 0x0d { continue }
      plain.append(byte == 0x0d ? 0x0a : byte)
    }
    self.text = plain
  }

  var isAtEnd: Bool { place >= text.count }
  var byte: UInt8? { place < text.count ? text[place] : nil }
  var column: Int { place - lineStart }
  var isAtQuote: Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

  /// Whether nothing but a comment follows in the line. A comment has a blank before it.
  var isAtEndOfLine: Bool { byte == nil || byte == 0x0a || isAtComment }

  private var isAtComment: Bool {
    byte == UInt8(ascii: "#") && (place == lineStart || isBlank(place - 1))
  }

  /// Whether a character is here with a blank or the end of the line behind it.
  func isAtIndicator(_ character: Unicode.Scalar) -> Bool {
    byte == UInt8(ascii: character) && isSpace(place + 1)
  }

  /// Whether the colon here ends a key in flow style.
  var isAtFlowColon: Bool { isSpace(place + 1) || isFlowIndicator(place + 1) }

  private func isBlank(_ index: Int) -> Bool { text[index] == 0x20 || text[index] == 0x09 }
  private func isSpace(_ index: Int) -> Bool { index >= text.count || text[index] == 0x0a || isBlank(index) }
  private func isFlowIndicator(_ index: Int) -> Bool { index < text.count && ",[]{}".utf8.contains(text[index]) }

  mutating func skip(_ count: Int) { place += count }

  mutating func skipBlanks() {
    while place < text.count, isBlank(place) { place += 1 }
  }

  mutating func skipBlanksAndLines() {
    while place < text.count {
      if text[place] == 0x0a || isAtComment {
        skipLine()
      } else if isBlank(place) {
        place += 1
      } else {
        return
      }
    }
  }

  /// Goes to the next line.
  mutating func skipLine() {
    while place < text.count, text[place] != 0x0a { place += 1 }
    guard place < text.count else { return }
    place += 1
    line += 1
    lineStart = place
  }

  /// Goes to the next line from the end of a value. Something else there cannot be read.
  mutating func endLine() {
    skipBlanks()
    if !isAtEndOfLine { noteFault() }
    skipLine()
  }

  /// Skips the three characters that begin or end a document.
  mutating func skipDocumentMarker() -> Bool {
    let rest = text[place...]
    guard column == 0, rest.starts(with: "---".utf8) || rest.starts(with: "...".utf8), isSpace(place + 3) else {
      return false
    }
    place += 3
    return true
  }

  /// Skips tags and anchors before a value.
  mutating func skipProperties() {
    while byte == UInt8(ascii: "&") || byte == UInt8(ascii: "!") {
      while !isSpace(place) { place += 1 }
      skipBlanks()
    }
  }

  /// Skips a tag, an anchor or a reference in flow style.
  mutating func skipFlowWord() {
    while !isSpace(place), !isFlowIndicator(place) { place += 1 }
  }

  mutating func noteFault() { noteFault(inLine: line, from: lineStart) }

  mutating func noteFault(inLine line: Int, from start: Int) {
    if fault == nil {
      fault = (line, String(decoding: text[start...].prefix(100).prefix { $0 != 0x0a }, as: UTF8.self))
    }
  }

  /// A key that is not in quotation marks, and the colon behind it; nil, and the same place, if there is none.
  mutating func plainKey() -> [UInt8]? {
    guard let first = byte, !"{[|>*%@`#,]}".utf8.contains(first) else { return nil }
    var end = place
    while end < text.count, text[end] != 0x0a {
      if text[end] == UInt8(ascii: ":"), isSpace(end + 1) {
        let key = trimmed(place..<end)
        place = end + 1
        return key
      }
      if text[end] == UInt8(ascii: "#"), isBlank(end - 1) { return nil }
      end += 1
    }
    return nil
  }

  /// The text up to a comment, or up to the end of its last line: the next one begins with what ends it.
  ///
  /// - Parameter parent: the column of what it is in. Its lines are farther to the right.
  mutating func plain(in parent: Int) -> [UInt8] {
    var value: [UInt8] = []
    while true {
      let start = place
      while place < text.count, text[place] != 0x0a, !isAtComment { place += 1 }
      value += trimmed(start..<place)
      guard byte == 0x0a, isContinued(in: parent) else { return value }
      value += fold()
    }
  }

  /// Whether the next line that is not empty goes on with a text in block style, whatever it begins with.
  private func isContinued(in parent: Int) -> Bool {
    var next = self
    while next.byte == 0x0a {
      next.skipLine()
      next.skipBlanks()
    }
    guard let byte = next.byte, byte != UInt8(ascii: "#"), next.column > parent else { return false }
    var marker = next
    return !marker.skipDocumentMarker() && !next.hasKey
  }

  /// Whether a colon in the line ends a key.
  private var hasKey: Bool {
    var end = place
    while end < text.count, text[end] != 0x0a {
      if text[end] == UInt8(ascii: ":"), isSpace(end + 1) { return true }
      if text[end] == UInt8(ascii: "#"), isBlank(end - 1) { return false }
      end += 1
    }
    return false
  }

  /// The text up to what ends it in flow style. It may have several lines, of which only the first cannot begin with a
  /// quotation mark (YAML 1.2.2, section 7.3.3).
  mutating func flowPlain() -> [UInt8] {
    var value: [UInt8] = []
    repeat {
      let start = place
      repeat { place += 1 } while !isAtEndOfLine && !isAtFlowEnd
      value += trimmed(start..<place)
      guard byte == 0x0a else { break }
      value += fold()
    } while !isAtEndOfLine && !isAtFlowEnd
    while value.last == 0x20 || value.last == 0x0a { value.removeLast() }
    return value
  }

  private var isAtFlowEnd: Bool { isFlowIndicator(place) || byte == UInt8(ascii: ":") && isAtFlowColon }

  /// Goes from the end of a line to what follows it and empty lines.
  ///
  /// - Returns: what stands for them in a text (YAML 1.2.2, section 6.5).
  private mutating func fold() -> [UInt8] {
    var count = 0
    while byte == 0x0a {
      skipLine()
      skipBlanks()
      count += 1
    }
    return count > 1 ? [UInt8](repeating: 0x0a, count: count - 1) : [0x20]
  }

  private func trimmed(_ range: Range<Int>) -> [UInt8] {
    var end = range.upperBound
    while end > range.lowerBound, isBlank(end - 1) { end -= 1 }
    return Array(text[range.lowerBound..<end])
  }

  /// The text of lines behind `|` or `>` (YAML 1.2.2, section 8.1).
  ///
  /// - Parameter parent: the column of what it is in. Its lines are farther to the right.
  mutating func block(in parent: Int) -> [UInt8] {
    let separator: UInt8 = byte == UInt8(ascii: "|") ? 0x0a : 0x20
    place += 1
    var indent: Int?
    var isStripped = false
    while !isSpace(place) {
      switch text[place] {
      case UInt8(ascii: "-"): isStripped = true
      case UInt8(ascii: "+"): break
      case UInt8(ascii: "1")...UInt8(ascii: "9"): indent = max(parent, 0) + Int(text[place] - UInt8(ascii: "0"))
      default: noteFault()
      }
      place += 1
    }
    endLine()
    var value: [UInt8] = []
    while place < text.count {
      var start = place
      while start < text.count, text[start] == 0x20 { start += 1 }
      if start < text.count, text[start] != 0x0a {
        let least = indent ?? max(parent + 1, start - place)
        guard start - place >= least else { break }
        indent = least
        let end = text[start...].firstIndex(of: 0x0a) ?? text.count
        if !value.isEmpty { value.append(separator) }
        value += text[(place + least)..<end]
      }
      skipLine()
    }
    if !isStripped, !value.isEmpty { value.append(0x0a) }
    return value
  }

  /// The text between quotation marks (YAML 1.2.2, sections 7.3.1 and 7.3.2).
  mutating func quoted() -> [UInt8] {
    let start = (line, lineStart)
    let quote = text[place]
    place += 1
    var value: [UInt8] = []
    while place < text.count {
      switch text[place] {
      case quote:
        place += 1
        guard quote == UInt8(ascii: "'"), byte == quote else { return value }
        value.append(quote)
        place += 1
      case UInt8(ascii: "\\") where quote == UInt8(ascii: "\""): escape(to: &value)
      case 0x0a:
        while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
        value += fold()
      default:
        value.append(text[place])
        place += 1
      }
    }
    noteFault(inLine: start.0, from: start.1)
    return value
  }

  /// What a character behind a backslash stands for.
  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "0": "\0", "a": "\u{7}", "b": "\u{8}", "t": "\t", "\t": "\t", "n": "\n", "v": "\u{b}", "f": "\u{c}", "r": "\r",
    "e": "\u{1b}", " ": " ", "\"": "\"", "/": "/", "\\": "\\", "N": "\u{85}", "_": "\u{a0}", "L": "\u{2028}",
    "P": "\u{2029}",
  ]

  /// Reads a backslash and what follows it (YAML 1.2.2, section 5.7). Another character there is no YAML.
  private mutating func escape(to value: inout [UInt8]) {
    place += 1
    guard let byte else { return }
    if byte == 0x0a {
      skipLine()
      return skipBlanks()
    }
    place += 1
    let count = [UInt8(ascii: "x"): 2, UInt8(ascii: "u"): 4, UInt8(ascii: "U"): 8][byte]
    guard let count else {
      guard let known = Self.escapes[Unicode.Scalar(byte)] else { return noteFault() }
      return value += Array(String(Character(known)).utf8)
    }
    let digits = text[place...].prefix(count).prefix(while: ChecksumDigits.isHexadecimal)
    if digits.count < count { noteFault() }
    place += digits.count
    let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    let scalar = number.flatMap { Unicode.Scalar($0) } ?? "\u{fffd}"
    value += Array(String(Character(scalar)).utf8)
  }
}
