/// The registrations that a module may make, as its signed description names them (docs/format.md, section 10).
public struct ModuleDeclaration: Sendable, Equatable {
  /// The module's identifier.
  public let identifier: String
  /// The patterns of the routes that the module may register.
  public let routes: [RoutePattern]
  /// The targets that the module may register, with their actions; true for an action that only code may call.
  public let targets: [String: [String: Bool]]
  /// The names of the services that the module may provide.
  public let services: Set<String>
  /// The names of the pages that the module may make. The empty name is the page that it opens with.
  public let pages: Set<String>
  /// The boards of the module: for each, the identifiers of its pages.
  public let boards: [String: Set<String>]
  /// The parameters that a URL may set, by the name of the page: `Detail`, or `Main/Settings` for a page of a board.
  public let acceptedParameters: [String: Set<String>]
  /// URLs that belong to other modules, with all below them: no route comes before theirs by its priority.
  package var urlsOfOthers: [PluginURL] = []
  /// The greatest number of parts in all readings of all routes: 16 for each of the 1,000 routes that a description may
  /// have.
  private static let partLimit = 16_384
  /// The index of the route for each reading. Each registration looks routes up here.
  private let places: [PatternPlace: Int]

  /// Makes a declaration. A host makes it from the verified description only.
  ///
  /// - Parameters:
  ///   - identifier: the module's identifier.
  ///   - routes: patterns as texts.
  ///   - targets: targets with their actions; true for an action that only code may call.
  ///   - services: names of the services that it may provide: their protocols' names, without Swift modules.
  ///   - pages: names of the pages that it may make; the empty name is the page that it opens with.
  ///   - boards: boards, with the identifiers of their pages.
  ///   - acceptedParameters: names of the parameters that a URL may set, by the name of the page.
  ///   - defaultScheme: the scheme of patterns that have none.
  /// - Throws: `pattern.…`.
  public init(
    identifier: String, routes: [String] = [], targets: [String: [String: Bool]] = [:], services: [String] = [],
    pages: [String] = [], boards: [String: [String]] = [:], acceptedParameters: [String: [String]] = [:],
    defaultScheme: String? = nil
  ) throws(PluginError) {
    self.identifier = identifier
    var patterns: [RoutePattern] = []
    for route in routes { patterns.append(try RoutePattern(route, defaultScheme: defaultScheme)) }
    guard patterns.reduce(0, { $0 + $1.shapes.reduce(0) { $0 + $1.parts.count } }) <= Self.partLimit else {
      throw PluginError(
        .patternTooLong, PluginURL.shown(identifier), "declares routes with too many parts",
        expected: "at most \(Self.partLimit), each way to read a route by itself")
    }
    self.routes = patterns
    var places: [PatternPlace: Int] = [:]
    for (index, pattern) in patterns.enumerated() {
      for shape in pattern.shapes where places[shape.place] == nil { places[shape.place] = index }
    }
    self.places = places
    self.targets = targets
    self.services = Set(services)
    self.pages = Set(pages)
    self.boards = boards.mapValues { Set($0) }
    self.acceptedParameters = acceptedParameters.mapValues { Set($0) }
  }

  /// Whether a page is declared, by its name or as a page of a board.
  func declares(_ page: PageName) -> Bool {
    guard let board = page.board else { return pages.contains(page.text) }
    return boards[board]?.contains(page.identifier) == true
  }

  /// Whether all paths below a pattern are declared, by the pattern followed by a wildcard.
  func namesAllBelow(_ pattern: RoutePattern) -> Bool {
    pattern.shapes.allSatisfy { shape in
      if shape.hasTail { return isDeclared(shape) }
      // Below a scheme alone, the wildcard is the host. The pattern itself is declared, so its tail needs a part.
      return isDeclared(
        PatternShape(
          scheme: shape.scheme, isOpaque: shape.isOpaque, parts: shape.parts + [.wildcard(name: nil, needsPart: true)]
        ))
    }
  }

  /// Whether the description names a reading of a pattern. A tail that may be empty covers one that may not.
  private func isDeclared(_ shape: PatternShape) -> Bool {
    places[shape.place] != nil || shape.needsPart && places[shape.withEmptyTail.place] != nil
  }

  /// The pattern, if it is declared: as a whole, or each of its readings as a reading of a declared pattern.
  ///
  /// For a pattern that is declared word by word, this is the declared instance, so that it is kept once.
  /// - Returns: nil if it is not declared.
  func declared(_ pattern: RoutePattern) -> RoutePattern? {
    guard pattern.shapes.allSatisfy(isDeclared) else { return nil }
    guard let known = pattern.shapes.first.flatMap({ places[$0.place] }).map({ routes[$0] }), known == pattern,
      known.text.isSame(as: pattern.text)
    else { return pattern }
    return known
  }
}

extension PatternShape {
  /// The same shape with a tail that may be empty.
  fileprivate var withEmptyTail: PatternShape {
    PatternShape(
      scheme: scheme, isOpaque: isOpaque, parts: parts.dropLast() + [.wildcard(name: tailName, needsPart: false)])
  }
}
