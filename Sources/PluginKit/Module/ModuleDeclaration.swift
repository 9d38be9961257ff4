/// What a module may register: what its signed description names (docs/format.md, section 10).
public struct ModuleDeclaration: Sendable, Equatable {
  /// Its identifier.
  public let identifier: String
  /// Patterns of its routes.
  public let routes: [RoutePattern]
  /// Its targets with their actions, and whether each is for code alone.
  public let targets: [String: [String: Bool]]
  /// Names of the services that it may provide.
  public let services: Set<String>
  /// Every way to read the routes: each registration asks for them.
  private let places: Set<PatternShape>

  /// Makes a declaration. A host makes it of the description that was verified, and of nothing else.
  ///
  /// - Parameters:
  ///   - routes: patterns as texts.
  ///   - targets: targets with their actions; true for those that only code may call.
  ///   - defaultScheme: the scheme of patterns without one.
  /// - Throws: `pattern.…`.
  public init(
    identifier: String, routes: [String] = [], targets: [String: [String: Bool]] = [:], services: [String] = [],
    defaultScheme: String? = nil
  ) throws(PluginError) {
    self.identifier = identifier
    var patterns: [RoutePattern] = []
    for route in routes { patterns.append(try RoutePattern(route, defaultScheme: defaultScheme)) }
    self.routes = patterns
    places = Set(patterns.flatMap(\.shapes).map(\.place))
    self.targets = targets
    self.services = Set(services)
  }

  /// Whether a pattern is declared: as a whole, or each way to read it as a way to read one that is.
  func names(_ pattern: RoutePattern) -> Bool {
    pattern.shapes.allSatisfy { places.contains($0.place) }
  }
}
