/// Comments in texts of JSON, as settings of programs have them (JSONC).
enum JSONComments {
  /// Whether what may be a comment begins or ends here.
  static func mayHaveComment(_ text: ArraySlice<UInt8>) -> Bool {
    text.indices.dropLast().contains {
      text[$0] == slash && (text[$0 + 1] == slash || text[$0 + 1] == star)
        || text[$0] == star && text[$0 + 1] == slash
    }
  }

  /// Whether what may be the end of a comment is here.
  static func mayHaveCommentEnd(_ text: ArraySlice<UInt8>) -> Bool {
    text.indices.dropLast().contains { text[$0] == star && text[$0 + 1] == slash }
  }

  /// Whether a comment begins or ends outside of strings, in what begins outside of them.
  static func hasComment(_ text: ArraySlice<UInt8>) -> Bool {
    var (mark, place): (UInt8?, Int) = (nil, text.startIndex)
    while place < text.endIndex {
      let byte = text[place]
      place += 1
      if let known = mark {
        if byte == JSONText.backslash { place += 1 } else if byte == known { mark = nil }
      } else if JSONText.isQuote(byte) {
        mark = byte
      } else if byte == slash || byte == star, place < text.endIndex,
        text[place] == slash || byte == slash && text[place] == star
      {
        return true
      }
    }
    return false
  }

  /// Whether a place before a mark, or what is between it and the mark, may be in a comment. One on a line ends before the
  /// mark.
  static func mayHaveComment(_ text: ArraySlice<UInt8>, from place: Int) -> Bool {
    let rest = text[place...]
    guard !mayHaveComment(rest) else { return true }
    guard rest.contains(0x0a) else { return false }
    let line = text[..<place].lastIndex(of: 0x0a) ?? text.startIndex
    return mayHaveComment(text[line..<place])
  }

  private static let slash = UInt8(ascii: "/")
  private static let star = UInt8(ascii: "*")

  /// A text with spaces in place of comments, as settings of programs have them (JSONC).
  ///
  /// - Parameter isName: whether the text is known to begin with a name. If not, its first line may begin within a string,
  ///   and is left as it is.
  static func withoutComments(_ text: ArraySlice<UInt8>, isName: Bool) -> ArraySlice<UInt8> {
    var plain = Array(text)
    var place = 0
    if !isName { place = plain.firstIndex(of: 0x0a) ?? plain.count }
    while place < plain.count - 1 {
      switch (plain[place], plain[place + 1]) {
      case (JSONText.quote, _), (JSONText.single, _):
        let mark = plain[place]
        place += 1
        // Only where the text begins within a string does a line end in one.
        while place < plain.count, plain[place] != mark, isName || plain[place] != 0x0a {
          place += plain[place] == JSONText.backslash ? 2 : 1
        }
        place += 1
      case (slash, slash):
        while place < plain.count, plain[place] != 0x0a {
          plain[place] = 0x20
          place += 1
        }
      case (slash, star):
        let end = plain[(place + 2)...].indices.dropLast().first { plain[$0] == star && plain[$0 + 1] == slash }
        let next = end.map { $0 + 2 } ?? plain.count
        while place < next {
          plain[place] = 0x20
          place += 1
        }
      default: place += 1
      }
    }
    return plain[...]
  }
}
