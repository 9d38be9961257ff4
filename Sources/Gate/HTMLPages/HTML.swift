internal import SignetBase

/// Markup that is written from top to bottom.
///
/// Text from outside is safe wherever it goes. Elements and attributes come from closed lists, each element is closed
/// after its content, and a `String` can become text or an attribute's value, but never markup.
package struct HTML {
  /// What has been written, in UTF-8.
  package private(set) var bytes = Array("<!DOCTYPE html>".utf8)

  /// Begins a page.
  package init() {}

  /// The elements with content that the page uses.
  package enum Element: String, CaseIterable {
    case a, body, code, dd, details, div, dl, dt, fieldset, footer, form, h1, h2, h3, h4, head, header, html
    case label, legend, li, line, main, nav, ol, option, output, p, polygon, rect, section, select, span, strong
    case summary, svg, table, tbody, td, text, th, thead, time, title, tr, ul

    /// Whether the element begins a line of the file. White space shows between the others.
    fileprivate var startsLine: Bool {
      switch self {
      case .a, .code, .label, .legend, .option, .output, .span, .strong, .text, .time: false
      default: true
      }
    }
  }

  /// The elements that cannot have content.
  package enum VoidElement: String, CaseIterable {
    case input, link, meta
  }

  /// Writes an element and what the function writes into it.
  package mutating func add(_ element: Element, _ attributes: Attribute..., content: (inout HTML) -> Void) {
    open(element, attributes)
    content(&self)
    close(element)
  }

  /// Writes an element with nothing but text in it.
  package mutating func add(_ element: Element, _ attributes: Attribute..., text: String = "") {
    open(element, attributes)
    add(text)
    close(element)
  }

  /// Writes an element without content.
  package mutating func add(_ element: VoidElement, _ attributes: Attribute...) {
    start(element.rawValue, attributes, onLine: element != .input)
  }

  /// Writes text.
  package mutating func add(_ text: String) { escape(text) }

  /// Writes the style sheet or the script.
  package mutating func add(_ source: EmbeddedSource) {
    start(source.kind.rawValue, [], onLine: true)
    raw(source.text)
    raw("</")
    raw(source.kind.rawValue)
    raw(">")
  }

  /// Writes the element of a script in a file of its own, which runs when the page is complete.
  package mutating func addScript(_ file: PageLink) {
    start(EmbeddedSource.Kind.script.rawValue, [.source(file), .deferred], onLine: true)
    raw("</script>")
  }

  /// Ends the line.
  package mutating func endLine() { raw("\n") }

  private mutating func open(_ element: Element, _ attributes: [Attribute]) {
    start(element.rawValue, attributes, onLine: element.startsLine)
  }

  private mutating func start(_ name: String, _ attributes: [Attribute], onLine: Bool) {
    raw(onLine ? "\n<" : "<")
    raw(name)
    for attribute in attributes {
      raw(" ")
      raw(attribute.name)
      raw("=\"")
      escape(attribute.value)
      raw("\"")
    }
    raw(">")
  }

  private mutating func close(_ element: Element) {
    raw("</")
    raw(element.rawValue)
    raw(">")
  }

  /// Writes text or a value between double quotes, with the characters escaped that could end it.
  ///
  /// This works on bytes: `<` and a combining mark after it are one `Character`, which is not `<`.
  private mutating func escape(_ text: String) {
    let text = Self.shown(text)
    guard text.utf8.contains(where: Self.isSpecial) else { return raw(text) }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): raw("&amp;")
      case UInt8(ascii: "<"): raw("&lt;")
      case UInt8(ascii: ">"): raw("&gt;")
      case UInt8(ascii: "\""): raw("&quot;")
      default: bytes.append(byte)
      }
    }
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "\"")
  }

  /// The longest text that is shown whole: a path of Linux has at most 4,096 bytes (PATH_MAX).
  private static let longestText = 4096

  /// The text without characters that hide or reorder others, and cut if it is longer than any path.
  private static func shown(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { (0x20..<0x7f).contains($0) }
    guard text.utf8.count > longestText else { return isPlain ? text : text.visible }
    guard let end = text.unicodeScalars.index(text.startIndex, offsetBy: longestText, limitedBy: text.endIndex),
      end < text.endIndex
    else { return text.visible }
    return String(text.unicodeScalars[..<end]).visible + "…"
  }

  private mutating func raw(_ text: String) { bytes += text.utf8 }
}
