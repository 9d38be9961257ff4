internal import SignetBase

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
  package var clipped: String {
    let limit = 1000
    guard let end = unicodeScalars.index(startIndex, offsetBy: limit, limitedBy: endIndex), end < endIndex else {
      return self
    }
    return String(self[..<end]) + "…"
  }
}
