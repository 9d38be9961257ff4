import TestSupport

/// Texts of parts, few enough that they meet each other, and how they can be written in patterns and URLs.
enum RandomTexts {
  /// Among them texts that differ by case or by Unicode normalization alone, and what looks like syntax.
  static let parts: [[UInt8]] = [
    "a", "a", "b", "b", "ab", "A", "x.html", "y.html", ".html", "a.é", "a.e\u{301}", "é", "e\u{301}", "家居", "a b",
    "a/b", "(b)",
    ":a", "*", "?q=1", "#f", "100%", "%zz", "%FF", "%41", "h:80", "...", "\u{f900}", "\u{8c48}",
  ].map { Array($0.utf8) }
  static let suffixes: [[UInt8]] = ["", "", "", "", ".html", "l", "html", ".é", ".e\u{301}", "%", "b", "."].map {
    Array($0.utf8)
  }
  static let names = ["a", "b", "id", "idx", "_n1"]
  static let schemes = ["ui", "mgj", "x-1.2+z"]

  /// Invalid as percent-encoding, so they are kept as they are written.
  private static let kept: Set<[UInt8]> = Set(["100%", "%zz", "%FF", "%"].map { Array($0.utf8) })

  /// A text as it can be written where these characters have a meaning.
  ///
  /// - Parameter encodesFirst: whether the first character has to be encoded.
  static func written(
    _ text: [UInt8], reserved: String, encodesFirst: Bool = false, _ random: inout SeededRandom
  ) -> String {
    let string = String(decoding: text, as: UTF8.self)
    if kept.contains(text), random.once(in: 2) { return string }
    let share = random.one(of: [0, 0, 3, 10])
    var result = ""
    for (index, scalar) in string.unicodeScalars.enumerated() {
      let has =
        reserved.unicodeScalars.contains(scalar) || scalar == "%" || scalar.value < 0x20 || scalar.value == 0x7f
      if has || index == 0 && encodesFirst || random.below(10) < share {
        for byte in String(Character(scalar)).utf8 { result += percent(byte, &random) }
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func percent(_ byte: UInt8, _ random: inout SeededRandom) -> String {
    let digits = String(byte, radix: 16, uppercase: random.once(in: 2))
    return "%" + (digits.count == 1 ? "0" : "") + digits
  }

  /// A scheme with some letters in the other case.
  static func written(scheme: String, _ random: inout SeededRandom) -> String {
    random.once(in: 4) ? scheme.uppercased() : scheme
  }
}
