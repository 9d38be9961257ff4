/// A piece of JSON whose beginning and end are not known (RFC 8259), read from a place in it that is known to begin a name.
///
/// From there, reading goes in both directions, string by string: a brace or a quotation mark within a string is part of
/// it. If that place is not what it seems to be, strings and what is between them are exchanged. Reading ends at the next
/// mark then, which is outside of the strings.
enum JSONText {
  /// How often a text of JSON may be in another one.
  private static let levelLimit = 3
  /// The longest name of a member that is asked for.
  private static let nameLimit = 8

  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
  /// What only a mark has outside of strings.
  private static let mark = Array("kty".utf8)

  // MARK: Texts within JSON

  /// The number of backslashes before the quotation mark that ends a string here; nil if none ends.
  static func backslashes(atEndOf rest: ArraySlice<UInt8>) -> Int? {
    let count = rest.prefix { $0 == backslash }.count
    return rest.dropFirst(count).first == quote ? count : nil
  }

  /// In how many texts of JSON, one in another, a string is with so many backslashes before its quotation marks; nil for a
  /// number that none has. With each level, each backslash and quotation mark gets one more before it.
  static func level(_ count: Int) -> Int? { (0...levelLimit).first { (1 << $0) - 1 == count } }

  static func backslashes(_ count: Int) -> [UInt8] { [UInt8](repeating: backslash, count: count) }

  /// What a text within JSON stands for, as far as that text goes.
  ///
  /// - Parameter isBefore: whether the text goes on behind these bytes, and not before them.
  static func plain(_ bytes: ArraySlice<UInt8>, _ level: Int, isBefore: Bool) -> ArraySlice<UInt8> {
    var text = bytes
    for _ in 0..<level {
      if isBefore {
        text = unescaped(text[(text.indices.last { isEnd(text, $0) }.map { $0 + 1 } ?? text.startIndex)...])[...]
      } else {
        text = unescaped(text[..<(text.indices.first { isEnd(text, $0) } ?? text.endIndex)])[...]
      }
    }
    return text
  }

  /// Whether a string begins or ends here: a quotation mark that no backslash is for.
  private static func isEnd(_ text: ArraySlice<UInt8>, _ place: Int) -> Bool {
    guard text[place] == quote else { return false }
    var start = place
    while start > text.startIndex, text[start - 1] == backslash { start -= 1 }
    return (place - start) % 2 == 0
  }

  /// A text without its escapes. Those for characters that are not ASCII are left as they are.
  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.contains(backslash) else { return Array(text) }
    var plain: [UInt8] = []
    plain.reserveCapacity(text.count)
    var place = text.startIndex
    while place < text.endIndex {
      let byte = text[place]
      place += 1
      guard byte == backslash, place < text.endIndex else {
        plain.append(byte)
        continue
      }
      let next = text[place]
      place += 1
      switch next {
      case UInt8(ascii: "n"), UInt8(ascii: "r"): plain.append(0x0a)
      case UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"): plain.append(0x20)
      case UInt8(ascii: "u"):
        let code = text[place...].prefix(4)
        if code.starts(with: "00".utf8),
          let value = UInt8(String(decoding: code.dropFirst(2), as: UTF8.self), radix: 16),
          value < 0x80
        {
          plain.append(value)
          place += 4
        } else {
          plain += [byte, next]
        }
      default: plain.append(next)
      }
    }
    return plain
  }

  // MARK: Comments

  /// Whether what may be a comment begins or ends here.
  static func mayHaveComment(_ text: ArraySlice<UInt8>) -> Bool {
    text.indices.dropLast().contains {
      text[$0] == slash && (text[$0 + 1] == slash || text[$0 + 1] == star)
        || text[$0] == star && text[$0 + 1] == slash
    }
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
      case (quote, _):
        place += 1
        // Only where the text begins within a string does a line end in one.
        while place < plain.count, plain[place] != quote, isName || plain[place] != 0x0a {
          place += plain[place] == backslash ? 2 : 1
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

  // MARK: Objects

  /// Where the object begins that goes on behind some bytes, as far as it is there.
  enum Start {
    case at(Int)
    /// It would be an earlier place if there were more bytes.
    case cut(Int)
    /// Another string of the object answers for it.
    case answered(by: Int)
    case tooDeep
  }

  /// - Parameters:
  ///   - depthLimit: how deep objects and lists in it are looked through, so that each byte belongs to few objects.
  ///   - isOther: whether a string of the object that begins at a place answers for it.
  static func start(
    ofObjectBefore text: ArraySlice<UInt8>, depthLimit: Int, unless isOther: (Int) -> Bool
  ) -> Start {
    var (place, depth) = (text.endIndex, 0)
    while place > text.startIndex {
      place -= 1
      switch text[place] {
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth += 1
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth -= 1
      case quote:
        // The end of a string: it begins at the next quotation mark that no backslash is for.
        let end = place
        repeat { place -= 1 } while place >= text.startIndex && !isEnd(text, place)
        guard place >= text.startIndex else { return .cut(end + 1) }
        if depth == 0, isOther(place) { return .answered(by: place) }
      default: if isMark(text, endingAt: place) { return .at(place + 1) }
      }
      if depth < 0 { return .at(place + 1) }
      if depth > depthLimit { return .tooDeep }
    }
    return .cut(text.startIndex)
  }

  /// Whether what only a mark has ends at a place.
  private static func isMark(_ text: ArraySlice<UInt8>, endingAt place: Int) -> Bool {
    text[place] == mark[2] && place - text.startIndex >= 2 && text[place - 1] == mark[1] && text[place - 2] == mark[0]
  }

  /// The members of an object whose values are strings.
  struct Members {
    /// All values of each name. Those of objects within it are not its own.
    fileprivate(set) var values: [String: [String]] = [:]
    /// Where reading has ended.
    fileprivate(set) var end: Int
    fileprivate(set) var ending = Ending.closed
  }

  /// Why no more of an object was read.
  enum Ending { case closed, cut, tooDeep }

  /// The members of an object.
  ///
  /// - Parameters:
  ///   - text: what is behind the object's brace, or from a later place on.
  ///   - depthLimit: how deep objects and lists in it are looked through.
  ///   - isAll: whether there are no more bytes. The longest numbers end behind them.
  static func members(_ text: ArraySlice<UInt8>, depthLimit: Int, isAll: Bool) -> Members {
    var members = Members(end: text.startIndex)
    var (place, depth) = (text.startIndex, 0)
    while place < text.endIndex, depth >= 0, depth <= depthLimit {
      guard text[place] == quote else {
        switch text[place] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default:
          if isMark(text, endingAt: place) {
            members.end = place
            return members
          }
        }
        place += 1
        continue
      }
      guard let end = end(ofStringAt: place, in: text) else {
        place = text.endIndex
        break
      }
      let name = place + 1..<end
      place = end + 1
      guard let start = value(text[place...])?.startIndex else { continue }
      let known = self.end(ofStringAt: start, in: text)
      let last = known ?? text.endIndex
      place = min(last + 1, text.endIndex)
      guard depth == 0, name.count <= nameLimit, isAll || known != nil else { continue }
      members.values[String(decoding: unescaped(text[name]), as: UTF8.self), default: []].append(
        String(decoding: unescaped(text[(start + 1)..<last]), as: UTF8.self))
    }
    members.end = place
    members.ending = depth < 0 ? .closed : depth > depthLimit ? .tooDeep : .cut
    return members
  }

  /// Whether nothing is here that is not in JSON: outside of strings other than in numbers and the three words, and in
  /// strings a control character (RFC 8259, sections 2, 3, 6 and 7). Many readers take `NaN` and `Infinity`, too. The last
  /// string may be cut.
  static func mayBePart(_ text: ArraySlice<UInt8>) -> Bool {
    var isInString = false
    var place = text.startIndex
    while place < text.endIndex {
      let byte = text[place]
      place += 1
      if byte == quote {
        isInString.toggle()
      } else if isInString {
        guard byte >= 0x20 else { return false }
        if byte == backslash { place += 1 }
      } else {
        guard outside[Int(byte)] else { return false }
      }
    }
    return true
  }

  /// The bytes that are outside of strings.
  private static let outside: [Bool] = {
    let known = Set("{}[]:,+-.0123456789eEtrufalsnNIity \t\n\r".utf8)
    return (UInt8.min...UInt8.max).map(known.contains)
  }()

  /// Where the quotation mark is that ends a string; nil if it has no end.
  private static func end(ofStringAt start: Int, in text: ArraySlice<UInt8>) -> Int? {
    var place = start + 1
    while place < text.endIndex, text[place] != quote { place += text[place] == backslash ? 2 : 1 }
    return place < text.endIndex ? place : nil
  }

  /// A string that begins here, without its escapes, and what is behind it; nil if it has no end.
  static func string(_ text: ArraySlice<UInt8>) -> (text: [UInt8], rest: ArraySlice<UInt8>)? {
    guard let end = end(ofStringAt: text.startIndex, in: text) else { return nil }
    return (unescaped(text[(text.startIndex + 1)..<end]), text[(end + 1)...])
  }

  /// Whether nothing but a colon and space is here: a value may follow.
  static func isOpen(_ text: ArraySlice<UInt8>) -> Bool { text.allSatisfy { isSpace($0) || $0 == UInt8(ascii: ":") } }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }

  /// Where the string begins that is behind a colon; nil if something else is here.
  static func value(_ rest: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let colon = rest.drop(while: isSpace)
    guard colon.first == UInt8(ascii: ":") else { return nil }
    let text = colon.dropFirst().drop(while: isSpace)
    return text.first == quote ? text : nil
  }
}
