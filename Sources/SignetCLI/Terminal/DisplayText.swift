extension String {
  /// The maximum length of a text from outside that is shown.
  private static let displayLimit = 400

  /// The text as it may be shown in a line, cut if it is very long.
  var display: String {
    guard let end = unicodeScalars.index(startIndex, offsetBy: Self.displayLimit, limitedBy: endIndex), end < endIndex
    else { return visible }
    return String(self[..<end]).visible + "…"
  }

  /// The text with control, formatting and separating characters escaped, so that no name can move the cursor, reverse
  /// what is read or pretend to be another line.
  var visible: String {
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

extension String {
  /// The same JSON document, with a `\u` escape for every character that could affect a terminal.
  var visibleJSON: String {
    guard utf8.contains(where: { $0 >= 0x7f }) else { return self }
    var shown: [UInt8] = []
    shown.reserveCapacity(utf8.count)
    for scalar in unicodeScalars {
      if scalar.isASCII ? scalar.value != 0x7f : scalar.isVisible {
        shown += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      } else {
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
          let digits = String(unit, radix: 16)
          shown += "\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8
        }
      }
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// The text, cut if it is very long: other people's data can have megabytes.
  var clipped: String {
    let limit = 1000
    guard let end = unicodeScalars.index(startIndex, offsetBy: limit, limitedBy: endIndex), end < endIndex else {
      return self
    }
    return String(self[..<end]) + "…"
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
