/// A piece of JSON whose beginning and end are not known (RFC 8259), read from a place in it that is known to begin a name.
///
/// From there, reading goes in both directions, string by string: a brace or a quotation mark within a string is part of
/// it. Single quotation marks count as well. If that place is not what it seems to be, strings and what is between them are exchanged. Reading ends at the next
/// mark then, which is outside of the strings.
enum JSONText {
  /// How often a text of JSON may be in another one.
  private static let levelLimit = 3
  /// The longest name of a member that is asked for.
  private static let nameLimit = 8

  static let quote = UInt8(ascii: "\"")
  static let single = UInt8(ascii: "'")
  static let backslash = UInt8(ascii: "\\")
  /// What only a mark has outside of strings.
  private static let mark = Array("kty".utf8)

  // MARK: Texts within JSON

  static func isQuote(_ byte: UInt8) -> Bool { byte == quote || byte == single }

  /// The number of backslashes before the quotation mark that ends a string here; nil if none ends. Single ones have none.
  ///
  /// - Parameter mark: the quotation mark at its beginning.
  static func backslashes(atEndOf rest: ArraySlice<UInt8>, beforeAnother mark: UInt8) -> Int? {
    let count = rest.prefix { $0 == backslash }.count
    return rest.dropFirst(count).first == mark && (mark == quote || count == 0) ? count : nil
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
        var start = text.endIndex
        while start > text.startIndex, !isEnd(text, start - 1) { start -= 1 }
        text = unescaped(text[start...])[...]
      } else {
        var end = text.startIndex
        while end < text.endIndex, text[end] != quote { end += text[end] == backslash ? 2 : 1 }
        text = unescaped(text[..<min(end, text.endIndex)])[...]
      }
    }
    return text
  }

  /// Whether a string begins or ends here: a quotation mark that no backslash is for.
  private static func isEnd(_ text: ArraySlice<UInt8>, _ place: Int, _ mark: UInt8 = quote) -> Bool {
    guard text[place] == mark else { return false }
    var start = place
    while start > text.startIndex, text[start - 1] == backslash { start -= 1 }
    return (place - start) % 2 == 0
  }

  /// A text without its escapes. Those for characters that are not ASCII are left as they are.
  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var plain = Array(text)
    guard let first = plain.firstIndex(of: backslash) else { return plain }
    let count = plain.count
    // What is written is never behind what is read.
    var (place, end) = (first, first)
    var bytes = plain.mutableSpan
    while place < count {
      var byte = bytes[place]
      place += 1
      if byte == backslash, place < count {
        byte = bytes[place]
        place += 1
        switch byte {
        case UInt8(ascii: "n"), UInt8(ascii: "r"): byte = 0x0a
        case UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"): byte = 0x20
        case UInt8(ascii: "u"):
          if let value = character(bytes, place) {
            byte = value
            place += 4
          } else {
            bytes[end] = backslash
            end += 1
          }
        default: break
        }
      }
      bytes[end] = byte
      end += 1
    }
    plain.removeLast(count - end)
    return plain
  }

  /// The character of ASCII whose number is here, in four digits; nil if something else is.
  private static func character(_ text: borrowing MutableSpan<UInt8>, _ place: Int) -> UInt8? {
    guard place + 4 <= text.count, text[place] == UInt8(ascii: "0"), text[place + 1] == UInt8(ascii: "0"),
      let value = UInt8(String(decoding: [text[place + 2], text[place + 3]], as: UTF8.self), radix: 16), value < 0x80
    else { return nil }
    return value
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
      case quote, single:
        // The end of a string: it begins at the next quotation mark that no backslash is for.
        let end = place
        repeat { place -= 1 } while place >= text.startIndex && !isEnd(text, place, text[end])
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
    text[place] == UInt8(ascii: "y") && place - text.startIndex >= 2 && text[(place - 2)...place].elementsEqual(mark)
  }

  /// The members of an object whose values are strings.
  struct Members {
    /// All values of each name that was asked for, in the order of these. Those of objects within it are not its own.
    fileprivate(set) var values: [[[UInt8]]]
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
  ///   - names: those that are asked for.
  ///   - depthLimit: how deep objects and lists in it are looked through.
  ///   - isAll: whether there are no more bytes. The longest numbers end behind them.
  static func members(
    _ text: ArraySlice<UInt8>, _ names: [[UInt8]], depthLimit: Int, isAll: Bool
  ) -> Members {
    var members = Members(values: names.map { _ in [] }, end: text.startIndex)
    var (place, depth) = (text.startIndex, 0)
    while place < text.endIndex, depth >= 0, depth <= depthLimit {
      guard isQuote(text[place]) else {
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
      guard depth == 0, name.count <= nameLimit, isAll || known != nil,
        let index = index(of: text[name], among: names)
      else { continue }
      members.values[index].append(unescaped(text[(start + 1)..<last]))
    }
    members.end = place
    members.ending = depth < 0 ? .closed : depth > depthLimit ? .tooDeep : .cut
    return members
  }

  private static func index(of name: ArraySlice<UInt8>, among names: [[UInt8]]) -> Int? {
    guard name.contains(backslash) else { return names.firstIndex { name.elementsEqual($0) } }
    return names.firstIndex(of: unescaped(name))
  }

  /// Whether nothing is here that is not in JSON: outside of strings other than in numbers and the three words, and in
  /// strings a control character (RFC 8259, sections 2, 3, 6 and 7). Many readers take `NaN` and `Infinity`, too, numbers
  /// with base 16, and ends of lines and tabs in strings. The last string may be cut.
  static func mayBePart(_ text: ArraySlice<UInt8>) -> Bool {
    var (mark, place): (UInt8?, Int) = (nil, text.startIndex)
    var isInBase16 = false
    let outside = outside
    while place < text.endIndex {
      let byte = text[place]
      place += 1
      if let known = mark {
        guard byte >= 0x20 || isSpace(byte) else { return false }
        if byte == backslash { place += 1 } else if byte == known { mark = nil }
      } else if isQuote(byte) {
        mark = byte
      } else {
        isInBase16 =
          byte | 0x20 == UInt8(ascii: "x") && place - 1 > text.startIndex && text[place - 2] == UInt8(ascii: "0")
          || isInBase16 && ChecksumDigits.isHexadecimal(byte)
        guard isInBase16 || outside[Int(byte)] else { return false }
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
    let mark = text[start]
    while place < text.endIndex, text[place] != mark { place += text[place] == backslash ? 2 : 1 }
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
    return text.first.map(isQuote) ?? false ? text : nil
  }
}
