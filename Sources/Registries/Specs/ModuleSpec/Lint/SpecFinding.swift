/// What is wrong with a spec.
public struct SpecFinding: Sendable {
  /// How grave a finding is.
  public enum Level: String, Sendable {
    /// The spec is refused.
    case error
    /// The spec is refused unless warnings are allowed.
    case warning
  }

  /// The rule's identifier.
  public let rule: String
  /// How grave it is.
  public let level: Level
  /// The field of the spec, such as `source.tag`.
  public let field: String
  /// What is wrong: lower case, without a period at the end.
  public let message: String
  /// What would have been right.
  public let expected: String?
  /// What was found.
  public let found: String?
  /// What to do next.
  public let hint: String
}

/// What one rule has found.
package struct SpecFindings: Sendable {
  private let rule: SpecRuleDescription
  /// The findings, in the order in which they were noted.
  package private(set) var all: [SpecFinding] = []

  init(_ rule: SpecRuleDescription) { self.rule = rule }

  /// Notes what is wrong.
  ///
  /// - Parameters:
  ///   - field: the field of the spec.
  ///   - message: what is wrong, lower case and without a period. It never contains a secret.
  ///   - expected: what would have been right. Each finding has this, or what was found.
  ///   - hint: what to do next.
  package mutating func note(
    _ field: String, _ message: String, expected: String? = nil, found: String? = nil, hint: String
  ) {
    all.append(
      SpecFinding(
        rule: rule.id, level: rule.level, field: field, message: message, expected: expected, found: found,
        hint: hint))
  }
}
