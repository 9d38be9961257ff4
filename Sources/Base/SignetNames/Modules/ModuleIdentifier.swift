/// The permanent name of a module or a host: reverse DNS in lower-case ASCII, such as `com.example.player`.
///
/// It has two labels or more. A label has letters, digits and hyphens, and neither begins nor ends with a hyphen
/// (RFC 1123, section 2.1). The limits are 255 bytes in all and 63 for each label (RFC 1035, section 2.3.4).
public struct ModuleIdentifier: Hashable, Sendable, CustomStringConvertible {
  /// The identifier's text.
  public let description: String

  /// The most bytes of an identifier.
  package static let lengthLimit = 255
  private static let labelLimit = 63

  /// Reads an identifier; nil if the text is not one.
  public init?(_ text: String) {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf8.count <= Self.lengthLimit, labels.count >= 2, labels.allSatisfy({ Self.isLabel($0) }) else {
      return nil
    }
    description = text
  }

  /// Whether a text is a label.
  package static func isLabel(_ label: Substring) -> Bool {
    let hyphen = UInt8(ascii: "-")
    guard (1...labelLimit).contains(label.utf8.count), label.utf8.first != hyphen, label.utf8.last != hyphen else {
      return false
    }
    return label.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte == hyphen
    }
  }
}
