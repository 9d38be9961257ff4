internal import SignetBase

/// The escaping of texts in SARIF (Static Analysis Results Interchange Format 2.1.0).
enum SARIFText {
  /// The maximum length of a rule's descriptions that GitHub accepts.
  private static let descriptionLimit = 1024

  /// A text as the string of a message.
  ///
  /// A placeholder is a number in braces, so a brace is written twice (section 3.11.5). A link is `[text](target)`, and
  /// cannot be escaped in a plain text (section 3.11.6); without `](` there is none.
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

  /// A path as a relative reference (RFC 3986, section 4.2).
  ///
  /// All but letters, digits, `-._~` and `/` is percent-encoded: a colon in the first segment would make it a scheme, and
  /// two slashes at the beginning would make the first segment a host.
  static func uri(of path: String) -> String {
    var text = ""
    for (index, byte) in path.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "/") where index > 0: text += "/"
      default: text += "%" + Hexadecimal.encode([byte]).uppercased()
      }
    }
    return text
  }
}
