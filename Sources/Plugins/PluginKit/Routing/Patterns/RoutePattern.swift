/// A pattern for the URLs that a route serves, such as `ui://player/:track`.
///
/// | part | matches |
/// |---|---|
/// | `songs` | this text, byte by byte; percent-encoded or not, on both sides |
/// | `:id` | one part that is not empty, as the parameter `id` |
/// | `:id.html` | one part that ends in `.html` with something in front, which is `id` |
/// | `*`, `*rest` | at the end: all remaining parts, even none, as the tail; joined by `/`, they are `rest` |
/// | `*+`, `*rest+` | the same, but at least one part |
/// | `(/extra/:page)` | optional: the pattern is read with and without what is in the parentheses |
/// | `#/view/:id` | the fragment of the URL, which is then a path, too; it comes after everything else |
///
/// `*://page` is for every scheme: for those that have no routes of their own, and those that the host lets fall back
/// (``Router/setFallsBack(_:scheme:)``). `tel::number` and `mailto:*` are for URLs of the form `scheme:rest`, and match
/// no others. `ui:/page` is the same as `ui:///page`.
///
/// The first part is the host of the URL. A pattern with a scheme alone, `ui://`, matches the URL without host and
/// path. With `allowsFallback` it serves all URLs of the scheme that no other route serves. A pattern is checked as a
/// whole, in all builds: an invalid part is an error and never becomes a literal. A literal `:`, `*`, `(` or `)` is
/// written percent-encoded.
public struct RoutePattern: Hashable, Sendable {
  /// The pattern as it was given.
  public var text: String { given ?? first.text }
  /// The text, if the only reading does not give the same. So most patterns need not be kept twice.
  private let given: String?
  /// The reading with all optional parts, and the others.
  private let first: PatternShape
  private let others: [PatternShape]

  /// Parses a pattern.
  ///
  /// - Parameters:
  ///   - text: the pattern.
  ///   - defaultScheme: the scheme of a pattern that has none.
  /// - Throws: `pattern.malformed`, `pattern.too-long`, `pattern.duplicate-name`.
  public init(_ text: String, defaultScheme: String? = nil) throws(PluginError) {
    let shapes = try PatternParser(text, defaultScheme).shapes()
    first = shapes[0]
    others = Array(shapes.dropFirst())
    given = others.isEmpty && first.text.isSame(as: text) ? nil : text
  }

  /// Every reading of the pattern; the one with all optional parts first.
  var shapes: [PatternShape] { others.isEmpty ? [first] : [first] + others }

  /// Makes the pattern that matches only this URL, whatever its query and fragment, or also all URLs below it.
  ///
  /// - Throws: `pattern.too-long`.
  public init(of url: PluginURL, andBelow: Bool) throws(PluginError) {
    let parts = url.parts.map(PercentCoding.encode) + (andBelow ? ["*"] : [])
    try self.init(url.scheme + (url.form == .opaque ? ":" : "://") + parts.joined(separator: "/"))
  }

  /// Makes the same pattern, whatever its length: as a text, it can be longer than a pattern may be.
  package init(matching url: PluginURL, andBelow: Bool) {
    let parts = url.parts.map { PatternPart.literal($0) } + (andBelow ? [.wildcard(name: nil, needsPart: false)] : [])
    self.init(PatternShape(scheme: url.scheme, isOpaque: url.form == .opaque, parts: parts))
  }

  init(_ shape: PatternShape) {
    first = shape
    others = []
    given = nil
  }

  /// Every reading as a pattern of its own; the one with all optional parts first.
  package var readings: [RoutePattern] { shapes.map { RoutePattern($0) } }

  /// Every reading as a text without optional parts; the one with all of them first.
  public var expansions: [String] { shapes.map(\.text) }

  /// The names of the parameters in all readings, each once.
  public var parameterNames: [String] {
    var seen: Set<String> = []
    return shapes.flatMap(\.names).filter { seen.insert($0).inserted }
  }

  /// Two patterns are equal if they have the same readings.
  public static func == (one: RoutePattern, other: RoutePattern) -> Bool { one.shapes == other.shapes }

  /// Hashes the readings of the pattern.
  public func hash(into hasher: inout Hasher) { hasher.combine(shapes) }
}

extension RoutePattern {
  /// Whether a reading is for every scheme.
  var isGlobal: Bool { shapes.contains { $0.isGlobal } }

  /// Whether the fragment counts in a reading.
  var hasFragment: Bool { shapes.contains { $0.hasFragment } }

  /// Whether both patterns match the same URLs by their readings. Names do not count.
  func hasPlaces(of other: RoutePattern) -> Bool { lies(within: other) && other.lies(within: self) }

  /// Whether each reading matches the same URLs as a reading of another pattern.
  func lies(within other: RoutePattern) -> Bool {
    shapes.allSatisfy { shape in other.shapes.contains { $0.hasPlace(of: shape, from: 0) } }
  }
}

extension RoutePattern: CustomStringConvertible {
  /// The pattern as it was given.
  public var description: String { text }
}

extension PatternShape {
  /// The shape as a pattern.
  var text: String {
    written(
      parts.map { part in
        switch part {
        case .literal(PluginURL.fragmentMark): nil
        case .literal(let text): PercentCoding.encode(text)
        case .parameter(let name): ":" + name
        case .suffixed(let name, let suffix): ":" + name + PatternShape.encoded(suffix: suffix)
        case .wildcard(let name, let needsPart): "*" + (name ?? "") + (needsPart ? "+" : "")
        }
      })
  }

  /// A URL or a pattern of these parts, which are encoded; nil is where the fragment begins.
  func written(_ parts: [String?], query: String = "") -> String {
    let mark = parts.firstIndex(of: nil) ?? parts.endIndex
    let path = parts[..<mark].map { $0 ?? "" }.joined(separator: "/")
    let fragment = mark == parts.endIndex ? "" : "#/" + parts[(mark + 1)...].map { $0 ?? "" }.joined(separator: "/")
    return scheme + (isOpaque ? ":" : "://") + path + query + fragment
  }

  /// The suffix after a parameter's name. Its first character is encoded if it would continue the name.
  private static func encoded(suffix: String) -> String {
    guard let first = suffix.utf8.first, PatternParser.isName(first) else { return PercentCoding.encode(suffix) }
    return PercentCoding.encode(first) + PercentCoding.encode(String(suffix.unicodeScalars.dropFirst()))
  }
}

extension RoutePattern {
  /// Whether every URL that the pattern matches, in each reading, is this URL or below it. For a pattern for every
  /// scheme, this is about the URLs with the scheme of this URL.
  public func lies(below url: PluginURL) -> Bool {
    shapes.allSatisfy { shape in
      (shape.isGlobal || shape.scheme == url.scheme) && shape.isOpaque == (url.form == .opaque)
        && shape.parts.count >= url.parts.count
        && zip(shape.parts, url.parts).allSatisfy { part, text in
          if case .literal(let own) = part { own.isSame(as: text) } else { false }
        }
    }
  }
}
