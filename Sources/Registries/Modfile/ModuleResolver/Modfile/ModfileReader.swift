internal import SignetBase
internal import SignetNames

/// Reads the statements of a Modfile (docs/modfile.md has the grammar).
struct ModfileReader {
  private typealias Token = ModfileText.Token
  private typealias Place = ModfileText.Place

  /// A person keeps an overview of fewer.
  private static let sourceLimit = 64
  private static let targetLimit = 64
  /// Ten times the largest host that is measured.
  private static let moduleLimit = 10_000

  private let tokens: [Token]
  private var index = 0
  private var host: SemanticVersion?
  private var minimumAge: MinimumAge?
  private var sources: [ModuleSource] = []
  private var sourcePlaces: [Place] = []
  private var patternCount = 0
  private var modules: [Modfile.RequestedModule] = []
  private var targets: [Modfile.ModuleTarget] = []
  private var requests: [(module: Modfile.RequestedModule, place: Place)] = []
  private var overridden: Set<ModuleIdentifier> = []
  /// The group that is being read.
  private var group: Group?
  /// Where statements stand.
  private var layout = ModfileLayout()

  private struct Group {
    let name: ModfileName
    let place: ModfileText.Place
    var modules: [Modfile.RequestedModule] = []
    var known: Set<ModuleIdentifier> = []
  }
  private var known: Set<ModuleIdentifier> = []

  /// - Throws: what ``ModfileText`` throws.
  init(_ bytes: [UInt8]) throws(SignetError) {
    var text = try ModfileText(bytes)
    tokens = try text.tokens()
  }

  /// Reads all statements.
  mutating func read() throws(SignetError) -> Modfile {
    while tokens[index].kind != .end {
      let token = tokens[index]
      guard case .word(let word) = token.kind else { throw unexpected(Self.words) }
      index += 1
      switch word {
      case "host": try readHost(token.place)
      case "minimumAge": try readMinimumAge(token.place)
      case "source": try readSource(token.place)
      case "module": try readModule(token.place)
      case "target": try beginGroup(token.place)
      case "end": try endGroup(token.place)
      default:
        throw SignetError(
          .modfileUnknownWord, token.place.description, "is a word that no statement begins with",
          expected: Self.words, found: word.display)
      }
      try take(.newline, "the end of the line")
    }
    if let group {
      throw SignetError(
        .modfileNesting, group.place.description, "begins a target that does not end", expected: "end",
        found: "the end of the file")
    }
    return Modfile(
      host: host, minimumAge: minimumAge, sources: sources, modules: modules, targets: targets, scopes: try scopes(),
      layout: layout)
  }

  private static let words = "host, minimumAge, source, module, target or end"

  // MARK: Statements

  private mutating func readMinimumAge(_ place: Place) throws(SignetError) {
    try checkOutside(place, "is the minimum age in a target", "one age for all targets")
    guard minimumAge == nil else { throw twice("minimumAge", place) }
    let (text, textPlace) = try text("the minimum age")
    guard let age = MinimumAge(text) else {
      throw SignetError(
        .modfileMinimumAge, textPlace.description, "is not an age", expected: MinimumAge.form, found: text.display)
    }
    minimumAge = age
    layout.introduction = max(layout.introduction, textPlace.line)
  }

  private func checkOutside(_ place: Place, _ what: String, _ expected: String) throws(SignetError) {
    guard group != nil else { return }
    throw SignetError(
      .modfileNesting, place.description, what, expected: expected, hint: "move it to the beginning of the file")
  }

  private mutating func readHost(_ place: Place) throws(SignetError) {
    try checkOutside(place, "is the host's version in a target", "one version for all targets")
    guard host == nil else { throw twice("host", place) }
    let (text, textPlace) = try text("the host's version")
    guard let version = SemanticVersion(text) else {
      throw SignetError(
        .modfileHost, textPlace.description, "is not a version", expected: "a version such as 1.4.0",
        found: text.display)
    }
    host = version
    layout.introduction = max(layout.introduction, textPlace.line)
  }

  private mutating func readSource(_ place: Place) throws(SignetError) {
    try checkOutside(place, "is a source in a target", "a source outside of all targets")
    guard sources.count < Self.sourceLimit else { throw tooMany("sources", Self.sourceLimit, place) }
    let name = try name("the name of the source")
    guard !sources.contains(where: { $0.name == name }) else { throw twice("source \(name)", place) }
    try take(.comma, "a comma")
    let kind: ModuleSource.Kind = tokens[index].kind == .word("specs:") ? .specs : .registry
    if kind == .specs { index += 1 }
    let url = try text(kind == .specs ? "the URL of a repository of specs" : "the URL of the source")
    // Specs say which modules they are for. A registry is asked for each module by its name.
    var patterns = [ModulePattern.any]
    let before = index
    if kind == .registry || tokens[index].kind == .comma {
      try take(.comma, "a comma")
      try option("modules:")
      patterns = try self.patterns()
    }
    do throws(SignetError) {
      sources.append(try ModuleSource(name: name, kind, url: url.text, modules: patterns))
    } catch { throw error.about(url.place.description) }
    sourcePlaces.append(place)
    if index > before { layout.patterns[name] = patternsPlace(from: before) }
    layout.introduction = max(layout.introduction, tokens[index - 1].place.line)
  }

  private mutating func readModule(_ place: Place) throws(SignetError) {
    guard requests.count < Self.moduleLimit else { throw tooMany("lines with modules", Self.moduleLimit, place) }
    let (text, textPlace) = try self.text("the identifier of the module")
    guard let identifier = ModuleIdentifier(text) else {
      throw SignetError(
        .modfileName, textPlace.description, "is not the identifier of a module",
        expected: "one such as com.example.player", found: text.display)
    }
    let isNew = group?.known.insert(identifier).inserted ?? known.insert(identifier).inserted
    guard isNew else { throw twice("module \(identifier)", place) }
    let choice = try choice()
    let lines = place.line...max(place.line, tokens[index - 1].place.line)
    let module = Modfile.RequestedModule(identifier: identifier, choice: choice, lines: lines)
    if module.override != nil, !overridden.insert(identifier).inserted {
      throw SignetError(
        .modfileDuplicate, place.description, "is a second override of \(identifier)", expected: "one override",
        hint: "leave the override in one line, and remove it from the others")
    }
    requests.append((module, place))
    if group == nil { modules.append(module) } else { group?.modules.append(module) }
  }

  private mutating func beginGroup(_ place: Place) throws(SignetError) {
    guard group == nil else {
      throw SignetError(
        .modfileNesting, place.description, "is a target in a target", expected: "end of the first one",
        hint: "end the first target, or put common modules outside of both")
    }
    guard targets.count < Self.targetLimit else { throw tooMany("targets", Self.targetLimit, place) }
    let name = try name("the name of the target")
    guard !targets.contains(where: { $0.name == name }) else { throw twice("target \(name)", place) }
    try take(.word("do"), "do")
    group = Group(name: name, place: place)
  }

  private mutating func endGroup(_ place: Place) throws(SignetError) {
    guard let ended = group else {
      throw SignetError(
        .modfileNesting, place.description, "ends no target", expected: "a statement before it: target")
    }
    targets.append(Modfile.ModuleTarget(name: ended.name, modules: ended.modules))
    layout.targets[ended.name] = ended.place.line
    group = nil
  }

  // MARK: Parts of statements

  /// What follows the identifier: comparators, or an override.
  private mutating func choice() throws(SignetError) -> Modfile.Choice {
    var comparators: [String] = []
    var start: Place?
    while tokens[index].kind == .comma {
      index += 1
      let token = tokens[index]
      guard case .word(let word) = token.kind else {
        guard comparators.count < VersionRequirement.comparatorLimit else {
          throw tooMany("comparators", VersionRequirement.comparatorLimit, token.place)
        }
        let (text, place) = try text("a comparator such as '~> 1.0', path: or git:")
        guard VersionRequirement([text]) != nil else {
          throw SignetError(
            .modfileRange, place.description, "is not a comparator",
            expected: "one such as '~> 1.0', '>= 1.2' or '= 1.2.3', without build metadata", found: text.display)
        }
        comparators.append(text)
        start = start ?? place
        continue
      }
      guard word == "path:" || word == "git:" else { throw unknownOption(token, "path: or git:") }
      guard comparators.isEmpty else {
        throw SignetError(
          .modfileOverride, token.place.description, "is an override beside comparators",
          expected: "one of the two", hint: "remove the comparators; the folder or commit has the version that it has"
        )
      }
      return .override(try override())
    }
    guard let start, let versions = VersionRequirement(comparators) else { return .versions(.any) }
    guard !versions.isEmpty else {
      throw SignetError(
        .modfileRange, start.description, "begins comparators that no version meets",
        expected: "comparators that can all hold", found: "\(versions)")
    }
    return .versions(versions)
  }

  private mutating func override() throws(SignetError) -> ModuleOverride {
    let isPath = tokens[index].kind == .word("path:")
    index += 1
    let (first, place) = try text(isPath ? "a folder" : "the URL of a repository")
    do throws(SignetError) {
      if isPath { return .path(try FolderPath(first)) }
    } catch { throw error.about(place.description) }
    try take(.comma, "a comma")
    try option("commit:")
    let (id, idPlace) = try text("the ID of a commit")
    do throws(SignetError) { return .commit(try GitCommit(repository: first, id: id)) } catch {
      throw error.about((error.code == .modfileURL ? place : idPlace).description)
    }
  }

  private mutating func patterns() throws(SignetError) -> [ModulePattern] {
    guard tokens[index].kind == .open else { return [try pattern()] }
    index += 1
    var patterns = [try pattern()]
    while tokens[index].kind == .comma {
      index += 1
      if tokens[index].kind == .close { break }
      patterns.append(try pattern())
    }
    try take(.close, "a comma or ]")
    return patterns
  }

  /// Where the patterns stand that were read last, after a comma and `modules:`.
  private func patternsPlace(from start: Int) -> ModfileLayout.Patterns? {
    guard let last = tokens[start..<index].last(where: { $0.kind.isText }), case .text(let text) = last.kind else {
      return nil
    }
    let first = tokens[start + 2]
    var end = last.place
    end.column += text.unicodeScalars.count + "''".utf8.count
    return ModfileLayout.Patterns(start: first.place, end: end, isList: first.kind == .open)
  }

  private mutating func pattern() throws(SignetError) -> ModulePattern {
    let (text, place) = try text("a pattern of modules")
    patternCount += 1
    guard patternCount <= SourceScopes.patternLimit else {
      throw tooMany("patterns", SourceScopes.patternLimit, place)
    }
    guard let pattern = ModulePattern(text) else {
      throw SignetError(
        .modfilePattern, place.description, "is not a pattern of modules",
        expected: "one such as com.example.player, com.example.* or com.example.**", found: text.display)
    }
    return pattern
  }

  private mutating func name(_ role: String) throws(SignetError) -> ModfileName {
    let (text, place) = try text(role)
    guard let name = ModfileName(text) else {
      throw SignetError(
        .modfileName, place.description, "is not a name", expected: "1 to 64 letters, digits, hyphens, _ and dots",
        found: text.display)
    }
    return name
  }

  // MARK: Tokens

  private mutating func text(_ role: String) throws(SignetError) -> (text: String, place: Place) {
    let token = tokens[index]
    guard case .text(let text) = token.kind else { throw unexpected("\(role) in single quotes") }
    index += 1
    return (text, token.place)
  }

  private mutating func option(_ name: String) throws(SignetError) {
    guard case .word(let word) = tokens[index].kind else { throw unexpected(name) }
    guard word == name else { throw unknownOption(tokens[index], name) }
    index += 1
  }

  private mutating func take(_ kind: ModfileText.Kind, _ name: String) throws(SignetError) {
    guard tokens[index].kind == kind else { throw unexpected(name) }
    index += 1
  }

  private func unexpected(_ expected: String) -> SignetError {
    let token = tokens[index]
    return SignetError(
      .modfileSyntax, token.place.description, "is not what a Modfile has here", expected: expected,
      found: token.kind.shown, hint: "docs/modfile.md describes the statements")
  }

  private func unknownOption(_ token: Token, _ expected: String) -> SignetError {
    SignetError(
      .modfileUnknownWord, token.place.description, "is no option of this statement", expected: expected,
      found: token.kind.shown)
  }

  private func tooMany(_ what: String, _ limit: Int, _ place: Place) -> SignetError {
    SignetError(.modfileCount, place.description, "is one too many", expected: "at most \(limit) \(what)")
  }

  private func twice(_ what: String, _ place: Place) -> SignetError {
    SignetError(
      .modfileDuplicate, place.description, "stands twice", expected: "each once", found: what,
      hint: "remove one of the two")
  }

  // MARK: Sources of modules

  /// Who may serve what. Each module that is named without an override has a source.
  private func scopes() throws(SignetError) -> SourceScopes {
    var overlap: SourceScopes.Overlap?
    let scopes = SourceScopes(sources, overlap: &overlap)
    if let overlap, let place = sources.firstIndex(of: overlap.second).map({ sourcePlaces[$0] }) {
      throw SignetError(
        .modfileScopeOverlap, place.description,
        "leaves open whether \(overlap.first.name) or \(overlap.second.name) serves a module",
        expected: "patterns of which one is more specific",
        found: "\(overlap.patterns.0) and \(overlap.patterns.1)",
        hint: "name the modules of one source more precisely")
    }
    for (module, place) in requests where !overridden.contains(module.identifier) {
      guard scopes.source(of: module.identifier) == nil else { continue }
      throw SignetError(
        .modfileNoSource, place.description, "asks for a module that no source may serve",
        expected: "a source whose modules: cover it", found: "\(module.identifier)",
        hint: "add the module to the source that you trust for it")
    }
    return scopes
  }
}
