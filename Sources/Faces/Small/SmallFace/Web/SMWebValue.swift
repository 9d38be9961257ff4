/// A value that a page of the web and the host pass to each other, as in JSON.
public enum SMWebValue: Sendable, Hashable {
  /// No value.
  case null
  /// True or false.
  case bool(Bool)
  /// A number, as pages have them.
  case number(Double)
  /// A text.
  case text(String)
  /// A list.
  case list([SMWebValue])
  /// Values by their names.
  case object([String: SMWebValue])

  /// The text; nil for any other value.
  public var text: String? { if case .text(let text) = self { text } else { nil } }
  /// The number; nil for any other value.
  public var number: Double? { if case .number(let number) = self { number } else { nil } }
  /// The Boolean; nil for any other value.
  public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
  /// The list; nil for any other value.
  public var list: [SMWebValue]? { if case .list(let list) = self { list } else { nil } }
  /// The values by their names; nil for any other value.
  public var object: [String: SMWebValue]? { if case .object(let object) = self { object } else { nil } }

  /// The value as JSON that is also a script: nothing in it ends a text or an element of a page. Numbers that JSON does
  /// not have are `null`.
  public var json: String {
    switch self {
    case .null: "null"
    case .bool(let bool): bool ? "true" : "false"
    case .number(let number): Self.json(number)
    case .text(let text): Self.json(text)
    case .list(let list): "[" + list.map(\.json).joined(separator: ",") + "]"
    case .object(let object):
      "{" + object.sorted { $0.key < $1.key }.map { Self.json($0.key) + ":" + $0.value.json }.joined(separator: ",")
        + "}"
    }
  }

  private static func json(_ number: Double) -> String {
    guard number.isFinite else { return "null" }
    // Greater whole numbers are not exact, and some readers refuse them as such.
    let isExact = number.magnitude < 9_007_199_254_740_992
    return isExact ? Int64(exactly: number).map { "\($0)" } ?? "\(number)" : "\(number)"
  }

  private static func json(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      // A script in a page must not end its element, and older engines end a text at these two separators.
      case "<", "\u{2028}", "\u{2029}", "\0"..<" ", "\u{7f}": result += escape(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}

extension SMWebValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A text.
  public init(stringLiteral text: String) { self = .text(text) }
  /// A number.
  public init(integerLiteral number: Int) { self = .number(Double(number)) }
  /// A number.
  public init(floatLiteral number: Double) { self = .number(number) }
  /// A Boolean.
  public init(booleanLiteral bool: Bool) { self = .bool(bool) }
  /// No value.
  public init(nilLiteral: ()) { self = .null }
  /// A list.
  public init(arrayLiteral list: SMWebValue...) { self = .list(list) }
  /// Values by their names. If a name occurs twice, its last value counts.
  public init(dictionaryLiteral values: (String, SMWebValue)...) {
    self = .object(Dictionary(values) { $1 })
  }
}
