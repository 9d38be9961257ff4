/// A strict reader of JSON (RFC 8259).
///
/// The text must be UTF-8 without a byte-order mark. No name may occur twice in an object, and nothing may follow the
/// value. Size, depth, and the number of values and digits are bounded. Every error gives line and column, except for
/// a text that is too long.
public struct JSONReader {
  private static let fewNames = 16

  private let bytes: [UInt8]
  private let limits: JSONLimits
  private var position = 0
  private var values = 0

  /// Reads the one value of a text.
  ///
  /// - Throws: `json.syntax`, `json.encoding`, `json.duplicate-name`, `json.number`, `json.bounds`; the object is the
  ///   line and column, except for a text that is too long.
  public static func read(_ bytes: [UInt8], limits: JSONLimits) throws(SignetError) -> JSONValue {
    guard bytes.count <= limits.size else {
      throw SignetError(
        .jsonBounds, "JSON", "is too long", expected: "at most \(limits.size) bytes", found: "\(bytes.count) bytes")
    }
    if let fault = UTF8Check.firstFault(in: bytes) {
      throw SignetError(.jsonEncoding, place(fault, in: bytes), "is not valid UTF-8")
    }
    guard !bytes.starts(with: [0xef, 0xbb, 0xbf]) else {
      throw SignetError(.jsonEncoding, "line 1, column 1", "begins with a byte-order mark")
    }
    guard !bytes.starts(with: "-----BEGIN ".utf8) else {
      throw SignetError(
        .jsonSyntax, "line 1, column 1", "is PEM, and not JSON", expected: values, found: "-----BEGIN",
        hint: "give a key or a certificate with the option for it, such as --key or --anchor")
    }
    var reader = JSONReader(bytes: bytes, limits: limits)
    reader.skipSpace()
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.position == bytes.count else {
      throw reader.unexpected("something follows the value", expected: "the end of the text")
    }
    return value
  }

  private init(bytes: [UInt8], limits: JSONLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  private mutating func value(depth: Int) throws(SignetError) -> JSONValue {
    values += 1
    guard values <= limits.values else {
      throw fault(.jsonBounds, "is one value too many", expected: "at most \(limits.values)")
    }
    let start = position
    switch peek {
    case UInt8(ascii: "{"): return JSONValue(.object(try object(depth: depth + 1)), at: start)
    case UInt8(ascii: "["): return JSONValue(.array(try array(depth: depth + 1)), at: start)
    case UInt8(ascii: "\""): return JSONValue(.string(try string()), at: start)
    case UInt8(ascii: "-")?, (UInt8(ascii: "0")...UInt8(ascii: "9"))?: return JSONValue(try number(), at: start)
    case UInt8(ascii: "t"): return JSONValue(try word("true", .bool(true)), at: start)
    case UInt8(ascii: "f"): return JSONValue(try word("false", .bool(false)), at: start)
    case UInt8(ascii: "n"): return JSONValue(try word("null", .null), at: start)
    case nil: throw unexpected("ends where a value is expected", expected: Self.values)
    default: throw unexpected("is not a value of JSON", expected: Self.values)
    }
  }

  private mutating func object(depth: Int) throws(SignetError) -> [JSONValue.Member] {
    try enter(depth)
    var members: [JSONValue.Member] = []
    var names = Set<[UInt8]>()
    var isAscending = true
    /// Whether the name has not occurred before.
    func isNew(_ name: String) -> Bool {
      // In a text that was written in order, no name need be remembered.
      if isAscending {
        guard let last = members.last, !last.name.precedesInBytes(name) else { return true }
        isAscending = false
      }
      // A few names are compared one by one; nearly every object has only a few.
      guard members.count >= Self.fewNames else { return !members.contains { $0.name.isExactly(name) } }
      if names.isEmpty { names = Set(members.map { Array($0.name.utf8) }) }
      return names.insert(Array(name.utf8)).inserted
    }
    if take(UInt8(ascii: "}")) { return members }
    repeat {
      skipSpace()
      let start = position
      guard peek == UInt8(ascii: "\"") else {
        throw unexpected("is not the name of a field", expected: "a name in double quotes")
      }
      let name = try string()
      guard isNew(name) else {
        throw fault(.jsonDuplicateName, "a name occurs twice in one object", at: start)
      }
      skipSpace()
      guard take(UInt8(ascii: ":")) else {
        throw unexpected("a colon is missing after a name", expected: "a colon, and a value")
      }
      skipSpace()
      members.append(JSONValue.Member(name, try value(depth: depth)))
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else {
      throw unexpected("an object is not closed here", expected: "} or a comma")
    }
    return members
  }

  private mutating func array(depth: Int) throws(SignetError) -> [JSONValue] {
    try enter(depth)
    var elements: [JSONValue] = []
    if take(UInt8(ascii: "]")) { return elements }
    repeat {
      skipSpace()
      elements.append(try value(depth: depth))
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else {
      throw unexpected("a list is not closed here", expected: "] or a comma")
    }
    return elements
  }

  private mutating func enter(_ depth: Int) throws(SignetError) {
    guard depth <= limits.depth else {
      throw fault(
        .jsonBounds, "is nested too deep", expected: "at most \(limits.depth) lists and objects, one in another")
    }
    position += 1
    skipSpace()
  }

  private mutating func word(_ word: String, _ content: JSONValue.Content) throws(SignetError) -> JSONValue.Content {
    guard bytes[position...].starts(with: word.utf8) else {
      throw unexpected("is not a value of JSON", expected: Self.values)
    }
    position += word.utf8.count
    return content
  }

  private mutating func string() throws(SignetError) -> String {
    var scanner = JSONStringScanner(bytes, position)
    do throws(JSONStringScanner.Fault) {
      let text = try scanner.scan()
      position = scanner.position
      return text
    } catch {
      throw fault(.jsonSyntax, error.message, at: error.position)
    }
  }

  private mutating func number() throws(SignetError) -> JSONValue.Content {
    let start = position
    var scanner = JSONNumberScanner(bytes, position)
    let result = scanner.scan()
    position = scanner.position
    switch result {
    case .number(let content): return content
    case .malformed: throw unexpected("is not a number of JSON", expected: "a number such as -12.5e3")
    case .outOfBounds: throw fault(.jsonNumber, "is a number beyond 2^53-1, or of more than 40 characters", at: start)
    }
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
  }

  private func fault(
    _ code: SignetError.Code, _ message: String, at offset: Int? = nil, expected: String? = nil, found: String? = nil
  ) -> SignetError {
    SignetError(code, Self.place(offset ?? position, in: bytes), message, expected: expected, found: found)
  }

  /// The error for what stands at the position. It shows one character of the text, which may be a secret.
  private func unexpected(_ message: String, expected: String) -> SignetError {
    let found =
      switch peek {
      case nil: "the end of the text"
      case let byte? where (0x21...0x7e).contains(byte): String(UnicodeScalar(byte))
      case let byte?: "the byte 0x" + String(byte, radix: 16)
      }
    return fault(.jsonSyntax, message, expected: expected, found: found)
  }

  private static let values = "a list, an object, a text, a number, true, false or null"

  /// "line L, column C" of a byte, both counted from 1; columns count characters.
  static func place(_ offset: Int, in bytes: [UInt8]) -> String {
    let before = bytes[..<min(offset, bytes.count)]
    let line = before.reduce(1) { $1 == 0x0a ? $0 + 1 : $0 }
    let start = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
    let column = before[start...].reduce(1) { $1 & 0xc0 == 0x80 ? $0 : $0 + 1 }
    return "line \(line), column \(column)"
  }
}

/// Limits on the JSON that is read; more is refused.
public struct JSONLimits: Sendable {
  /// The maximum length of the text in bytes.
  public var size: Int
  /// The maximum nesting depth of lists and objects.
  public var depth: Int
  /// The maximum total number of values, so that memory stays in proportion.
  ///
  /// In `[[],[],…]` a value takes 3 bytes of text and 40 bytes of memory.
  public var values: Int

  /// The limits of a payload: 8 MiB (docs/format.md, section 2).
  ///
  /// A statement nests 5 deep, and other people's predicates a little deeper. It may have 20,000 entries of 6 fields
  /// each; the limits leave room for more.
  public static let payload = JSONLimits(size: 8 << 20, depth: 32, values: 200_000)
  /// The limits of a bundle: a payload of 8 MiB in base64, and 1 MiB for certificates, timestamps and log entries.
  public static let bundle = JSONLimits(size: 12 << 20, depth: 16, values: 10_000)

  /// The limits of a trust policy.
  ///
  /// There is room for more than 100 entries with a few certificates of 2 KiB each, revocation lists of some 100 KiB,
  /// and 1000 revocations.
  public static let policy = JSONLimits(size: 8 << 20, depth: 16, values: 20_000)

  /// The limits of a module's description: a thousand routes of a hundred bytes, as many actions, and room for more.
  ///
  /// The description is part of a payload, so its size is small compared with a payload's.
  public static let moduleDescription = JSONLimits(size: 1 << 20, depth: 8, values: 200_000)

  /// Creates limits of the caller's choice.
  public init(size: Int, depth: Int, values: Int) {
    self.size = size
    self.depth = depth
    self.values = values
  }
}
