internal import PluginKit

/// A pattern of JLRoutes without optional parts, as the router's grammar has it.
///
/// JLRoutes takes almost any text for a literal or a name. What the router's grammar reserves is encoded in a literal,
/// and a parameter whose name it does not allow gets another one there.
struct JLPattern: Sendable {
  /// The pattern for the router.
  let text: String
  /// The names of the parameters in order, each with its name in ``text``.
  let names: [(name: String, inText: String)]
  /// Whether the pattern ends in a wildcard.
  let hasWildcard: Bool

  /// The greatest length in bytes, as the router has it. Names that are there twice take more time than a longer text
  /// would be worth.
  private static let limit = 1024

  /// Translates a pattern.
  ///
  /// - Parameters:
  ///   - pattern: a pattern such as `/user/view/:userID`. Parentheses in it are a text.
  ///   - scheme: the scheme of its routes; `*` for every scheme.
  /// - Throws: `pattern.malformed`, `pattern.too-long`. The router finds what else is wrong.
  init(_ pattern: String, scheme: String) throws(PluginError) {
    guard pattern.utf8.count <= Self.limit else {
      throw PluginError(
        .patternTooLong, PluginURL.shown(pattern), "is too long", expected: "at most \(Self.limit) bytes")
    }
    let path = pattern.hasPrefix("/") ? pattern.dropFirst() : pattern[...]
    guard !path.hasPrefix("/") else {
      throw PluginError(
        .patternMalformed, PluginURL.shown(pattern), "has an empty path component", expected: "one slash between two")
    }
    var names: [(name: String, inText: String)] = []
    var used: Set<String> = []
    var hasWildcard = false
    func translated(_ component: Substring) -> String {
      if component == "*" {
        hasWildcard = true
        return "*"
      }
      guard component.hasPrefix(":") else { return Self.encoded(component) }
      // As in the original, a colon alone is a parameter with this name.
      let name = component == ":" ? ":" : String(component.dropFirst())
      var inText = Self.isName(name) ? name : "_\(names.count)"
      while !used.insert(inText).inserted { inText = "_" + inText }
      names.append((name, inText))
      return ":" + inText
    }
    let mark = path.firstIndex(of: "#") ?? path.endIndex
    let translate = { (part: Substring) -> String in
      part.split(separator: "/", omittingEmptySubsequences: false).map(translated).joined(separator: "/")
    }
    var text = scheme + "://" + translate(path[..<mark])
    if mark < path.endIndex {
      let fragment = path[path.index(after: mark)...]
      // A mark alone is an empty path.
      text += "#" + (fragment.isEmpty ? "/" : translate(fragment))
    }
    (self.text, self.names, self.hasWildcard) = (text, names, hasWildcard)
  }

  /// Whether the router takes a text as a parameter's name.
  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(0x30...0x39).contains(first), text.utf8.count <= 60 else { return false }
    return text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x5f
    }
  }

  /// A literal, with what has a meaning in the router's patterns encoded.
  private static func encoded(_ literal: Substring) -> String {
    var result = ""
    for scalar in literal.unicodeScalars {
      switch scalar {
      case "(": result += "%28"
      case ")": result += "%29"
      case ":": result += "%3A"
      case "*": result += "%2A"
      case "?": result += "%3F"
      case "#": result += "%23"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension JLPattern {
  /// The greatest number of optional parts. They give 32 patterns, as many as the router takes for one of its own.
  private static let optionalLimit = 5

  /// Every pattern that a pattern with optional parts stands for, the longest first.
  ///
  /// - Throws: `pattern.malformed` for parentheses that are unbalanced, nested or empty; `pattern.too-long` for more than
  ///   five optional parts.
  static func expansions(of pattern: String) throws(PluginError) -> [String] {
    guard pattern.utf8.contains(where: { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: ")") }) else {
      return [pattern]
    }
    let parts = try parts(of: pattern)
    let optional = parts.indices.filter { parts[$0].isOptional }
    guard optional.count <= optionalLimit else {
      throw PluginError(
        .patternTooLong, PluginURL.shown(pattern), "has too many optional parts",
        expected: "at most \(optionalLimit)", found: "\(optional.count)")
    }
    let patterns = (0..<(1 << optional.count)).map { choice in
      let left = Set(optional.enumerated().filter { choice & 1 << $0.offset == 0 }.map(\.element))
      let chosen = parts.indices.filter { !left.contains($0) }.map { parts[$0].text }
      // A fragment belongs to the path component before it.
      return "/" + chosen.joined(separator: "/").replacing("/#", with: "#")
    }
    return patterns.enumerated().sorted { one, other in
      let (size, otherSize) = (one.element.count, other.element.count)
      return size != otherSize ? size > otherSize : one.offset < other.offset
    }.map(\.element)
  }

  /// The parts inside and outside of parentheses, without slashes around them.
  private static func parts(of pattern: String) throws(PluginError) -> [(text: String, isOptional: Bool)] {
    var parts: [(text: String, isOptional: Bool)] = []
    var rest = pattern[...]
    while let mark = rest.firstIndex(where: { $0 == "(" || $0 == ")" }) {
      guard rest[mark] == "(" else { throw malformed(pattern, "closes a parenthesis that is not open") }
      append(rest[..<mark], isOptional: false)
      rest = rest[rest.index(after: mark)...]
      guard let end = rest.firstIndex(where: { $0 == "(" || $0 == ")" }) else {
        throw malformed(pattern, "has a parenthesis that is not closed")
      }
      guard rest[end] == ")" else { throw malformed(pattern, "has parentheses within parentheses") }
      guard append(rest[..<end], isOptional: true) else { throw malformed(pattern, "has empty parentheses") }
      rest = rest[rest.index(after: end)...]
    }
    append(rest, isOptional: false)
    return parts

    @discardableResult func append(_ text: Substring, isOptional: Bool) -> Bool {
      let start = text.drop { $0 == "/" }
      guard let last = start.lastIndex(where: { $0 != "/" }) else { return false }
      parts.append((String(start[...last]), isOptional))
      return true
    }
  }

  private static func malformed(_ pattern: String, _ message: String) -> PluginError {
    PluginError(.patternMalformed, PluginURL.shown(pattern), message, expected: "parentheses as in /the(/foo/:a)")
  }
}
