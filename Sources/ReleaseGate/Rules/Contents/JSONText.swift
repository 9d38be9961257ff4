/// A piece of JSON whose beginning and end are not known (RFC 8259), read from a place in it that is known to begin a name.
///
/// From there, reading goes in both directions, string by string: a brace or a quotation mark within a string is part of
/// it. If that place is not what it seems to be, strings and what is between them are exchanged. Reading ends at the next
/// mark then, which is outside of the strings.
enum JSONText {
  /// How deep objects and lists may be nested in an object that is read. More are not looked through, so that each byte
  /// belongs to few objects.
  private static let depthLimit = 4
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
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == backslash, let next = rest.popFirst() else {
        plain.append(byte)
        continue
      }
      switch next {
      case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"):
        plain.append(0x20)
      case UInt8(ascii: "u"):
        let code = UInt8(String(decoding: rest.dropFirst(2).prefix(2), as: UTF8.self), radix: 16)
        if rest.starts(with: "00".utf8), let code, code < 0x80 {
          plain.append(code)
          rest = rest.dropFirst(4)
        } else {
          plain += [byte, next]
        }
      default: plain.append(next)
      }
    }
    return plain
  }

  // MARK: Objects

  /// Where the object begins that goes on behind these bytes, as far as it is there.
  ///
  /// - Parameter isOther: whether a string of the object that begins at a place answers for it.
  /// - Returns: the place, and whether it would be an earlier one if there were more bytes; nil if such a string is in the
  ///   object, or if that is nested too deeply.
  static func start(
    ofObjectBefore text: ArraySlice<UInt8>, unless isOther: (Int) -> Bool
  ) -> (place: Int, isCut: Bool)? {
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
        guard place >= text.startIndex else { return (end + 1, true) }
        if depth == 0, isOther(place) { return nil }
      default: if isMark(text, endingAt: place) { return (place + 1, false) }
      }
      if depth < 0 { return (place + 1, false) }
      if depth > depthLimit { return nil }
    }
    return (text.startIndex, true)
  }

  /// Whether what only a mark has ends at a place.
  private static func isMark(_ text: ArraySlice<UInt8>, endingAt place: Int) -> Bool {
    text[place] == mark[2] && place - text.startIndex >= 2 && text[place - 1] == mark[1] && text[place - 2] == mark[0]
  }

  /// The members of an object whose values are strings, with all values of each name. Those of objects within it are not
  /// its own.
  ///
  /// - Parameter text: what is behind the object's brace, or from a later place on.
  static func members(_ text: ArraySlice<UInt8>) -> [String: [String]] {
    var members: [String: [String]] = [:]
    var (place, depth) = (text.startIndex, 0)
    while place < text.endIndex, depth >= 0, depth <= depthLimit {
      guard text[place] == quote else {
        switch text[place] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: if isMark(text, endingAt: place) { return members }
        }
        place += 1
        continue
      }
      guard let end = end(ofStringAt: place, in: text) else { break }
      let name = place + 1..<end
      place = end + 1
      guard let start = value(text[place...])?.startIndex else { continue }
      // The longest numbers end behind what is there.
      let last = self.end(ofStringAt: start, in: text) ?? text.endIndex
      place = min(last + 1, text.endIndex)
      guard depth == 0, name.count <= nameLimit else { continue }
      members[String(decoding: unescaped(text[name]), as: UTF8.self), default: []].append(
        String(decoding: unescaped(text[(start + 1)..<last]), as: UTF8.self))
    }
    return members
  }

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
