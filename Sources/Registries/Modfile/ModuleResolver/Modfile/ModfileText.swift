internal import SignetBase

/// The tokens of a Modfile, with their places.
struct ModfileText {
  /// A part of the text.
  struct Token {
    let kind: Kind
    let place: Place
  }

  enum Kind: Equatable {
    /// Letters, with a colon at the end for an option.
    case word(String)
    /// What stands between quotes.
    case text(String)
    case comma
    case open
    case close
    /// The end of a statement.
    case newline
    case end

    /// Whether the token stands between quotes.
    var isText: Bool { if case .text = self { true } else { false } }

    /// The token, for messages.
    var shown: String {
      switch self {
      case .word(let word): word.display
      case .text(let text): "'\(text.display)'"
      case .comma: "a comma"
      case .open: "["
      case .close: "]"
      case .newline: "the end of the line"
      case .end: "the end of the file"
      }
    }
  }

  /// Line and column from 1, in Unicode scalars.
  struct Place: Sendable {
    var line = 1
    var column = 1
    var description: String { "Modfile:\(line):\(column)" }
  }

  /// The longest text: a URL (RFC 9110, section 4.1 wants 8000 bytes).
  private static let textLimit = 8192
  /// The longest word. Those of the grammar have fewer letters.
  private static let wordLimit = 64

  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var place = Place()

  /// - Throws: `modfile.size`, `modfile.encoding`.
  init(_ bytes: [UInt8]) throws(SignetError) {
    guard bytes.count <= Modfile.sizeLimit else {
      throw SignetError(
        .modfileSize, "Modfile", "is too large", expected: "at most \(Modfile.sizeLimit) bytes",
        found: "\(bytes.count)")
    }
    if let fault = UTF8Check.firstFault(in: bytes) {
      let line = bytes[..<fault].count { $0 == 0x0a } + 1
      throw SignetError(
        .modfileEncoding, "Modfile:\(line)", "is not UTF-8", expected: "UTF-8", found: "a bad byte at offset \(fault)"
      )
    }
    scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    guard scalars.first != "\u{feff}" else {
      throw SignetError(
        .modfileEncoding, "Modfile:1:1", "begins with a byte-order mark", expected: "UTF-8 without a mark",
        hint: "save the file without a byte-order mark")
    }
  }

  /// Whether a character may stand in a Modfile or a lock: one that shows itself, or an ASCII space.
  static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII ? (0x20..<0x7f).contains(scalar.value) : scalar.isVisible
  }

  /// All tokens. A statement goes on after a comma and inside of brackets, so these line ends are left out.
  ///
  /// - Throws: `modfile.character`, `modfile.length`, `modfile.syntax`.
  mutating func tokens() throws(SignetError) -> [Token] {
    var tokens: [Token] = []
    var isOpen = false
    while true {
      let token = try next()
      switch token.kind {
      case .newline:
        guard let last = tokens.last?.kind, last != .newline, last != .comma, !isOpen else { continue }
      case .open: isOpen = true
      case .close: isOpen = false
      case .end:
        if let last = tokens.last, last.kind != .newline { tokens.append(Token(kind: .newline, place: token.place)) }
        return tokens + [token]
      default: break
      }
      tokens.append(token)
    }
  }

  private mutating func next() throws(SignetError) -> Token {
    while let scalar = try peek(), scalar == " " || scalar == "\t" || scalar == "#" {
      if scalar == "#" {
        while let inside = try peek(), inside != "\n" { advance() }
      } else {
        advance()
      }
    }
    let start = place
    guard let scalar = try peek() else { return Token(kind: .end, place: start) }
    let kind: Kind
    switch scalar {
    case "\n": kind = .newline
    case ",": kind = .comma
    case "[": kind = .open
    case "]": kind = .close
    case "'": return Token(kind: .text(try text()), place: start)
    case "a"..."z", "A"..."Z": return Token(kind: .word(try word()), place: start)
    default:
      throw SignetError(
        .modfileSyntax, start.description, "is no character that a part of a Modfile begins with",
        expected: "a word, a text in single quotes, a comma, a bracket or a comment", found: String(scalar).display)
    }
    advance()
    return Token(kind: kind, place: start)
  }

  /// What stands between quotes. Nothing is an escape.
  private mutating func text() throws(SignetError) -> String {
    let start = place
    advance()
    var text = String.UnicodeScalarView()
    var size = 0
    while let scalar = try peek(), scalar != "\n" {
      advance()
      if scalar == "'" { return String(text) }
      size += UTF8.width(scalar)
      guard size <= Self.textLimit else {
        throw SignetError(
          .modfileLength, start.description, "is too long a text", expected: "at most \(Self.textLimit) bytes")
      }
      text.append(scalar)
    }
    throw SignetError(
      .modfileSyntax, start.description, "is a text without an end", expected: "' on the same line",
      found: "the end of the line")
  }

  private mutating func word() throws(SignetError) -> String {
    let start = place
    var word = String.UnicodeScalarView()
    while let scalar = try peek(), scalar.isASCII, scalar.properties.isAlphabetic || scalar == "_" || scalar == ":" {
      advance()
      word.append(scalar)
      guard word.count <= Self.wordLimit else {
        throw SignetError(
          .modfileLength, start.description, "is too long a word", expected: "at most \(Self.wordLimit) letters")
      }
      if scalar == ":" { break }
    }
    return String(word)
  }

  /// The next character, which must be one that a Modfile can have.
  private func peek() throws(SignetError) -> Unicode.Scalar? {
    guard index < scalars.count else { return nil }
    let scalar = scalars[index]
    guard scalar == "\n" || scalar == "\t" || Self.isAllowed(scalar) else {
      throw SignetError(
        .modfileCharacter, place.description, "has a character that cannot be seen, or moves what is seen",
        expected: "visible characters, and line ends of one LF", found: String(scalar).visible,
        hint: scalar == "\r" ? "save the file with the line ends of Unix" : "remove the character")
    }
    return scalar
  }

  private mutating func advance() {
    if scalars[index] == "\n" {
      place = Place(line: place.line + 1, column: 1)
    } else {
      place.column += 1
    }
    index += 1
  }
}
