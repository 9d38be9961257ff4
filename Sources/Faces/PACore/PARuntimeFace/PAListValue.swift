internal import PropertyLists
internal import SignetBase

/// A store's list as one kind of value, whatever its format.
enum PAListValue {
  /// The nesting that is read: a list, its items, and what unknown keys may have.
  private static let depthLimit = 16
  /// How many values are read: a thousand items with some twenty values each.
  private static let valueLimit = 20_000

  /// Reads an XML or binary property list, or a JSON text.
  ///
  /// - Throws: `json.…` for a JSON text that is not one; `json.syntax` for a property list that is not one.
  static func value(of bytes: [UInt8]) throws(SignetError) -> JSONValue {
    switch bytes.first {
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      try JSONReader.read(
        bytes, limits: JSONLimits(size: PAStoreList.sizeLimit, depth: depthLimit, values: valueLimit))
    default: try PropertyList(bytes, limits: .init(depth: depthLimit, values: valueLimit)).json
    }
  }
}

extension PropertyList {
  /// The same value in JSON. Dates and data become null, because no key that means something here has one.
  fileprivate var json: JSONValue {
    switch self {
    case .string(let text): .string(text)
    case .boolean(let flag): JSONValue(.bool(flag))
    // Larger numbers are not the same in every reader.
    case .integer(let number): JSONValue(number.magnitude < 1 << 53 ? .integer(Int64(number)) : .decimal("\(number)"))
    case .real(let number): JSONValue(.decimal("\(number)"))
    case .data, .date, .other: JSONValue(.null)
    case .array(let values): .array(values.map(\.json))
    case .dictionary(let values): JSONValue(.object(values.map { .init($0.key, $0.value.json) }))
    }
  }
}
