/// What patterns and URLs are compared by before their parts: the scheme, the form of the URL, and whether its fragment
/// counts. Patterns with one key have a tree of their own.
///
/// It is one text, so that it takes no memory beside the parts of a pattern.
struct RouteKey: Hashable, Sendable {
  /// The scheme of patterns for every scheme.
  static let anyScheme = "*"

  private static let opaqueMark = UInt8(ascii: ":")
  private static let fragmentMark = UInt8(ascii: "#")

  /// The scheme, with `:` behind it for opaque URLs, and then with `#` if the fragment counts. No scheme has either.
  let text: String

  init(scheme: String, isOpaque: Bool = false, hasFragment: Bool = false) {
    text = isOpaque || hasFragment ? scheme + (isOpaque ? ":" : "") + (hasFragment ? "#" : "") : scheme
  }

  /// The key of a URL whose fragment does not count.
  init(of url: PluginURL) { self.init(scheme: url.scheme, isOpaque: url.form == .opaque) }

  /// The key with this text.
  init(text: String) { self.text = text }

  /// The scheme; `*` for every scheme.
  var scheme: String {
    guard let last = text.utf8.last, last == Self.fragmentMark || last == Self.opaqueMark else { return text }
    return String(decoding: text.utf8.prefix { $0 != Self.fragmentMark && $0 != Self.opaqueMark }, as: UTF8.self)
  }

  /// Whether it is for URLs of the form `scheme:rest`.
  var isOpaque: Bool { text.utf8.contains(Self.opaqueMark) }
  /// Whether the fragment of a URL counts.
  var hasFragment: Bool { text.utf8.last == Self.fragmentMark }
  /// Whether it is for every scheme.
  var isGlobal: Bool { text.utf8.first == UInt8(ascii: "*") }

  /// The key of the same URLs whose fragment counts.
  var withFragment: RouteKey { RouteKey(scheme: scheme, isOpaque: isOpaque, hasFragment: true) }

  /// The key of the same URLs for every scheme.
  var global: RouteKey { RouteKey(scheme: Self.anyScheme, isOpaque: isOpaque, hasFragment: hasFragment) }

  /// Whether a condition holds for any key of a scheme.
  static func hasAny(of scheme: String, where isTrue: (RouteKey) -> Bool) -> Bool {
    isTrue(RouteKey(scheme: scheme)) || isTrue(RouteKey(scheme: scheme, hasFragment: true))
      || isTrue(RouteKey(scheme: scheme, isOpaque: true))
      || isTrue(RouteKey(scheme: scheme, isOpaque: true, hasFragment: true))
  }
}
