extension String {
  /// The maximum length of a text from outside that is shown.
  private static let displayLimit = 400

  /// The text as it may be shown in a line, cut if it is very long.
  package var display: String {
    guard let end = unicodeScalars.index(startIndex, offsetBy: Self.displayLimit, limitedBy: endIndex), end < endIndex
    else { return visible }
    return String(self[..<end]).visible + "…"
  }

  /// The text with control, formatting and separating characters escaped, so that no name can move the cursor, reverse
  /// what is read or pretend to be another line.
  package var visible: String {
    var shown = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.isASCII ? (0x20..<0x7f).contains(scalar.value) : scalar.isVisible {
        shown.append(scalar)
      } else {
        shown.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      }
    }
    return String(shown)
  }
}

extension Unicode.Scalar {
  /// Whether the character shows itself, and nothing but itself.
  package var isVisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    case .spaceSeparator: false
    default: !properties.isDefaultIgnorableCodePoint
    }
  }
}
