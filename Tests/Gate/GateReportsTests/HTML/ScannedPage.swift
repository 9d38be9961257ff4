import SignetBase

/// A page, read by a scanner that knows less than a browser: what it does not understand is an error.
struct ScannedPage {
  /// An element, with its attributes and the text inside it.
  struct Element {
    let name: String
    var attributes: [String: String] = [:]
    var text = ""
    /// The names of the elements around it, from the outside.
    var parents: [String] = []
  }

  /// What is not as it must be, at a byte of the page.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// Every element, in the order of the start tags.
  private(set) var elements: [Element] = []

  private static let void: Set = ["input", "meta"]
  private static let raw: Set = ["script", "style"]

  init(_ bytes: [UInt8]) throws {
    var rest = Substring(String(decoding: bytes, as: UTF8.self)).unicodeScalars
    guard String(rest).utf8.elementsEqual(bytes) else { throw Fault(description: "not UTF-8") }
    let start = "<!DOCTYPE html>"
    guard String(rest.prefix(start.count)) == start else { throw Fault(description: "no doctype") }
    rest = rest.dropFirst(start.count)
    var open: [Int] = []
    while let first = rest.first {
      guard first == "<" else {
        let text = rest.prefix { $0 != "<" }
        rest = rest[text.endIndex...]
        let decoded = try Self.decoded(text)
        if open.isEmpty, decoded != "\n" { throw Fault(description: "text outside: \(decoded)") }
        for index in open { elements[index].text += decoded }
        continue
      }
      rest.removeFirst()
      if rest.first == "/" {
        rest.removeFirst()
        let name = Self.word(&rest)
        guard let last = open.popLast(), elements[last].name == name, rest.popFirst() == ">" else {
          throw Fault(description: "</\(name)> does not close what is open: \(open.map { elements[$0].name })")
        }
        continue
      }
      let element = try Self.startTag(&rest, parents: open.map { elements[$0].name })
      elements.append(element)
      if Self.raw.contains(element.name) {
        let text = rest.prefix { $0 != "<" }
        elements[elements.count - 1].text = String(text)
        rest = rest[text.endIndex...]
        let end = "</\(element.name)>"
        guard String(rest.prefix(end.count)) == end else { throw Fault(description: "< in \(element.name)") }
        rest = rest.dropFirst(end.count)
      } else if !Self.void.contains(element.name) {
        open.append(elements.count - 1)
      }
    }
    guard open.isEmpty else { throw Fault(description: "never closed: \(open.map { elements[$0].name })") }
  }

  /// The elements of a name.
  func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

  /// The elements of a style.
  func all(style: String) -> [Element] {
    elements.filter { ($0.attributes["class"] ?? "").split(separator: " ").contains(Substring(style)) }
  }

  /// The element of an identifier.
  func element(_ identifier: String) -> Element? { elements.first { $0.attributes["id"] == identifier } }

  private static func word(_ rest: inout Substring.UnicodeScalarView) -> String {
    let word = rest.prefix { $0.isASCII && ($0.properties.isAlphabetic || "0123456789-".unicodeScalars.contains($0)) }
    rest = rest[word.endIndex...]
    return String(word)
  }

  private static func startTag(_ rest: inout Substring.UnicodeScalarView, parents: [String]) throws -> Element {
    var element = Element(name: word(&rest), parents: parents)
    guard !element.name.isEmpty else { throw Fault(description: "< is not escaped") }
    while rest.first == " " {
      rest.removeFirst()
      let name = word(&rest)
      guard !name.isEmpty, rest.popFirst() == "=", rest.popFirst() == "\"" else {
        throw Fault(description: "the attribute \(name) of \(element.name) is not quoted")
      }
      let value = rest.prefix { $0 != "\"" }
      rest = rest[value.endIndex...].dropFirst()
      guard element.attributes.updateValue(try decoded(value), forKey: name) == nil else {
        throw Fault(description: "the attribute \(name) of \(element.name) occurs twice")
      }
    }
    guard rest.popFirst() == ">" else { throw Fault(description: "the tag of \(element.name) does not end") }
    return element
  }

  /// Text without its escapes; only four of them may occur, and no character that must be escaped.
  private static func decoded(_ text: Substring.UnicodeScalarView) throws -> String {
    let names = ["&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "\""]
    var decoded = String.UnicodeScalarView()
    var rest = text
    while let first = rest.first {
      if first == ">" || first == "\"" || first == "<" { throw Fault(description: "\(first) in \(String(text))") }
      guard first == "&" else {
        decoded.append(rest.removeFirst())
        continue
      }
      let escape = names.first { String(rest.prefix($0.key.utf8.count)) == $0.key }
      guard let escape else { throw Fault(description: "& is not escaped in \(String(text))") }
      decoded.append(contentsOf: escape.value.unicodeScalars)
      rest = rest.dropFirst(escape.key.utf8.count)
    }
    return String(decoded)
  }
}
