public import PluginKit

/// What a URL stands for: a bundle, a target in it, and the parameters. It belongs to one request.
public struct SMMatch: Sendable {
  /// The bundle.
  public let bundle: SMBundle
  /// The target: an empty text for the principal, the name of a controller, or a board and an identifier.
  public let target: String
  /// The query of the request, and then that of the rule, as they are written; nil if there is neither.
  public let query: String?
  /// The parameters, each decoded once; nil without a query. If both queries have a name, the rule's value counts.
  public let queryParams: [String: String]?
  /// The URL.
  public let url: PluginURL

  /// Whether the page asks for a window of its own (`_fullscreen=1`).
  public var isFullScreen: Bool { queryParams?[Self.fullScreenKey].map(Self.isTrue) ?? false }

  /// The parameters that the page may get: all but Small's own.
  public var parameters: [String: String] { (queryParams ?? [:]).filter { $0.key != Self.fullScreenKey } }

  static let fullScreenKey = "_fullscreen"

  /// Whether a text is true as a Boolean property takes it from a text: a Y, T or digit other than 0 in front, after
  /// spaces, a sign and zeros.
  static func isTrue(_ text: String) -> Bool {
    var rest = text.utf8.drop { " \t\n\r".utf8.contains($0) }
    if let first = rest.first, "+-".utf8.contains(first) { rest = rest.dropFirst() }
    return rest.drop { $0 == UInt8(ascii: "0") }.first.map { "YyTt123456789".utf8.contains($0) } ?? false
  }
}

/// A rule of a bundle, as URLs are compared with it.
struct SMRule: Sendable {
  /// Whether the path ends in a slash.
  let endsInSlash: Bool
  /// The parameters that the URL has to have, exactly; nil if any will do.
  let items: URLQuery?
  /// The fragment that the URL has to have; nil if any will do.
  let fragment: String?
  let target: String
  /// The query that is added to that of the request, or nil.
  let query: String?
  private let parameters: [String: String]

  /// - Parameters:
  ///   - url: the bundle's URI and the rule's key, as one URL.
  ///   - text: the target, and after a `?` its query.
  /// - Throws: `url.…`: the query is not one.
  init(_ url: PluginURL, _ text: String) throws(PluginError) {
    endsInSlash = Self.endsInSlash(url)
    items = url.hasQuery ? url.query : nil
    fragment = url.fragment
    let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) ?? text.endIndex
    target = String(text[..<mark])
    query = mark < text.endIndex ? String(text[text.utf8.index(after: mark)...]) : nil
    parameters =
      try query.map { (query) throws(PluginError) in
        // The query of a rule is read as that of a URL is. It has no fragment.
        try PluginURL(
          "small://rule?" + query.split(separator: "#", omittingEmptySubsequences: false).joined(separator: "%23")
        )
        .query.dictionary
      } ?? [:]
  }

  static func endsInSlash(_ url: PluginURL) -> Bool { url.resourcePath?.utf8.last == UInt8(ascii: "/") }

  func matches(_ url: PluginURL, endsInSlash: Bool) -> Bool {
    self.endsInSlash == endsInSlash && items.map { $0 == url.query && url.hasQuery } ?? true
      && fragment.map { own in url.fragment.map { $0.utf8.elementsEqual(own.utf8) } ?? false } ?? true
  }

  func match(_ url: PluginURL, _ bundle: SMBundle) -> SMMatch {
    let queries = [url.rawQuery, query].compactMap(\.self)
    var params = url.hasQuery ? url.query.dictionary : nil
    if query != nil { params = (params ?? [:]).merging(parameters) { _, own in own } }
    let written = queries.filter { !$0.isEmpty }.joined(separator: "&")
    return SMMatch(
      bundle: bundle, target: target, query: queries.isEmpty ? nil : written, queryParams: params, url: url)
  }
}
