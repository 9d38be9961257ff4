internal import SignetBase

/// A kind of text in specs.
struct SpecText: Sendable {
  /// What the text must be, for messages.
  let meaning: String
  let allows: @Sendable (String) -> Bool

  /// A name of a module, a person or a licence. With the ending of a spec, it still is a file name of 255 bytes.
  static let name = SpecText(meaning: "1 to 240 bytes in one line, without invisible characters") { isLine($0, 240) }

  /// A sentence or an address.
  static let line = SpecText(meaning: "1 to 2048 bytes in one line, without invisible characters") {
    isLine($0, 2048)
  }

  /// Several lines.
  static let prose = SpecText(meaning: "1 to 65536 bytes without invisible characters, except spaces and line feeds")
  {
    (1...65_536).contains($0.utf8.count)
      && $0.unicodeScalars.allSatisfy { $0.isVisible || $0 == " " || $0 == "\n" }
  }

  /// The path of a file in the spec's folder.
  static let path = SpecText(meaning: "a relative path of at most 1024 bytes, without empty names, . and ..") {
    text in
    isLine(text, 1024) && SourcePattern.names(of: text) != nil
  }

  /// A platform.
  static let platform = SpecText(
    meaning: "1 to 32 lower-case letters, digits, `_` and `-`, beginning with a letter"
  ) { text in
    (1...32).contains(text.utf8.count) && text.utf8.first.map(isLower) == true
      && text.utf8.allSatisfy { isLower($0) || isDigit($0) || "_-".utf8.contains($0) }
  }

  /// The version of a platform.
  static let numbers = SpecText(meaning: "one to three numbers of at most 9 digits, such as 8.0") { text in
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return (1...3).contains(parts.count)
      && parts.allSatisfy { part in
        (1...9).contains(part.count) && part.allSatisfy(isDigit)
          && (part.count == 1 || part.first != UInt8(ascii: "0"))
      }
  }

  private static func isLine(_ text: String, _ limit: Int) -> Bool {
    (1...limit).contains(text.utf8.count) && text.unicodeScalars.allSatisfy { $0.isVisible || $0 == " " }
  }

  private static func isLower(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

/// The field types of specs, besides those of every document.
extension JSONObject {
  mutating func text(
    _ name: String, _ kind: SpecText, mayBeSecret: Bool = false
  ) throws(SignetError) -> String {
    let text = try string(name)
    // An address may have a password in it.
    guard kind.allows(text) else { throw wrong(name, kind.meaning, mayBeSecret ? "…" : text) }
    return text
  }

  mutating func optionalText(_ name: String, _ kind: SpecText) throws(SignetError) -> String? {
    has(name) ? try text(name, kind) : nil
  }

  /// Patterns of files, without repetitions.
  mutating func patterns(_ name: String, atMost limit: Int) throws(SignetError) -> [SourcePattern] {
    let elements = try optionalArray(name)
    guard elements.count <= limit else { throw wrong(name, "at most \(limit) elements", "\(elements.count)") }
    var patterns: [SourcePattern] = []
    for (index, element) in elements.enumerated() {
      guard case .string(let text) = element.content else {
        throw SignetError(
          .jsonWrongValue, path(of: name, index, element), "has the wrong type", expected: "a text",
          found: element.kind)
      }
      guard let pattern = SourcePattern(text) else {
        throw SignetError(
          .jsonWrongValue, path(of: name, index, element), "is not a pattern of files",
          expected: SourcePattern.meaning, found: text)
      }
      guard !patterns.contains(pattern) else {
        throw SignetError(.jsonWrongValue, path(of: name, index, element), "occurs twice", found: text)
      }
      patterns.append(pattern)
    }
    return patterns
  }

  /// Checks that no earlier element of a list has the same name.
  func checkNew(_ name: String, among others: [String]) throws(SignetError) {
    guard !others.contains(where: { $0.isExactly(name) }) else {
      throw SignetError(.jsonWrongValue, path(of: "name"), "occurs twice", found: name)
    }
  }
}
