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
  static func all(in values: [String]) -> [Challenge] { values.flatMap { value in Reader(value).challenges() } }

  /// Reads one value.
  private struct Reader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ value: String) { bytes = Array(value.utf8) }

    func challenges() -> [Challenge] {
      var reader = self
      return reader.read()
    }

    private mutating func read() -> [Challenge] {
      var challenges: [Challenge] = []
      var scheme: String?
      var parameters: [String: String] = [:]
      func end() -> Challenge? { scheme.map { Challenge(scheme: $0, parameters: parameters) } }
      while position < bytes.count {
        skip { $0 == UInt8(ascii: ",") || Self.isSpace($0) }
        guard let word = token() else { break }
        let mark = position
        skip(Self.isSpace)
        if take(UInt8(ascii: "=")) {
          skip(Self.isSpace)
          guard let value = quoted() ?? token(), parameters.count < Challenge.limit else { break }
          parameters[word.lowercased()] = value
        } else {
          // A word without a value begins the next challenge.
          position = mark
          if let challenge = end() { challenges.append(challenge) }
          scheme = word.lowercased()
          parameters = [:]
          skip(Self.isSpace)
          skipToken68()
        }
      }
      if let challenge = end() { challenges.append(challenge) }
      return challenges
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
      while position < bytes.count, isSkipped(bytes[position]) { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
      guard position < bytes.count, bytes[position] == byte else { return false }
      position += 1
      return true
    }

    /// Passes over the letters after a scheme that are no parameters, as Negotiate has them (token68).
    private mutating func skipToken68() {
      let start = position
      skip { (0x21...0x7e).contains($0) && !",=\"".utf8.contains($0) }
      let hasWord = position > start
      skip { $0 == UInt8(ascii: "=") }
      skip(Self.isSpace)
      if !hasWord || position < bytes.count && bytes[position] != UInt8(ascii: ",") { position = start }
    }

    private mutating func token() -> String? {
      let start = position
      skip { (0x21...0x7e).contains($0) && !",=\"".utf8.contains($0) }
      return start == position ? nil : String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func quoted() -> String? {
      guard take(UInt8(ascii: "\"")) else { return nil }
      var text: [UInt8] = []
      while position < bytes.count {
        if take(UInt8(ascii: "\"")) { return String(decoding: text, as: UTF8.self) }
        if take(UInt8(ascii: "\\")), position >= bytes.count { return nil }
        text.append(bytes[position])
        position += 1
      }
      return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == 0x09 }
  }
}
