internal import SignetBase
internal import SignetCrypto

/// The binary targets of a package of SwiftPM: the call of each has a `url`, and the `checksum` of what is there, the
/// SHA-256 of a ZIP (PackageDescription, `binaryTarget(name:url:checksum:)`).
///
/// Only texts that stand there as they are can be compared: a manifest is a program.
struct BinaryTargets {
  /// The labels between two brackets.
  private struct Call {
    var address: [UInt8]?
    var checksum: (digits: [UInt8], line: Int)?
  }

  private let text: [UInt8]
  private var place = 0
  private var line = 1
  /// The innermost brackets are the last ones.
  private var calls = [Call()]
  private var found: [StatedChecksum] = []

  /// Reads the checksums.
  static func read(_ text: [UInt8]) -> [StatedChecksum] {
    var reader = BinaryTargets(text: text)
    while reader.place < text.count { reader.step() }
    while !reader.calls.isEmpty { reader.end() }
    return reader.found
  }

  private init(text: [UInt8]) { self.text = text }

  /// Reads a comment, a text, a bracket, a word with its label's value, or another character.
  private mutating func step() {
    if skipComment() || literal() != nil { return }
    switch text[place] {
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
      calls.append(Call())
      advance()
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
      end()
      if calls.isEmpty { calls.append(Call()) }
      advance()
    case let byte where Self.isWord(byte): word()
    default: advance()
    }
  }

  /// Reads a word. If it is a label of a binary target, keeps the text behind it.
  private mutating func word() {
    let start = place
    while place < text.count, Self.isWord(text[place]) { place += 1 }
    let name = text[start..<place]
    let isAddress = name.elementsEqual("url".utf8)
    guard isAddress || name.elementsEqual("checksum".utf8) else { return }
    skipSpace()
    guard place < text.count, text[place] == UInt8(ascii: ":") else { return }
    place += 1
    skipSpace()
    let number = line
    var value = literal()
    skipSpace()
    // Whatever else follows may change the text.
    if place < text.count, !",)".utf8.contains(text[place]) { value = nil }
    if isAddress {
      calls[calls.count - 1].address = value
    } else {
      calls[calls.count - 1].checksum = value.map { ($0, number) }
    }
  }

  /// Ends the innermost brackets, and pairs what is between them.
  private mutating func end() {
    guard let call = calls.popLast(), let address = call.address, let (digits, line) = call.checksum,
      let digest = ChecksumDigits.digest(digits[...]), digest.algorithm == .sha256
    else { return }
    let name = FileAddress.fileName(of: String(decoding: address, as: UTF8.self))
    found.append(StatedChecksum(name: name, digest: digest, line: line, mayBeElsewhere: true, function: .sha2))
  }

  /// Reads a string literal. What is computed in it is a backslash in the value.
  ///
  /// - Returns: nil, at the same place, if there is none.
  private mutating func literal() -> [UInt8]? {
    // More of them than anybody writes would be counted again from each one.
    let hashes = text[place...].prefix(8).prefix { $0 == UInt8(ascii: "#") }.count
    let marks = text[(place + hashes)...].prefix(3).prefix { $0 == UInt8(ascii: "\"") }.count
    guard marks > 0 else { return nil }
    let end =
      [UInt8](repeating: UInt8(ascii: "\""), count: marks == 3 ? 3 : 1)
      + [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
    place += hashes + (marks == 3 ? 3 : 1)
    var value: [UInt8] = []
    while place < text.count, !text[place...].starts(with: end), marks == 3 || text[place] != 0x0a {
      if text[place] == UInt8(ascii: "\\"), hashes == 0 {
        value.append(text[place])
        skipEscape()
      } else {
        value.append(text[place])
        advance()
      }
    }
    if text[place...].starts(with: end) { place += end.count }
    return value
  }

  /// Skips a backslash and the character or the expression behind it.
  private mutating func skipEscape() {
    place += 1
    var depth = 0
    while place < text.count {
      switch text[place] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: "\"") where depth > 0:
        // A text within the expression.
        let rest = text[(place + 1)...]
        let end = rest.firstIndex { $0 == UInt8(ascii: "\"") || $0 == 0x0a }
        place = end ?? text.count - 1
      default: break
      }
      advance()
      if depth <= 0 { return }
    }
  }

  /// Skips a comment, or the comments in it, too.
  private mutating func skipComment() -> Bool {
    let rest = text[place...]
    if rest.starts(with: "//".utf8) {
      place = rest.firstIndex(of: 0x0a) ?? text.count
      return true
    }
    guard rest.starts(with: "/*".utf8) else { return false }
    var depth = 0
    while place < text.count {
      let change = text[place...].starts(with: "/*".utf8) ? 1 : text[place...].starts(with: "*/".utf8) ? -1 : 0
      depth += change
      if change != 0 { place += 2 } else { advance() }
      if depth == 0 { break }
    }
    return true
  }

  private mutating func skipSpace() {
    while place < text.count {
      if [0x20, 0x09, 0x0a, 0x0d].contains(text[place]) { advance() } else if !skipComment() { return }
    }
  }

  private mutating func advance() {
    if text[place] == 0x0a { line += 1 }
    place += 1
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte >= 0x80 || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
