internal import SignetBase

/// A pattern of target paths: PATHPATTERN (specification, section 4.5), which is a pattern of glob(7) for each
/// component.
///
/// `*` stands for any characters, `?` for one, `[…]` for one of a set. None of them matches a slash, so a pattern
/// matches paths of its own depth alone. Case counts.
public struct TargetPattern: Sendable {
  /// The text of the pattern.
  public let text: String

  /// Creates a pattern; every text is one.
  public init(_ text: String) { self.text = text }

  /// Whether the pattern matches the path of a target.
  public func matches(_ path: TargetPath) -> Bool {
    // Most patterns of a long list are of another depth or begin otherwise.
    let depth = text.utf8.reduce(1) { $1 == UInt8(ascii: "/") ? $0 + 1 : $0 }
    guard depth == path.components.count else { return false }
    return zip(Self.components(text), path.components).allSatisfy { Self.pattern($0).covers($1) { $0.isFor($1) } }
  }

  static func components(_ text: String) -> [[Unicode.Scalar]] {
    text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map(Array.init)
  }

  /// Reads the pattern of one component.
  private static func pattern(_ text: [Unicode.Scalar]) -> StarPattern<Part> {
    var parts: [Part?] = []
    var at = 0
    // Behind a bracket that is not closed no other one is: each would be looked for to the end.
    var isOpen = false
    while at < text.count {
      if !isOpen, text[at] == "[" {
        if let set = CharacterSet(text, at) {
          parts.append(.oneOf(set))
          at = set.end
          continue
        }
        isOpen = true
      }
      parts.append(text[at] == "*" ? nil : text[at] == "?" ? .any : .itself(text[at]))
      at += 1
    }
    return StarPattern(parts)
  }

  /// What stands for one character.
  private enum Part: Sendable {
    case any
    case itself(Unicode.Scalar)
    case oneOf(CharacterSet)

    func isFor(_ character: Unicode.Scalar) -> Bool {
      switch self {
      case .any: true
      case .itself(let own): own == character
      case .oneOf(let set): set.contains(character)
      }
    }
  }

  /// A set of characters: `[abc]`, `[a-z]`, `[!abc]` (glob(7)).
  private struct CharacterSet: Sendable {
    private let isNegated: Bool
    private let members: ArraySlice<Unicode.Scalar>
    /// The place behind the closing bracket.
    let end: Int

    /// - Returns: nil if the bracket is not closed, so that it stands for itself.
    init?(_ pattern: [Unicode.Scalar], _ start: Int) {
      var first = start + 1
      isNegated = first < pattern.count && pattern[first] == "!"
      if isNegated { first += 1 }
      // A closing bracket in the first place is a member.
      guard first + 1 <= pattern.count,
        let close = pattern.indices.dropFirst(first + 1).first(where: { pattern[$0] == "]" })
      else { return nil }
      members = pattern[first..<close]
      end = close + 1
    }

    func contains(_ character: Unicode.Scalar) -> Bool {
      var index = members.startIndex
      var isMember = false
      while index < members.endIndex {
        if index + 2 < members.endIndex, members[index + 1] == "-" {
          if members[index] <= character, character <= members[index + 2] { isMember = true }
          index += 3
        } else {
          if members[index] == character { isMember = true }
          index += 1
        }
      }
      return isMember != isNegated
    }
  }
}
