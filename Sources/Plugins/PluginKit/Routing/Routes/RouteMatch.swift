/// The route for a URL, with what the URL has for its pattern.
public struct RouteMatch<Value: Sendable>: Sendable {
  /// The route that serves the URL.
  public let entry: RouteEntry<Value>
  /// The URL that was looked up.
  public let url: PluginURL
  /// Whether the URL is below the pattern, and no other route serves it.
  public let isFallback: Bool
  /// The reading of the pattern that matched.
  let shape: PatternShape
  /// The reading that gave the owner this turn, if that is one of another of its routes.
  private var turn: PatternShape? { special?.turn }
  /// What most matches do not have. It takes one reference, because matches are copied often.
  private let special: Special?

  private final class Special: Sendable {
    let turn: PatternShape?
    /// The parts that the shape was compared with, if those of the fragment are among them.
    let fragmentParts: [String]?

    init(_ turn: PatternShape?, _ fragmentParts: [String]?) {
      self.turn = turn
      self.fragmentParts = fragmentParts
    }
  }

  init(
    _ entry: RouteEntry<Value>, _ shape: PatternShape, _ url: PluginURL, isFallback: Bool,
    fragmentParts: [String]? = nil, turn: PatternShape? = nil
  ) {
    self.entry = entry
    self.shape = shape
    self.url = url
    self.isFallback = isFallback
    special = turn == nil && fragmentParts == nil ? nil : Special(turn, fragmentParts)
  }

  /// The same match in the turn that another route of the owner has by its pattern.
  func inTurn(of other: RouteMatch) -> RouteMatch {
    RouteMatch(entry, shape, url, isFallback: isFallback, fragmentParts: special?.fragmentParts, turn: other.shape)
  }

  /// The owner of the route.
  public var owner: ModuleOwner { entry.owner }
  /// The pattern that matched.
  public var pattern: RoutePattern { entry.pattern }
  /// The value that belongs to the route.
  public var value: Value { entry.value }

  /// The parameters of the path. A named tail is one of them: its parts joined by slashes. A slash within a part stays
  /// `%2F`, because it does not separate parts.
  public var parameters: [String: String] {
    var values = shape.values(in: parts)
    if let name = shape.tailName { values[name] = tail.map(PatternShape.joinable).joined(separator: "/") }
    return values
  }

  private var parts: [String] { special?.fragmentParts ?? url.parts }

  /// The parts that a wildcard matched, or those below the pattern of a fallback.
  public var tail: [String] { Array(parts.dropFirst(shape.headCount)) }

  /// Whether the owner has its turn before a pattern that matches the same URL, in a tree of both.
  func comesBefore(_ other: PatternShape) -> Bool {
    let own = turn ?? shape
    guard own.isGlobal == other.isGlobal else { return !own.isGlobal }
    return !isFallback && own.comesBefore(other)
  }

  /// Whether a pattern that matches the same URL comes before the owner's turn, in a tree of both.
  func comesAfter(_ other: PatternShape) -> Bool {
    let own = turn ?? shape
    guard own.isGlobal == other.isGlobal else { return own.isGlobal }
    return isFallback || other.comesBefore(own)
  }

  var withoutValue: RouteMatch<Void> {
    RouteMatch<Void>(
      entry.withoutValue, shape, url, isFallback: isFallback, fragmentParts: special?.fragmentParts, turn: turn)
  }
}
