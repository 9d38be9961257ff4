/// Scans one JSON number (RFC 8259, section 6).
struct JSONNumberScanner {
  enum Result {
    case number(JSONValue.Content)
    case outOfBounds
    case malformed
  }

  private let bytes: [UInt8]
  private let start: Int
  private(set) var position: Int
  /// No honest number is longer: 2^64 has 20 digits, a double's exact text 24 characters.
  private static let longest = 40
  /// What every reader holds exactly.
  static let range = -(Int64(1) << 53 - 1)...(Int64(1) << 53 - 1)

  init(_ bytes: [UInt8], _ position: Int) {
    self.bytes = bytes
    start = position
    self.position = position
  }

  /// The number that begins at the position.
  mutating func scan() -> Result {
    var isWhole = true
    take("-")
    if !take("0") {
      guard digits() > 0 else { return .malformed }
    }
    if take(".") {
      isWhole = false
      guard digits() > 0 else { return .malformed }
    }
    if take("e") || take("E") {
      isWhole = false
      if !take("+") { take("-") }
      guard digits() > 0 else { return .malformed }
    }
    guard position - start <= Self.longest else { return .outOfBounds }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    // "-0" is a number JSON allows and integers lack.
    guard isWhole, text != "-0" else { return .number(.decimal(text)) }
    guard let number = Int64(text), Self.range.contains(number) else { return .outOfBounds }
    return .number(.integer(number))
  }

  private mutating func digits() -> Int {
    let first = position
    while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) { position += 1 }
    return position - first
  }

  @discardableResult
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }
}
