internal import SignetBase
public import SignetNames

/// The versions of a module that a line of a Modfile accepts: comparators that must all hold, such as `~> 1.0.1`.
public struct VersionRequirement: Hashable, Sendable, CustomStringConvertible {
  /// The comparators as they stand in the Modfile; empty for any version.
  public let comparators: [String]
  /// The same as a range; nil for any version.
  public let range: VersionRange?
  /// Whether a comparator has a pre-release. Only then may one be chosen.
  public let asksForPrereleases: Bool

  /// Any version, but no pre-release.
  public static let any = VersionRequirement()

  /// The most comparators of a requirement: a lower and an upper bound, and two to spare.
  public static let comparatorLimit = 4

  private init() {
    comparators = []
    range = nil
    asksForPrereleases = false
  }

  /// Reads comparators.
  ///
  /// - Returns: nil for an empty list, for more comparators than the limit, and for a text that is not a comparator.
  public init?(_ comparators: [String]) {
    guard (1...Self.comparatorLimit).contains(comparators.count) else { return nil }
    var parts: [String] = []
    var asks = false
    for text in comparators {
      guard let comparator = Comparator(text) else { return nil }
      parts += comparator.parts
      asks = asks || comparator.hasPrerelease
    }
    guard let range = VersionRange(parts.joined(separator: " ")) else { return nil }
    self.comparators = comparators
    self.range = range
    asksForPrereleases = asks
  }

  /// The comparators, or `any version`.
  public var description: String { comparators.isEmpty ? "any version" : comparators.joined(separator: ", ") }

  /// Whether the comparators contradict each other, so that no version meets them.
  public var isEmpty: Bool { range?.isEmpty ?? false }

  /// Whether a version meets all comparators. Pre-releases count as ordinary versions here.
  public func contains(_ version: SemanticVersion) -> Bool { range?.contains(version) ?? true }

  /// Requirements are equal if their bytes are.
  public static func == (left: VersionRequirement, right: VersionRequirement) -> Bool {
    left.comparators.count == right.comparators.count
      && zip(left.comparators, right.comparators).allSatisfy { $0.isExactly($1) }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(comparators) }
}

/// One comparator of a Modfile, and what it is as comparators of a ``VersionRange``.
private struct Comparator {
  let parts: [String]
  let hasPrerelease: Bool

  // Longer operators come first, because ">=" begins with ">".
  private static let signs = ["~>", ">=", "<=", ">", "<", "="]

  /// Reads a comparator: a sign, a space or none, and a version of one to three numbers. A version alone
  /// means that version.
  init?(_ text: String) {
    let sign = Self.signs.first { text.utf8.starts(with: $0.utf8) }
    var rest = text.utf8[...]
    if let sign {
      rest = rest.dropFirst(sign.utf8.count)
      if rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
    }
    let written = String(decoding: rest, as: UTF8.self)
    guard let version = Self.full(written) else { return nil }
    hasPrerelease = written.utf8.contains(UInt8(ascii: "-"))
    guard sign == "~>" else {
      parts = ["\(sign ?? "=")\(version)"]
      return
    }
    guard let end = Self.end(written) else { return nil }
    parts = [">=\(version)", "<\(end)"]
  }

  /// A version with all three numbers. Build metadata would be ignored (Semantic Versioning, item 10), so it is
  /// refused. A pre-release belongs to a version with all numbers.
  private static func full(_ text: String) -> String? {
    guard !text.utf8.contains(UInt8(ascii: "+")) else { return nil }
    let missing = 3 - numbers(text).count
    guard missing >= 0, missing == 0 || !text.utf8.contains(UInt8(ascii: "-")) else { return nil }
    let whole = text + String(repeating: ".0", count: missing)
    return SemanticVersion(whole) == nil ? nil : whole
  }

  /// The lowest version that `~>` leaves out: the last number but one is greater by one, or the only one. `-0` is the
  /// lowest pre-release of all, so that the pre-releases of the next version are left out as well.
  private static func end(_ text: String) -> String? {
    var numbers = numbers(text).compactMap { UInt64($0) }
    if numbers.count > 1 { numbers.removeLast() }
    let (next, overflows) = numbers[numbers.count - 1].addingReportingOverflow(1)
    guard !overflows else { return nil }
    numbers[numbers.count - 1] = next
    while numbers.count < 3 { numbers.append(0) }
    return numbers.map(String.init).joined(separator: ".") + "-0"
  }

  /// The numbers in front of a pre-release.
  private static func numbers(_ text: String) -> [String] {
    text.utf8.prefix { $0 != UInt8(ascii: "-") }
      .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
