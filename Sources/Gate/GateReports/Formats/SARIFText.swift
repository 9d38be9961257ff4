internal import SignetBase

/// The escaping of texts in SARIF (Static Analysis Results Interchange Format 2.1.0).
enum SARIFText {
  /// The maximum length of a rule's descriptions that GitHub accepts.
  private static let descriptionLimit = 1024

  /// A text as the string of a message.
  ///
  /// A placeholder is a number in braces, so a brace is written twice (section 3.11.5). A link is `[text](target)`, and
  /// cannot be escaped in a plain text (section 3.11.6). A text without `](` has no link.
  static func message(_ text: String) -> String {
    var isAfterBracket = false
    return text.visible.replacingScalars { scalar in
      defer { isAfterBracket = scalar == "]" }
      switch scalar {
      case "{": return "{{"
      case "}": return "}}"
      case "(" where isAfterBracket: return #"\u{{28}}"#
      default: return nil
      }
    }
  }

  /// A rule's description, cut to what GitHub accepts.
  static func description(_ text: String) -> String {
    let message = message(text)
    guard message.unicodeScalars.count > descriptionLimit else { return message }
    return String(String.UnicodeScalarView(message.unicodeScalars.prefix(descriptionLimit - 1))) + "…"
  }
}
