public import PluginKit

/// Reads the elements of a page that describe its navigation bar:
/// `<meta name="right-bar-item" content="type=share,onclick=rightBar()">`.
///
/// The name says where the item is: `left`, `center` or `right`. Commas separate the fields of the content, and the first
/// `=` separates a field's name from its value. A field without a name is the title. If a field occurs twice, the last
/// one counts. Spaces around names and values do not count.
///
/// A comma between quotes does not separate fields: `onclick='share(1, 2)'`. Either kind of quote will do. A value that
/// is quoted as a whole loses its quotes, and in it a backslash takes the meaning off the next character. A quote
/// without its end, or right after a letter or a digit (`don't`), is a character like any other.
public enum SMBarItemParser {
  /// The names of types.
  public static let types = [
    "done", "cancel", "edit", "save", "add", "compose", "reply", "action", "share", "organize", "bookmarks", "search",
    "refresh", "stop", "camera", "trash", "play", "pause", "rewind", "fastForward", "undo", "redo", "pageCurl",
  ]
  /// The greatest length of a content in bytes. Nothing of a longer one is read.
  static let limit = 4096
  private static let ending = "-bar-item"

  /// The items that a page describes, in the order left, center, right.
  ///
  /// - Parameter metas: the contents of the page's elements by their names.
  public static func items(_ metas: [String: String]) -> [BarItem] {
    [.left, .center, .right].compactMap { (place: BarItem.Place) in
      metas[place.rawValue + ending].flatMap { item(place, $0) }
    }
  }

  /// The item that a content describes. In the center, it has a title alone.
  ///
  /// - Returns: nil if there is neither a type nor a title, or the content is too long.
  public static func item(_ place: BarItem.Place, _ content: String) -> BarItem? {
    let fields = fields(content)
    if place == .center { return fields["title"].map { BarItem(.center, title: $0) } }
    guard let type = fields["type"] else {
      return fields["title"].map { BarItem(place, title: $0, action: fields["onclick"]) }
    }
    return BarItem(place, kind: kind(type), action: fields["onclick"])
  }

  /// The kind that a type is drawn as: `share` as `action`, an unknown one as `done`.
  public static func kind(_ type: String) -> String {
    guard let known = types.first(where: { $0.utf8.elementsEqual(type.utf8) }) else { return "done" }
    return known == "share" ? "action" : known
  }

  /// The fields of a content by their names; none if it is too long.
  public static func fields(_ content: String) -> [String: String] {
    guard content.utf8.count <= limit else { return [:] }
    var fields: [String: String] = [:]
    for field in split(Array(content.utf8)) {
      guard let mark = field.firstIndex(of: UInt8(ascii: "=")), !isQuote(trimmed(field).first ?? 0) else {
        let title = value(field)
        if !title.isEmpty { fields["title"] = title }
        continue
      }
      let name = String(decoding: trimmed(field[..<mark]), as: UTF8.self)
      fields[name] = value(field[field.index(after: mark)...])
    }
    return fields
  }

  /// The fields between commas that are not between quotes.
  private static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var fields: [ArraySlice<UInt8>] = []
    var start = 0
    var place = 0
    // A quote that has no end is looked for once, so that the time is in proportion to the length.
    var hasNoEnd = Set<UInt8>()
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: ",") {
        fields.append(bytes[start..<place])
        start = place + 1
      } else if isQuote(byte), !hasNoEnd.contains(byte), place == start || !isWord(bytes[place - 1]) {
        if let end = end(of: place, in: bytes) { place = end } else { hasNoEnd.insert(byte) }
      }
      place += 1
    }
    return fields + [bytes[start...]]
  }

  /// Where the text ends that begins with the quote at a place.
  private static func end(of start: Int, in bytes: [UInt8]) -> Int? {
    var place = start + 1
    while place < bytes.count {
      if bytes[place] == bytes[start] { return place }
      place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
  }

  /// A value without the spaces around it, and without quotes around the whole.
  private static func value(_ bytes: ArraySlice<UInt8>) -> String {
    let bytes = Array(trimmed(bytes))
    guard let first = bytes.first, isQuote(first), end(of: 0, in: bytes) == bytes.count - 1 else {
      return String(decoding: bytes, as: UTF8.self)
    }
    var result: [UInt8] = []
    var rest = bytes[1..<(bytes.count - 1)]
    while let byte = rest.popFirst() {
      result.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = bytes.firstIndex { !isSpace($0) } ?? bytes.endIndex
    return bytes[start..<(bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start)]
  }

  private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      true
    default: false
    }
  }
}
