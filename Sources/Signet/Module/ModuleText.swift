internal import SignetELF

/// A kind of text that descriptions have.
struct ModuleText: Sendable {
  /// What it must be, for messages.
  let meaning: String
  let allows: @Sendable (String) -> Bool

  /// A route's pattern. The router reads it; here it has to be something that can be shown in a line.
  static let pattern = ModuleText(meaning: "a pattern of 1 to 1024 bytes without control characters") { text in
    // Longer URLs are cut or refused by many servers (RFC 9110, section 4.1, asks for 8000 bytes of them); a pattern is
    // shorter than what it matches.
    isLine(text, 1024)
  }

  /// A target, an action or a service: what programming languages have as names, dots and hyphens besides.
  static let name = ModuleText(
    meaning: "a name of 1 to 128 letters, digits, `_`, `.` and `-`, beginning with a letter or `_`"
  ) { text in
    isWord(text, 128) { isLetter($0) || isDigit($0) || "_.-".utf8.contains($0) }
  }

  /// A C symbol (C11, section 6.4.2), without other characters than ASCII's.
  static let symbol = ModuleText(meaning: "a C identifier of at most 255 letters, digits and `_`") { text in
    isWord(text, 255) { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
  }

  /// What a module asks its host for.
  static let permission = ModuleText(
    meaning: "a name of 1 to 63 lower-case letters, digits, `.` and `-`, beginning with a letter"
  ) { text in
    isWord(text, 63) { byte in
      (isLetter(byte) && byte >= UInt8(ascii: "a")) || isDigit(byte) || ".-".utf8.contains(byte)
    } && text.utf8.first != UInt8(ascii: "_")
  }

  /// A needed library as a dynamic section spells it.
  static let library = ModuleText(meaning: LibraryName.meaning) { LibraryName.allows($0) }

  private static func isLine(_ text: String, _ limit: Int) -> Bool {
    (1...limit).contains(text.utf8.count)
      && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  private static func isWord(_ text: String, _ limit: Int, _ allows: (UInt8) -> Bool) -> Bool {
    guard let first = text.utf8.first, isLetter(first) || first == UInt8(ascii: "_") else { return false }
    return text.utf8.count <= limit && text.utf8.allSatisfy(allows)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
