/// Versions between two bounds, such as `>=1.2.0 <1.4.3`: comparators that all must hold, separated by single spaces.
///
/// The operators are `<`, `<=`, `>`, `>=` and `=`. Pre-releases are ordinary versions here: revoking `<1.4.3` revokes
/// `1.4.3-beta` too.
public struct VersionRange: Hashable, Sendable, CustomStringConvertible {
  /// The range's text.
  public let description: String
  private let comparators: [Comparator]

  private struct Comparator: Hashable, Sendable {
    let sign: Sign
    let version: SemanticVersion
  }

  private enum Sign: String, CaseIterable {
    // Longer ones first: "<=" begins with "<".
    case atMost = "<="
    case atLeast = ">="
    case below = "<"
    case above = ">"
    case exactly = "="
  }

  private static let comparatorLimit = 8

  /// Reads a range; nil when it is none.
  public init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count <= Self.comparatorLimit else { return nil }
    var comparators: [Comparator] = []
    for part in parts {
      guard let sign = Sign.allCases.first(where: { part.utf8.starts(with: $0.rawValue.utf8) }),
        let version = SemanticVersion(String(part.dropFirst(sign.rawValue.count)))
      else { return nil }
      comparators.append(Comparator(sign: sign, version: version))
    }
    description = text
    self.comparators = comparators
  }

  /// Whether a version lies in the range.
  public func contains(_ version: SemanticVersion) -> Bool {
    comparators.allSatisfy { comparator in
      switch comparator.sign {
      case .atMost: version <= comparator.version
      case .atLeast: version >= comparator.version
      case .below: version < comparator.version
      case .above: version > comparator.version
      case .exactly: version == comparator.version
      }
    }
  }
}
