internal import SignetBase

/// A kind of text in descriptions.
struct ModuleText: Sendable {
  /// What the text must be, for messages.
  let meaning: String
  let allows: @Sendable (String) -> Bool

  /// A route's pattern. The router parses it; here it only has to fit in one line of a message.
  static let pattern = ModuleText(meaning: "a pattern of 1 to 1024 bytes without control characters") { text in
    // Many servers cut or refuse longer URLs (RFC 9110, section 4.1, asks for 8000 bytes of them). A pattern is
    // shorter than the URLs that it matches.
    isLine(text, 1024)
  }

  /// A target, an action or a service: a name as in programming languages, and also with dots and hyphens.
  package static let name = ModuleText(
    meaning: "a name of 1 to 128 letters, digits, `_`, `.` and `-`, beginning with a letter or `_`"
  ) { text in
    isWord(text, 128) { isLetter($0) || isDigit($0) || "_.-".utf8.contains($0) }
  }

  /// A page: a name, or nothing for the page that the module opens with.
  static let page = ModuleText(meaning: "an empty text, or \(name.meaning)") { $0.isEmpty || name.allows($0) }

  /// A C symbol (C11, section 6.4.2), with ASCII characters only.
  static let symbol = ModuleText(meaning: "a C identifier of at most 255 letters, digits and `_`") { text in
    isWord(text, 255) { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
  }

  /// A permission that a module asks its host for.
  static let permission = ModuleText(
    meaning: "a name of 1 to 63 lower-case letters, digits, `.` and `-`, beginning with a letter"
  ) { text in
    isWord(text, 63) { byte in
      (isLetter(byte) && byte >= UInt8(ascii: "a")) || isDigit(byte) || ".-".utf8.contains(byte)
    } && text.utf8.first != UInt8(ascii: "_")
  }

  /// A needed library, as a dynamic section spells it.
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

/// The field types of descriptions, besides those of every document. Errors name the element.
extension JSONObject {
  /// Texts of one kind, without repetitions.
  mutating func texts(_ name: String, atMost limit: Int, _ kind: ModuleText) throws(SignetError) -> [String] {
    try elements(name, atMost: limit) { text, _ throws(SignetError) in
      guard !kind.allows(text) else { return nil }
      return kind.meaning
    }
  }

  /// Paths of a module's contents, without repetitions.
  mutating func paths(_ name: String, atMost limit: Int) throws(SignetError) -> [String] {
    try elements(name, atMost: limit) { text, place throws(SignetError) in
      try Self.check(path: text, at: place())
      return nil
    }
  }

  /// A path of a module's contents.
  mutating func entryPath(_ name: String) throws(SignetError) -> String {
    let text = try string(name)
    try Self.check(path: text, at: path(of: name))
    return text
  }

  mutating func versions(_ name: String) throws(SignetError) -> VersionRange {
    let text = try string(name)
    guard let range = VersionRange(text) else { throw wrong(name, "versions such as >=1.2.0 <2.0.0", text) }
    return range
  }

  /// Checks a path by the rules for the archive's own paths. Any other path could never be found there.
  private static func check(path: String, at place: @autoclosure () -> String) throws(SignetError) {
    do throws(SignetError) {
      try EntryPath.check(path)
      try EntryPath.checkPortable(path)
    } catch {
      var located = error.about(place())
      located.found = error.found ?? path
      throw located
    }
  }

  /// - Parameter fault: what an element must be; nil if it is valid. Places are computed only for elements with a
  ///   fault, because lines and columns are counted from the beginning of the text.
  private mutating func elements(
    _ name: String, atMost limit: Int, _ fault: (String, () -> String) throws(SignetError) -> String?
  ) throws(SignetError) -> [String] {
    let elements = try optionalArray(name)
    let object = self
    guard elements.count <= limit else { throw wrong(name, "at most \(limit) elements", "\(elements.count)") }
    var texts: [String] = []
    var known: Set<[UInt8]> = []
    for (index, element) in elements.enumerated() {
      guard case .string(let text) = element.content else {
        throw wrong(name, at: index, element, expected: "a text", found: element.kind)
      }
      if let meaning = try fault(text, { object.path(of: name, index, element) }) {
        throw wrong(name, at: index, element, expected: meaning, found: text)
      }
      guard known.insert(Array(text.utf8)).inserted else { throw twice(name, at: index, element, found: text) }
      texts.append(text)
    }
    return texts
  }

  /// The error for an invalid element of a list.
  func wrong(
    _ name: String, at index: Int, _ element: JSONValue, expected: String, found: String
  ) -> SignetError {
    SignetError(
      .jsonWrongValue, path(of: name, index, element), "has an invalid value", expected: expected, found: found)
  }

  /// The error for a repeated element of a list.
  func twice(_ name: String, at index: Int, _ element: JSONValue, found: String) -> SignetError {
    SignetError(.jsonWrongValue, path(of: name, index, element), "occurs twice", found: found)
  }
}
