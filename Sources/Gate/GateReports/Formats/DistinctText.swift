internal import SignetBase

extension String {
  /// The text with everything escaped that `visible` escapes, so that different texts stay different.
  ///
  /// `visible` alone gives a newline and the six characters `\u{a}` the same form. A reader that keeps one of two equal
  /// names would then drop a file, and perhaps the finding about it.
  var distinct: String {
    guard utf8.contains(UInt8(ascii: "\\")) else { return visible }
    let scalars = Array(unicodeScalars)
    var text = UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      if scalar == "\\", scalars[(index + 1)...].starts(with: "u{".unicodeScalars) {
        text.append(contentsOf: #"\u{5c}"#.unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    return String(text).visible
  }

  /// The text with some characters replaced.
  ///
  /// It goes by Unicode scalars. `replacing(_:with:)` goes by characters, and misses a quote with an accent on it.
  func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var text = UnicodeScalarView()
    for scalar in unicodeScalars {
      if let replacement = replacement(scalar) {
        text.append(contentsOf: replacement.unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }
}
