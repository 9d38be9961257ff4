internal import SignetBase

/// A pattern for files below a spec's folder, such as `Classes/**/*.{h,m}`.
///
/// `*` stands for any characters in one name, `?` for one, `**` as a whole name for any number of names, and `{h,m}`
/// for one of the texts. A pattern is for files: that of everything in a folder ends in `/**`. Names that begin with a
/// dot are never those of source files (docs/spec.md).
public struct SourcePattern: Hashable, Sendable, CustomStringConvertible {
  /// The pattern's text.
  public let description: String
  /// Each pattern without braces.
  let alternatives: [[Part]]

  /// A name of a pattern without braces.
  enum Part: Sendable {
    /// `**`.
    case anyNames
    case name(NamePattern)
  }

  /// What a pattern must be, for messages.
  static let meaning =
    "a relative path of at most 1024 bytes, without empty names, . and .., with *, ?, ** as a whole name, and {a,b}"
  private static let lengthLimit = 1024
  /// The most patterns that braces may make of one. Each is compared with the name of each file.
  private static let alternativeLimit = 16
  private static let anyNames: [Unicode.Scalar] = ["*", "*"]

  /// Reads a pattern; nil if the text is not one.
  public init?(_ text: String) {
    let isShown = { (scalar: Unicode.Scalar) in scalar.isVisible || scalar == " " }
    guard (1...Self.lengthLimit).contains(text.utf8.count), text.unicodeScalars.allSatisfy(isShown),
      !text.unicodeScalars.contains(where: { "[]\\".unicodeScalars.contains($0) }),
      let texts = Self.expanded(Array(text.unicodeScalars))
    else { return nil }
    var alternatives: [[Part]] = []
    for text in texts {
      guard let names = Self.names(of: text) else { return nil }
      // Two stars in a part of a name mean different things to different tools.
      guard names.allSatisfy({ $0 == Self.anyNames || !Self.hasTwoStars($0) }) else { return nil }
      alternatives.append(names.map { $0 == Self.anyNames ? .anyNames : .name(NamePattern($0)) })
    }
    description = text
    self.alternatives = alternatives
  }

  /// Patterns are equal if their bytes are.
  public static func == (left: SourcePattern, right: SourcePattern) -> Bool {
    left.description.isExactly(right.description)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(Array(description.utf8)) }

  /// Whether the pattern is for a file, by its path from the spec's folder.
  public func covers(_ path: String) -> Bool {
    guard let names = Self.names(of: path) else { return false }
    var isCovered = [false]
    // A path of any length is compared to the end.
    var budget = MatchBudget(Int.max)
    try? FileTree([names]).match(self, &isCovered, &budget)
    return isCovered[0]
  }

  /// The names between the slashes of a relative path; nil if the text is not a relative path.
  static func names(of path: String) -> [[Unicode.Scalar]]? { names(of: Array(path.unicodeScalars)) }

  private static func names(of path: [Unicode.Scalar]) -> [[Unicode.Scalar]]? {
    let names = path.split(separator: "/", omittingEmptySubsequences: false).map(Array.init)
    return names.contains { $0.isEmpty || $0 == ["."] || $0 == [".", "."] } ? nil : names
  }

  private static func hasTwoStars(_ name: [Unicode.Scalar]) -> Bool {
    zip(name, name.dropFirst()).contains { $0 == "*" && $1 == "*" }
  }

  /// The patterns without braces that a pattern stands for; nil if braces are open, nested, or make too many.
  private static func expanded(_ text: [Unicode.Scalar]) -> [[Unicode.Scalar]]? {
    guard let open = text.firstIndex(where: { $0 == "{" || $0 == "}" }) else { return [text] }
    guard text[open] == "{", let close = text[open...].firstIndex(of: "}"),
      !text[(open + 1)..<close].contains("{"), let rests = expanded(Array(text[(close + 1)...]))
    else { return nil }
    let choices = text[(open + 1)..<close].split(separator: ",", omittingEmptySubsequences: false)
    guard choices.count * rests.count <= alternativeLimit else { return nil }
    return choices.flatMap { choice in rests.map { Array(text[..<open]) + choice + $0 } }
  }
}
