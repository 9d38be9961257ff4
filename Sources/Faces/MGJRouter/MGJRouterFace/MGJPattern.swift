internal import PluginKit

/// A pattern as MGJRouter spells it, translated for PluginKit.
///
/// | MGJRouter | PluginKit |
/// |---|---|
/// | `~` at the end | `*+`: everything below, at least one part |
/// | `mgj://~` | `mgj://`, as MGJRouter reads it, too |
/// | `:user-id`, `:名` | a parameter with another name, because PluginKit's names are letters, digits and `_` |
/// | `(`, `)`, `*`, and `:` within a part | encoded, because they are texts for MGJRouter |
/// | a query | left out; when a URL is generated, it is a template |
struct MGJPattern: Sendable {
  /// The pattern as PluginKit spells it.
  let text: String
  /// The names of parameters that have others in ``text``, by those.
  let aliases: [String: String]
  /// What is after the `?`, with `:name` for values.
  private let template: String?
  private let hasScheme: Bool
  /// The pattern as it was given.
  private let given: String

  /// A longer pattern is left as it is. PluginKit refuses it.
  private static let limit = 1024

  /// Translates a pattern. PluginKit checks the result.
  init(_ given: String) {
    let bytes = Array(given.utf8)
    let mark = bytes.firstIndex(of: UInt8(ascii: "?"))
    let end = mark.flatMap { bytes[$0...].firstIndex(of: UInt8(ascii: "#")) } ?? bytes.endIndex
    let main = bytes[..<(mark ?? bytes.endIndex)] + bytes[end...]
    template = mark.map { String(decoding: bytes[($0 + 1)..<end], as: UTF8.self) }
    self.given = given
    let scheme = Self.schemeEnd(main)
    hasScheme = scheme != nil
    var body = main[(scheme ?? main.startIndex)...]
    let head = String(decoding: main[..<body.startIndex], as: UTF8.self)
    if body.last == UInt8(ascii: "/") { body.removeLast() }
    let pieces = body.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard !body.elementsEqual("~".utf8), body.count <= Self.limit else {
      (text, aliases) = (body.count <= Self.limit ? head : String(decoding: main, as: UTF8.self), [:])
      return
    }
    let underscores = Self.underscores(body)
    var aliases: [String: String] = [:]
    let parts = pieces.enumerated().map { index, piece in
      if piece.elementsEqual("~".utf8) { return "*+" }
      guard piece.first == UInt8(ascii: ":") else { return Self.literal(piece) }
      let name = piece.dropFirst().prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "&") }
      let suffix = Self.literal(piece[name.endIndex...])
      guard Self.isName(name) else {
        let name = String(decoding: name, as: UTF8.self)
        // A name that is there twice has one alias, so that PluginKit refuses it.
        let alias = aliases.first { $1 == name }?.key ?? underscores + "\(index)"
        aliases[alias] = name
        return ":" + alias + suffix
      }
      return ":" + String(decoding: name, as: UTF8.self) + suffix
    }
    text = head + parts.joined(separator: "/")
    self.aliases = aliases
  }

  /// Whether the pattern takes everything below by itself.
  var isWildcard: Bool { text.hasSuffix("*+") }

  /// The URL that the pattern has for these values, in the order of its parameters. Those of the query come last.
  ///
  /// - Throws: `pattern.…`.
  func url(_ values: [String]) throws(PluginError) -> String {
    // PluginKit's URLs have schemes.
    let pattern = try RoutePattern(text, defaultScheme: Self.placeholder)
    var names = pattern.parameterNames
    let count = names.count
    var items: [URLQuery.Item] = []
    if let template {
      let url = try PluginURL(Self.placeholder + "://?" + template)
      for (item, raw) in zip(url.query.items, url.rawQueryItems) {
        let isTaken = raw.value?.utf8.first == UInt8(ascii: ":") && raw.value?.utf8.count != 1
        if isTaken { names.append(String(decoding: (raw.value ?? "").utf8.dropFirst(), as: UTF8.self)) }
        let value = values.indices.contains(names.count - 1) ? values[names.count - 1] : nil
        items.append(isTaken ? URLQuery.Item(name: item.name, value: value) : item)
      }
    }
    guard values.count == names.count else {
      throw PluginError(
        .patternValues, PluginURL.shown(given), "needs a value for each of its parameters",
        expected: PluginURL.shown(names.map { aliases[$0] ?? $0 }.joined(separator: ", ")),
        found: PluginURL.shown(values.joined(separator: ", ")))
    }
    let url = try pattern.url(Array(values.prefix(count)), query: URLQuery(items)).text
    guard !hasScheme else { return url }
    let slashes = given.utf8.prefix { $0 == UInt8(ascii: "/") }.count
    return String(repeating: "/", count: slashes) + url.dropFirst(Self.placeholder.count + 3)
  }

  /// The scheme of patterns without one, while a URL is generated.
  private static let placeholder = "mgj"

  /// The place behind the first `://`.
  private static func schemeEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let colon = bytes.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }),
      bytes[colon...].starts(with: "://".utf8)
    else { return nil }
    return colon + 3
  }

  /// A text that has no meaning in PluginKit's patterns.
  private static func literal(_ bytes: ArraySlice<UInt8>) -> String {
    var result: [UInt8] = []
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "("): result += "%28".utf8
      case UInt8(ascii: ")"): result += "%29".utf8
      case UInt8(ascii: "*"): result += "%2A".utf8
      case UInt8(ascii: ":"): result += "%3A".utf8
      default: result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether PluginKit takes a name.
  private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, !isDigit(first), bytes.count <= 64 else { return false }
    return bytes.allSatisfy { isDigit($0) || 0x41...0x5a ~= $0 & 0xdf || $0 == UInt8(ascii: "_") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

  /// More underscores than stand together anywhere in a pattern. No name of it begins with these.
  private static func underscores(_ bytes: ArraySlice<UInt8>) -> String {
    let longest = bytes.split { $0 != UInt8(ascii: "_") }.map(\.count).max() ?? 0
    return String(repeating: "_", count: longest + 1)
  }
}
