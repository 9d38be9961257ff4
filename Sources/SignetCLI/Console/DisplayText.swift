extension String {
  /// The longest text shown of what comes from outside.
  private static let displayLimit = 400

  /// The text as it may be shown: control, formatting and separating characters escaped, so that no name can move the
  /// cursor, reverse what is read or pretend to be another line; cut when it is very long.
  var display: String {
    var shown = String.UnicodeScalarView()
    for (index, scalar) in unicodeScalars.enumerated() {
      if index == Self.displayLimit {
        shown.append(contentsOf: "…".unicodeScalars)
        break
      }
      if scalar.isASCII ? (0x20..<0x7f).contains(scalar.value) : scalar.isVisible {
        shown.append(scalar)
      } else {
        shown.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      }
    }
    return String(shown)
  }
}

extension String {
  /// The same JSON document with every character that could do something to a terminal as a `\u` escape.
  var visibleJSON: String {
    var shown = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.isASCII ? scalar.value != 0x7f : scalar.isVisible {
        shown.append(scalar)
      } else {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          shown.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
        }
      }
    }
    return String(shown)
  }
}

extension Unicode.Scalar {
  fileprivate var isVisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    case .spaceSeparator: false
    default: !properties.isDefaultIgnorableCodePoint
    }
  }
}
