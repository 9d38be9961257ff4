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

  /// The text up to the end of the line, or up to a comment.
  mutating func plain() -> [UInt8] {
    let start = place
    while place < text.count, text[place] != 0x0a, !isAtComment { place += 1 }
    return trimmed(start..<place)
  }

  /// The text up to what ends it in flow style, or up to the end of the line.
  mutating func flowPlain() -> [UInt8] {
    let start = place
    repeat {
      place += 1
    } while place < text.count && text[place] != 0x0a && !isAtComment && !isFlowIndicator(place)
      && !(text[place] == UInt8(ascii: ":") && isAtFlowColon)
    return trimmed(start..<place)
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
        value.append(0x20)
        skipLine()
        skipBlanks()
      default:
        value.append(text[place])
        place += 1
      }
    }
    noteFault(inLine: start.0, from: start.1)
    return value
  }

  /// Reads a backslash and what follows it (YAML 1.2.2, section 5.7).
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
      let known: [UInt8: UInt8] = [
        UInt8(ascii: "n"): 0x0a, UInt8(ascii: "r"): 0x0d, UInt8(ascii: "t"): 0x09, UInt8(ascii: "0"): 0,
      ]
      return value.append(known[byte] ?? byte)
    }
    let digits = text[place...].prefix(count).prefix(while: ChecksumLines.isHexadecimal)
    place += digits.count
    let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    let scalar = number.flatMap { Unicode.Scalar($0) } ?? "\u{fffd}"
    value += Array(String(Character(scalar)).utf8)
  }
}
