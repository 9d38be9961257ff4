package import SignetBase

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PropertyList {
  /// How much of a list is read.
  package struct Limits: Sendable {
    /// The greatest depth of lists and dictionaries within each other.
    let depth: Int
    /// The greatest number of values. A binary list can name one value any number of times.
    let values: Int

    /// Makes limits.
    package init(depth: Int, values: Int) {
      self.depth = depth
      self.values = values
    }
  }

  /// Reads an XML or binary property list. White space and a byte order mark may come before XML.
  ///
  /// - Throws: `json.syntax` if the bytes are no property list; `json.bounds` if the list goes beyond the limits.
  package init(_ bytes: [UInt8], limits: Limits) throws(SignetError) {
    let start = Self.isBinary(bytes) ? bytes[...] : Self.xml(bytes)
    let isBounded =
      Self.isBinary(bytes)
      ? BinarySize.isBounded(bytes, by: limits) : XMLNesting.isBounded(Array(start), by: limits.depth * 2)
    guard isBounded else {
      throw SignetError(
        .jsonSyntax, "the list", "is not a property list", expected: "an XML or binary property list")
    }
    let decoder = PropertyListDecoder()
    if let key = ListReading.key { decoder.userInfo[key] = ListReading(limits) }
    do {
      self = try decoder.decode(Node.self, from: Data(start)).value
    } catch {
      throw (error as? SignetError)
        ?? SignetError(.jsonSyntax, "the list", "is not a property list", cause: error)
    }
  }

  private static func isBinary(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "bplist".utf8) }

  /// The text from its first mark on; nothing if something else comes before it.
  private static func xml(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    let text = bytes[...].trimming(prefix: [0xef, 0xbb, 0xbf]).drop { " \t\r\n".utf8.contains($0) }
    return text.first == UInt8(ascii: "<") ? text : []
  }
}

extension ArraySlice<UInt8> {
  fileprivate func trimming(prefix: [UInt8]) -> ArraySlice<UInt8> {
    starts(with: prefix) ? dropFirst(prefix.count) : self
  }
}

/// The reading of one list: its limits, and how much of it was read.
private final class ListReading: @unchecked Sendable {
  // Sendable: a decoder calls from one thread.
  static let key = CodingUserInfoKey(rawValue: "signet.reading")
  let limits: PropertyList.Limits
  private var values = 0

  init(_ limits: PropertyList.Limits) { self.limits = limits }

  /// Counts one value.
  func count(depth: Int) throws(SignetError) {
    values += 1
    guard depth <= limits.depth, values <= limits.values else {
      throw SignetError(
        .jsonBounds, "the list", "has too many values, or they are nested too deep",
        expected: "at most \(limits.values) values, \(limits.depth) deep")
    }
  }
}

/// One value, as Foundation's decoder reads it.
private struct Node: Decodable {
  let value: PropertyList

  init(from decoder: any Decoder) throws {
    guard let key = ListReading.key, let reading = decoder.userInfo[key] as? ListReading else {
      throw SignetError(.jsonBounds, "the list", "is read without limits")
    }
    try reading.count(depth: decoder.codingPath.count)
    if let members = try? decoder.container(keyedBy: Name.self) {
      var values: [String: PropertyList] = [:]
      for key in members.allKeys { values[key.stringValue] = try members.decode(Node.self, forKey: key).value }
      value = .dictionary(values)
    } else if var elements = try? decoder.unkeyedContainer() {
      var values: [PropertyList] = []
      while !elements.isAtEnd { values.append(try elements.decode(Node.self).value) }
      value = .array(values)
    } else {
      value = Self.single(try decoder.singleValueContainer())
    }
  }

  private static func single(_ container: any SingleValueDecodingContainer) -> PropertyList {
    if let text = try? container.decode(String.self) { return .string(text) }
    if let flag = try? container.decode(Bool.self) { return .boolean(flag) }
    if let number = try? container.decode(Int.self) { return .integer(number) }
    if let number = try? container.decode(Double.self) { return .real(number) }
    if let date = try? container.decode(Date.self) { return .date(date.timeIntervalSince1970) }
    if let data = try? container.decode(Data.self) { return .data(Array(data)) }
    return .other
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
