internal import SignetBase

/// How a server wants to know who asks (RFC 9110, section 11.6.1).
struct Challenge: Hashable {
  /// The scheme in small letters: `basic` or `bearer`.
  let scheme: String
  /// The parameters by their names in small letters.
  let parameters: [String: String]

  /// The most parameters that are read.
  private static let limit = 32

  /// Reads the values of WWW-Authenticate, as far as they are understood: a scheme, and parameters after it.
  static func all(in values: [String]) -> [Challenge] { values.flatMap(challenges) }

  private static func challenges(in value: String) -> [Challenge] {
    var scanner = FieldScanner(value)
    var challenges: [Challenge] = []
    var scheme: String?
    var parameters: [String: String] = [:]
    func end() -> Challenge? { scheme.map { Challenge(scheme: $0, parameters: parameters) } }
    while !scanner.isAtEnd {
      scanner.skip { $0 == UInt8(ascii: ",") || FieldScanner.isSpace($0) }
      let word = scanner.text(isToken)
      guard !word.isEmpty else { break }
      let mark = scanner.position
      scanner.skipSpaces()
      if scanner.take(UInt8(ascii: "=")) {
        scanner.skipSpaces()
        guard let value = Self.value(&scanner), parameters.count < limit else { break }
        parameters[word.lowercased()] = value
      } else {
        // A word without a value begins the next challenge.
        scanner.rewind(to: mark)
        if let challenge = end() { challenges.append(challenge) }
        scheme = word.lowercased()
        parameters = [:]
        scanner.skipSpaces()
        skipToken68(&scanner)
      }
    }
    if let challenge = end() { challenges.append(challenge) }
    return challenges
  }

  /// The value of a parameter, or nil.
  private static func value(_ scanner: inout FieldScanner) -> String? {
    if scanner.next == UInt8(ascii: "\"") { return scanner.quoted() }
    let word = scanner.text(isToken)
    return word.isEmpty ? nil : word
  }

  /// Passes over the letters after a scheme that are no parameters, as Negotiate has them (token68).
  private static func skipToken68(_ scanner: inout FieldScanner) {
    let start = scanner.position
    let word = scanner.text(isToken)
    scanner.skip { $0 == UInt8(ascii: "=") }
    scanner.skipSpaces()
    let isWhole = scanner.isAtEnd || scanner.next == UInt8(ascii: ",")
    if word.isEmpty || !isWhole { scanner.rewind(to: start) }
  }

  private static func isToken(_ byte: UInt8) -> Bool { (0x21...0x7e).contains(byte) && !",=\"".utf8.contains(byte) }
}
