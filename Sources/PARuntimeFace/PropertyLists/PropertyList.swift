internal import SignetBase

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A property list, XML or binary, or a JSON text, as one kind of value.
///
/// Dates and data become null, because no key that means something here has one.
struct PropertyList: Decodable {
  let value: JSONValue

  /// The nesting that is read: a list, its items, and what unknown keys may have.
  private static let depthLimit = 16
  /// How many values are read: a thousand items with some twenty values each. A binary list can name one value any
  /// number of times.
  private static let valueLimit = 20_000

  /// Reads a text or a binary list.
  ///
  /// - Throws: `json.…` for a JSON text that is not one; `json.syntax` for a property list that is not one.
  static func value(of bytes: [UInt8]) throws(SignetError) -> JSONValue {
    switch bytes.first {
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      return try JSONReader.read(
        bytes, limits: JSONLimits(size: PAStoreList.sizeLimit, depth: depthLimit, values: valueLimit))
    case UInt8(ascii: "<") where XMLNesting.isBounded(bytes, by: depthLimit * 2), UInt8(ascii: "b"):
      break
    default:
      throw SignetError(
        .jsonSyntax, "the list", "is neither a property list nor a JSON text",
        expected: "an XML or binary property list, or JSON")
    }
    let decoder = PropertyListDecoder()
    let count = Count()
    if let key = Count.key { decoder.userInfo[key] = count }
    do {
      return try decoder.decode(PropertyList.self, from: Data(bytes)).value
    } catch {
      throw (error as? SignetError)
        ?? SignetError(.jsonSyntax, "the list", "is not a property list", cause: error)
    }
  }

  /// How many values of a list were read.
  private final class Count: @unchecked Sendable {
    // Sendable: a decoder calls from one thread.
    static let key = CodingUserInfoKey(rawValue: "signet.values")
    var values = 0
  }

  init(from decoder: any Decoder) throws {
    let count = Count.key.flatMap { decoder.userInfo[$0] as? Count } ?? Count()
    count.values += 1
    guard decoder.codingPath.count <= Self.depthLimit, count.values <= Self.valueLimit else {
      throw SignetError(
        .jsonBounds, "the list", "has too many values, or they are nested too deep",
        expected: "at most \(Self.valueLimit) values, \(Self.depthLimit) deep")
    }
    if let members = try? decoder.container(keyedBy: Name.self) {
      value = JSONValue(
        .object(
          try members.allKeys.map { try .init($0.stringValue, members.decode(PropertyList.self, forKey: $0).value) }))
    } else if var elements = try? decoder.unkeyedContainer() {
      var values: [JSONValue] = []
      while !elements.isAtEnd { values.append(try elements.decode(PropertyList.self).value) }
      value = .array(values)
    } else {
      value = JSONValue(try Self.content(decoder.singleValueContainer()))
    }
  }

  private static func content(_ container: any SingleValueDecodingContainer) throws -> JSONValue.Content {
    if let text = try? container.decode(String.self) { return .string(text) }
    if let flag = try? container.decode(Bool.self) { return .bool(flag) }
    // Larger numbers are not the same in every reader.
    if let number = try? container.decode(Int64.self) {
      return number.magnitude < 1 << 53 ? .integer(number) : .decimal("\(number)")
    }
    if let number = try? container.decode(Double.self) { return .decimal("\(number)") }
    return .null
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
