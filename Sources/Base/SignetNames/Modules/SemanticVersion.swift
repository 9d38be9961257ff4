/// A version in the form of Semantic Versioning 2.0.0 (semver.org), for people and for ranges.
///
/// Sequences, not versions, order releases.
public struct SemanticVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The version's text.
  public let description: String
  private let core: Core
  private let prerelease: [Identifier]

  /// The three numbers, without an array: indexes of registries have some million versions.
  private struct Core: Hashable, Comparable {
    let major: UInt64
    let minor: UInt64
    let patch: UInt64

    static func < (left: Core, right: Core) -> Bool {
      (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }
  }

  private enum Identifier: Hashable, Comparable {
    // Item 11: numbers come before texts, and are compared numerically.
    case number(UInt64)
    case text(String)
  }

  private static let lengthLimit = 255

  /// Whether the version precedes a release, as `1.0.0-beta` does (item 9).
  public var isPrerelease: Bool { !prerelease.isEmpty }

  /// The comparator of a Modfile for this version and later ones that promise to work like it: those of the same major
  /// version, or of the same minor version before 1.0 (item 4). Only a pre-release that is named is chosen.
  package var compatibleVersions: String {
    let text = description.split(separator: "+", omittingEmptySubsequences: false)[0]
    if isPrerelease { return ">= \(text)" }
    return core.major == 0 ? "~> \(text)" : "~> \(core.major).\(core.minor)"
  }

  /// Reads a version; nil if the text is not one.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.lengthLimit, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let (rest, build) = Self.cut(text[...], at: "+")
    let (core, prerelease) = Self.cut(rest, at: "-")
    let numbers = core.split(separator: ".", omittingEmptySubsequences: false)
    guard numbers.count == 3, let major = Self.number(numbers[0]), let minor = Self.number(numbers[1]),
      let patch = Self.number(numbers[2])
    else { return nil }
    if let build, !Self.parts(build).allSatisfy({ Self.isIdentifier($0) }) { return nil }
    var identifiers: [Identifier] = []
    for part in prerelease.map({ Self.parts($0) }) ?? [] {
      guard Self.isIdentifier(part) else { return nil }
      if part.utf8.allSatisfy({ Self.isDigit($0) }) {
        guard let number = Self.number(part) else { return nil }
        identifiers.append(.number(number))
      } else {
        identifiers.append(.text(String(part)))
      }
    }
    description = text
    self.core = Core(major: major, minor: minor, patch: patch)
    self.prerelease = identifiers
  }

  /// Precedence (item 11): build metadata is ignored, and a pre-release precedes its release.
  public static func < (left: SemanticVersion, right: SemanticVersion) -> Bool {
    if left.core != right.core { return left.core < right.core }
    if left.prerelease.isEmpty || right.prerelease.isEmpty {
      return !left.prerelease.isEmpty && right.prerelease.isEmpty
    }
    return left.prerelease.lexicographicallyPrecedes(right.prerelease)
  }

  /// Versions of equal precedence are equal.
  public static func == (left: SemanticVersion, right: SemanticVersion) -> Bool {
    left.core == right.core && left.prerelease == right.prerelease
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(core)
    hasher.combine(prerelease)
  }

  private static func cut(_ text: Substring, at mark: Character) -> (Substring, Substring?) {
    guard let index = text.firstIndex(of: mark) else { return (text, nil) }
    return (text[..<index], text[text.index(after: index)...])
  }

  private static func parts(_ text: Substring) -> [Substring] {
    text.split(separator: ".", omittingEmptySubsequences: false)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func isIdentifier(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        isDigit(byte) || byte == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      }
  }

  /// Reads a decimal number without leading zeros.
  private static func number(_ text: Substring) -> UInt64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ isDigit($0) }), text == "0" || text.utf8.first != UInt8(ascii: "0")
    else { return nil }
    return UInt64(text)
  }
}

/// A range of versions, such as `>=1.2.0 <1.4.3`: comparators that must all hold, separated by single spaces.
///
/// The operators are `<`, `<=`, `>`, `>=` and `=`. Pre-releases are ordinary versions here: revoking `<1.4.3` also
/// revokes `1.4.3-beta`.
public struct VersionRange: Hashable, Sendable, CustomStringConvertible {
  /// The range's text.
  public let description: String
  private let comparators: [Comparator]

  private struct Comparator: Hashable, Sendable {
    let sign: Sign
    let version: SemanticVersion

    var isLowerBound: Bool { [.atLeast, .above, .exactly].contains(sign) }
    var isUpperBound: Bool { [.atMost, .below, .exactly].contains(sign) }
  }

  private enum Sign: String, CaseIterable {
    // Longer operators come first, because "<=" begins with "<".
    case atMost = "<="
    case atLeast = ">="
    case below = "<"
    case above = ">"
    case exactly = "="
  }

  private static let comparatorLimit = 8

  /// Reads a range; nil if the text is not one.
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

  /// Whether no version can be in the range, because a lower bound is above an upper one.
  package var isEmpty: Bool {
    comparators.contains { low in
      guard low.isLowerBound else { return false }
      return comparators.contains { high in
        guard high.isUpperBound else { return false }
        if high.version < low.version { return true }
        return high.version == low.version && (high.sign == .below || low.sign == .above)
      }
    }
  }

  /// Whether the range contains a version.
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
