internal import SignetBase

/// Reads the value of a field of an answer: tokens and quoted texts (RFC 9110, section 5.6).
struct FieldScanner {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ value: String) { bytes = Array(value.utf8) }

  /// Whether everything was read.
  var isAtEnd: Bool { position == bytes.count }

  /// The next byte; nil at the end.
  var next: UInt8? { isAtEnd ? nil : bytes[position] }

  /// Goes back to an earlier position.
  mutating func rewind(to position: Int) { self.position = position }

  /// Passes over bytes.
  mutating func skip(_ isSkipped: (UInt8) -> Bool) {
    while let next, isSkipped(next) { position += 1 }
  }

  /// Passes over spaces.
  mutating func skipSpaces() { skip(Self.isSpace) }

  /// Passes over a byte, if it is the next one.
  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  /// The bytes up to one that is not part of the text.
  mutating func text(_ isPart: (UInt8) -> Bool) -> String {
    let start = position
    skip(isPart)
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// A text in quotes, without them; nil if no quote begins here, or if the text does not end.
  mutating func quoted() -> String? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    var text: [UInt8] = []
    while let byte = next {
      if take(UInt8(ascii: "\"")) { return String(decoding: text, as: UTF8.self) }
      guard take(UInt8(ascii: "\\")) else {
        text.append(byte)
        position += 1
        continue
      }
      guard let escaped = next else { return nil }
      text.append(escaped)
      position += 1
    }
    return nil
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == 0x09 }
}
