internal import SignetBase

/// The external parameters that a build must have been given. It may have others.
struct ParametersDemand: Sendable {
  private let demanded: JSONValue

  init(_ demanded: JSONValue) { self.demanded = demanded }

  /// Says which parameters differ.
  func objections(to parameters: JSONObject) -> [AttestationObjection] {
    Self.objections(demanded, parameters.value, parameters.path)
  }

  /// Goes down with the policy's value, which nests as deep as the limits for policies allow.
  private static func objections(
    _ demanded: JSONValue, _ found: JSONValue?, _ place: String
  ) -> [AttestationObjection] {
    switch (demanded.content, found?.content) {
    case (.object(let members), .object?):
      return members.flatMap { objections($0.value, found?.member([$0.name]), "\(place).\($0.name)") }
    case (.array(let elements), .array(let others)?) where elements.count == others.count:
      return zip(elements, others).enumerated().flatMap { objections($1.0, $1.1, "\(place)[\($0)]") }
    case (.string(let text), .string(let other)?) where text.isExactly(other): return []
    case (.decimal(let number), .decimal(let other)?) where number.isExactly(other): return []
    case (.integer(let number), .integer(let other)?) where number == other: return []
    case (.bool(let truth), .bool(let other)?) where truth == other: return []
    case (.null, .null?): return []
    default:
      return [
        AttestationObjection(
          "was built with other parameters", place: place, expected: demanded.shown, found: found?.shown ?? "none",
          hint: "release what was built with the demanded parameters")
      ]
    }
  }
}

extension JSONValue {
  /// The value of a field, a field of that field, and so on; nil if a field is missing.
  func member(_ names: [String]) -> JSONValue? {
    var value = self
    for name in names {
      guard case .object(let members) = value.content,
        let next = members.first(where: { $0.name.isExactly(name) })?.value
      else { return nil }
      value = next
    }
    return value
  }

  /// The text; nil for anything else.
  var text: String? { if case .string(let text) = content { text } else { nil } }

  /// The value in a message.
  fileprivate var shown: String {
    switch content {
    case .string(let text): text
    case .decimal(let number): number
    case .integer(let number): "\(number)"
    case .bool(let truth): "\(truth)"
    case .null, .array, .object: kind
    }
  }
}

extension JSONObject {
  /// Takes a field that other programs may leave out or set to null, which means the same.
  mutating func present(_ name: String) -> JSONValue? {
    guard let value = optional(name) else { return nil }
    if case .null = value.content { return nil }
    return value
  }
}
