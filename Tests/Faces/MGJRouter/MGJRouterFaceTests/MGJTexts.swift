import TestSupport

/// Texts of parts, few enough that they meet each other, and how they can be written in patterns and URLs.
enum MGJTexts {
  /// Among them what the original takes for something else, and what PluginKit's patterns do.
  static let parts: [[UInt8]] = [
    "a", "a", "b", "b", "ab", "A", "家居", "a.html", "7.html", ".html", "(b)", "a:b", ":a", "*", "*+", "~", "_",
    "block", "100%", "%zz", "%41", "a b", "@", "a.b", "é", "e\u{301}", "x/y", "?q=1", "#f", "a+b", "mgj://a", "...",
  ].map { Array($0.utf8) }
  static let suffixes = ["", "", "", ".html", ".h", ".家", ".(1)", "&x", ".*", ".a:b"].map { Array($0.utf8) }
  static let names = ["id", "id", "idx", "user-id", "名", "_", "__1", "1", "", "MGJRouterParameterURL"]
  static let queryNames =
    ["id", "q", "名", "user-id", "block", "_", "MGJRouterParameterURL", "MGJRouterParameterUserInfo"]

  /// Invalid as percent-encoding, so they are kept as they are written.
  private static let kept: Set<[UInt8]> = Set(["100%", "%zz"].map { Array($0.utf8) })

  /// A text as it can be written where these characters have a meaning.
  static func written(
    _ text: [UInt8], reserved: String, encodesFirst: Bool = false, _ random: inout SeededRandom
  ) -> String {
    let string = String(decoding: text, as: UTF8.self)
    if kept.contains(text), random.once(in: 2) { return string }
    let share = random.one(of: [0, 0, 3, 10])
    var result = ""
    for (index, scalar) in string.unicodeScalars.enumerated() {
      let has = reserved.unicodeScalars.contains(scalar) || scalar == "%"
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

  /// A scheme with its letters in the other case sometimes.
  static func written(scheme: String, _ random: inout SeededRandom) -> String {
    random.once(in: 4) ? scheme.uppercased() : scheme
  }

  /// A pattern as MGJRouter spells it.
  ///
  /// - Parameter defaultScheme: the scheme that may be left out.
  static func pattern(
    _ scheme: String, _ parts: [SlowMGJRouter.Part], defaultScheme: String, _ random: inout SeededRandom
  ) -> String {
    let texts = parts.map { part in
      switch part {
      case .rest: "~"
      case .value(let name, let suffix):
        // A name ends where its suffix begins.
        ":" + name + (suffix.isEmpty ? "" : suffix.first == UInt8(ascii: ".") ? "." : "&")
          + written(Array(suffix.dropFirst()), reserved: "/?#", &random)
      case .text(let text):
        written(
          text, reserved: "/?#", encodesFirst: text.first == UInt8(ascii: ":") || text == Array("~".utf8), &random)
      }
    }
    // It has to have a part then, and must not look like one with a scheme.
    let isBare = scheme == defaultScheme && !parts.isEmpty && parts != [.rest] && random.once(in: 4)
    let path = texts.joined(separator: "/") + (!parts.isEmpty && random.once(in: 6) ? "/" : "")
    let query = random.once(in: 6) ? "?page=:page&x=~" : ""
    return (isBare ? random.one(of: ["", "/"]) : written(scheme: scheme, &random) + "://") + path + query
  }

  /// The same pattern for a module's description, as PluginKit spells it.
  static func declaration(_ scheme: String, _ parts: [SlowMGJRouter.Part], andBelow: Bool) -> String {
    func encoded(_ text: [UInt8]) -> String {
      text.map { byte in "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
    let texts = parts.enumerated().map { index, part in
      switch part {
      case .rest: "*+"
      case .value(_, let suffix): ":p\(index)" + encoded(suffix)
      // What is invalid as percent-encoding is decoded to itself.
      case .text(let text): encoded(text)
      }
    }
    return scheme + "://" + (texts + (andBelow ? ["*"] : [])).joined(separator: "/")
  }
}
