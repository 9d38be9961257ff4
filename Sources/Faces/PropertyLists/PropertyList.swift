#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A value of a property list.
package enum PropertyList: Sendable {
  /// A text.
  case string(String)
  /// `true` or `false`.
  case boolean(Bool)
  /// A whole number.
  case integer(Int)
  /// Any other number.
  case real(Double)
  /// Bytes.
  case data([UInt8])
  /// A time, in seconds since 1970.
  case date(Double)
  /// A list.
  case array([PropertyList])
  /// Values by name.
  case dictionary([String: PropertyList])
  /// What only archives of objects have.
  case other

  /// The value as code that does not know property lists takes it: a text, a Boolean, a number, bytes, a `Date`, or a
  /// list or dictionary of these. nil for what only archives of objects have.
  package var sendable: (any Sendable)? {
    switch self {
    case .string(let text): text
    case .boolean(let flag): flag
    case .integer(let number): number
    case .real(let number): number
    case .data(let bytes): bytes
    case .date(let seconds): Date(timeIntervalSince1970: seconds)
    case .array(let values): values.compactMap(\.sendable)
    case .dictionary(let values): values.compactMapValues(\.sendable)
    case .other: nil
    }
  }

  /// The kind of the value, for messages.
  package var kind: String {
    switch self {
    case .string: "a text"
    case .boolean: "a Boolean"
    case .integer, .real: "a number"
    case .data: "data"
    case .date: "a date"
    case .array: "a list"
    case .dictionary: "a dictionary"
    case .other: "an object of an archive"
    }
  }
}
