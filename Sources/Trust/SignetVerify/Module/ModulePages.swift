internal import SignetBase

extension ModuleDescription {
  /// The pages that a module may make, and what URLs may set on them.
  public struct Pages: Hashable, Sendable {
    /// The names of pages; the empty name is the page that the module opens with.
    public let names: [String]
    /// Boards of pages, in the order of their names' bytes.
    public let boards: [Board]
    /// The parameters that a URL may set, in the order of the pages' bytes.
    public let acceptedParameters: [AcceptedParameters]
  }

  /// A board: a name under which pages have identifiers.
  public struct Board: Hashable, Sendable {
    /// The board's name.
    public let name: String
    /// The identifiers of its pages, one or more.
    public let identifiers: [String]
  }

  /// The parameters of one page that a URL may set.
  public struct AcceptedParameters: Hashable, Sendable {
    /// The name of the page, or `Board/Identifier`.
    public let page: String
    /// The names of the parameters, one or more.
    public let names: [String]
  }
}

extension ModuleDescription.Pages {
  /// The maximum number of pages, and of pages with parameters.
  private static let pageLimit = 1000
  /// The maximum number of boards, of pages on a board, and of parameters of a page.
  private static let listLimit = 200

  /// Takes the fields about pages.
  ///
  /// - Throws: `json.wrong-value`.
  init(reading object: inout JSONObject) throws(SignetError) {
    names = try object.texts("pages", atMost: Self.pageLimit, ModuleText.page)
    boards = try Self.lists("boards", of: &object, atMost: Self.listLimit, ModuleText.name)
      .map { ModuleDescription.Board(name: $0, identifiers: $1) }
    acceptedParameters = try Self.lists(
      "acceptedParameters", of: &object, atMost: Self.pageLimit, Self.page(names, boards)
    ).map { ModuleDescription.AcceptedParameters(page: $0, names: $1) }
  }

  /// A name under which the description declares a page.
  private static func page(_ names: [String], _ boards: [ModuleDescription.Board]) -> ModuleText {
    let declared = Set(
      (names + boards.flatMap { board in board.identifiers.map { "\(board.name)/\($0)" } }).map {
        Array($0.utf8)
      })
    return ModuleText(meaning: "the name of a page in \"pages\", or Board/Identifier of one in \"boards\"") {
      declared.contains(Array($0.utf8))
    }
  }

  /// Takes an object of lists of names.
  private static func lists(
    _ name: String, of object: inout JSONObject, atMost limit: Int, _ keys: ModuleText
  ) throws(SignetError) -> [(String, [String])] {
    guard var lists = try object.optionalObject(name) else { return [] }
    guard lists.names.count <= limit else {
      throw object.wrong(name, "at most \(limit) names", "\(lists.names.count)")
    }
    var result: [(String, [String])] = []
    for key in lists.names.sorted(by: { $0.precedesInBytes($1) }) {
      guard keys.allows(key) else { throw lists.wrong(key, keys.meaning, key) }
      let elements = try lists.texts(key, atMost: listLimit, ModuleText.name)
      guard !elements.isEmpty else { throw lists.wrong(key, "1 to \(listLimit) names", "none") }
      result.append((key, elements))
    }
    try lists.finish()
    return result
  }
}
