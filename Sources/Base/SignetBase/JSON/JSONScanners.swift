/// Scans one JSON string (RFC 8259, section 7) in bytes that are known to be UTF-8.
struct JSONStringScanner {
  struct Fault: Error {
    let message: String
    let position: Int
  }

  private let bytes: [UInt8]
  private(set) var position: Int

  init(_ bytes: [UInt8], _ position: Int) {
    self.bytes = bytes
    self.position = position
  }

  /// Scans the string that begins with the quotation mark at the position.
  mutating func scan() throws(Fault) -> String {
    position += 1
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\""), bytes[position] != UInt8(ascii: "\\"),
      bytes[position] >= 0x20
    { position += 1 }
    // Nearly every string is plain, and payloads are long: a plain string is taken as one piece.
    if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
      position += 1
      return String(decoding: bytes[start..<position - 1], as: UTF8.self)
    }
    var text = Array(bytes[start..<position])
    while true {
      guard position < bytes.count else { throw Fault(message: "a text is not closed", position: start - 1) }
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text += try escape()
      case ..<0x20: throw Fault(message: "a control character stands in a text", position: position)
      default:
        text.append(byte)
        position += 1
      }
    }
  }

  private mutating func escape() throws(Fault) -> [UInt8] {
    let start = position
    guard position + 1 < bytes.count else { throw Fault(message: "a text is not closed", position: start) }
    let letter = bytes[position + 1]
    position += 2
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0c]
    case UInt8(ascii: "n"): return [0x0a]
    case UInt8(ascii: "r"): return [0x0d]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      guard let unit = hexadecimal() else { throw Fault(message: "is not a proper \\u escape", position: start) }
      guard let scalar = scalar(beginningWith: unit) else {
        throw Fault(message: "is half of a surrogate pair", position: start)
      }
      return Array(String(scalar).utf8)
    default: throw Fault(message: "is not an escape JSON knows", position: start)
    }
  }

  private mutating func scalar(beginningWith unit: UInt32) -> Unicode.Scalar? {
    guard (0xd800..<0xdc00).contains(unit) else { return Unicode.Scalar(unit) }
    guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u")
    else { return nil }
    position += 2
    guard let low = hexadecimal(), (0xdc00..<0xe000).contains(low) else { return nil }
    return Unicode.Scalar(0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00))
  }

  private mutating func hexadecimal() -> UInt32? {
    guard position + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    position += 4
    return value
  }
}

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
  /// The maximum length in characters. No honest number is longer: 2^64 has 20 digits, and a double's exact text has
  /// 24 characters.
  private static let longest = 40
  /// The whole numbers that every reader holds exactly.
  static let range = -(Int64(1) << 53 - 1)...(Int64(1) << 53 - 1)

  init(_ bytes: [UInt8], _ position: Int) {
    self.bytes = bytes
    start = position
    self.position = position
  }

  /// Scans the number that begins at the position.
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
    // JSON allows "-0", but integers cannot hold it.
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
